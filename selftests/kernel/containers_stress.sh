#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Pieces of containers are switched on and off on the CPUs' own PMU, while pairs of tasks switch
# as fast as they can on every CPU: CPUs go offline and come back, other settings change, counters
# are yielded to perf, tasks have pinned events, cgroups are removed while their tasks are
# sampled, the file is read, and the module is loaded and unloaded. No sum decreases, all CPUs take
# pieces afterwards, and the kernel log has no warning.
#
# LONG=1: 1000 transitions of CPUs, 200 loads; a tenth on a kernel with checkers.
# machine: tick
# machine on debug: pair
# timeout: 1500

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/perf.sh"
. "$(dirname "$0")/../lib/random.sh"
. "$(dirname "$0")/../lib/cgroups.sh"

if [ "$LONG" = 1 ]; then
	transitions=1000 loads=200
else
	transitions=20 loads=8
fi
if slow_kernel; then
	transitions=$((transitions / 10 + 6)) loads=$((loads / 10 + 2))
fi
TRANSITIONS=${TRANSITIONS:-$transitions} LOADS=${LOADS:-$loads}

[ "$nr_cpus" -gt 1 ] || skip_all "one CPU only"

plan 12

cleanup() {
	# shellcheck disable=SC2086 # one argument a word
	stop $others
	leave_cgroups
}
others=''

# in_background COMMAND... - again and again, until the others are stopped, with pauses of random
# length: without them little else runs, and a change waits for its turn behind many
in_background() {
	(while :; do
		"$@"
		random 30000
		usleep "$result"
	done) > /dev/null 2>&1 &
	others="$others $!"
}

# change - a random setting, to a valid value
change() {
	one_of enable slice_ms groups cpus contention reserved_counters switch replicates max_cost \
		container_pieces
	setting=$word
	case $setting in
	enable | replicates) one_of 0 1 ;;
	slice_ms) one_of 4 7 20 ;;
	groups) one_of all topdown_l1 'topdown_l1 mpki' ;;
	cpus) one_of all 0 0-1 "1-$((nr_cpus - 1))" ;;
	contention) one_of yield share ;;
	reserved_counters) one_of 0 1 2 6 ;;
	switch) one_of auto in-place perf ;;
	max_cost) one_of 0 0 1 2000 ;;
	container_pieces) one_of 0 10 125 1000 ;;
	esac
	echo "$word" > "$N3T/$setting" || { refused=$((refused + 1)); diag "$setting: $word"; }
}

toggle() {
	echo 1000 > $N3T/container_pieces
	usleep 2000
	echo 0 > $N3T/container_pieces
}

# compete - perf requests all counters of all CPUs, then pinned ones of the tasks that switch
GROUP='{r11,r1b,r3a,r3b,r3d,r3e}'
compete() {
	perf stat -a -o /dev/null -e "$GROUP" sleep 0.5
	perf stat -p "$pairs" -o /dev/null -e r08:D,r1b:D,r3a:D,r3b:D sleep 0.5
}

# pass_by - a cgroup whose tasks end, and which is removed at once
pass_by() {
	mkdir "$TREE/guest" || return
	in_cgroup guest perf bench sched pipe -l 100
	guest=$!
	sleep 0.05
	kill $guest
	wait $guest
	until rmdir "$TREE/guest"; do sleep 0.01; done
}

# watch - notes sums that decrease, of ids that are still in the file
watch() {
	cat "$SAMPLED" > "$tmp/now"
	awk '
	FNR == 1 { next }
	FILENAME ~ /now/ && $1 in pieces && ($3 < pieces[$1] || $4 < time[$1]) {
		print "id", $1, pieces[$1], "to", $3, "pieces,", time[$1], "to", $4, "ns"
	}
	{ pieces[$1] = $3; time[$1] = $4 }' "$tmp/past" "$tmp/now" >> "$tmp/decreased"
	mv "$tmp/now" "$tmp/past"
}

# switches - of the machine since boot
switches() { awk '$1 == "ctxt" { print $2 }' /proc/stat; }

defaults() {
	for cpu in $all; do
		[ "$(cat $CPU_DEVICES/cpu"$cpu"/online 2>/dev/null)" != 0 ] ||
			echo 1 > $CPU_DEVICES/cpu"$cpu"/online
	done
	default_settings && put $N3T/max_cost 0
}

diag "LONG=$LONG: $TRANSITIONS transitions, $LOADS loads"
check "n3_telemetry loads" load n3_telemetry
mount_cgroups anywhere
pairs_of_cpus
switching anywhere -T
put $N3T/container_pieces 1000
check "all CPUs take pieces" wait_until containers_are sampled
check "tasks of each CPU have pieces" pairs_have_pieces 10

before=$(switches) start=$(uptime_ms)
: > "$tmp/decreased"
cat "$SAMPLED" > "$tmp/past"
in_background watch
in_background toggle
in_background compete
in_background pass_by
in_background cat "$SAMPLED" $N3T/cpu0/status $N3T/status
made_so_far=0 changes=0 refused=0
while [ $made_so_far -lt "$TRANSITIONS" ]; do
	! flip || made_so_far=$((made_so_far + 1))
	change
	changes=$((changes + 1))
done
diag "$made_so_far transitions, $changes changes of settings, $((($(switches) - before) * 1000 /
	($(uptime_ms) - start))) switches a second"
# shellcheck disable=SC2086 # one argument a word
stop $others
others=''
same "no valid setting is refused during hotplug" 0 $refused
same "no sum decreased" "" "$(cat "$tmp/decreased")"
check "all settings accept their defaults afterwards" defaults
[ "$(online | wc -l)" -eq "$nr_cpus" ] || bail "a CPU stays offline"
check "all CPUs are sampled" wait_until samples_all
put $N3T/container_pieces 1000
check "all CPUs take pieces again" wait_until containers_are sampled
check "tasks of each CPU have more pieces" pairs_have_pieces 400
check "n3_telemetry unloads" unload n3_telemetry

loaded=0
while [ $loaded -lt "$LOADS" ]; do
	load n3_telemetry slice_ms=4 container_pieces=1000 || break
	in_background cat "$SAMPLED"
	random 200000
	usleep $result
	unload n3_telemetry || break
	# shellcheck disable=SC2086 # one argument a word
	stop $others
	others=''
	loaded=$((loaded + 1))
done
same "n3_telemetry loads and unloads $LOADS times while tasks switch" "$LOADS" $loaded
same "$N3T is gone" "" "$(ls -d $N3T 2>/dev/null)"
