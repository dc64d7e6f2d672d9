#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Access control. Without gid= reading requires root's mode (EACCES) and also CAP_PERFMON or
# CAP_SYS_ADMIN in the initial user namespace (EPERM), at each read: root in a container has
# neither, and a descriptor opened with the capability does not keep it. With gid= members
# of that group can read as well, and no one else. Only users with the capability can write,
# and read debugfs. perf's own permissions do not change.
# machine: turns
# on: test-long
# timeout: 1200

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/perf.sh"

AS=$LIB/as_user
[ -x "$AS" ] || skip_all "as_user is not built"

plan 50

GID=4242
DEBUGFS=/sys/kernel/debug/n3_telemetry
PARAMETERS=/sys/module/n3_telemetry/parameters
PARANOID=/proc/sys/kernel/perf_event_paranoid
# numbers of linux/capability.h
CAP_SYS_ADMIN=21
CAP_PERFMON=38
ALL_CAPS=$(seq -s , 0 "$(cat /proc/sys/kernel/cap_last_cap)")
EACCES="Permission denied"
EPERM="Operation not permitted"

# one file of each kind
KINDS='cpu0/topdown_l1 cpu0/quality/topdown_l1 cpu0/bottleneck cpu0/status cpu0/custom cpu0/spe
	node0/topdown_l1 system/bottleneck system/status status slice_ms cpus
	cpu0/counters/topdown_l1 system/counters/time'

# errors LIST AS... - errors of reading each file of a list as this user, with the number of
# occurrences
errors() {
	list=$1
	shift
	"$@" sh -c "cat \$(cat $list) 2>&1 > /dev/null" | sed 's/.*: //' | sort | uniq -c | xargs
}

# errors_of_open AS... - the same for one file of each kind, opened by root and read as this
# user
errors_of_open() {
	for file in $KINDS; do
		"$@" cat < "$N3T/$file" 2>&1 > /dev/null | sed 's/.*: //'
	done | sort | uniq -c | xargs
}

# modes - of the files, with their owner and group, and the number of files with them
modes() { xargs stat -c '%a %u %g' < "$tmp/files" | sort | uniq -c | xargs; }

# can_write AS... - settings that this user can write, with their current value, and
# topdown_l1 if it can be written
can_write() {
	while read -r setting _; do
		value=$(cat "$N3T/$setting")
		"$@" sh -c "echo '$value' > $N3T/$setting" 2> /dev/null && echo "$setting"
	done < "$tmp/settings"
	"$@" sh -c "echo 1 > $N3T/cpu0/topdown_l1" 2> /dev/null && echo topdown_l1
}

# perf_as AS... - whether perf may count CPU 0 as this user, and a task: 0 if so, else 1
perf_as() {
	"$@" perf stat -x , -o /dev/null -C 0 -e r11 true > /dev/null 2>&1
	all=$?
	"$@" perf stat -x , -o /dev/null -e r11:u true > /dev/null 2>&1
	echo $((all != 0)) $(($? != 0))
}

chmod 755 "$tmp"
grep -v '^#' "$LIB/settings.tsv" > "$tmp/settings"
paranoid=$(cat $PARANOID)
before=$(perf_as "$AS" 1000 1000)
check "n3_telemetry loads" load n3_telemetry
find $N3T -type f > "$tmp/files"
find $DEBUGFS -type f > "$tmp/debug"
nr=$(wc -l < "$tmp/files")
nr_settings=$(wc -l < "$tmp/settings")
nr_debug=$(wc -l < "$tmp/debug")
nr_kinds=$(echo "$KINDS" | wc -w)
within "there are at least 100 files in $N3T" 100 "$nr" 10000
within "there are at least 5 files in $DEBUGFS" 5 "$nr_debug" 10000

same "without gid, modes are 0400, of settings 0600, owner and group root" \
	"$((nr - nr_settings)) 400 0 0 $nr_settings 600 0 0" "$(modes)"
