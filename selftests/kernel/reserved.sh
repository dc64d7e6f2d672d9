#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Reserved counters belong to others: they are never used, not even briefly when one more is
# requested, nor at load. If all are reserved none is requested. The window of a CPU is as
# long as its own plan needs, so a longer plan of another CPU lowers no coverage.
# machine: turns

. "$(dirname "$0")/../lib/sim.sh"
. "$(dirname "$0")/../lib/perf.sh"

plan 32

DEBUG=/sys/kernel/debug/n3_telemetry

ticks() { awk -v cpu="cpu$1" '$1 == cpu { print $3 }' $DEBUG/cost; }
most_used() { cat "$SIM"/cpu*/most_used | sort -n | tail -n 1; }
coverage() { inferred "cpu$1" topdown_l1 | sed -n 's/^retiring .*coverage=\([0-9.]*\) .*/\1/p'; }

begin_sim "0 1" cpus=0-1 reserved_counters=2 slice_ms=4
same "no CPU ever used more than four counters" 4 "$(most_used)"
same "the self-test has passed with four counters" in-place "$(word $N3T/status switch)"
awake 0 1
check "CPU 0 holds the four counters left" wait_until cpu_is 0 sampling 4

# growing requests counters every second, if any is missing
echo 1 > "$SIM/cpu0/taken"
yields=$(word $N3T/cpu0/status yields)
stat_lines -C 0 -e '{n3_sim/event=0x73/}' sleep 5
same "perf's event in a reserved counter never lost it in 5 s" 100.00 "$(lowest_share)"
same "no counter was yielded to perf's event" "$yields" "$(word $N3T/cpu0/status yields)"
COMPARE_CPUS=0
check "values match the rates with four counters" compare_all counters=4

# two of the six missing: growing requests one, and must leave the reserved ones alone
echo 3 > "$SIM/cpu0/taken"
check "CPU 0 is left with three when others take three" wait_until cpu_is 0 sampling 3
echo 0 > "$SIM/cpu0/taken"
check "CPU 0 grows back to four, not further" wait_until cpu_is 0 sampling 4
sleep 3
check "CPU 0 still holds four 3 s later" cpu_is 0 sampling 4

check "all counters can be reserved" put $N3T/reserved_counters 6
check "CPU 0 is unplaced when all counters are reserved" wait_until cpu_is 0 unplaced 0
before=$(ticks 0)
sleep 2
same "no timer of the module runs on CPU 0 when all counters are reserved" "$before" "$(ticks 0)"
check "more counters than exist can be reserved" put $N3T/reserved_counters 31
check "CPU 0 stays unplaced" cpu_is 0 unplaced 0
check "reserved_counters accepts 0" put $N3T/reserved_counters 0
check "CPU 0 is sampled with all six" wait_until cpu_is 0 sampling 6

check "n3_telemetry unloads" unload n3_telemetry
unload n3_sim
check "n3_sim loads again" load n3_sim
check "n3_telemetry loads with all counters reserved" load n3_telemetry pmu=n3_sim cpus=0-1 \
	reserved_counters=6 slice_ms=20
same "loaded with all counters reserved, none is used, and CPU 0 is unplaced" "0 unplaced" \
	"$(most_used) $(word $N3T/cpu0/status state)"

# the maximum number of counters: found by growing after a load on smaller CPUs
check "n3_telemetry unloads" unload n3_telemetry
echo 20 > "$SIM/counters"
echo 14 > "$SIM/cpu1/taken"
check "n3_telemetry loads where CPU 1 has 6 counters left of 20" \
	load n3_telemetry pmu=n3_sim cpus=0-1 slice_ms=20
check "CPU 0 holds all 20" wait_until cpu_is 0 sampling 20
# the configured window is shorter than either plan needs, and is refused; the shortest
# accepted one is that of the plan for 20 counters
check "CPU 1 starts without any counter" put $N3T/cpus 0
check "the window can be as short as a plan for 20 counters allows" put $N3T/window_ms \
	"$(shortest_window 20 20)"
check "CPU 1 joins, with a longer plan" put $N3T/cpus 0-1
check "CPU 1 holds the 6 counters left" wait_until cpu_is 1 sampling 6
sleep 2
same "window_ms shows the longer window" "$(shortest_window 6 20)" "$(cat $N3T/window_ms)"
within "Topdown_L1 is covered for half of the window on CPU 0" 40 "$(coverage 0)" 60
