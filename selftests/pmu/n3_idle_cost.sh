#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# CPU that loses power in its idle state: the cost of stopping and starting the counters in
# the PMU's driver each time is measured, and is included in max_cost. If it exceeds that,
# the CPU yields its counters until it enters that state half as often.
#
# Time is counted in instructions here, one per nanosecond. The kernel counts the entries of
# the state (cpuidle), and ftrace measures all CPU_PM notifiers, with counters held and
# without: the difference is the cost that the module has to charge.
# on: every run
# machine: n3-idle-icount
# timeout: 240

. "$(dirname "$0")/../lib/n3.sh"

plan 21

PAUSE=1000	# microseconds
STATE=$CPU_DEVICES/cpu0/cpuidle/state1

# as in n3_idle.sh
entered() { cat $STATE/usage $STATE/rejected | awk '{ sum += $1 } END { print sum }'; }
of_cpu() { word $N3T/cpu0/status "$1"; }
says() { [ "$(of_cpu state) $(of_cpu reason)" = "$1" ]; }
TRACE=/sys/kernel/debug/tracing
# trace_power - ftrace measures both directions from now on
trace_power() {
	echo cpu_pm_enter cpu_pm_exit > $TRACE/set_ftrace_filter &&
		echo function_graph > $TRACE/current_tracer &&
		echo nofuncgraph-overhead > $TRACE/trace_options
}
cleanup() { [ ! -e $TRACE/current_tracer ] || echo nop > $TRACE/current_tracer; }
# ways - mean of each in ns over two seconds, "IN OUT"
ways() {
	: > $TRACE/trace
	sleep 2
	awk '$4 == "|" { ns[$5] += $2 * 1000; nr[$5]++ }
	END {
		way_in = "cpu_pm_enter();"; way_out = "cpu_pm_exit();"
		if (nr[way_in] >= 500 && nr[way_out] >= 500)
			printf "%d %d\n", ns[way_in] / nr[way_in], ns[way_out] / nr[way_out]
	}' $TRACE/trace
}
uptime_us() { awk '{ printf "%d", $1 * 1e6 }' /proc/uptime; }

# sleeper MICROSECONDS - a task that alternates 50 us of work and a sleep of this length
sleeper() {
	"$LIB/spin" 50 "$1" &
	spinners="$spinners $!"
}

# measure - over two seconds: $downs of the status, $entries of the kernel, $us, $accesses
# to registers of the PMU
measure() {
	downs=$(of_cpu power_downs) entries=$(entered) us=$(uptime_us)
	accesses_during sleep 2
	downs=$(($(of_cpu power_downs) - downs)) entries=$(($(entered) - entries))
	us=$(($(uptime_us) - us))
	accesses=$(awk '{ n += $2 + $3 } END { print n }' "$tmp/between")
	diag "$entries entries, $downs power-downs, $accesses accesses in $us us"
}

same "the idle state is entered through PSCI" cpu-off "$(cat $STATE/name)"
check "n3_telemetry loads with sampling disabled" load n3_telemetry enable=0
check "ftrace can measure CPU_PM notifiers" trace_power
sleeper $PAUSE
sleep 4
without=$(ways)
put $N3T/enable 1
sleep 4
with=$(ways)
cost_in=$((${with% *} - ${without% *})) cost_out=$((${with#* } - ${without#* }))
cost=$((cost_in + cost_out))
diag "in and out take $without ns without counters, $with with them: $cost_in + $cost_out more"
echo nop > $TRACE/current_tracer

measure
within "status counts as many power-downs as the kernel counts entries" \
	$((entries - 4)) "$downs" $((entries + 4))
within "at least 1000 power-downs are counted" 1000 "$downs" 100000
cost_ns=$(of_cpu power_cost_ns)
diag "a power-down costs $cost_ns instructions while" \
	"$(of_cpu budget) counters and the cycle counter are held"
within "the cost of a power-down is the extra time of the notifiers with counters" \
	$((cost * 9 / 10)) "$cost_ns" $((cost * 11 / 10))
ppm=$((downs * cost_ns * 1000 / us))
power=$(of_cpu power_cost)
within "power_cost is the cost of power-downs in millionths of the time" \
	$((ppm * 9 / 10)) "$power" $((ppm * 11 / 10))
slices=$(($(of_cpu slice_cost_ns) / $(of_cpu slice_ms)))
within "cost in status is the sum of power_cost and the cost of slices" \
	$(((power + slices) * 9 / 10)) "$(word $N3T/status cost)" $(((power + slices) * 11 / 10))
# each counter is stopped, read, set and started
within "counters are accessed at each power-down" $((7 * 4 * downs)) "$accesses" \
	$((7 * 20 * downs))

put $N3T/max_cost $((power / 2))
check "with half of power_cost as max_cost the counters are yielded" \
	wait_until says "contended power"
same "status gives the reason" power "$(word $N3T/status reason)"
yields=$(of_cpu yields)
measure
# the driver resets the PMU even if no counter is in use
within "no counter is accessed at a power-down while they are yielded" 0 "$accesses" $((6 * downs))
sleep 5
check "counters stay yielded while the CPU loses power at the same rate" says "contended power"
same "the counters were yielded once" "$yields" "$(of_cpu yields)"
check "values are contended" all_are contended cpu0

idle_again
sleeper $((4 * PAUSE))
check "counters are taken again at less than half that rate" \
	wait_until says "sampling none"
sleep 5
check "counters are held at the lower rate" says "sampling none"
within "the cost of slices is limited to the rest of max_cost" 1 "$(word $N3T/status cost)" \
	$((power / 2))

idle_again
sleeper $PAUSE
check "counters are yielded again at the previous rate" \
	wait_until says "contended power"
put $N3T/max_cost 0
check "without a limit counters are taken again" wait_until says "sampling none"

# counters that have always been held: power-downs without counters were never measured
unload n3_telemetry
load n3_telemetry
sleep 4
all=$((${with% *} + ${with#* }))
within "a CPU that has always held counters is charged extra to total time of the notifiers" \
	$((cost * 9 / 10)) "$(of_cpu power_cost_ns)" $all
