#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Words reported instead of values, with the CPUs' own PMU and the kernel's driver. Some
# emulators accept every event and count at most cycles: no value may be reported for such
# an N3.
# timeout: 240

. "$(dirname "$0")/../lib/lib.sh"

[ "$(online | wc -l)" -ge 4 ] || skip_all "fewer than four CPUs"

plan 3

busy 0 1 2 3
check "n3_telemetry loads on the CPUs' own PMU" load n3_telemetry
next_window
counted=$(tally cpu0)
diag "cpu0: $counted"
if echo "$counted" | grep -q implausible; then
	check "every value is implausible on a PMU that counts cycles only" \
		wait_until all_are implausible $everywhere
else
	pass "every value is implausible on a PMU that counts cycles only # SKIP PMU counts more"
fi
put $N3T/cpus 0
perf stat -C 0 -e '{r1b,r3a,r3b,r3d,r3e,r3f}:D' sleep 100 2> /dev/null &
check "with all counters pinned by perf every value of the only sampled CPU is contended" \
	wait_until all_are contended cpu0 node0 system
