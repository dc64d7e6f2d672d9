#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# perf takes counters away for moments at a time, by pinned events and by groups
# that it takes turns with. Slices in which a counter was missing are dropped and
# counted, and what is published is exact or says that it is contended, whatever
# the module does about the neighbour. When it has gone all values are back.
# on: 6.1
# machine: turns
# timeout: 240

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"

plan 16

GROUP='{n3_sim/event=0x73/,n3_sim/event=0x74/}'

dropped() { word $N3T/cpu0/status dropped; }

# look - holds what is published against what is right; words that say that there
# is no value are fine
look() {
	compare_cpu 0 'pass=contended|idle' > "$tmp/values"
	[ $? -ne 1 ] || { wrong=$((wrong + 1)); sed 's/^/# /' "$tmp/values"; }
	numbers=$((numbers + $(sed -n 's/.*: \([0-9]*\) numbers.*/\1/p' "$tmp/values")))
}

# long enough to publish something before it comes again: perf is slow to begin with
# checkers, and until it does counters come and go
rest=0.3
! slow_kernel || rest=1.5

# neighbour EVENTS - comes and goes, several times
neighbour() {
	wrong=0
	for _ in 1 2 3 4; do
		perf stat -x , -o "$tmp/perf" -C 0 -e "$1" sleep 0.05
		look
		sleep $rest
		look
	done
}

diag "SEED=$SEED"
check "n3_sim loads" load n3_sim
check "rates are set" set_rates 0 "$SEED"
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
awake 0
next_window
COMPARE_CPUS=0
check "values are right to begin with" compare_all
same "no slice was dropped" 0 "$(dropped)"

numbers=0
for kind in "share $GROUP:D" "share $GROUP" "yield $GROUP:D"; do
	put $N3T/contention "${kind% *}"
	before=$(dropped)
	neighbour "${kind#* }"
	same "$kind: no value is wrong" 0 $wrong
	same "perf counted" 2 "$(grep -c '^[0-9][0-9]*,' "$tmp/perf")"
	within "slices were dropped" 1 $(($(dropped) - before)) 100000
done
within "values were published meanwhile" 1 $numbers 2136

next_window
check "all values are back" compare_all
