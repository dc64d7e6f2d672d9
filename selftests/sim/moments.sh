#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What a program infers from moments is what the module prints: each line of quality/ and of
# bottleneck, byte for byte, of CPUs, nodes and the system. A round counts if the moments before
# and after the text have the same slices and window.
#
# LONG=1: 200 rounds for each scenario and number of counters instead of 5.
# on: test-long
# machine: turns
# timeout: 3000

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/sim.sh"
. "$(dirname "$0")/../lib/perf.sh"

[ "$LONG" = 1 ] && ROUNDS=${ROUNDS:-200} || ROUNDS=${ROUNDS:-5}
BUDGETS=${BUDGETS:-2 4 6 20}
SCENARIOS=${SCENARIOS:-steady hotplug yields settings}
# the program and cat take less than a quantum of the module's clock
TRIES=$((30 * ROUNDS))

inferred() { infer $N3T "$1"; }

# round PLACE - 0 equal, 1 different, 2 does not count
round() {
	inferred "$1" > "$tmp/before" || return 2
	cat $N3T/"$1"/quality/* > "$tmp/text" || return 2
	cat $N3T/"$1"/bottleneck > "$tmp/path" || return 2
	inferred "$1" > "$tmp/after" || return 2
	cmp -s "$tmp/before" "$tmp/after" || return 2
	grep -v '^#' "$tmp/before" > "$tmp/mine"
	grep ' value=' "$tmp/mine" | sort > "$tmp/values"
	sort -u "$tmp/text" > "$tmp/module"
	grep -v ' value=' "$tmp/mine" > "$tmp/end"
	cmp -s "$tmp/values" "$tmp/module" && cmp -s "$tmp/end" "$tmp/path" && return 0
	diff "$tmp/module" "$tmp/values" | head -n 6
	diff "$tmp/path" "$tmp/end" | head -n 6
	return 1
}

disturbs() {
	case $1 in
	hotplug)
		echo 0 > $CPU_DEVICES/cpu$((1 + disturbed % 3))/online
		[ $((disturbed % 3)) -eq 0 ] || echo 1 > $CPU_DEVICES/cpu$((1 + disturbed % 3))/online
		echo 1 > $CPU_DEVICES/cpu$((1 + (disturbed + 1) % 3))/online
		;;
	yields)
		perf stat -a -x , -o /dev/null -e '{n3_sim/event=0x73/,n3_sim/event=0x74/,n3_sim/event=0x70/,n3_sim/event=0x71/,n3_sim/event=0x75/,n3_sim/event=0x08/}' sleep 0.1 > /dev/null 2>&1
		;;
	settings)
		set -- 1000 300 100 40
		shift $((disturbed % 4))
		echo "$1" > $N3T/slice_ms
		;;
	esac
	disturbed=$((disturbed + 1))
}

# scenario NAME COUNTERS
scenario() {
	counted=0 tried=0 different=0 uncounted=0
	: > "$tmp/differences"
	while [ $counted -lt "$ROUNDS" ] && [ $tried -lt $TRIES ]; do
		[ $((tried % 6)) -ne 0 ] || disturbs "$1"
		for place in cpu0 cpu1 cpu3 node0 node1 system; do
			round $place >> "$tmp/differences" 2>&1
			case $? in
			0) equal=1 ;;
			1) different=$((different + 1)) equal=1 ;;
			*) equal=0 uncounted=$((uncounted + 1)) ;;
			esac
			counted=$((counted + equal))
		done
		tried=$((tried + 1))
		sleep 0.02
	done
	head -n 30 "$tmp/differences"
	diag "$1, $2 counters: $counted rounds, $different differ, $uncounted not counted"
	[ $counted -ge "$ROUNDS" ] && [ $different -eq 0 ]
}

set -- $BUDGETS
nr=$#
set -- $SCENARIOS
plan $((nr * $#))

for budget in $BUDGETS; do
	load n3_sim counters="$budget" || bail "n3_sim does not load"
	# shellcheck disable=SC2046
	set_all_rates "$SEED" $(online)
	load n3_telemetry pmu=n3_sim slice_ms=300 window_ms=10000 || bail "n3_telemetry does not load"
	# shellcheck disable=SC2046
	awake $(online)
	next_window
	for name in $SCENARIOS; do
		disturbed=0
		check "$name, $budget counters: lines are the module's" scenario "$name" "$budget"
		default_settings
		echo 300 > $N3T/slice_ms
		echo 10000 > $N3T/window_ms
		for cpu in $CPU_DEVICES/cpu[1-9]*; do
			echo 1 > "$cpu/online" 2> /dev/null
		done
	done
	idle_again
	unload n3_telemetry
	unload n3_sim
done
