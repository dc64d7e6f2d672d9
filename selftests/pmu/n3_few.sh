#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# With fewer counters than the core has, as in guests, metrics that fit are right and the
# others are unplaced. The kernel log and n3stat doctor report the number of counters.
# machine: n3-turns-1 n3-turns-2 n3-turns-5
# on: test-long
# timeout: 300

. "$(dirname "$0")/../lib/n3.sh"
. "$(dirname "$0")/../lib/load.sh"

COUNTERS=${MACHINE#n3-turns-}

plan 6

lines=$(dmesg | wc -l)
check "n3_telemetry loads" load n3_telemetry slice_ms=4
check "the kernel log has the number of counters" \
	sh -c "dmesg | tail -n +$lines | grep ' has $COUNTERS of at least 6 programmable counters'"
same "the budget of every CPU is the number of counters of the PMU" "$COUNTERS $COUNTERS" \
	"$(for key in budget counters; do cat $N3T/cpu*/status | grep "^$key "; done | sort -u |
		awk '{ print $2 }' | tr '\n' ' ' | sed 's/ $//')"
awake
next_window
compare_all "counters=$COUNTERS" > "$tmp/compared"
verdict $? "metrics that $COUNTERS counters can count match the rates, others are unplaced"
diag "$(cat "$tmp/compared")"
# five are enough for each single metric
unplaced='[1-9][0-9]*'
[ "$COUNTERS" -lt 5 ] || unplaced=0
check "on every CPU metrics have numbers; unplaced ones: $unplaced" \
	awk -v line=" [1-9][0-9]* numbers, 0 wrong, $unplaced unplaced, " \
	'{ some += $0 ~ line; n++ } END { exit !n || some != n }' "$tmp/compared"
finds 0 warning few_counters \
	"4 CPUs .* $COUNTERS .*the PMU has no more" "larger guest"
