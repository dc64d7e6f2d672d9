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

# advises STATUS ERRNO ID COMMAND...: of all advice the output has this, as error or as a note
ids='capability_missing|permission_denied|policy_refuses|sysfs_read_only|user_namespace'
advises()
{
	wanted=$1 error=$2 id=$3
	shift 3
	stubbed "$error" "$@"
	[ $? -eq "$wanted" ] && [ "$(grep -hoE "\[($ids)\]\$" "$tmp/out" "$tmp/err" | sort -u)" = \
		"[$id]" ] &&
		if [ "$wanted" -eq 6 ]; then has_message "$id"; else has_finding note "$id"; fi
	result $? "$who, errno $error: $id: ${*:-table}"
}

# finds ID COMMAND: doctor has that error, and proposes to run the command
finds()
{
	has_finding error "$1" && [ "$(fix_of "$1")" = "$2" ]
	result $? "$who, errno $error: doctor finds $1"
}

# all ID DOCTOR: for every command that needs privileges, and every error
EPERM=1 EACCES=13 EROFS=30
all()
{
	for error in $EPERM $EACCES; do
		advises 6 $error "$1"
		advises 6 $error "$1" tree
		advises 7 $error "$1" doctor
		[ $error -eq $EACCES ] && finds module_unreadable "$2" || finds no_cap_perfmon "$2"
		advises 0 $error "$1" spe info
		! grep -q no_spe_files "$tmp/out"
		result $? "$who, errno $error: spe info does not report missing files"
		advises 6 $error "$1" spe record -o "$tmp/none" -- true
		advises 6 $error "$1" selftest --apply
	done
}

who="a user"
as_user 1000 0000000000000000 4026531837
all permission_denied "sudo n3stat doctor"
stubbed $EPERM --json
[ $? -eq 6 ] && is_json_error permission_denied && has_message permission_denied
result $? "$who: --json has the id"
stubbed $EPERM doctor --json
[ $? -eq 7 ] && python3 -c '
import json, sys
findings = json.load(sys.stdin)["findings"]
assert "permission_denied" in [f["id"] for f in findings if f["severity"] == "note"]' <"$tmp/out"
result $? "$who: doctor --json has the id"
advises 6 $EPERM permission_denied
grep -qF "setcap cap_perfmon+ep $(readlink "$box/proc/self/exe")" "$tmp/err"
result $? "$who: the advice names the program"
who="uid 0 without capabilities"
as_user 0 0000000000000000 4026531837
advises 6 $EPERM capability_missing spe record -o "$tmp/none" -- true
advises 6 $EPERM capability_missing
advises 7 $EPERM capability_missing doctor
advises 0 $EPERM capability_missing spe info
advises 6 $EPERM capability_missing selftest --apply
advises 6 $EROFS sysfs_read_only selftest --apply
who="uid 0 of a user namespace"
as_user 0 000001ffffffffff 4026532500
all user_namespace "n3stat doctor on the host"
who="a user of a user namespace"
as_user 1000 0000000000000000 4026532500
all user_namespace "n3stat doctor on the host"
who="a user with CAP_PERFMON"
as_user 1000 0000004000000000 4026531837
for error in $EPERM $EACCES; do
	advises 6 $error policy_refuses
	advises 7 $error policy_refuses doctor
	advises 6 $error policy_refuses spe record -o "$tmp/none" -- true
	advises 6 $error permission_denied selftest --apply
done
who="uid 0 with CAP_PERFMON"
as_user 0 0000004000000000 4026531837
advises 6 $EPERM policy_refuses
advises 6 $EPERM capability_missing selftest --apply
grep -q 'distrust: .*CAP_SYS_ADMIN' "$tmp/err"
result $? "$who: a setting needs another capability"
who="uid 0 with CAP_SYS_ADMIN"
as_user 0 0000000000200000 4026531837
advises 6 $EPERM policy_refuses
advises 6 $EACCES policy_refuses selftest --apply
echo 3 >"$box/proc/sys/kernel/perf_event_paranoid"
who="uid 0 of a user namespace, level 3"
as_user 0 000001ffffffffff 4026532500
advises 7 $EPERM user_namespace spe info
has_finding error may_not_sample && lacks_finding may_sample_all
result $? "$who: nothing may be sampled"
