#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# On a Neoverse N3 with a PMU that neither device tree nor ACPI describes loading fails with
# ENODEV; the kernel log gives that reason, not a missing PMU. n3stat doctor finds an error.
# on: test-long
# machine: no-node

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/load.sh"

ls -d $PMUS/armv8_* 2>/dev/null && skip_all "this CPU has a PMU"

plan 5

check "the CPUs are Neoverse N3" grep -m 1 0xd8e /proc/cpuinfo
remember
refused "perf has no PMU" "No such device" "has a PMU, but perf has none"
finds 7 error no_pmu '' "pmu=on"
