#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Who may look and who may change something. An ordinary user can read nothing. A
# user in the group that the module was loaded with can read all values and write
# nothing. Root without CAP_PERFMON and CAP_SYS_ADMIN can write nothing,
# and nor can anybody where sysfs is mounted read-only. What perf lets an ordinary
# user do is what it was.
# machine: turns
# on: 6.1
# timeout: 120

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_perf.sh"

AS=$HERE/as_user
[ -x "$AS" ] || skip_all "as_user is not built"

plan 22

GID=4242
PARANOID=/proc/sys/kernel/perf_event_paranoid
# those of linux/capability.h
CAP_SYS_ADMIN=21
CAP_PERFMON=38

settings='enable slice_ms window_ms groups custom cpus contention reserved_counters'

# can_read USER... - how many files a user can read, of how many
can_read() {
	"$@" sh -c "n=0 of=0
		for file in \$(cat $tmp/files); do
			of=\$((of + 1))
			read -r line < \$file && n=\$((n + 1))
		done 2> /dev/null
		echo \$n of \$of"
}

# can_write USER... - the settings that a user can write as they are, or anything
# else into a value
can_write() {
	for setting in $settings; do
		value=$(cat "$N3T/$setting")
		"$@" sh -c "echo '$value' > $N3T/$setting" 2> /dev/null && echo "$setting"
	done
	"$@" sh -c "echo 1 > $N3T/cpu0/topdown_l1" 2> /dev/null && echo topdown_l1
}

# perf_as USER... - may count CPU 0, may count itself: exit statuses
perf_as() {
	"$@" perf stat -x , -o /dev/null -C 0 -e r11 true > /dev/null 2>&1
	all=$?
	"$@" perf stat -x , -o /dev/null -e r11:u true > /dev/null 2>&1
	echo $((all != 0)) $(($? != 0))
}

chmod 755 "$tmp"
paranoid=$(cat $PARANOID)
before=$(perf_as "$AS" 1000 1000)
check "n3_telemetry loads" load n3_telemetry
find $N3T -type f > "$tmp/files"
nr=$(wc -l < "$tmp/files")
within "there are files" 100 "$nr" 10000

same "root can read all" "$nr of $nr" "$(can_read env)"
same "an ordinary user can read none" "0 of $nr" "$(can_read "$AS" 1000 1000)"
same "nor write" "" "$(can_write "$AS" 1000 1000)"
same "a user in some other group neither" "0 of $nr" "$(can_read "$AS" 1000 $GID)"
same "raw slices are root's" "1" "$("$AS" 1000 $GID cat /sys/kernel/debug/n3_telemetry/cost \
	> /dev/null 2>&1; echo $?)"

same "root without CAP_PERFMON can write nothing" "" \
	"$(can_write "$AS" -c $CAP_PERFMON,$CAP_SYS_ADMIN)"
same "it is told so" "Operation not permitted" \
	"$("$AS" -c $CAP_PERFMON,$CAP_SYS_ADMIN sh -c "echo 0 > $N3T/enable" 2>&1 |
		sed 's/.*: //')"
same "with CAP_PERFMON alone it can" enable \
	"$(can_write "$AS" -c $CAP_SYS_ADMIN | head -n 1)"
put $N3T/enable 0
"$AS" -c $CAP_PERFMON,$CAP_SYS_ADMIN sh -c "echo 1 > $N3T/enable" 2> /dev/null
same "nor turn it on" "0 disabled" "$(cat $N3T/enable) $(word $N3T/status state)"
put $N3T/enable 1

# a container's sysfs
mkdir "$tmp/sys"
check "sysfs mounted read-only" mount -t sysfs -o ro sysfs "$tmp/sys"
said=$(sh -c "echo 0 > $tmp/sys/kernel/n3_telemetry/enable" 2>&1 | sed 's/.*: //')
same "there nobody can write" "Read-only file system" "$said"
umount "$tmp/sys"
rmdir "$tmp/sys"
same "it is as it was" 1 "$(cat $N3T/enable)"

same "perf_event_paranoid is what it was" "$paranoid" "$(cat $PARANOID)"
same "an ordinary user may count what it could before" "$before" "$(perf_as "$AS" 1000 1000)"
diag "perf on a CPU, on itself (1: refused): $before; perf_event_paranoid $paranoid"
unload n3_telemetry

check "n3_telemetry loads with a group" load n3_telemetry gid=$GID
same "a user in it can read all" "$nr of $nr" "$(can_read "$AS" 1000 $GID)"
same "but write nothing" "" "$(can_write "$AS" 1000 $GID)"
same "a user who is not can still read none" "0 of $nr" "$(can_read "$AS" 1000 1000)"
same "raw slices are root's" "1" "$("$AS" 1000 $GID cat /sys/kernel/debug/n3_telemetry/cost \
	> /dev/null 2>&1; echo $?)"
same "perf_event_paranoid is what it was" "$paranoid" "$(cat $PARANOID)"
