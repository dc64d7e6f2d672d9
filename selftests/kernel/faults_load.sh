#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Every allocation fails once while the module loads. Loading fails with ENOMEM or works
# anyway, the next try works, nothing is left behind and nothing leaks.
#
# LONG=1 fails each of them; on the CPUs' own PMU every tenth, as nearly all are the same as
# on n3_sim. Otherwise one in some hundreds, starting at random.
# on: test-long
# machine: single
# timeout: 3300

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/faults.sh"

plan 7

if [ "$LONG" = 1 ]; then
	sim_step=1 own_step=10
else
	sim_step=587 own_step=1759
fi

diag "SEED=$SEED LONG=$LONG"
check "n3_sim loads" load n3_sim
faults_start
remember
each_fails "loading on n3_sim survives failed allocations" $sim_step \
	load "$MODULES/n3_telemetry.ko" pmu=n3_sim container_pieces=125
nothing_left "after loads on n3_sim with failed allocations"
each_fails "loading on the CPUs' own PMU survives failed allocations" $own_step \
	load "$MODULES/n3_telemetry.ko"
nothing_left "after loads on the CPUs' own PMU with failed allocations"
no_trace
