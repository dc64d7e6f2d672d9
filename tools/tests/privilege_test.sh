# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# Advice of n3stat if the kernel denies access: for users, uid 0 without the capability, uid 0
# of a user namespace. refuse.c simulates the kernel; selftests/kernel/n3stat.sh uses a real one.

stub_machine
echo 2 >"$box/proc/sys/kernel/perf_event_paranoid"

# as_user UID CAPABILITIES NAMESPACE: identity of n3stat; the initial namespace is 4026531837
as_user()
{
	printf 'Name:\tn3stat\nUid:\t%d\t%d\t%d\t%d\nCapEff:\t%s\n' "$1" "$1" "$1" "$1" "$2" \
		>"$box/proc/self/status"
	ln -sfn "user:[$3]" "$box/proc/self/ns/user"
}

# advises STATUS ERRNO PATTERN NOT COMMAND...: the output matches PATTERN and not NOT
advises()
{
	wanted=$1 error=$2 pattern=$3 not=$4
	shift 4
	stubbed "$error" "$@"
	[ $? -eq "$wanted" ] && grep -Eq -- "$pattern" "$tmp/out" "$tmp/err" &&
		! grep -Eq -- "$not" "$tmp/out" "$tmp/err"
	result $? "$who, errno $error: ${*:-table}"
}

# all PATTERN NOT: for every command that needs privileges, and every error
EPERM=1 EACCES=13
all()
{
	for error in $EPERM $EACCES; do
		advises 6 $error "$1" "$2"
		advises 6 $error "$1" "$2" tree
		advises 7 $error "$1" "$2" doctor
		advises 0 $error "$1" "$2" spe info
		! grep -q no_spe_files "$tmp/out"
		result $? "$who, errno $error: spe info does not report missing files"
		advises 6 $error "$1" "$2" spe record -o "$tmp/none" -- true
		advises 6 $error "$1" "$2" selftest --apply
	done
}

who="a user"
as_user 1000 0000000000000000 4026531837
all 'be root|sudo' 'uid 0'
who="uid 0 without capabilities"
as_user 0 0000000000000000 4026531837
advises 6 $EPERM CAP_PERFMON 'be root|sudo' spe record -o "$tmp/none" -- true
advises 6 $EPERM CAP_PERFMON 'be root|sudo'
advises 7 $EPERM CAP_PERFMON 'be root|sudo' doctor
advises 0 $EPERM CAP_PERFMON 'be root|sudo' spe info
advises 6 $EPERM CAP_PERFMON 'be root|sudo' selftest --apply
who="uid 0 of a user namespace"
as_user 0 000001ffffffffff 4026532500
all 'CAP_PERFMON in the initial user namespace' 'be root|sudo'
who="a user of a user namespace"
as_user 1000 0000000000000000 4026532500
all 'CAP_PERFMON in the initial user namespace' 'be root|sudo'
who="CAP_PERFMON"
as_user 1000 0000004000000000 4026531837
# file modes do not depend on the capability
advises 6 $EACCES 'be root.*gid=' 'seccomp'
advises 6 $EACCES 'seccomp' 'be root' spe record -o "$tmp/none" -- true
echo 3 >"$box/proc/sys/kernel/perf_event_paranoid"
who="uid 0 of a user namespace, level 3"
as_user 0 000001ffffffffff 4026532500
advises 7 $EPERM 'CAP_PERFMON in the initial user namespace' 'may sample all' spe info
