#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# SPE records of an undefined size: cpuN/spe gives that as the reason, the kernel's own
# driver refuses the device, and n3stat spe info reports the reason.
# machine: spe-size
# timeout: 300
# on: test-long

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/spe_info.sh"

plan 7

cleanup() { unload arm_spe_pmu; }

check "n3_telemetry loads" load n3_telemetry
spe_files "says that the CPU cannot be used, and why" << 'END'
usable no
reason unknown_size
version 1.2
min_interval 1024
max_record reserved
records variable
counter_bits 12
format 0
alternate_clock none
filters event operation latency not_event
features load_data_source previous_branch
align 64
buffer_flags updated
external_abort not_described
pmsver 3
pmsidr 0x102f457
pmbidr 0x26
END
load arm_spe_pmu
same "the kernel's driver registers no PMU" "" "$(ls -d $PMUS/arm_spe_* 2>/dev/null)"
check "n3stat spe info reports the unknown size" info_says 7 '^error .*\[spe_unknown_size\]$'
