#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Loading with parameters that make no sense, with a PMU that does not exist and
# with one that has no programmable counter fails with the right error, says why
# in the kernel log and leaves nothing behind; loading properly works afterwards.
# machine: turns
# machine on debug: pair

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_load.sh"

plan 37

remember
refused "another PMU that does not exist" "No such device" "nonsense" pmu=nonsense
refused "the simulated PMU without its module" "No such device" "n3_sim" pmu=n3_sim
refused "a slice too short" "Invalid argument" "slice_ms" slice_ms=3
refused "a slice too long" "Invalid argument" "slice_ms" slice_ms=1001
refused "a window of 0" "Invalid argument" "window_ms" window_ms=0
refused "a window too short" "Invalid argument" "window_ms" window_ms=1
refused "a window under two rotations" "Invalid argument" "window_ms" window_ms=959
refused "a window too long" "Invalid argument" "window_ms" window_ms=60001
refused "a number too large" "Numerical result out of range|Invalid argument" \
	"slice_ms" slice_ms=4294967297
refused "no number" "Invalid argument" "enable" enable=maybe

check "n3_sim without a counter loads" load n3_sim counters=0
remember
refused "no programmable counter" "No such device" "no programmable counter" pmu=n3_sim
unload n3_sim
remember
check "n3_telemetry loads on the CPU's own PMU" load n3_telemetry
works
unload n3_telemetry
nothing_left "after unloading"
