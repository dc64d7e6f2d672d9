#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# perf takes counters for moments at a time, with pinned events and with groups that it
# multiplexes. Slices that lacked a counter are dropped and accounted; published values are
# exact or contended. All values are reported again after perf has exited.
# on: test-long
# machine: turns
# machine on kcsan: tick
# timeout: 240

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/sim.sh"

plan 16

GROUP='{n3_sim/event=0x73/,n3_sim/event=0x74/}'

dropped() { word $N3T/cpu0/status dropped; }

# check_published - compares published values with the expected ones; words instead of a
# value are allowed
check_published() {
	compare_cpu 0 'pass=contended|idle' > "$tmp/values"
	[ $? -ne 1 ] || { wrong=$((wrong + 1)); sed 's/^/# /' "$tmp/values"; }
	numbers=$((numbers + $(sed -n 's/.*: \([0-9]*\) numbers.*/\1/p' "$tmp/values")))
}

# long enough to publish a value before perf counts again: with checkers perf starts slowly,
# and counters come and go until it has started
pause=0.3
! slow_kernel || pause=1.5

# contend EVENTS - perf counts them for a moment, several times
contend() {
	wrong=0
	for _ in 1 2 3 4; do
		perf stat -x , -o "$tmp/perf" -C 0 -e "$1" sleep 0.05
		check_published
		sleep $pause
		check_published
	done
}

diag "SEED=$SEED"
check "n3_sim loads" load n3_sim
check "n3_sim accepts random rates" set_rates 0 "$SEED"
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
awake 0
next_window
COMPARE_CPUS=0
check "values match the rates before perf counts" compare_all
same "no slice is dropped before perf counts" 0 "$(dropped)"

numbers=0
for kind in "share $GROUP:D" "share $GROUP" "yield $GROUP:D"; do
	put $N3T/contention "${kind% *}"
	before=$(dropped)
	contend "${kind#* }"
	same "$kind: no wrong value is published" 0 $wrong
	same "$kind: perf counts both of its events" 2 "$(grep -c '^[0-9][0-9]*,' "$tmp/perf")"
	within "$kind: at least one slice is dropped" 1 $(($(dropped) - before)) 100000
done
within "at least one value is published while perf comes and goes" 1 $numbers 2136

next_window
check "all values match the rates after perf" compare_all
