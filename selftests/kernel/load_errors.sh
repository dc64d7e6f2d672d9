#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Loading with invalid parameters, with a PMU that does not exist and with one without
# programmable counters fails with the right error, logs the reason and leaves nothing
# behind; loading with valid parameters works afterwards.
# machine: turns
# machine on debug: pair

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/load.sh"

plan 61

remember
refused "pmu=nonsense, which does not exist" "No such device" "nonsense" pmu=nonsense
refused "pmu=n3_sim while n3_sim is not loaded" "No such device" "n3_sim" pmu=n3_sim
number=$(($(lowest slice_ms) - 1))
range="from $(lowest slice_ms) to $(highest slice_ms)"
refused "slice_ms=$number, too short" "Invalid argument" "slice_ms: .*$range" slice_ms=$number
number=$(($(highest slice_ms) + 1))
refused "slice_ms=$number, too long" "Invalid argument" "slice_ms: .*$range" slice_ms=$number
range="from $(lowest window_ms) to $(highest window_ms)"
refused "window_ms=0" "Invalid argument" "window_ms: .*$range" window_ms=0
refused "window_ms=1, too short" "Invalid argument" "window_ms" window_ms=1
number=$(($(shortest_window 6 "$(default_of slice_ms)") - 1))
refused "window_ms=$number, shorter than two rotations" "Invalid argument" "window_ms" \
	window_ms=$number
number=$(($(highest window_ms) + 1))
refused "window_ms=$number, too long" "Invalid argument" "window_ms: .*$range" window_ms=$number
refused "switch=direct, which is no setting" "Invalid argument" "switch: .*: auto in-place perf" \
	switch=direct
refused "contention=bogus, an unknown word" "Invalid argument" "contention: .*: yield share" \
	contention=bogus
refused "slice_ms=4294967297, beyond 32 bits" \
	"Numerical result out of range|Invalid argument" "slice_ms" slice_ms=4294967297
refused "enable=maybe, not a number" "Invalid argument" "enable" enable=maybe

check "n3_sim loads with no programmable counter" load n3_sim counters=0
remember
refused "pmu=n3_sim with no programmable counter" "No such device" "no programmable counter" \
	pmu=n3_sim
unload n3_sim
check "n3_sim loads with an uncore PMU" load n3_sim uncore=1
remember
refused "pmu=n3_sim_uncore, which counts on a CPU other than requested" "Invalid argument" \
	"n3_sim_uncore" pmu=n3_sim_uncore
refused "pmu=n3_sim,n3_sim_uncore, the second of which counts on another CPU" \
	"Invalid argument" "n3_sim_uncore" pmu=n3_sim,n3_sim_uncore
refused "pmu=breakpoint, which has no CPU events" "Invalid argument" "breakpoint" \
	pmu=breakpoint
refused "pmu=n3_sim, with a trailing comma" "No such device" 'PMU "" not found' pmu=n3_sim,
for cpu in $(online); do
	[ "$cpu" = 0 ] || echo 0 > $CPU_DEVICES/cpu"$cpu"/online
done
check "n3_telemetry loads on an uncore PMU if only CPU 0 is online" \
	load n3_telemetry pmu=n3_sim_uncore
lines=$(dmesg | wc -l)
for state in 1 0 1 0 1; do
	echo $state > $CPU_DEVICES/cpu1/online
done
dmesg | tail -n +$((lines + 1)) > "$tmp/log"
same "an uncovered CPU that comes online three times is logged once" 1 \
	"$(grep -c 'n3_telemetry: CPU 1 not sampled' "$tmp/log")"
same "the log line of the uncovered CPU has the reason, -EXDEV" \
	1 "$(grep -c 'CPU 1 not sampled: .*(error -18)' "$tmp/log")"
unload n3_telemetry
for cpu in $(seq 1 63); do
	[ ! -e $CPU_DEVICES/cpu"$cpu" ] || echo 1 > $CPU_DEVICES/cpu"$cpu"/online
done 2> /dev/null
check "n3_telemetry loads with pmu=n3_sim,software" load n3_telemetry pmu=n3_sim,software
same "an unneeded PMU is not used" "pmu n3_sim" "$(grep '^pmu ' $N3T/spec)"
unload n3_telemetry
unload n3_sim
remember
check "n3_telemetry loads on the CPUs' own PMU" load n3_telemetry
works
unload n3_telemetry
nothing_left "after unloading"