same "without gid, root can read all files" "" "$(errors "$tmp/files" env)"
same "without gid, root can read debugfs" "" "$(errors "$tmp/debug" env)"
same "without gid, root with CAP_PERFMON but not CAP_SYS_ADMIN can read all files" "" \
	"$(errors "$tmp/files" "$AS" -c $CAP_SYS_ADMIN)"
same "without gid, root with CAP_SYS_ADMIN but not CAP_PERFMON can read all files" "" \
	"$(errors "$tmp/files" "$AS" -c $CAP_PERFMON)"
same "without gid, root without both can read no file: EPERM" "$nr $EPERM" \
	"$(errors "$tmp/files" "$AS" -c $CAP_PERFMON,$CAP_SYS_ADMIN)"
same "without gid, root without any capability can read no file: EPERM" "$nr $EPERM" \
	"$(errors "$tmp/files" "$AS" -c "$ALL_CAPS")"
same "without gid, root without both cannot read debugfs: EPERM" "$nr_debug $EPERM" \
	"$(errors "$tmp/debug" "$AS" -c $CAP_PERFMON,$CAP_SYS_ADMIN)"
same "without gid, root of a user namespace can read no file: EPERM" "$nr $EPERM" \
	"$(errors "$tmp/files" "$AS" -n 0)"
same "without gid, a user's root of a user namespace can read no file: EACCES" "$nr $EACCES" \
	"$(errors "$tmp/files" "$AS" -n 1000)"
same "without gid, an ordinary user can read no file: EACCES" "$nr $EACCES" \
	"$(errors "$tmp/files" "$AS" 1000 1000)"
same "without gid, a user in group 0 can read no file: EACCES" "$nr $EACCES" \
	"$(errors "$tmp/files" "$AS" 1000 0)"
same "without gid, a user in group $GID can read no file: EACCES" "$nr $EACCES" \
	"$(errors "$tmp/files" "$AS" 1000 $GID)"
same "without gid, an ordinary user cannot read debugfs: EACCES" "1 $EACCES" \
	"$(echo $DEBUGFS/cost > "$tmp/one"; errors "$tmp/one" "$AS" 1000 1000)"
same "without gid, files that were opened can be read with the capability" "" \
	"$(errors_of_open env)"
same "without gid, files that were opened cannot be read without it: EPERM" \
	"$nr_kinds $EPERM" "$(errors_of_open "$AS" -c $CAP_PERFMON,$CAP_SYS_ADMIN)"
same "without gid, files that root opened cannot be read by an ordinary user: EPERM" \
	"$nr_kinds $EPERM" "$(errors_of_open "$AS" 1000 1000)"
same "without gid, files that were opened cannot be read in a user namespace: EPERM" \
	"$nr_kinds $EPERM" "$(errors_of_open "$AS" -n 0)"
same "without gid, debugfs that was opened cannot be read without the capability: EPERM" \
	"1 $EPERM" "$("$AS" -c $CAP_PERFMON,$CAP_SYS_ADMIN cat < $DEBUGFS/cpu0/slices 2>&1 |
		sed 's/.*: //' | sort | uniq -c | xargs)"
same "the module's parameters cannot be read" "" \
	"$(find $PARAMETERS -type f -exec cat {} + 2> /dev/null)"

same "root without CAP_PERFMON and CAP_SYS_ADMIN can write no setting" "" \
	"$(can_write "$AS" -c $CAP_PERFMON,$CAP_SYS_ADMIN)"
same "root's write without CAP_PERFMON and CAP_SYS_ADMIN fails with EPERM" "$EPERM" \
	"$("$AS" -c $CAP_PERFMON,$CAP_SYS_ADMIN sh -c "echo 0 > $N3T/enable" 2>&1 |
		sed 's/.*: //')"
same "root without CAP_SYS_ADMIN but with CAP_PERFMON can write enable" enable \
	"$(can_write "$AS" -c $CAP_SYS_ADMIN | grep -x enable)"
put $N3T/enable 0
"$AS" -c $CAP_PERFMON,$CAP_SYS_ADMIN sh -c "echo 1 > $N3T/enable" 2> /dev/null
same "root without CAP_PERFMON and CAP_SYS_ADMIN cannot change enable from 0 to 1" \
	"0 disabled" "$(cat $N3T/enable) $(word $N3T/status state)"
