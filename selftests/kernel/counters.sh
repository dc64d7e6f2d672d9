#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The module finds the number of counters again after a change: others take some or release
# them, or all vanish for a moment. Values match the rates with the counters left, and
# status shows how Topdown_L1 is counted. Reserved counters stay free: others use them
# without contention.
# machine: turns

. "$(dirname "$0")/../lib/sim.sh"
. "$(dirname "$0")/../lib/perf.sh"

plan 25

begin_sim 0 cpus=0
awake 0
COMPARE_CPUS=0
check "no counter taken: CPU 0 is sampled with all 6" wait_until cpu_is 0 sampling 6
same "no counter taken: status shows Topdown_L1 as whole" whole \
	"$(word $N3T/cpu0/status topdown_l1)"

while read -r taken how; do
	left=$((6 - taken))
	echo "$taken" > "$SIM/cpu0/taken"
	check "$taken of 6 counters taken: CPU 0 is sampled with $left" wait_until cpu_is 0 sampling $left
	same "$taken of 6 counters taken: status shows Topdown_L1 as $how" "$how" \
		"$(word $N3T/cpu0/status topdown_l1)"
	next_window
	check "$taken of 6 counters taken: values match the rates, metrics for more are unplaced" \
		compare_all counters=$left
done <<-END
1 derived
4 split
0 whole
END

put $N3T/reserved_counters 2
check "2 of 6 counters reserved: CPU 0 is sampled with 4" wait_until cpu_is 0 sampling 4
next_window
yields=$(word $N3T/cpu0/status yields)
stat_lines -C 0 -e '{n3_sim/event=0x73/,n3_sim/event=0x74/}' sleep 1
same "2 counters reserved: perf stat counts a group of two events" 2 "$(wc -l < "$tmp/lines")"
within "2 counters reserved: perf's group of two runs at least 99.9 % of the time" 99.9 \
	"$(lowest_share)" 100
check "2 counters reserved: values match the rates after perf's group has run" \
	compare_all counters=4
same "2 counters reserved: CPU 0 does not yield its counters to perf's group" \
	"${yields:-a number}" "$(word $N3T/cpu0/status yields)"
put $N3T/reserved_counters 0
check "no counter reserved: CPU 0 is sampled with all 6" wait_until cpu_is 0 sampling 6

before=$(word $N3T/cpu0/status dropped)
echo 6 > "$SIM/cpu0/taken"
sleep 0.2
echo 0 > "$SIM/cpu0/taken"
within "all counters vanish for 200 ms: slices are dropped" $((before + 1)) \
	"$(word $N3T/cpu0/status dropped)" $((before + 100))
check "all counters are back: CPU 0 is sampled with all 6" wait_until cpu_is 0 sampling 6
same "all counters are back: window_ms has the configured value" "$(default_of window_ms)" \
	"$(cat $N3T/window_ms)"
next_window
check "all counters are back: values match the rates" compare_all
within "status counts how often CPU 0 has yielded its counters" 2 \
	"$(word $N3T/cpu0/status yields)" 20
