#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Slices are long enough to cost no more than max_cost, and the window holds at least two
# rotations of them. Time is counted in instructions, one per nanosecond: the cost of a
# slice is not that of a real machine, but constant. On a busy CPU slices end at the tick,
# not whenever the kernel runs other work in an interrupt, such as perf's wake-ups.
# machine: icount
# timeout: 240

. "$(dirname "$0")/../lib/lib.sh"

plan 20

slice_ms() { word $N3T/cpu0/status slice_ms; }
cost_ns() { word $N3T/cpu0/status slice_cost_ns; }
cost() { word $N3T/status cost; }
slices() { word $N3T/cpu0/status slices; }
overflows() { awk '/arm-pmu/ { print $2 }' /proc/interrupts; }
overflows_reach() { [ "$(overflows)" -ge "$1" ]; }

# slices_in SECONDS
slices_in() {
	before=$(slices)
	sleep "$1"
	echo $(($(slices) - before))
}

# costs_at_most PPM - cost reported by the module, and cost derived from debugfs over two
# seconds
costs_at_most() {
	ns=$(awk '$1 == "cpu0" { print $5 }' $DEBUG)
	sleep 2
	ns=$(($(awk '$1 == "cpu0" { print $5 }' $DEBUG) - ns))
	echo "$(cost) by status, $((ns / 2000)) by debugfs"
	[ "$(cost)" -le "$1" ] && [ $((ns / 2000)) -le $(($1 + $1 / 10 + 1)) ]
}
DEBUG=/sys/kernel/debug/n3_telemetry/cost

check "n3_telemetry loads" load n3_telemetry \
	max_cost="$(default_of max_cost)"
same "max_cost and status have the default" "$(default_of max_cost) $(default_of max_cost)" \
	"$(cat $N3T/max_cost) $(word $N3T/status max_cost)"
busy 0
sleep 3
takes=$(cost_ns)
within "a slice of the busy CPU takes 300 to 8000 ns of 4 ms" 300 "$takes" 8000
same "slices have the configured length" 4 "$(slice_ms)"
within "two seconds have 500 slices" 480 "$(slices_in 2)" 510
check "slices cost no more than max_cost" costs_at_most "$(default_of max_cost)"
same "window_ms has the configured value" "$(default_of window_ms)" "$(cat $N3T/window_ms)"

# a third of the cost of slices of 4 ms
limit=$((takes / 4 / 3))
put $N3T/max_cost $limit
sleep 2
within "max_cost $limit: slices are about three times as long" 12 "$(slice_ms)" 24
check "max_cost $limit: slices cost at most that" costs_at_most $limit
length=$(slice_ms)
within "max_cost $limit: two seconds contain the expected number of slices of $length ms" \
	$((1900 / length)) "$(slices_in 2)" $((2100 / length))
same "max_cost $limit: two rotations fit in the configured window" \
	"$(default_of window_ms)" "$(cat $N3T/window_ms)"

put $N3T/max_cost 20
sleep 3
length=$(slice_ms)
within "max_cost 20: slices are longer than 50 ms" 50 "$length" "$(highest slice_ms)"
within "max_cost 20: the window has two rotations of them" $(($(shortest_window 6 "$length"))) \
	"$(cat $N3T/window_ms)" $LONGEST_WINDOW
next_window
check "max_cost 20: all values are reported" \
	sh -c "! grep -hE 'stale|idle|contended' $N3T/cpu0/mpki"

put $N3T/max_cost 0
sleep 2
same "max_cost 0: slices have the configured length" 4 "$(slice_ms)"
same "max_cost 0: window_ms has the configured value" \
	"$(default_of window_ms)" "$(cat $N3T/window_ms)"
same "no slice is dropped" 0 "$(word $N3T/cpu0/status dropped)"

put $N3T/reserved_counters 1
# QEMU notices an overflow at the next exception: many system calls
dd if=/dev/zero of=/dev/null bs=1 &
spinners="$spinners $!"
sleep 1
perf record -q --no-buffering -o /dev/null -C 0 -e r08 -c 200000 sleep 1000 > "$tmp/perf" 2>&1 &
perf_pid=$!
check "perf record samples" wait_until overflows_reach $(($(overflows) + 100))
before=$(overflows)
within "a second has 250 slices while perf records" 240 "$(slices_in 1)" 256
within "perf's reader was woken several times per slice" 1000 \
	$(($(overflows) - before)) 1000000
stop $perf_pid
diag "$(cat "$tmp/perf")"
