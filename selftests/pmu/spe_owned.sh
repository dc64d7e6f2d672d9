#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A higher exception level owns the buffer of SPE: no other register may be read, cpuN/spe
# gives that as the reason, the kernel's own driver refuses the device, and n3stat spe info
# reports the reason.
# machine: spe-owned
# timeout: 300
# on: test-long

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/spe_info.sh"

plan 7

cleanup() { unload arm_spe_pmu; }

check "n3_telemetry loads" load n3_telemetry
spe_files "says that the CPU cannot be used, and why" << 'END'
usable no
reason owned
version 1.2
min_interval none
max_record none
records none
counter_bits none
format none
alternate_clock none
filters none
features none
align 64
buffer_flags updated
external_abort not_described
pmsver 3
pmsidr none
pmbidr 0x36
END
load arm_spe_pmu
same "the kernel's driver registers no PMU" "" "$(ls -d $PMUS/arm_spe_* 2>/dev/null)"
check "n3stat spe info reports the owned buffer" info_says 7 '^error .*\[spe_owned\]$'
