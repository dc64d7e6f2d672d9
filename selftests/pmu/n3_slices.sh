#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Disturbances within a slice for counters that are read through registers: perf record on a
# separate counter, each of whose overflows stops and starts the PMU, programs a counter and
# may occur at any instant; a group by perf that takes all counters, and pinned events that
# take some. Each kept slice has counted every event at its rate in the slice's own cycles,
# to a count or two; values are right.
#
# The module's counters have 64 bits and begin at 2^63: they overflow in a thousand years,
# and QEMU has no N3 whose counters have 32.
# machine: n3-turns
# timeout: 300

. "$(dirname "$0")/../lib/n3.sh"

plan 14

pmu=$(own_pmu)
LAST=$(online | tail -n 1)

dropped() { word $N3T/cpu"$LAST"/status dropped; }
overflows() { awk -v cpu="$LAST" '/arm-pmu/ { print $(cpu + 2) }' /proc/interrupts; }
overflows_reach() { [ "$(overflows)" -ge "$1" ]; }

check "n3_telemetry loads" load n3_telemetry reserved_counters=1 slice_ms=4
same "counters are read and typed by their registers" direct "$(word $N3T/status switch)"
awake
check "a CPU is sampled with 5 counters, one is reserved" wait_until cpu_is "$LAST" sampling 5
next_window
check "each slice has counted every event at its rate" exact_slices "$LAST" 200

before=$(dropped)
# each 200 us: the longer a slice, the more
period=$(rate "$LAST" INST_RETIRED | awk '{ printf "%d", $1 * 200000 + 1 }')
perf record -q -o /dev/null -C "$LAST" -c "$period" -e "$pmu/inst_retired/" sleep 1000 &
perf_pid=$!
start=$(overflows)
check "perf record samples: 1000 overflows" wait_until overflows_reach $((start + 1000))
next_window
check "each slice has counted every event at its rate while perf record samples" \
	exact_slices "$LAST" 200 0 INST_RETIRED "$period"
check "values match the rates while perf record samples" \
	compare_cpu "$LAST" counters=5
within "at most two slices are dropped meanwhile" "$before" "$(dropped)" $((before + 2))
stop $perf_pid

put $N3T/reserved_counters 0
check "a CPU is sampled with all 6 counters" wait_until cpu_is "$LAST" sampling 6
before=$(dropped)
for mode in share yield; do
	put $N3T/contention $mode
	for _ in 1 2 3 4; do
		perf stat -o /dev/null -C "$LAST" -e "{$pmu/inst_retired/D,$pmu/op_spec/}" sleep 0.05
		perf stat -o /dev/null -C "$LAST" \
			-e "{$pmu/inst_retired/,$pmu/op_spec/,$pmu/l1d_cache/,$pmu/stall/}" sleep 0.05
		sleep 0.5
	done
	check "$mode: each slice has counted every event at its rate, or is dropped" \
		wait_until exact_slices "$LAST" 1 2
done
within "slices are dropped when perf's events come and go" $((before + 1)) "$(dropped)" 1000000
check "a CPU is sampled with all 6 counters again" wait_until cpu_is "$LAST" sampling 6
next_window
check "values match the rates after perf" compare_all
