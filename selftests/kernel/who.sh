#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Access control. Everyone can open all files, reading requires CAP_PERFMON or CAP_SYS_ADMIN in
# the initial user namespace (EPERM) at each read, writing CAP_SYS_ADMIN: no uid, no group, no
# container and no descriptor that was opened earlier replaces it, whatever perf_event_paranoid
# is. perf's own permissions do not change.
# on: every run
# machine: turns
# timeout: 1200

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/perf.sh"

AS=$LIB/as_user
[ -x "$AS" ] || skip_all "as_user is not built"

plan 73

GROUP=4242
DEBUGFS=/sys/kernel/debug/n3_telemetry
PARAMETERS=/sys/module/n3_telemetry/parameters
PARANOID=/proc/sys/kernel/perf_event_paranoid
EACCES="Permission denied"
EPERM="Operation not permitted"

# numbers of linux/capability.h
CAP_DAC_OVERRIDE=1
CAP_SYS_ADMIN=21
CAP_PERFMON=38
ALL=$(caps_but)
# Docker gives these to a container: CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID,
# SETPCAP, NET_BIND_SERVICE, NET_RAW, SYS_CHROOT, MKNOD, AUDIT_WRITE, SETFCAP
NOT_DOCKER=$(caps_but 0 1 3 4 5 6 7 8 10 13 18 27 29 31)

# one file of each kind
KINDS='cpu0/topdown_l1 cpu0/moments cpu0/status cpu0/custom cpu0/spe
	node0/topdown_l1 system/status status spec slice_ms cpus
	cpu0/counters/topdown_l1 cpu0/counters/topdown_l1.replicates system/counters/time'

# errors LIST AS... - errors of reading each file of a list as this user, with the number of
# occurrences; the output is in $tmp/read
errors() {
	list=$1
	shift
	"$@" sh -c "cat \$(cat $list)" 2>&1 > "$tmp/read" | sed 's/.*: //' | sort | uniq -c | xargs
}

# errors_of_open AS... - the same for one file of each kind, opened by root; the process that
# opens it becomes this user and reads
errors_of_open() {
	for file in $KINDS; do
		"$@" cat < "$N3T/$file" 2>&1 > "$tmp/read" | sed 's/.*: //'
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

# error_of_write AS... - error of writing enable as this user
error_of_write() { "$@" sh -c "echo 0 > $N3T/enable" 2>&1 | sed 's/.*: //'; }

# has_no_access NAME ERROR AS... - the error is that of a write
has_no_access() {
	name=$1 error=$2
	shift 2
	same "$name can read no file: EPERM" "$nr $EPERM, 0 bytes" \
		"$(errors "$tmp/files" "$@"), $(wc -c < "$tmp/read") bytes"
	same "$name cannot read files that were opened by root: EPERM" "$nr_kinds $EPERM" \
		"$(errors_of_open "$@")"
	same "$name can write no setting: $error" " $error" "$(can_write "$@") $(error_of_write "$@")"
}

# has_access NAME AS... - to all files, for reading
has_access() {
	name=$1
	shift
	same "$name can read all files" "" "$(errors "$tmp/files" "$@")"
	same "$name can read files that were opened by root" "" "$(errors_of_open "$@")"
}

# denies COMMAND... - prints 1 if it fails, else 0
denies() { "$@" > /dev/null 2>&1 && echo 0 || echo 1; }

# decisions AS... - of the module and of perf, for a whole CPU
decisions() {
	echo "$(denies "$@" cat $N3T/cpu0/topdown_l1)" \
		"$(denies "$@" perf stat -x , -o /dev/null -C 0 -e r11 true)"
}

umask 022
chmod 755 "$tmp"
grep -v '^#' "$LIB/settings.tsv" > "$tmp/settings"
settings=$(cut -f 1 "$tmp/settings")
paranoid=$(cat $PARANOID)
cleanup() { echo "$paranoid" > $PARANOID; }
check "n3_telemetry loads" load n3_telemetry
find $N3T -type f > "$tmp/files"
find $DEBUGFS -type f > "$tmp/debug"
nr=$(wc -l < "$tmp/files")
nr_settings=$(wc -l < "$tmp/settings")
nr_debug=$(wc -l < "$tmp/debug")
nr_kinds=$(echo "$KINDS" | wc -w)
within "there are at least 100 files in $N3T" 100 "$nr" 10000
within "there are at least 5 files in $DEBUGFS" 5 "$nr_debug" 10000

same "modes are 0444, of settings 0644, owner and group root" \
	"$((nr - nr_settings)) 444 0 0 $nr_settings 644 0 0" "$(modes)"
same "the module's parameters cannot be read" "" \
	"$(find $PARAMETERS -type f -exec cat {} + 2> /dev/null)"
same "loading leaves perf_event_paranoid unchanged" "$paranoid" "$(cat $PARANOID)"

has_access "root" env
same "root can write all settings" "$settings" "$(can_write env)"
has_access "uid 0 with CAP_PERFMON alone" "$AS" -c "$(caps_but $CAP_PERFMON)"
same "uid 0 with CAP_PERFMON alone can write no setting: EPERM" " $EPERM" \
	"$(can_write "$AS" -c "$(caps_but $CAP_PERFMON)") $(
		error_of_write "$AS" -c "$(caps_but $CAP_PERFMON)")"
