#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Cost of a read of a file that is kept open, in instructions, at slices of 4 ms in a window
# of 2 s, that is 500 slices. The median of many reads: ticks and slices affect few of them.
# machine: icount
# timeout: 300

. "$(dirname "$0")/../lib/sim.sh"

SLICE_MS=4
WINDOW_MS=2000
READS=101

# file, instructions
LIMITS='
topdown_l1 20000
mpki 40000
moments 35000
counters/topdown_l1 20000
counters/mpki 60000
counters/time 20000
'
# hundredths of these: with bounds checks, with checkers
TIMES=100
! checks_bounds || TIMES=120
! slow_kernel || TIMES=5000

plan 10

check "n3_sim loads" load n3_sim
check "n3_sim alternates two phases, so that anchors correlate" set_phases 0
check "n3_telemetry loads" \
	load n3_telemetry pmu=n3_sim slice_ms=$SLICE_MS window_ms=$WINDOW_MS

"$HERE/cost" read $((WINDOW_MS + 200)) $READS $N3T/slice_ms \
	$N3T/cpu0/moments $N3T/cpu0/topdown_l1 $N3T/cpu0/mpki $N3T/cpu0/counters/topdown_l1 \
	$N3T/cpu0/counters/mpki $N3T/cpu0/counters/time > "$tmp/costs" 2>&1
diag "$(cat "$tmp/costs")"
for file in $(echo "$LIMITS" | awk '{ print $1 }'); do
	limit=$(echo "$LIMITS" | awk -v file=$file -v times=$TIMES \
		'$1 == file { print $2 * times / 100 }')
	within "reading cpu0/$file takes at most $limit instructions" 1000 \
		"$(awk -v file=$N3T/cpu0/$file '$1 == file { print $2 }' "$tmp/costs")" "$limit"
done
slices=$(inferred cpu0 topdown_l1 | sed -n 's/^backend_bound .* slices=\([0-9]*\) .*/\1/p')
within "half of a window's slices are of Topdown_L1" 240 "$slices" 252
