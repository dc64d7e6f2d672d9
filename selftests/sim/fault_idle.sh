#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A fault that begins late on the only busy CPU withdraws its metrics within three windows,
# although all other CPUs sleep and nothing reads.
# machine: isolated

. "$(dirname "$0")/../lib/sim.sh"

plan 4

nr=$(awk -F '\t' '!/^#/ && $3 ~ /INST_RETIRED/' "$SPEC/metrics.tsv" | wc -l)

begin_sim 0
busy 0
sleep 10
sed 's/^INST_RETIRED .*/INST_RETIRED 0/' "$tmp/rates.0" > "$tmp/changed"
put_file $SIM/cpu0/rates "$tmp/changed"
sleep 6
put_file $SIM/cpu0/rates "$tmp/rates.0"
same "all $nr metrics with INST_RETIRED are withdrawn" "$nr" "$(word $N3T/cpu0/status withdrawn)"
idle_again