has_access "a user with CAP_PERFMON alone" "$AS" -a 1000:$CAP_PERFMON
same "a user with CAP_PERFMON alone can write no setting: EACCES" " $EACCES" \
	"$(can_write "$AS" -a 1000:$CAP_PERFMON) $(error_of_write "$AS" -a 1000:$CAP_PERFMON)"
same "a user with CAP_PERFMON that can open all files can write no setting: EPERM" " $EPERM" \
	"$(can_write "$AS" -a 1000:$CAP_PERFMON,$CAP_DAC_OVERRIDE) $(
		error_of_write "$AS" -a 1000:$CAP_PERFMON,$CAP_DAC_OVERRIDE)"
has_access "uid 0 with CAP_SYS_ADMIN alone" "$AS" -c "$(caps_but $CAP_SYS_ADMIN)"
same "uid 0 with CAP_SYS_ADMIN alone can write all settings" "$settings" \
	"$(can_write "$AS" -c "$(caps_but $CAP_SYS_ADMIN)")"
has_access "a user with CAP_SYS_ADMIN alone" "$AS" -a 1000:$CAP_SYS_ADMIN
same "a user with CAP_SYS_ADMIN alone can write no setting: EACCES" " $EACCES" \
	"$(can_write "$AS" -a 1000:$CAP_SYS_ADMIN) $(error_of_write "$AS" -a 1000:$CAP_SYS_ADMIN)"

group_of_files=$(stat -c %g $N3T/cpu0/topdown_l1)
has_no_access "uid 0 of a container" "$EPERM" "$AS" -c "$NOT_DOCKER"
has_no_access "uid 0 of a container that takes the files' group and others by setgroups()" \
	"$EPERM" "$AS" -c "$NOT_DOCKER" "$AS" 0 "0,$group_of_files,$GROUP"
has_no_access "uid 0 of a container without group 0" "$EPERM" \
	"$AS" -c "$NOT_DOCKER" "$AS" 0 $GROUP
has_no_access "uid 0 without any capability" "$EPERM" "$AS" -c "$ALL"
has_no_access "uid 0 with all capabilities but CAP_PERFMON and CAP_SYS_ADMIN" "$EPERM" \
	"$AS" -c $CAP_PERFMON,$CAP_SYS_ADMIN
has_no_access "root of a user namespace" "$EPERM" "$AS" -n 0
has_no_access "a user's root of a user namespace" "$EACCES" "$AS" -n 1000
has_no_access "an ordinary user" "$EACCES" "$AS" 1000 1000
has_no_access "a user of group 0" "$EACCES" "$AS" 1000 0
has_no_access "a user with supplementary groups" "$EACCES" \
	"$AS" 1000 "1000,0,$group_of_files,$GROUP"
