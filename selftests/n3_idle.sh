#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# CPUs whose idle state takes their power: the kernel has the PMU's driver stop all
# counters before (CPU_PM), reset the PMU and start them again after, many times within a
# slice, at no time that the module knows of. QEMU only waits in such a state: what the
# registers hold is lost by the driver's own reset, not by the lack of power.
#
# Each slice that is kept has counted every event at its rate in the slice's own cycles.
# machine: n3-idle
# on: rotation
# timeout: 240

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"
. "$(dirname "$0")/lib_n3.sh"

plan 8

LAST=$(online | tail -n 1)
# QEMU only waits in that state and returns, so the kernel counts it as rejected: after all
# that it does before and after.
entered() {
	cat "$CPU_DEVICES/cpu$LAST/cpuidle/state1/usage" \
		"$CPU_DEVICES/cpu$LAST/cpuidle/state1/rejected" |
		awk '{ sum += $1 } END { print sum }'
}
dropped() { word $N3T/cpu"$LAST"/status dropped; }

same "the idle state is entered by way of PSCI" cpu-off \
	"$(cat "$CPU_DEVICES/cpu$LAST/cpuidle/state1/name")"
check "n3_telemetry loads" load n3_telemetry
same "counters are read and typed by their registers" direct "$(word $N3T/status switch)"
# a millisecond of work and one of rest, so that most slices hold some of both
taskset -c "$LAST" "$HERE/spin" 200 1000 &
spinners="$spinners $!"
next_window
before=$(entered)
taken=$(word $N3T/cpu"$LAST"/status slices)
sleep 4
within "the CPU loses its power at least as often as it takes slices" \
	$(($(word $N3T/cpu"$LAST"/status slices) - taken)) $(($(entered) - before)) 1000000
check "each slice has counted every event at its rate" exact_slices "$LAST" 50 20
same "no slice is dropped" 0 "$(dropped)"
check "values match the rates" compare_cpu "$LAST"
same "the kernel log has no warning" "" "$(kernel_warnings)"
