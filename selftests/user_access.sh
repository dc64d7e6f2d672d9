#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# With kernel.perf_user_access=1 a task that has an event of its own for direct access
# can read all counters of its CPU that are in use. While such a task runs the module
# gives the counters of that CPU back, in both modes, within two slices; other CPUs are
# sampled as before. It takes them again when the task is gone. A task that counts
# without direct access disturbs nothing.
# on: rotation
# machine: turns

. "$(dirname "$0")/lib.sh"

ACCESS=/proc/sys/kernel/perf_user_access
[ -e $ACCESS ] || skip_all "this kernel gives user space no counters"

plan 26

reader=''
stop_reader() {
	[ -z "$reader" ] || kill "$reader"
	reader=''
}
cleanup() {
	stop_reader
	echo 0 > $ACCESS
}

says() { [ "$(word "$N3T/cpu$1/status" state)" = "$2" ]; }

check "n3_telemetry loads on the PMU of the machine" load n3_telemetry reserved_counters=2
check "direct access can be allowed" put $ACCESS 1
busy 1

for mode in yield share; do
	check "$mode: contention can be set" put $N3T/contention "$mode"
	check "$mode: CPU 0 is sampled" wait_until says 0 sampling
	yields=$(word $N3T/cpu0/status yields)
	: > "$tmp/seen"
	taskset -c 0 "$HERE/user_access" "$tmp/seen" &
	reader=$!
	check "$mode: the counters are yielded to a task with direct access" wait_until says 0 contended
	sleep 2
	same "$mode: and stay yielded while it runs" contended "$(word $N3T/cpu0/status state)"
	same "$mode: they were yielded once" $((yields + 1)) "$(word $N3T/cpu0/status yields)"
	diag "$(tr '\n' ';' < "$tmp/seen")"
	# two slices are 8 ms; a busy host makes more of them
	same "$mode: no other counter changed after half a second" 0 \
		"$(awk '$1 > 500 && $2 { n++ } END { print (NR > 10) ? n + 0 : "too few readings" }' "$tmp/seen")"
	same "$mode: another CPU was sampled all the time" sampling "$(word $N3T/cpu1/status state)"
	stop_reader
	check "$mode: the counters are taken again when the task is gone" wait_until says 0 sampling
done

# an event that needs no direct access fits into what is reserved
yields=$(word $N3T/cpu0/status yields)
check "perf counts for a task" perf stat -x , -o "$tmp/perf" -e r8 taskset -c 0 sleep 2
same "a task that counts without direct access makes no CPU yield" "$yields" \
	"$(word $N3T/cpu0/status yields)"
check "n3_telemetry unloads" unload n3_telemetry

# a PMU that is named is that of the CPUs all the same
set -- $PMUS/armv8_pmuv3*
check "n3_telemetry loads with pmu=${1##*/}" load n3_telemetry pmu="${1##*/}"
check "named: CPU 0 is sampled" wait_until says 0 sampling
taskset -c 0 "$HERE/user_access" "$tmp/seen" &
reader=$!
check "named: the counters are yielded to a task with direct access" wait_until says 0 contended
stop_reader
check "n3_telemetry unloads" unload n3_telemetry
same "the kernel has no complaint" "" "$(kernel_warnings)"