same "none of these changed enable" "1 sampling" "$(cat $N3T/enable) $(word $N3T/status state)"

# The reader counts, not the process that opened: see SECURITY.md.
cp "$AS" "$tmp/set-user-id"
chmod 4755 "$tmp/set-user-id"
same "a privileged program reads a file that an ordinary user opened and passed to it" \
	"frontend_bound backend_bound bad_speculation retiring" \
	"$("$AS" 1000 1000 sh -c "$tmp/set-user-id 0 0 cat < $N3T/cpu0/topdown_l1" |
		cut -d ' ' -f 1 | xargs)"
# Binary files are not opened by the module: it checks the opener on each read.
passed_moments() {
	"$AS" "$1" "$1" sh -c "$tmp/set-user-id 0 0 cat < $N3T/cpu0/moments" 2> "$tmp/passed" |
		head -c 4096 | wc -c
	sed 's/.*: /refused: /' "$tmp/passed"
}
same "it reads moments that root opened" 4096 "$(passed_moments 0)"
same "but not moments that an ordinary user opened: EPERM" \
	"0 refused: Operation not permitted" "$(passed_moments 1000 | xargs)"

same "root can read debugfs" "" "$(errors "$tmp/debug" env)"
same "uid 0 with all capabilities but CAP_PERFMON and CAP_SYS_ADMIN cannot read debugfs: EPERM" \
	"$nr_debug $EPERM" "$(errors "$tmp/debug" "$AS" -c $CAP_PERFMON,$CAP_SYS_ADMIN)"
same "an ordinary user cannot read debugfs: EACCES" "1 $EACCES" \
	"$(echo $DEBUGFS/cost > "$tmp/one"; errors "$tmp/one" "$AS" 1000 1000)"
same "debugfs that root opened cannot be read by an ordinary user: EPERM" "1 $EPERM" \
	"$("$AS" 1000 1000 cat < $DEBUGFS/cpu0/slices 2>&1 | sed 's/.*: //' | sort | uniq -c | xargs)"

# a container's sysfs
mkdir "$tmp/sys"
check "a second sysfs can be mounted read-only" mount -t sysfs -o ro sysfs "$tmp/sys"
said=$(sh -c "echo 0 > $tmp/sys/kernel/n3_telemetry/enable" 2>&1 | sed 's/.*: //')
same "root's write to a read-only sysfs fails with EROFS" "Read-only file system" "$said"
same "uid 0 of a container cannot read a second sysfs: EPERM" "1 $EPERM" \
	"$(echo "$tmp/sys/kernel/n3_telemetry/cpu0/topdown_l1" > "$tmp/one"
		errors "$tmp/one" "$AS" -c "$NOT_DOCKER")"
umount "$tmp/sys"
rmdir "$tmp/sys"
same "root's write to a read-only sysfs leaves enable at 1" 1 "$(cat $N3T/enable)"

# Up to 0, perf lets every user count a CPU; above 2, Debian's kernels require CAP_SYS_ADMIN.
for level in -1 0 1 2 3; do
	echo $level > $PARANOID
	perf=$((level > 0))
	same "perf_event_paranoid $level changes perf's decisions, not the module's" \
		"container 1 $perf namespace 1 $perf user 1 $perf CAP_PERFMON 0" \
		"container $(decisions "$AS" -c "$NOT_DOCKER") namespace $(
			decisions "$AS" -n 1000) user $(decisions "$AS" 1000 1000) CAP_PERFMON $(
			denies "$AS" -a 1000:$CAP_PERFMON cat $N3T/cpu0/topdown_l1)"
	[ $level -eq 3 ] || same "with CAP_PERFMON, perf agrees at perf_event_paranoid $level" "0 0" \
		"$(decisions "$AS" -a 1000:$CAP_PERFMON)"
done
