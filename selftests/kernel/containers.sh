#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Containers: pieces of runs by cgroup, on the CPUs' own PMU. The setting and the modes of the
# file; no probe is registered while the setting is 0; records belong to cgroups by inode, and the
# sums of tasks pinned to a CPU have its rates; readers, offsets and the reason of a CPU without
# pieces.
# machine: n3-icount
# timeout: 600

. "$(dirname "$0")/../lib/n3.sh"
. "$(dirname "$0")/../lib/load.sh"
. "$(dirname "$0")/../lib/cgroups.sh"

AS=$LIB/as_user
CAP_PERFMON=38
# of a container: see who.sh
NOT_DOCKER=$(caps_but 0 1 3 4 5 6 7 8 10 13 18 27 29 31)
LEAST=200

plan 68

cleanup() { leave_cgroups; }

# text_of_switches - of the scheduler's function with the tracepoint, whose branch is patched
text_of_switches() { "$HERE/kernel_text" __schedule 4096 | md5sum; }

# has_probe NAME - whether it differs from that before the module was loaded
has_probe() {
	if [ -e /proc/kcore ]; then
		[ "$(text_of_switches)" != "$unprobed" ]
		verdict $? "$1"
	else
		pass "$1 # SKIP no /proc/kcore"
	fi
}

# has_no_probe NAME
has_no_probe() {
	if [ -e /proc/kcore ]; then
		same "$1" "$unprobed" "$(text_of_switches)"
	else
		pass "$1 # SKIP no /proc/kcore"
	fi
}

# at OFFSET SIZE [AS...] - what one read() returns: number of bytes, or the error
at() {
	offset=$1 size=$2
	shift 2
	"$@" dd if="$SAMPLED" bs="$size" count=1 iflag=skip_bytes skip="$offset" \
		2> "$tmp/said" | wc -c > "$tmp/bytes"
	if grep -q 'Invalid argument$' "$tmp/said"; then
		echo EINVAL
	elif grep -q 'not permitted$' "$tmp/said"; then
		echo EPERM
	else
		cat "$tmp/bytes"
	fi
}

# well_formed - whether each record is numbers of 20 columns, filled with blanks
well_formed() {
	! LC_ALL=C grep -vE '^( *[0-9]+ ){8,12} *$' "$tmp/records" &&
		! awk '{
			for (i = 1; i <= NF; i++)
				if (substr($0, 21 * i - 20, 21) !~ /^ *[0-9]+ $/ || length($0) != 255)
					print
		}' "$tmp/records" | grep .
}

# in_tree - whether each id in the file is that of a cgroup
in_tree() {
	find "$TREE" -type d -exec stat -c %i {} + > "$tmp/ids"
	tail -n +2 "$tmp/records" | awk '{ print $1 }' | grep -vxF -f "$tmp/ids" > "$tmp/odd"
	! grep . "$tmp/odd"
}

# grown FILE - whether pieces and time of each record are at least those in an earlier copy
grown() {
	tail -n +2 "$SAMPLED" | awk '
	FNR == NR { pieces[$1] = $3; time[$1] = $4; next }
	$1 in pieces { seen++; bad += $3 < pieces[$1] || $4 < time[$1] }
	END { for (id in pieces) nr++; print seen, "of", nr; exit bad || seen != nr }' "$1" -
}

# move_users FROM TO - moves user tasks; those that start meanwhile follow their parents
move_users() {
	for _ in 1 2; do
		for pid in $(cat "$1/cgroup.procs"); do
			! readlink "/proc/$pid/exe" > /dev/null || echo "$pid" > "$2/cgroup.procs"
		done 2> /dev/null
	done
	for pid in $(cat "$1/cgroup.procs"); do
		! readlink "/proc/$pid/exe" || return 1
	done
}

unprobed=$(text_of_switches)
check "n3_telemetry loads" load n3_telemetry
same "container_pieces is 0 by default, of mode 644" "644 0:0 0" \
	"$(stat -c '%a %u:%g' $N3T/container_pieces) $(cat $N3T/container_pieces)"
same "system/containers has mode 444" "444 0:0" "$(stat -c '%a %u:%g' "$SAMPLED")"
same "system/containers is empty before the setting was changed" 0 "$(wc -c < "$SAMPLED")"
has_no_probe "no probe is registered"
check "all CPUs have containers off" containers_are off
for number in 10 1000 125; do
	same "container_pieces accepts $number" "$number" \
		"$(put $N3T/container_pieces "$number\n"; cat $N3T/container_pieces)"
done
for text in 1 9 1001 -1 0x7d 125.5 bogus; do
	check "container_pieces refuses '$text'" refuses container_pieces "$text" ''
done
: > $N3T/container_pieces
same "a write of no bytes changes nothing" 125 "$(cat $N3T/container_pieces)"
has_probe "a probe is registered"
put $N3T/container_pieces 1000
check "registers are read on all CPUs, and all are sampled" wait_until containers_are sampled

mount_cgroups users pool pool/one busy
echo threaded > "$TREE/pool/one/cgroup.type"
pairs_of_cpus
check "tasks of each CPU have $LEAST pieces" pairs_have_pieces $LEAST
check "their counts have the rates of the CPU" pairs_have_rates
put $N3T/reserved_counters 1
perf stat -p "$pairs" -o /dev/null -e r08:D sleep 1000 &
pinned=$!
more=$((LEAST + $(sampled "$(id_of cpu0)" 3)))
check "they have more pieces while another of their events is pinned" pairs_have_pieces \
	$more
