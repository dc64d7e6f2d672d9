#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# SPE that cannot be used: a higher exception level owns the buffer, so that no other register may
# be read; records have an undefined format, or size. cpuN/spe gives that as the reason, and so
# does n3stat spe info, although the kernel's own driver does not check the format.
# machine: spe-owned spe-format spe-size
# timeout: 300
# on: test-long

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/spe_info.sh"

plan 7

interval=1024 bits=12 pmbidr=0x26 driver=''
filters='event operation latency not_event' features='load_data_source previous_branch'
case $MACHINE in
spe-owned)
	reason=owned interval=none record=none records=none bits=none format=none
	filters=none features=none pmsidr=none pmbidr=0x36
	;;
spe-format)
	reason=unknown_format record=64 records=fixed format=1 pmsidr=0x1126457
	driver=$PMUS/arm_spe_0
	;;
spe-size) reason=unknown_size record=reserved records=variable format=0 pmsidr=0x102f457 ;;
*) bail "no machine of this test: ${MACHINE:-none}" ;;
esac

check "n3_telemetry loads" load n3_telemetry
spe_files "says that the CPU cannot be used, and why" << END
usable no
reason $reason
version 1.2
min_interval $interval
max_record $record
records $records
counter_bits $bits
format $format
alternate_clock none
filters $filters
features $features
align 64
buffer_flags updated
external_abort not_described
pmsver 3
pmsidr $pmsidr
pmbidr $pmbidr
END
load arm_spe_pmu
same "the kernel's driver registers the PMU, unless it refuses the device" "$driver" \
	"$(ls -d $PMUS/arm_spe_* 2>/dev/null)"
check "n3stat spe info reports the reason" info_says 7 "^error .*\\[spe_$reason\\]$"
