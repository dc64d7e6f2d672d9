#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# An idle CPU is not woken for sampling: it takes the same number of timer interrupts with
# and without the module, while a busy CPU takes slices without pause.
# machine: isolated

. "$(dirname "$0")/../lib/lib.sh"

SECONDS_EACH=4

[ "$(online | wc -l)" -ge 2 ] || skip_all "one CPU only"

plan 6

# timer_interrupts CPU
timer_interrupts() {
	awk -v cpu="$1" '/arch_timer/ { sum += $(cpu + 2) } END { print sum }' /proc/interrupts
}

# woken - timer interrupts of the idle CPU meanwhile
woken() {
	before=$(timer_interrupts "$idle_cpu")
	sleep $SECONDS_EACH
	echo $(($(timer_interrupts "$idle_cpu") - before))
}

slices() { word "$N3T/cpu$1/status" slices; }

# sampled - CPUs that are sampled, that is neither isolated nor tickless
sampled() { grep -l '^state sampling' $N3T/cpu*/status | sed 's/.*cpu\([0-9]*\).status/\1/'; }

check "n3_telemetry loads" load n3_telemetry
busy_cpu=$(sampled | head -n 1)
idle_cpu=$(sampled | tail -n 1)
[ "$busy_cpu" != "$idle_cpu" ] || bail "one CPU is sampled"
taskset -c -p "$busy_cpu" $$ > /dev/null	# keep this shell off the idle CPU
busy "$busy_cpu"

put $N3T/enable 0
# the kernel finishes its work after booting while it is idle
sleep 10
without=$(woken)
put $N3T/enable 1
sleep 1
idle_before=$(slices "$idle_cpu") busy_before=$(slices "$busy_cpu")
up_before=$(uptime_ms)
with=$(woken)
idle_slices=$(($(slices "$idle_cpu") - idle_before))
busy_slices=$(($(slices "$busy_cpu") - busy_before))
up=$(($(uptime_ms) - up_before))

diag "timer interrupts of idle CPU $idle_cpu in $SECONDS_EACH s: $without without, $with with"
diag "slices in $up ms: $busy_slices of busy CPU $busy_cpu, $idle_slices of the idle one"
# one per slice would be 1000 more
within "sampling adds at most 40 timer interrupts on an idle CPU in $SECONDS_EACH s" 0 \
	"$with" $((without + 40))
within "an idle CPU takes at most 80 slices in $SECONDS_EACH s" 0 $idle_slices 80
within "a busy CPU takes a slice every 4 ms" $((up / 4 * 95 / 100)) $busy_slices \
	$((up / 4 * 102 / 100))

# contention is then checked every 20 ms: 200 times
put $N3T/slice_ms 200
sleep 1
with=$(woken)
within "slices of 200 ms, with checks in between, add at most 40 in $SECONDS_EACH s" 0 "$with" \
	$((without + 40))
within "no slice of the busy CPU is dropped" 0 "$(word "$N3T/cpu$busy_cpu/status" dropped)" 0