stop $pinned
put $N3T/reserved_counters 0
check "their counts have the rates of the CPU" pairs_have_rates
switching pool -T
pool=$!
two_threads() { [ "$(find /proc/$pool/task -mindepth 1 -maxdepth 1 | wc -l)" -ge 2 ]; }
check "a process has threads" wait_until two_threads
check "one of them joins a threaded cgroup" \
	put "$TREE/pool/one/cgroup.threads" "$(ls /proc/$pool/task | tail -n 1)"
check "pieces are taken of a thread in a threaded cgroup" more_pieces "$(id_of pool/one)"
check "and of the thread that stays in the parent" more_pieces "$(id_of pool)"
stop $pool
in_cgroup busy "$LIB/spin"
spinner=$!
check "and of a task that never sleeps" more_pieces "$(id_of busy)"
stop $spinner
check "all user tasks leave the root" move_users "$TREE" "$TREE/users"
check "kernel threads have pieces in the root" more_pieces "$(id_of .)"
check "user tasks return" move_users "$TREE/users" "$TREE"

cat "$SAMPLED" > "$tmp/records"
check "each id is the inode of a cgroup's directory" in_tree
check "each record has numbers of 20 columns" well_formed
same "the file has whole records" 0 $(($(wc -c < "$tmp/records") % RECORD))
read -r version switches evicted other other_ns dropped covered busy < "$tmp/records"
same "its version is 1, and no id lacks an entry" "1 0 0 0" "$version $evicted $other $other_ns"
within "switches are counted" 1 "$switches" 1000000000000
within "the busy time that is covered is no more than all" 1 "$covered" "$busy"
diag "dropped $dropped"

size=$(wc -c < "$SAMPLED")
same "a read returns whole records, and none at the end or beyond" "256 512 0 0" \
	"$(at 0 256) $(at 256 512) $(at $size 256) $(at $((size + 2560)) 512)"
same "other offsets and smaller buffers: EINVAL" "EINVAL EINVAL EINVAL 256" \
	"$(at 0 100) $(at 128 256) $(at 257 256) $(at 0 300)"
same "a user without the capability cannot read: EPERM" EPERM "$(at 0 256 "$AS" 1000 1000)"
same "uid 0 of a container cannot read: EPERM" EPERM "$(at 0 256 "$AS" -c "$NOT_DOCKER")"
same "root of a user namespace cannot read: EPERM" EPERM "$(at 0 256 "$AS" -n 0)"
same "a user with CAP_PERFMON can" 256 "$(at 0 256 "$AS" -a 1000:$CAP_PERFMON)"
cp "$AS" "$tmp/set-user-id"
chmod 755 "$tmp"
chmod 4755 "$tmp/set-user-id"
same "a privileged program cannot read a file that a user opened: EPERM" \
	"Operation not permitted" "$("$AS" 1000 1000 sh -c \
		"$tmp/set-user-id 0 0 cat < $SAMPLED" 2>&1 > /dev/null | sed 's/.*: //')"

# an idle CPU's sleep is free
gone=$(id_of cpu0)
leave_cgroups
check "a removed cgroup keeps its record" has_pieces "$gone" $LEAST
put $N3T/switch in-place
check "in-place switching: no_direct" wait_until containers_are no_direct
put $N3T/switch auto
check "registers are used again" wait_until containers_are sampled
put $N3T/reserved_counters 2
check "Topdown_L1 does not fit into 4 counters: split" wait_until containers_are split
put $N3T/reserved_counters 0
check "it fits again" wait_until containers_are sampled
mount_cgroups cpu0
[ "$(id_of cpu0)" != "$gone" ]
verdict $? "the id of a new one of that name is another"
switching cpu0
check "pieces are taken there" more_pieces "$(id_of cpu0)"
# as few pieces as possible, so that they cannot become fewer
put $N3T/container_pieces 10
put $N3T/max_cost 100
check "switches alone cost more than max_cost 100: too_many_switches" \
	wait_until containers_are too_many_switches
put $N3T/max_cost 0
leave_cgroups
check "without a limit pieces are taken again" wait_until containers_are sampled

put $N3T/container_pieces 0
check "all CPUs have containers off again" containers_are off
has_no_probe "no probe is registered any more"
tail -n +2 "$SAMPLED" > "$tmp/before"
sleep 1
same "sums stay meanwhile" "$(cat "$tmp/before")" "$(tail -n +2 "$SAMPLED")"
mount_cgroups cpu0
put $N3T/container_pieces 1000
switching cpu0
check "pieces are taken again" more_pieces "$(id_of cpu0)"
check "no sum is smaller than before" grown "$tmp/before"
leave_cgroups
unload n3_telemetry
has_no_probe "no probe is registered after unloading"

check "n3_telemetry loads with container_pieces=1000" load n3_telemetry container_pieces=1000
check "all CPUs are sampled" wait_until containers_are sampled
check "sums start again" eval '[ "$(sampled '"$gone"' 3)" = "" ]'
remember
unload n3_telemetry
remember
refused "container_pieces=9" "Invalid argument" "container_pieces: " container_pieces=9

check "n3_sim loads" load n3_sim
# shellcheck disable=SC2046 # one argument a CPU
for cpu in $(online); do
	echo skip > "$SIM/cpu$cpu/caching"
done
check "n3_telemetry loads with a driver that caches event types" load n3_telemetry
same "EOPNOTSUPP without direct access" "0 Operation not supported" \
	"$(put $N3T/container_pieces 125 | sed 's/.*: //' > "$tmp/error"
		cat $N3T/container_pieces "$tmp/error" | xargs)"
