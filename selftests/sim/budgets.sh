#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# For every number of counters: the module finds it, every metric that fits has the expected
# value, metrics whose formula needs more counters are unplaced, and the plan does not
# exceed its maximum number of sets.
# on: test-long
# machine: turns
# timeout: 240

. "$(dirname "$0")/../lib/sim.sh"

plan 26

# budget of every CPU
budgets() { for cpu in $(online); do word "$N3T/cpu$cpu/status" budget; done | sort -u; }

check "n3_sim loads" load n3_sim
check "n3_sim accepts random rates on all CPUs" set_all_rates "$SEED"
COMPARE_CPUS=$(online | head -n 2)
# shellcheck disable=SC2086 # one argument a CPU
awake $COMPARE_CPUS

for counters in 1 2 3 4 5 6 7 8 20 31; do
	echo $counters > $SIM/counters
	load n3_telemetry pmu=n3_sim slice_ms=4 || bail "n3_telemetry does not load"
	sleep 1
	same "$counters counters: the budget of every CPU is $counters" $counters "$(budgets)"
	check "$counters counters: values match the rates, metrics that need more are unplaced" \
		compare_all counters=$counters
	# long enough for two rotations to exceed the default window
	put $N3T/slice_ms 500
	sets=$(max_sets $counters)
	[ -z "$sets" ] || within "$counters counters: the plan has at most $sets sets" 1 \
		"$(cat $N3T/window_ms)" "$(shortest_window $counters 500)"
	unload n3_telemetry
done
