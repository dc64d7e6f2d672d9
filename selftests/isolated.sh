#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# CPUs that are isolated, or run without a tick, are left alone unless they are asked
# for. Then they are sampled although one task alone runs there and a deferrable timer
# would not fire: with sets changed in place, and through perf.
# on: 6.1
# machine: isolated

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"

isolated=$(cat $CPU_DEVICES/isolated)
no_tick=$(cat $CPU_DEVICES/nohz_full)
case $isolated-$no_tick in
*[0-9]-[0-9]*) ;;
*) skip_all "no isolated CPU and one without a tick" ;;
esac
# one number each: what run.sh -m isolated gives
set -- "$isolated" "$no_tick"

plan 15

slices() { word "$N3T/cpu$1/status" slices; }
states() { for cpu; do word "$N3T/cpu$cpu/status" state; done; }

# sampled_on HOW CPU... - 50 slices a second, and values that are right
sampled_on() {
	how=$1
	shift
	next_window
	for cpu; do
		# in this order: what takes time in between makes it fewer, never more
		up_before=$(cut -d ' ' -f 1 /proc/uptime)
		slices_before=$(slices "$cpu")
		sleep 2
		within "CPU $cpu takes about 50 slices a second $how" 25 "$(awk \
			-v n=$(($(slices "$cpu") - slices_before)) -v before="$up_before" \
			'{ print n / ($1 - before) }' /proc/uptime)" 53
	done
}

diag "SEED=$SEED, isolated: $isolated, without a tick: $no_tick"
check "n3_sim loads" load n3_sim
check "rates are set" set_all_rates "$SEED" "$@"
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
same "isolated CPUs are not sampled" "disabled
disabled" "$(states "$@")"
same "nor among all" "" "$(put $N3T/cpus all; states "$@" | grep -v disabled)"

busy "$@"
same "they can be asked for" "" "$(put $N3T/cpus "$isolated,$no_tick")"
same "and are sampled" "sampling
sampling" "$(states "$@")"
sampled_on "in place" "$@"
COMPARE_CPUS="$*"
check "values are right" compare_all

unload n3_telemetry
unload n3_sim
check "n3_sim loads, such that sets are changed through perf" load n3_sim latch_at=add
check "rates are set" set_all_rates "$SEED" "$@"
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim cpus="$isolated,$no_tick"
sampled_on "through perf" "$@"
