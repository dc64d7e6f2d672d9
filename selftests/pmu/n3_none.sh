#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# With the cycle counter only, as in some guests, loading fails with ENODEV: no metric can
# be computed. The kernel log and n3stat doctor report a PMU without counters, not one whose
# counters are in use. perf counts cycles.
# machine: n3-none

. "$(dirname "$0")/../lib/n3.sh"
. "$(dirname "$0")/../lib/load.sh"
. "$(dirname "$0")/../lib/perf.sh"

plan 6

check "the kernel's driver has only the cycle counter" \
	sh -c "dmesg | grep -E 'armv8_pmuv3.* PMU driver, 1 .*counters? available'"
stat_lines -C 0 -e cycles sleep 0.2
within "perf counts cycles" 1000000 "$(of_event cycles 2)" 1000000000000
remember
refused "no programmable counter" "No such device" "has no programmable counter"
finds 7 error no_programmable_counter '' "larger guest"
