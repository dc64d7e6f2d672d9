#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# CPU_PM runs its notifiers on the way into an idle state with one lock for all CPUs. The time
# that a CPU waits for it is not in power_cost: ftrace measures cpu_pm_enter() while one CPU
# loses power, and while four do, with counters held and without.
#
# Time is counted in instructions, in which a CPU that waits spins, but CPUs are executed in
# turns, so this shows how long the lock is held, and the order of the waiting time only.
# machine: n3-idle
# on: test-long
# timeout: 240

. "$(dirname "$0")/../lib/n3.sh"

plan 6

TRACE=/sys/kernel/debug/tracing
cleanup() { [ ! -e $TRACE/current_tracer ] || echo nop > $TRACE/current_tracer; }
trace_power() {
	echo cpu_pm_enter > $TRACE/set_ftrace_filter &&
		echo function_graph > $TRACE/current_tracer &&
		echo nofuncgraph-overhead > $TRACE/trace_options
}

# sleepers CPU... - on each, a task that alternates 50 us of work and 1 ms of sleep
sleepers() {
	for cpu; do
		taskset -c "$cpu" "$LIB/spin" 50 1000 &
		spinners="$spinners $!"
	done
	sleep 1
}

# enter - over two seconds: number of entries in all, their mean in ns, the share of all time
# of a CPU in which the lock is taken, in millionths
enter() {
	start=$(uptime_ms)
	: > $TRACE/trace
	sleep 2
	cat $TRACE/trace > "$tmp/trace"
	ms=$(($(uptime_ms) - start))
	awk -v ms="$ms" '/cpu_pm_enter\(\);/ { ns += $2 * 1000; nr++ }
	END { if (nr) printf "%d %d %d\n", nr, ns / nr, ns / ms }' "$tmp/trace"
}

# measure WHAT
measure() {
	sleepers 0
	one=$(enter)
	idle_again
	# shellcheck disable=SC2046 # one argument a CPU
	sleepers $(online)
	all=$(enter)
	idle_again
	diag "$1: entries, mean in ns, millionths of the time: one CPU $one, four CPUs $all"
	# shellcheck disable=SC2086 # three words
	set -- "$1" $one $all
	within "$1: four CPUs enter the state at least three times as often" \
		$((3 * ${2:-1000000})) "${5:-0}" 1000000
	waiting=$((${6:-1000000} - ${3:-0}))
	within "$1: a CPU beside three others waits no longer than it takes alone" -1000 \
		$waiting "${3:-0}"
}

check "n3_telemetry loads" load n3_telemetry
check "ftrace can measure CPU_PM notifiers" trace_power
measure "counters held"
held=$waiting
put $N3T/enable 0
measure "no counters"
diag "beside three others a CPU waits for $held ns, $waiting ns without counters"
