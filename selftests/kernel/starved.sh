#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A real-time task takes all of a CPU, so no kernel thread runs there. If threads end
# slices, that is if sets are switched through perf, and with PREEMPT_RT, values are stale:
# not idle, as on a CPU that sleeps. Otherwise values are right. From 6.12 on the kernel by
# default keeps 5 % of the time for other tasks.
# machine: turns
# timeout: 240

. "$(dirname "$0")/../lib/sim.sh"
. "$(dirname "$0")/../lib/rt.sh"

[ -x "$HERE/fifo" ] || skip_all "fifo is not built"

plan 16

cleanup() { give_back; }

# counts_cpus WORD NUMBER - whether this number of CPUs reports it instead of values
counts_cpus() {
	said=$(word $N3T/system/status "$1")
	echo "$1 ${said:-0}"
	[ "${said:-0}" -eq "$2" ]
}

# starts OPTION... - loads the module on a simulated PMU
starts() {
	check "n3_sim loads ($*)" load n3_sim "$@"
	check "n3_sim accepts random rates ($*)" set_rates "$hogged" "$SEED"
	check "n3_telemetry loads ($*)" load n3_telemetry pmu=n3_sim
	next_window
	limit_rt -1 0
	take_cpu 1 "$LIB/spin"
}

# expect_stale OPTION...
expect_stale() {
	check "all values of the hogged CPU become stale ($*)" \
		wait_until all_are stale "cpu$hogged"
	check "one CPU is counted as stale, none as idle ($*)" eval \
		'counts_cpus stale 1 && counts_cpus idle 0'
	n3stat doctor > "$tmp/doctor"
	check "n3stat doctor reports starved slices ($*)" \
		grep "^warning .* 1 CPU .*\[starved_slices\]$" "$tmp/doctor"
	check "n3stat doctor counts one CPU less as sampled ($*)" \
		grep "$(($(online | wc -l) - 1)) of $(online | wc -l) CPUs" "$tmp/doctor"
}

# expect_values OPTION...
expect_values() {
	next_window
	check "values of the hogged CPU match the rates ($*)" compare_cpu "$hogged"
	check "no CPU is counted as stale ($*)" counts_cpus stale 0
	n3stat doctor > "$tmp/doctor"
	check "n3stat doctor reports no starved slices ($*)" \
		eval '! grep "^warning .* 1 CPU .*\[starved_slices\]$" "$tmp/doctor"'
	check "n3stat doctor counts all CPUs as sampled ($*)" \
		grep "$(online | wc -l) of $(online | wc -l) CPUs" "$tmp/doctor"
}

diag "SEED=$SEED, CPU $hogged is hogged"
starts latch_at=add
same "sets are switched through perf" perf "$(word $N3T/status switch)"
expect_stale latch_at=add
free_cpu
next_window
check "values match the rates when the task has ended" compare_cpu "$hogged" bar=0.01
unload n3_telemetry
unload n3_sim

starts latch_at=start
case $(uname -v) in
*PREEMPT_RT*) expect_stale in place ;;
*) expect_values in place ;;
esac
