#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# All operations on the module, at random and concurrently, while all its files are read: CPUs
# go offline and come back, settings change, counters are yielded to perf, it is loaded and
# unloaded with its files held open and read, and it is unloaded while perf counts with one of
# its names. Afterwards every CPU is sampled, values match the rates, no module is left behind
# and the kernel log has no warning.
#
# LONG=1: 1000 transitions of CPUs, 500 loads; a tenth on a kernel with checkers.
# on: debug
# machine: tick
# machine on debug: pair
# timeout: 1500

. "$(dirname "$0")/../lib/sim.sh"
. "$(dirname "$0")/../lib/perf.sh"
. "$(dirname "$0")/../lib/random.sh"

if [ "$LONG" = 1 ]; then
	transitions=1000 loads=500
else
	transitions=20 loads=8
fi
if slow_kernel; then
	transitions=$((transitions / 10 + 6)) loads=$((loads / 10 + 2))
fi
TRANSITIONS=${TRANSITIONS:-$transitions} LOADS=${LOADS:-$loads}

[ "$nr_cpus" -gt 1 ] || skip_all "one CPU only"

plan 16

DEBUG=/sys/kernel/debug/n3_telemetry
# of six events, which need all counters
GROUP='n3_sim/event=0x73/,n3_sim/event=0x74/,n3_sim/event=0x70/'
GROUP="{$GROUP,n3_sim/event=0x71/,n3_sim/event=0x75/,n3_sim/event=0x08/}"
readers=''

# change - a random setting, to a valid value
change() {
	one_of enable slice_ms window_ms groups cpus contention reserved_counters custom \
		switch replicates container_pieces
	setting=$word
	case $setting in
	enable | replicates) one_of 0 1 ;;
	slice_ms) one_of 4 7 20 50 ;;
	window_ms) one_of 5000 7000 10000 ;;
	groups) one_of all topdown_l1 'topdown_l1 mpki' 'all chi_busy' 'miss_ratio,general' ;;
	cpus) one_of all 0 0-1 "1-$((nr_cpus - 1))" ;;
	contention) one_of yield share ;;
	switch) one_of auto in-place perf ;;
	reserved_counters) one_of 0 1 2 5 6 31 ;;
	container_pieces) one_of 0 10 125 1000 ;;
	custom) one_of none 'l1d_cache_refill 0x0066' br_mis_pred ;;
	esac
	echo "$word" > "$N3T/$setting" || { refused=$((refused + 1)); diag "$setting: $word"; }
}

# disturb - takes a random number of counters of a random CPU's simulated PMU
disturb() {
	random "$nr_cpus"
	cpu=$result
	random 7
	[ -d "$SIM/cpu$cpu" ] && echo "$result" > "$SIM/cpu$cpu/taken" 2>/dev/null
}

# compete - perf requests all counters of all CPUs, again and again
compete() {
	while :; do
		perf stat -a -x , -o /dev/null -e "$GROUP" sleep 1
		sleep 0.3
	done > /dev/null 2>&1
}

# yields - number of times that counters were yielded, of all CPUs
yields() { cat $N3T/cpu*/status | awk '$1 == "yields" { sum += $2 } END { print sum }'; }

yielded() { [ "$(yields)" -gt 0 ]; }

# all_files - of the module
all_files() { find $N3T $DEBUG -type f; }

defaults() {
	for cpu in $all; do
		[ "$(cat $CPU_DEVICES/cpu"$cpu"/online 2>/dev/null)" != 0 ] ||
			echo 1 > $CPU_DEVICES/cpu"$cpu"/online
		echo 0 > "$SIM/cpu$cpu/taken"
	done
	default_settings
}

all_match() {
	for try in 1 2 3 4 5; do
		next_window
		compare_all 'pass=' > "$tmp/values" && break
	done
	[ "$try" -lt 5 ]
	rc=$?
	cat "$tmp/values"
	return $rc
}


diag "SEED=$SEED LONG=$LONG: $TRANSITIONS transitions, $LOADS loads"
check "n3_sim loads" load n3_sim
# shellcheck disable=SC2086 # one argument a CPU
check "n3_sim accepts random rates on all CPUs" set_all_rates "$SEED" $all
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim slice_ms=4
all_files > "$tmp/files"
within "there are files of totals, estimates and slices" 100 "$(wc -l < "$tmp/files")" 10000
(while :; do cat $N3T/*/* $N3T/*/*/* $N3T/[a-z]* > /dev/null 2>&1; done) &
readers="$readers $!"
# shellcheck disable=SC2046 # one argument a file
"$HERE/reread" $(cat "$tmp/files") &
readers="$readers $!"
# in the other order, so that both meet
# shellcheck disable=SC2046
"$HERE/reread" $(sort -r "$tmp/files") &
readers="$readers $!"
compete &
readers="$readers $!"
# shellcheck disable=SC2086 # one argument a CPU
awake $all

made_so_far=0 changes=0 refused=0
while [ $made_so_far -lt "$TRANSITIONS" ]; do
	! flip || made_so_far=$((made_so_far + 1))
	change
	changes=$((changes + 1))
	random 4
	[ $result -ne 0 ] || disturb
done
diag "$made_so_far transitions, $changes changes of settings"
same "no valid setting is refused during hotplug" 0 $refused
check "all settings accept their defaults after hotplug and changes of settings" defaults
check "counters are yielded meanwhile" wait_until yielded
# shellcheck disable=SC2086 # one argument a word
kill $readers
readers=''
idle_again
# shellcheck disable=SC2086 # one argument a CPU
awake $all
next_window
[ "$(online | wc -l)" -eq "$nr_cpus" ] || bail "a CPU stays offline"
check "all $nr_cpus CPUs are sampled after hotplug and changes of settings" wait_until samples_all
check "values match the rates after hotplug and changes of settings" all_match
check "n3_telemetry unloads" unload n3_telemetry

loaded=0
while [ $loaded -lt "$LOADS" ]; do
	load n3_telemetry pmu=n3_sim slice_ms=4 || break
	# an open file of debugfs is a reference to the module
	# shellcheck disable=SC2046 # one argument a file
	"$HERE/reread" $(grep "^$N3T/" "$tmp/files") &
	readers="$readers $!"
	random 200000
	usleep $result
	unload n3_telemetry || break
	# shellcheck disable=SC2086 # one argument a word
	kill $readers
	readers=''
	loaded=$((loaded + 1))
done
same "n3_telemetry loads and unloads $LOADS times with all its files held open and read" \
	"$LOADS" $loaded
same "$N3T is gone after $LOADS unloads" "" "$(ls -d $N3T 2>/dev/null)"
same "nothing refers to n3_sim after $LOADS unloads of n3_telemetry" 0 \
	"$(awk '$1 == "n3_sim" { print $3 }' /proc/modules)"

# perf counts with a name that is removed meanwhile; aliases.sh checks the rate, where time
# does not depend on the host
check "n3_telemetry loads again" load n3_telemetry pmu=n3_sim
# perf runs its command once it counts
stat_lines -C 0 -e n3_sim/stall_slot_backend/ sh -c "> $tmp/counting; sleep 2" &
perf=$!
wait_until [ -e "$tmp/counting" ]
check "n3_telemetry unloads while perf counts with one of its event names" unload n3_telemetry
wait $perf
within "perf counts stall_slot_backend through the unload" 1 "$(awk '{ print $2 }' "$tmp/lines")" \
	1000000000000
