#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Two simulated PMUs, one for even and one for odd CPUs, which has fewer counters: every CPU
# is sampled by its own PMU, with that PMU's counters, and all values are right. With one of
# the two named, the CPUs of the other are not sampled.
# machine: turns

. "$(dirname "$0")/../lib/sim.sh"

plan 13

sampled() { [ "$(word $N3T/status cpus_sampled)" = "$1" ]; }
budgets() {
	for cpu in $(online); do
		word "$N3T/cpu$cpu/status" budget
	done | tr '\n' ' '
}

check "n3_sim loads with a PMU for even and one for odd CPUs" load n3_sim split=1 odd_counters=5
check "rates are set" set_all_rates "$SEED"
check "n3_telemetry loads on both" load n3_telemetry pmu=n3_sim,n3_sim_odd
same "spec names both" "n3_sim n3_sim_odd" "$(sed -n 's/^pmu //p' $N3T/spec)"
check "all CPUs are sampled" wait_until sampled 4
same "each CPU has the counters of its own PMU" "6 5 6 5 " "$(budgets)"
awake
next_window
COMPARE_CPUS='0 2'
check "values of even CPUs match the rates with six counters" compare_all counters=6
COMPARE_CPUS='1 3'
check "values of odd CPUs match the rates with five counters" compare_all counters=5
check "one counter can be reserved" put $N3T/reserved_counters 1
same "one counter of each PMU is reserved" "5 4 5 4 " "$(budgets)"
check "n3_telemetry unloads" unload n3_telemetry
check "n3_telemetry loads on the PMU of odd CPUs only" load n3_telemetry pmu=n3_sim_odd
same "even CPUs are not sampled with the PMU of odd CPUs" "0 5 0 5 " "$(budgets)"
