#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Each access to a PMU register takes 20 us, as in a virtual machine where it traps: slices
# become long enough to cost no more than max_cost, and status reports that; values are
# right. Expected numbers are derived from the accesses counted by the emulated N3. perf
# counts for less than a slice: a waiting event is noticed before a slice ends. Loading,
# yields and giving counters back have interrupts off for no longer than a slice does.
#
# LONG=1: in 20 runs of perf instead of 2, on a busy CPU as well, and with other limits than
# the largest.
# on: every run
# machine: n3-trap
# timeout: 400

. "$(dirname "$0")/../lib/n3.sh"
. "$(dirname "$0")/../lib/load.sh"
. "$(dirname "$0")/../lib/perf.sh"

TRAP_NS=20000
# multiplexing would leave it little time with the module's events
GROUP='{r08,r12,r1b,r3a,r3b,r3d}'

if [ "$LONG" = 1 ]; then
	runs=20 seconds=10
	plan 29
else
	runs=2 seconds=3
	plan 19
fi

slice_ms() { word $N3T/cpu0/status slice_ms; }
reason() { word $N3T/cpu0/status slice_reason; }
slices() { word $N3T/cpu0/status slices; }
uptime_us() { awk '{ printf "%d", $1 * 1e6 }' /proc/uptime; }

# trapped SECONDS - duration of accesses in that time: $slices, $a_slice ns, $ppm of the
# time
trapped() {
	slices=$(slices)
	us=$(uptime_us)
	accesses_during sleep "$1"
	us=$(($(uptime_us) - us))
	slices=$(($(slices) - slices))
	ns=$(awk -v ns=$TRAP_NS '{ n += $2 + $3 } END { print n * ns }' "$tmp/between")
	a_slice=$((ns / slices))
	ppm=$((ns * 1000 / us))
	diag "$slices slices in $us us: $ns ns of accesses; $(tr '\n' ',' < "$tmp/between")"
}

# paced MAX_COST - checks of slices with the length required by that limit
paced() {
	trapped $seconds
	within "max_cost $1: accesses take at most this share of the time" \
		1 "$ppm" $(($1 + $1 / 20))
	within "max_cost $1: slices are no longer than necessary" \
		$((a_slice / $1)) "$(slice_ms)" $((a_slice * 3 / 2 / $1 + 4))
	same "max_cost $1: status has the reason of the long slices" max_cost "$(reason)"
	within "max_cost $1: the cost in status is little more than that of the accesses" \
		$((ppm * 9 / 10)) "$(word $N3T/status cost)" "$1"
	within "max_cost $1: the window has two rotations" "$(shortest_window 6 "$(slice_ms)")" \
		"$(cat $N3T/window_ms)" $LONGEST_WINDOW
	next_window
	check "max_cost $1: all metrics match the rates" compare_all
}

is_sampled() { [ "$(word $N3T/cpu0/status state)" = sampling ]; }
# is_long - whether slices are a tenth of a second or longer
is_long() { is_sampled && [ "$(slice_ms)" -ge 100 ]; }

# share_of_group - share of a tenth of a second for which it had counters, which the module
# held at its start, in percent: the smallest of five
share_of_group() {
	for _ in 1 2 3 4 5; do
		wait_until is_long && stat_lines -a -e "$GROUP" sleep 0.1 && lowest_share
	done > "$tmp/shares"
	awk 'NR == 1 || $1 < min { min = $1 } END { print NR == 5 ? min : "failed" }' "$tmp/shares"
}

# newer kernels still have work after boot, which takes time as well
sleep 10
before=$(uptime_us)
accesses 0 10000 > /dev/null
within "10000 accesses to a PMU register take 200 ms" 190000 $(($(uptime_us) - before)) 300000

check "n3_telemetry loads with the default max_cost" load n3_telemetry \
	max_cost="$(default_of max_cost)"
# an idle CPU skips time
check "slices get longer than 100 ms" wait_until is_long
counted=0
for _ in $(seq $runs); do
	wait_until is_long > /dev/null && perf stat -a -x , -o "$tmp/perf" sleep 0.1
	grep -q '^[1-9][0-9]*,,cycles' "$tmp/perf" && ! grep '<not counted>' "$tmp/perf" &&
		counted=$((counted + 1))
done
same "perf stat -a sleep 0.1 counts all of its events in each of $runs runs" $runs $counted
within "the counters were yielded to perf stat each time" $runs \
	"$(word $N3T/cpu0/status yields)" 1000
within "a group that needs all counters has them for half of a tenth of a second" 50 \
	"$(share_of_group)" 101
busy 0
if [ "$LONG" = 1 ]; then
	within "on a busy CPU, too, a group has all counters for half of a tenth of a second" \
		50 "$(share_of_group)" 101
fi
check "CPU 0 is sampled again" wait_until is_sampled
dropped=$(word $N3T/cpu0/status dropped)
if [ "$LONG" = 1 ]; then
	sleep 10
	paced "$(default_of max_cost)"
fi

put $N3T/max_cost 10000
sleep 5
paced 10000
within "a slice takes as long as 14 to 20 accesses" $((14 * TRAP_NS)) \
	"$(word $N3T/cpu0/status slice_cost_ns)" $((20 * TRAP_NS))
finds 0 note long_slices " 1 CPU " max_cost

if [ "$LONG" = 1 ]; then
	put $N3T/max_cost 0
	sleep 3
	same "max_cost 0: slices have the configured length, and status reports that" "4 slice_ms" \
		"$(slice_ms) $(reason)"
	next_window
	check "max_cost 0: all metrics match the rates" compare_all

	put $N3T/max_cost 100
	sleep 5
	same "max_cost 100: slices have their maximum length, and status reports a higher cost" \
		"$(highest slice_ms) longest" "$(slice_ms) $(reason)"
fi
same "no slice was dropped without contention" "$dropped" "$(word $N3T/cpu0/status dropped)"
before=$(word $N3T/cpu0/counters/time sampler_ns)
yields=$(word $N3T/cpu0/status yields)
stat_lines -a -e "$GROUP" sleep 0.1
wait_until is_sampled
yields=$(($(word $N3T/cpu0/status yields) - yields))
spent=$(($(word $N3T/cpu0/counters/time sampler_ns) - before))
# perf stops and starts seven counters each time
within "yielding the counters and taking them again is part of sampler_ns ($yields yields)" \
	$((yields * 100 * TRAP_NS)) "$spent" $((yields * 5000 * TRAP_NS))
put $N3T/enable 0
same "without sampling status gives no reason" none "$(reason)"
within "since loading, interrupts were off for no longer than in the longest slice" \
	$((14 * TRAP_NS)) "$(word $N3T/cpu0/status irqs_off_max_ns)" $((20 * TRAP_NS * 11 / 10))