put $N3T/enable 1
same "root of a user namespace can write no setting" "" "$(can_write "$AS" -n 0)"
same "without gid, an ordinary user can write no setting" "" "$(can_write "$AS" 1000 1000)"

# a container's sysfs
mkdir "$tmp/sys"
check "a second sysfs can be mounted read-only" mount -t sysfs -o ro sysfs "$tmp/sys"
said=$(sh -c "echo 0 > $tmp/sys/kernel/n3_telemetry/enable" 2>&1 | sed 's/.*: //')
same "root's write to a read-only sysfs fails with EROFS" "Read-only file system" "$said"
same "without the capability a second sysfs cannot be read: EPERM" "1 $EPERM" \
	"$(echo "$tmp/sys/kernel/n3_telemetry/cpu0/topdown_l1" > "$tmp/one"
		errors "$tmp/one" "$AS" -c "$ALL_CAPS")"
umount "$tmp/sys"
rmdir "$tmp/sys"
same "root's write to a read-only sysfs leaves enable at 1" 1 "$(cat $N3T/enable)"

same "loading without gid leaves perf_event_paranoid unchanged" "$paranoid" "$(cat $PARANOID)"
same "loading without gid leaves an ordinary user's perf permissions unchanged" "$before" \
	"$(perf_as "$AS" 1000 1000)"
diag "perf on a CPU, on itself (1: refused): $before; perf_event_paranoid $paranoid"
unload n3_telemetry

check "n3_telemetry loads with gid=$GID" load n3_telemetry gid=$GID
same "with gid=$GID, modes are 0440, of settings 0640, owner root, group $GID" \
	"$((nr - nr_settings)) 440 0 $GID $nr_settings 640 0 $GID" "$(modes)"
same "with gid=$GID, root can read all files" "" "$(errors "$tmp/files" env)"
same "with gid=$GID, a user in that group can read all files" "" \
	"$(errors "$tmp/files" "$AS" 1000 $GID)"
same "with gid=$GID, a user in another group can read no file: EACCES" "$nr $EACCES" \
	"$(errors "$tmp/files" "$AS" 1000 1000)"
same "with gid=$GID, a user in group 0 can read no file: EACCES" "$nr $EACCES" \
	"$(errors "$tmp/files" "$AS" 1000 0)"
same "with gid=$GID, root without any capability can read no file: EPERM" "$nr $EPERM" \
	"$(errors "$tmp/files" "$AS" -c "$ALL_CAPS")"
same "with gid=$GID, root without any capability but in that group can read all files" "" \
	"$(errors "$tmp/files" "$AS" 0 $GID "$AS" -c "$ALL_CAPS")"
same "with gid=$GID, root of a user namespace can read no file: EPERM" "$nr $EPERM" \
	"$(errors "$tmp/files" "$AS" -n 0)"
same "with gid=$GID, files that root opened can be read in that group" "" \
	"$(errors_of_open "$AS" 1000 $GID)"
same "with gid=$GID, files that root opened cannot be read by another user: EPERM" \
	"$nr_kinds $EPERM" "$(errors_of_open "$AS" 1000 1000)"
same "with gid=$GID, a user in that group can write no setting" "" \
	"$(can_write "$AS" 1000 $GID)"
same "with gid=$GID, a user in that group cannot read debugfs: EACCES" "1 $EACCES" \
	"$(echo $DEBUGFS/cost > "$tmp/one"; errors "$tmp/one" "$AS" 1000 $GID)"
same "with gid=$GID, debugfs that root opened cannot be read in that group: EPERM" \
	"1 $EPERM" "$("$AS" 1000 $GID cat < $DEBUGFS/cpu0/slices 2>&1 | sed 's/.*: //' |
		sort | uniq -c | xargs)"
same "loading with gid=$GID leaves perf_event_paranoid unchanged" "$paranoid" "$(cat $PARANOID)"
