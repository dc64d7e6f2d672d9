#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# CPUs that lose power in their idle state: the PMU's driver stops all counters before
# (CPU_PM), resets the PMU and starts them again after, many times within a slice, unknown
# to the module. QEMU only waits in such a state: register contents are lost by the driver's
# reset, not by the power loss.
#
# Each kept slice has counted every event at its rate in the slice's own cycles.
# machine: n3-idle
# timeout: 240

. "$(dirname "$0")/../lib/n3.sh"

plan 7

LAST=$(online | tail -n 1)
# QEMU only waits in that state and returns, so the kernel counts it as rejected, after all
# notifications before and after.
entered() {
	cat "$CPU_DEVICES/cpu$LAST/cpuidle/state1/usage" \
		"$CPU_DEVICES/cpu$LAST/cpuidle/state1/rejected" |
		awk '{ sum += $1 } END { print sum }'
}
dropped() { word $N3T/cpu"$LAST"/status dropped; }

same "the idle state is entered through PSCI" cpu-off \
	"$(cat "$CPU_DEVICES/cpu$LAST/cpuidle/state1/name")"
check "n3_telemetry loads" load n3_telemetry
same "counters are read and typed by their registers" direct "$(word $N3T/status switch)"
# a millisecond of work and one of rest, so that most slices contain some of both
taskset -c "$LAST" "$LIB/spin" 200 1000 &
spinners="$spinners $!"
next_window
before=$(entered)
taken=$(word $N3T/cpu"$LAST"/status slices)
sleep 4
within "the CPU loses power at least once per slice" \
	$(($(word $N3T/cpu"$LAST"/status slices) - taken)) $(($(entered) - before)) 1000000
check "each slice has counted every event at its rate" exact_slices "$LAST" 50 20
same "no slice is dropped" 0 "$(dropped)"
check "values match the rates" compare_cpu "$LAST"
