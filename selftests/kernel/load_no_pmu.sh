#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# On a Neoverse N3 without a PMU, as in some virtual machines, or with one that neither device
# tree nor ACPI describes, loading fails with ENODEV, logs that reason and leaves nothing behind.
# n3stat doctor finds an error. The simulated PMU works.
# on: test-long
# machine: no-pmu no-node

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/load.sh"

ls -d $PMUS/armv8_* 2>/dev/null && skip_all "this CPU has a PMU"

plan 9

case $MACHINE in
no-node) reason="has a PMU, but perf has none" ;;
*) reason="has no PMU" ;;
esac
check "the CPUs are Neoverse N3" grep -m 1 0xd8e /proc/cpuinfo
remember
refused "perf has no PMU" "No such device" "$reason"
finds 7 error no_pmu '' "pmu=on"
check "n3_sim loads" load n3_sim
check "n3_telemetry loads on n3_sim" load n3_telemetry pmu=n3_sim
works
unload n3_telemetry
unload n3_sim
nothing_left "after unloading"
