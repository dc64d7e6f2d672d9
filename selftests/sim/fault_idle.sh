#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A fault that begins late on the only busy CPU withdraws its metrics within three windows,
# although all other CPUs sleep and nothing reads.
# machine: isolated

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/sim.sh"

plan 6

nr=$(awk -F '\t' '!/^#/ && $3 ~ /INST_RETIRED/' "$SPEC/metrics.tsv" | wc -l)

diag "SEED=$SEED"
check "n3_sim loads" load n3_sim
check "n3_sim accepts random rates" set_rates 0 "$SEED"
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
busy 0
sleep 10
sed 's/^INST_RETIRED .*/INST_RETIRED 0/' "$tmp/rates.0" > "$tmp/changed"
put_file $SIM/cpu0/rates "$tmp/changed"
sleep 6
put_file $SIM/cpu0/rates "$tmp/rates.0"
same "all $nr metrics with INST_RETIRED are withdrawn" "$nr" "$(word $N3T/cpu0/status withdrawn)"
idle_again
check "n3_telemetry unloads" unload n3_telemetry
same "the kernel log has no warning" "" "$(kernel_warnings)"
