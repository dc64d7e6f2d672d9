#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# cpuN/spe of CPUs with SPE matches the machine: SPEv1.2 with PMSIDR_EL1 0x1026457 and
# PMBIDR_EL1 0x26; the kernel's own driver agrees. Offline CPUs are reported as such. n3stat
# spe info reports missing parts, before and after the driver is loaded.
# machine: spe
# timeout: 300

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/spe_info.sh"

DEVICE=$PMUS/arm_spe_0

plan 16

check "without module and driver n3stat spe info reports the missing driver" \
	info_says 7 '^error .*\[no_spe_driver\]$'
check "n3_telemetry loads" load n3_telemetry
spe_files "says what the CPU can do" << 'END'
usable yes
reason none
version 1.2
min_interval 1024
max_record 64
records fixed
counter_bits 12
format 0
alternate_clock none
filters event operation latency not_event
features load_data_source previous_branch
align 64
buffer_flags updated
external_abort not_described
pmsver 3
pmsidr 0x1026457
pmbidr 0x26
END

echo 0 > $CPU_DEVICES/cpu1/online
same "the file of an offline CPU only has the reason" "usable no
reason offline
none" "$(sed 's/^[a-z_]* none$/none/' $N3T/cpu1/spe | uniq)"
echo 1 > $CPU_DEVICES/cpu1/online
same "back online, the CPU has the same file as the others" \
	"$(cat $N3T/cpu0/spe)" "$(cat $N3T/cpu1/spe)"

check "the kernel's driver loads" load arm_spe_pmu
same "the driver reports the same minimum interval" "$(cat $DEVICE/caps/min_interval)" \
	"$(word $N3T/cpu0/spe min_interval)"
same "the driver reports the same counter width" "$(cat $DEVICE/caps/count_size)" \
	"$(word $N3T/cpu0/spe counter_bits)"
same "the driver covers the CPUs that spe reports as usable" "$(cat $DEVICE/cpumask)" \
	"0-$(($(grep -l '^usable yes' $N3T/cpu*/spe | wc -l) - 1))"
check "n3stat spe info finds no problem" info_says 0 '^n3stat spe record --period 8192$'
same "n3stat spe info lists filters and features" "event operation latency not_event
load_data_source previous_branch" "$(sed -n 's/^f[a-z]*  *//p' "$tmp/info")"
unload n3_telemetry
check "without the module n3stat spe info takes the minimum interval from the driver" \
	info_says 0 '^minimum interval  1024 operations$'
same "without the module n3stat spe info finds no error" 0 "$(grep -c '^error' "$tmp/info")"
unload arm_spe_pmu
