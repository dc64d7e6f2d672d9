#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Who may read and who may change settings. An ordinary user can read nothing. A
# user in the group that the module was loaded with can read all values and write
# nothing. Root without CAP_PERFMON and CAP_SYS_ADMIN can write nothing, and neither
# can anybody where sysfs is mounted read-only. What perf lets an ordinary user do does
# not change.
# machine: turns
# on: rotation
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

# can_read AS... - how many files can be read so, of how many
can_read() {
	"$@" sh -c "n=0 of=0
		for file in \$(cat $tmp/files); do
			of=\$((of + 1))
			read -r line < \$file && n=\$((n + 1))
		done 2> /dev/null
		echo \$n of \$of"
}

# can_write AS... - the settings that can be written so, with the value that they have,
# and topdown_l1 if it can be written
can_write() {
	for setting in $settings; do
		value=$(cat "$N3T/$setting")
		"$@" sh -c "echo '$value' > $N3T/$setting" 2> /dev/null && echo "$setting"
	done
	"$@" sh -c "echo 1 > $N3T/cpu0/topdown_l1" 2> /dev/null && echo topdown_l1
}

# perf_as AS... - whether perf may count CPU 0 so, and a task: 0 if so, else 1
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
within "there are at least 100 files in $N3T" 100 "$nr" 10000

same "without gid, root can read all files" "$nr of $nr" "$(can_read env)"
same "without gid, an ordinary user can read no file" "0 of $nr" "$(can_read "$AS" 1000 1000)"
same "without gid, an ordinary user can write no setting" "" "$(can_write "$AS" 1000 1000)"
same "without gid, a user in group $GID can read no file" "0 of $nr" \
	"$(can_read "$AS" 1000 $GID)"
same "without gid, a user in group $GID cannot read debugfs" "1" \
	"$("$AS" 1000 $GID cat /sys/kernel/debug/n3_telemetry/cost > /dev/null 2>&1; echo $?)"

same "root without CAP_PERFMON and CAP_SYS_ADMIN can write no setting" "" \
	"$(can_write "$AS" -c $CAP_PERFMON,$CAP_SYS_ADMIN)"
same "root's write without CAP_PERFMON and CAP_SYS_ADMIN fails with EPERM" \
	"Operation not permitted" \
	"$("$AS" -c $CAP_PERFMON,$CAP_SYS_ADMIN sh -c "echo 0 > $N3T/enable" 2>&1 |
		sed 's/.*: //')"
same "root without CAP_SYS_ADMIN but with CAP_PERFMON can write enable" enable \
	"$(can_write "$AS" -c $CAP_SYS_ADMIN | head -n 1)"
put $N3T/enable 0
"$AS" -c $CAP_PERFMON,$CAP_SYS_ADMIN sh -c "echo 1 > $N3T/enable" 2> /dev/null
same "root without CAP_PERFMON and CAP_SYS_ADMIN cannot change enable from 0 to 1" \
	"0 disabled" "$(cat $N3T/enable) $(word $N3T/status state)"
put $N3T/enable 1

# a container's sysfs
mkdir "$tmp/sys"
check "a second sysfs can be mounted read-only" mount -t sysfs -o ro sysfs "$tmp/sys"
said=$(sh -c "echo 0 > $tmp/sys/kernel/n3_telemetry/enable" 2>&1 | sed 's/.*: //')
same "root's write to a read-only sysfs fails with EROFS" "Read-only file system" "$said"
umount "$tmp/sys"
rmdir "$tmp/sys"
same "root's write to a read-only sysfs leaves enable at 1" 1 "$(cat $N3T/enable)"

same "loading without gid leaves perf_event_paranoid unchanged" "$paranoid" "$(cat $PARANOID)"
same "loading without gid leaves unchanged what an ordinary user may count" "$before" \
	"$(perf_as "$AS" 1000 1000)"
diag "perf on a CPU, on itself (1: refused): $before; perf_event_paranoid $paranoid"
unload n3_telemetry

check "n3_telemetry loads with gid=$GID" load n3_telemetry gid=$GID
same "with gid=$GID, a user in that group can read all files" "$nr of $nr" \
	"$(can_read "$AS" 1000 $GID)"
same "with gid=$GID, a user in that group can write no setting" "" \
	"$(can_write "$AS" 1000 $GID)"
same "with gid=$GID, a user in another group can read no file" "0 of $nr" \
	"$(can_read "$AS" 1000 1000)"
same "with gid=$GID, a user in that group cannot read debugfs" "1" \
	"$("$AS" 1000 $GID cat /sys/kernel/debug/n3_telemetry/cost > /dev/null 2>&1; echo $?)"
same "loading with gid=$GID leaves perf_event_paranoid unchanged" "$paranoid" "$(cat $PARANOID)"
