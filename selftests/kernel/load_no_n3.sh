#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# On a machine without a Neoverse N3 loading fails with ENODEV, logs the reason and leaves
# nothing behind. The simulated PMU works.
# machine: no-n3

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/load.sh"

grep -q '0xd8e' /proc/cpuinfo && skip_all "this is a Neoverse N3"

plan 10

remember
refused "no CPU is a Neoverse N3" "No such device" "no Neoverse N3 CPU found"
# of no implementer
part=$(sed -n 's/^CPU part[^0]*//p' /proc/cpuinfo | head -n 1)
refused "core=$part, a part of an implementer other than Arm" "No such device" \
	"no CPU matches core=" "core=$part"
check "n3_sim loads" load n3_sim
check "n3_telemetry loads on n3_sim" load n3_telemetry pmu=n3_sim
works
unload n3_telemetry
unload n3_sim
nothing_left "after unloading"
