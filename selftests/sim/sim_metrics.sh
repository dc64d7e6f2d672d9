#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# All 67 metrics in all 18 group files of every CPU have the expected values, with all
# parameters at their defaults: the simulated PMU counts at random rates, then in its four
# scenarios, in each of which the metric after which it is named must dominate. The expected
# values are computed from the specification's formulas in floating point (lib/sim.sh).
# machine: turns
# timeout: 240

. "$(dirname "$0")/../lib/sim.sh"

plan 15

# dominates METRIC FILE - whether it is the largest value of the file on every CPU
dominates() {
	for cpu in $(online); do
		largest=$(sort -k 2 -g -r "$N3T/cpu$cpu/$2" | head -n 1)
		echo "cpu$cpu: $largest"
		[ "${largest% *}" = "$1" ] || return 1
	done
}

scenario_everywhere() {
	for cpu in $(online); do
		set_scenario "$cpu" "$1" || return 1
	done
}

begin_sim ''
same "spec reports the simulated PMU n3_sim" "n3_sim 1" \
	"$(word $N3T/spec pmu) $(word $N3T/spec simulated)"

awake
next_window
check "all 67 metrics of every CPU match the random rates" compare_all
set_all_rates $((SEED + 1000))
next_window
check "all 67 metrics of every CPU match the rates after these have changed" compare_all

while read -r scenario metric; do
	scenario_everywhere "$scenario"
	next_window
	check "scenario $scenario: all 67 metrics of every CPU match the rates" compare_all
	check "scenario $scenario: $metric is the largest metric of topdown_l1 on every CPU" \
		dominates "$metric" topdown_l1
done <<-END
	frontend_bound frontend_bound
	bad_speculation bad_speculation
	retiring retiring
	backend_memory_bound backend_bound
END
check "scenario backend_memory_bound: backend_mem_bound is above 50 % and the other parts" \
	awk '{ v[$1] = $2 } END { exit !(v["backend_mem_bound"] > 50 &&
		v["backend_mem_bound"] > v["backend_core_bound"] &&
		v["backend_mem_bound"] > v["backend_busy_bound"]) }' \
	"$N3T/cpu0/topdown_backend"
