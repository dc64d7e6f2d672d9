#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A CPU whose idle state takes its power: what it costs that the PMU's driver stops and starts
# the counters each time is measured, and counts towards max_cost. Where it exceeds that, the
# CPU gives its counters back until it goes into that state half as often.
#
# Time is counted in instructions here, one a nanosecond. How often the state is entered the
# kernel counts itself (cpuidle), and what all notifiers of CPU_PM take ftrace measures, with
# counters held and without: the difference is what the module has to charge.
# machine: n3-idle-icount
# on: rotation
# timeout: 240

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"
. "$(dirname "$0")/lib_n3.sh"

plan 22

PAUSE=1000	# microseconds
STATE=$CPU_DEVICES/cpu0/cpuidle/state1

# as in n3_idle.sh
entered() { cat $STATE/usage $STATE/rejected | awk '{ sum += $1 } END { print sum }'; }
of_cpu() { word $N3T/cpu0/status "$1"; }
says() { [ "$(of_cpu state) $(of_cpu reason)" = "$1" ]; }
TRACE=/sys/kernel/debug/tracing
# trace_power - ftrace measures both ways from now on
trace_power() {
	echo cpu_pm_enter cpu_pm_exit > $TRACE/set_ftrace_filter &&
		echo function_graph > $TRACE/current_tracer &&
		echo nofuncgraph-overhead > $TRACE/trace_options
}
cleanup() { [ ! -e $TRACE/current_tracer ] || echo nop > $TRACE/current_tracer; }
# ways - the mean of each in ns over two seconds, "IN OUT"
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

# sleeper MICROSECONDS - a task that works for 50 us and sleeps for so long, again and again
sleeper() {
	"$HERE/spin" 50 "$1" &
	spinners="$spinners $!"
}

# measure - in two seconds: $downs of the status, $entries of the kernel, $us, $accesses to
# registers of the PMU
measure() {
	downs=$(of_cpu power_downs) entries=$(entered) us=$(uptime_us)
	accesses_during sleep 2
	downs=$(($(of_cpu power_downs) - downs)) entries=$(($(entered) - entries))
	us=$(($(uptime_us) - us))
	accesses=$(awk '{ n += $2 + $3 } END { print n }' "$tmp/between")
	diag "$entries entries, $downs power-downs, $accesses accesses in $us us"
}

same "the idle state is entered by way of PSCI" cpu-off "$(cat $STATE/name)"
check "n3_telemetry loads with sampling disabled" load n3_telemetry enable=0
check "ftrace can measure what notifiers of CPU_PM take" trace_power
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
within "there are many of them" 1000 "$downs" 100000
cost_ns=$(of_cpu power_cost_ns)
diag "a power-down costs $cost_ns instructions while $(of_cpu budget) counters and the cycle counter are held"
within "it costs what the notifiers take more than without counters" $((cost * 9 / 10)) \
	"$cost_ns" $((cost * 11 / 10))
ppm=$((downs * cost_ns * 1000 / us))
power=$(of_cpu power_cost)
within "power_cost is what they cost in millionths of the time" $((ppm * 9 / 10)) "$power" \
	$((ppm * 11 / 10))
slices=$(($(of_cpu slice_cost_ns) / $(of_cpu slice_ms)))
within "cost in status is that and what slices cost" $(((power + slices) * 9 / 10)) \
	"$(word $N3T/status cost)" $(((power + slices) * 11 / 10))
# each counter is stopped, read, set and started
within "counters are accessed for it at each power-down" $((7 * 4 * downs)) "$accesses" \
	$((7 * 20 * downs))

put $N3T/max_cost $((power / 2))
check "with half of that as max_cost the counters are yielded" wait_until says "contended power"
same "status gives the reason" power "$(word $N3T/status reason)"
yields=$(of_cpu yields)
measure
# the driver resets the PMU whether anybody counts or not
within "no counter is accessed at a power-down then" 0 "$accesses" $((6 * downs))
sleep 5
check "they stay yielded while the CPU loses its power as often" says "contended power"
same "they were yielded once" "$yields" "$(of_cpu yields)"
check "values are contended" all_values_are 0 contended

idle_again
sleeper $((4 * PAUSE))
check "they are taken again when it does so less than half as often" \
	wait_until says "sampling none"
sleep 5
check "they are held then" says "sampling none"
within "slices may cost what power-downs leave of max_cost" 1 "$(word $N3T/status cost)" \
	$((power / 2))

idle_again
sleeper $PAUSE
check "they are yielded again when it does so as often as before" \
	wait_until says "contended power"
put $N3T/max_cost 0
check "without a limit they are taken again" wait_until says "sampling none"

# counters that have always been held: nothing is known of power-downs without them
unload n3_telemetry
load n3_telemetry
sleep 4
all=$((${with% *} + ${with#* }))
within "a CPU that has always held counters is charged no less, and no more than all" \
	$((cost * 9 / 10)) "$(of_cpu power_cost_ns)" $all
same "the kernel log has no warning" "" "$(kernel_warnings)"
