#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A machine with two PMUs of the same driver, each for half of the CPUs, as created by ACPI
# for each MIDR revision: every CPU is sampled by its own PMU, both have all event names,
# and perf counts with the names of both. The same after CPU hotplug. A task that may read
# the counters of one from user space ends sampling only on that PMU's CPUs.
# on: test-long
# machine: two-pmus

. "$(dirname "$0")/../lib/lib.sh"

plan 18

FIRST=armv8_pmuv3
DEBUG=/sys/kernel/debug/n3_telemetry
named_pmus() { sed -n 's/^pmu //p' $N3T/spec | tr ' ' '\n' | sort; }
real_pmus() {
	for cpus in "$PMUS"/armv8*/cpus; do
		basename "$(dirname "$cpus")"
	done | sort
}
ACCESS=/proc/sys/kernel/perf_user_access
cleanup() { echo 0 > $ACCESS; }
# first_is_stopped - whether CPUs 0 and 1 are stopped and the others sampled
first_is_stopped() {
	said=$(for cpu in 0 1 2 3; do
		word $N3T/cpu$cpu/status state
		word $N3T/cpu$cpu/status reason
	done | tr '\n' ' ')
	echo "$said"
	[ "$said" = "contended user_access contended user_access sampling none sampling none " ]
}
sampled() { [ "$(word $N3T/status cpus_sampled)" = "$1" ]; }
second=$(real_pmus | grep -vx $FIRST)

same "the driver has a PMU for CPUs 0 and 1" 0-1 "$(cat $PMUS/$FIRST/cpus)"
same "the driver has another PMU for CPUs 2 and 3" 2-3 "$(cat "$PMUS/$second/cpus")"
check "n3_telemetry loads" load n3_telemetry
same "spec names both" "$(real_pmus)" "$(named_pmus)"
check "all four CPUs are sampled" wait_until sampled 4
same "counters of both are read and typed by their registers" direct "$(word $N3T/status switch)"
busy 0 1 2 3
sleep 3
# without -icount QEMU counts cycles and nothing else
for cpu in 0 2; do
	within "CPU $cpu has kept slices with cycles in them" 20 \
		"$(grep -c ' kept CPU_CYCLES=[1-9]' $DEBUG/cpu$cpu/slices)" 1000
done
idle_again
for pmu in $FIRST "$second"; do
	same "$pmu has a name for an implementation-defined event" event=0x0160 \
		"$(cat "$PMUS/$pmu/events/imp_stall_backend_mcq" 2>&1)"
	cpu=$(sed 's/-.*//' "$PMUS/$pmu/cpus")
	check "perf counts with a name of $pmu on CPU $cpu" perf stat -x , -o "$tmp/perf" \
		-C "$cpu" -e "$pmu/cpu_cycles/" sleep 0.2
	within "$pmu counted cycles there" 1 \
		"$(awk -F , '/cpu_cycles/ { print $1 }' "$tmp/perf")" 1e12
done
echo 0 > $CPU_DEVICES/cpu3/online
check "three CPUs are sampled while one is offline" wait_until sampled 3
echo 1 > $CPU_DEVICES/cpu3/online
check "all four CPUs are sampled when it is online again" wait_until sampled 4
# It has access where it runs, whichever PMU the kernel has chosen for its event.
put $N3T/reserved_counters 2
put $ACCESS 1
taskset -c 0 "$HERE/user_access" "$tmp/seen" &
check "CPUs 0 and 1 yield to a task with direct access on CPU 0, those of the other PMU do not" \
	wait_until first_is_stopped
check "n3_telemetry unloads and removes its event names" unload n3_telemetry
