#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Totals of metrics whose counts cannot be right are withdrawn: their keys are absent, also in
# sums with other CPUs, until 1 is written to enable. INST_RETIRED stays at 0 on CPU 0, and on
# CPU 1 STALL_SLOT is not the sum of its parts.
# machine: tick
# timeout: 300

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/sim.sh"

[ "$(online | wc -l)" -eq 4 ] || skip_all "needs four CPUs"

plan 19

# with_rate CPU EVENT SHARE - the random rates of the CPU, with another one for the event, per
# cycle
with_rate() {
	awk -v event="$2" -v share="$3" '
	NR == FNR { rate[$1] = $2; next }
	$1 == event { $2 = sprintf("%.0f", rate["CPU_CYCLES"] * share) }
	{ print }' "$tmp/rates.$1" "$tmp/rates.$1" > "$tmp/changed"
	put_file "$SIM/cpu$1/rates" "$tmp/changed"
}

# nr_keys FILE... - number of keys
nr_keys() { (cd $N3T && cat "$@") | wc -l; }

# withdrawn_is CPU NUMBER - of its metrics; those who read totals find out
withdrawn_is() {
	cat "$N3T/cpu$1/counters/general" > /dev/null
	[ "$(word "$N3T/cpu$1/status" withdrawn)" = "$2" ]
}

# metrics that need INST_RETIRED
nr=$(awk -F '\t' '!/^#/ && $3 ~ /INST_RETIRED/' "$SPEC/metrics.tsv" | wc -l)

diag "SEED=$SEED"
check "n3_sim loads" load n3_sim
check "n3_sim accepts random rates on all CPUs" set_all_rates "$SEED" 0 1 2 3
same "n3_sim accepts a CPU that retires nothing" "" "$(with_rate 0 INST_RETIRED 0)"
# random rates of its parts are at most 2
same "n3_sim accepts a CPU with too many stalled slots" "" "$(with_rate 1 STALL_SLOT 4)"
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
awake 0 1 2 3
check "all $nr metrics with INST_RETIRED are withdrawn on CPU 0" wait_until withdrawn_is 0 "$nr"
check "the four metrics of Topdown_L1 are withdrawn on CPU 1" wait_until withdrawn_is 1 4
check "nothing is withdrawn on CPU 2" withdrawn_is 2 0
same "status of the system has the number of metrics withdrawn on any CPU" $((nr + 4)) \
	"$(word $N3T/system/status withdrawn)"
same "status names the first and when" "backend_bound yes" \
	"$(word $N3T/cpu1/status withdrawn_metric) $(awk -v now="$(uptime_ms)" '
	$1 == "withdrawn_ns" { print ($2 > 0 && $2 / 1e6 < now + 20 ? "yes" : "no") }' \
		$N3T/cpu1/status)"
same "general is empty on CPU 0 and the system, and has two keys on CPU 2" "0 0 2" \
	"$(nr_keys cpu0/counters/general) $(nr_keys system/counters/general) $(nr_keys cpu2/counters/general)"
same "topdown_l1 is empty on CPU 1 and the system, and has seven keys on CPU 0" "0 0 7" \
	"$(nr_keys cpu1/counters/topdown_l1) $(nr_keys system/counters/topdown_l1) $(nr_keys cpu0/counters/topdown_l1)"
put_file $SIM/cpu0/rates "$tmp/rates.0"
put_file $SIM/cpu1/rates "$tmp/rates.1"
next_window
check "metrics stay withdrawn when the counts are right" withdrawn_is 0 "$nr"
put $N3T/enable 1
next_window
check "nothing is withdrawn on CPU 0 after 1 was written to enable" withdrawn_is 0 0
check "nor on CPU 1" withdrawn_is 1 0
same "nor in the system" 0 "$(word $N3T/system/status withdrawn)"
same "the system has the keys of both groups again" "2 7" \
	"$(nr_keys system/counters/general) $(nr_keys system/counters/topdown_l1)"
check "n3_telemetry unloads" unload n3_telemetry
same "the kernel log has no warning" "" "$(kernel_warnings)"
