#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The number of counters is found again when it has changed: others take some for
# good, which leaves fewer, or give them back; all of them vanish for a moment. Values
# are right with what is left, and status says how Topdown_L1 is counted. What is
# reserved stays free: others use it without either of us noticing.
# on: 6.12
# machine: turns

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"
. "$(dirname "$0")/lib_perf.sh"

plan 24

# holds BUDGET - CPU 0 is sampled with so many counters
holds() {
	said="$(word $N3T/cpu0/status state) $(word $N3T/cpu0/status budget)"
	echo "$said"
	[ "$said" = "sampling $1" ]
}

diag "SEED=$SEED"
check "n3_sim loads" load n3_sim
check "rates are set" set_rates 0 "$SEED"
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim cpus=0
awake 0
COMPARE_CPUS=0
check "six counters" soon 20 holds 6
same "Topdown_L1 is whole" whole "$(word $N3T/cpu0/status topdown_l1)"

while read -r taken how; do
	left=$((6 - taken))
	echo "$taken" > "$SIM/cpu0/taken"
	check "$taken taken: the others are found" soon 20 holds $left
	same "Topdown_L1 is $how" "$how" "$(word $N3T/cpu0/status topdown_l1)"
	next_window
	check "values are right, or unplaced" compare_all counters=$left
done <<-END
1 derived
4 split
0 whole
END

put $N3T/reserved_counters 2
check "two reserved: four are used" soon 20 holds 4
next_window
times=$(word $N3T/cpu0/status away_times)
stat_lines -C 0 -e '{n3_sim/event=0x73/,n3_sim/event=0x74/}' sleep 1
same "a group of two runs" 2 "$(wc -l < "$tmp/lines")"
within "all the time" 99.9 "$(least_share)" 100
check "values are right meanwhile" compare_all counters=4
same "no counter was given back for it" "$times" "$(word $N3T/cpu0/status away_times)"
put $N3T/reserved_counters 0
check "none reserved: all six are used" soon 20 holds 6

before=$(word $N3T/cpu0/status dropped)
echo 200 > "$SIM/cpu0/vanish_ms"
sleep 0.3
within "all vanish for a while: slices are dropped" $((before + 1)) \
	"$(word $N3T/cpu0/status dropped)" $((before + 100))
check "they are found again" soon 20 holds 6
next_window
check "values are right" compare_all
within "status says how often counters were away" 2 "$(word $N3T/cpu0/status away_times)" 20
