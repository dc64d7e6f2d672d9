#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A PMU that latches the event number when an event is added, not when it is started: sets
# cannot be switched in place. The module finds that at load, status reports it, sets are
# switched through perf, values still match the rates, and counters that become free are
# found.
#
# perf starts the events of a set one after another, so accuracy depends on how long that
# takes: time on the machine must be counted in instructions, and kernels with checkers are
# less exact.
# machine: icount
# timeout: 300

. "$(dirname "$0")/../lib/sim.sh"

plan 22

check "n3_sim loads with latch_at=start" load n3_sim latch_at=start
check "n3_telemetry loads on n3_sim with latch_at=start" load n3_telemetry pmu=n3_sim
same "latch_at=start: counter sets are switched in place" in-place "$(word $N3T/status switch)"
unload n3_telemetry
unload n3_sim

check "n3_sim loads with latch_at=add" load n3_sim latch_at=add
check "n3_sim accepts random rates" set_rates 0 "$SEED"
check "n3_telemetry loads on n3_sim with latch_at=add" load n3_telemetry pmu=n3_sim
same "latch_at=add: counter sets are switched through perf, with 6 counters" "perf 6" \
	"$(word $N3T/status switch) $(word $N3T/cpu0/status budget)"
same "latch_at=add: in-place is refused" "Operation not supported" \
	"$(put $N3T/switch in-place | sed 's/.*: //')"
same "latch_at=add: status shows user access as unchecked" unchecked \
	"$(word $N3T/status user_access)"
busy 0
next_window
bars='bar=0.01'
! slow_kernel || bars='bar=0.03 points=1'
# shellcheck disable=SC2086 # one argument a word
check "latch_at=add: values match the rates" compare_cpu 0 $bars
same "latch_at=add: no slice is dropped" 0 "$(word $N3T/cpu0/status dropped)"

# the module asks for more counters a second later
echo 2 > "$SIM/cpu0/taken"
check "latch_at=add: CPU 0 is sampled with 4 counters while 2 are taken" \
	wait_until cpu_is 0 sampling 4
next_window
sleep 1
# shellcheck disable=SC2086
check "latch_at=add: values match the rates while counters are missing" \
	compare_cpu 0 counters=4 $bars
yields=$(word $N3T/cpu0/status yields)
echo 0 > "$SIM/cpu0/taken"
check "latch_at=add: CPU 0 takes counters that became free" wait_until cpu_is 0 sampling 6
same "latch_at=add: nothing is yielded to take more" "$yields" \
	"$(word $N3T/cpu0/status yields)"
same "latch_at=add: sets are still switched through perf" perf "$(word $N3T/status switch)"

put $N3T/distrust inst_retired
next_window
# shellcheck disable=SC2086
check "latch_at=add: metrics that need a distrusted event are unsupported, others match" \
	compare_cpu 0 events=INST_RETIRED word=unsupported $bars
awk -F '\t' '!/^#/ && $5 ~ /PMU/ && $2 != "CHAIN" { print $2 }' "$SPEC/events.tsv" |
	xargs > "$tmp/all"
put_file $N3T/distrust "$tmp/all"
same "latch_at=add: with all events distrusted no counter is held" "unsupported 0" \
	"$(word $N3T/cpu0/status state) $(word $N3T/cpu0/status budget)"
check "latch_at=add: with all events distrusted all values are unsupported" \
	all_are unsupported cpu0
put $N3T/distrust none
check "latch_at=add: without distrust the CPU is sampled again" wait_until cpu_is 0 sampling 6

# nothing is tried before sampling starts
unload n3_telemetry
check "latch_at=add: n3_telemetry loads with enable=0 switch=in-place" \
	load n3_telemetry pmu=n3_sim enable=0 switch=in-place
put $N3T/enable 1
same "latch_at=add: sets are switched through perf when sampling starts" "in-place perf sampling" \
	"$(cat $N3T/switch) $(word $N3T/status switch) $(word $N3T/cpu0/status state)"
