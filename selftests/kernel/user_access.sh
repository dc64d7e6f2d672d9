#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# With kernel.perf_user_access=1 a task that has an event with direct access can read all
# counters in use on its CPU. As soon as such a task is found all CPUs yield their counters,
# in both modes, and take none until 1 is written to "enable" or the module is loaded again:
# not when the task is gone, nor when another setting changes or a CPU comes online. A task
# that counts without direct access has no effect.
# machine: tick

. "$(dirname "$0")/../lib/lib.sh"

ACCESS=/proc/sys/kernel/perf_user_access
[ -e $ACCESS ] || skip_all "this kernel gives user space no counters"

plan 45

cleanup() { echo 0 > $ACCESS; }

# start_reader [EVENT] - a task with direct access on CPU 0, in $reader; its observations in
# $tmp/seen
start_reader() {
	: > "$tmp/seen"
	taskset -c 0 "$HERE/user_access" "$tmp/seen" "$@" &
	reader=$!
}

# all_say "STATE REASON" - whether all CPUs report this
all_say() {
	for cpu in $(online); do
		said="$(word $N3T/cpu"$cpu"/status state) $(word $N3T/cpu"$cpu"/status reason)"
		[ "$said" = "$1" ] || { echo "cpu$cpu $said"; return 1; }
	done
}
reason() { word $N3T/status reason; }
cpu0_says() { [ "$(word $N3T/cpu0/status state) $(word $N3T/cpu0/status reason)" = "$1" ]; }
has_looked() {
	kill -0 "$reader" || return
	grep State "/proc/$reader/status"
	wc -l < "$tmp/seen"
	[ "$(wc -l < "$tmp/seen")" -ge "$1" ]
}
is_back() { all_say "sampling none"; }
is_stopped() { all_say "contended user_access"; }
messages() { dmesg | grep -c 'n3_telemetry: user space can read counters'; }

check "n3_telemetry loads on the PMU of the machine" load n3_telemetry reserved_counters=2
check "direct access can be allowed" put $ACCESS 1
same "status shows user access as checked" checked \
	"$(word $N3T/status user_access)"
busy 1
check "all CPUs are sampled" wait_until is_back
same "status has no reason" none "$(reason)"

for mode in yield share; do
	check "$mode: contention can be set" put $N3T/contention "$mode"
	yields=$(word $N3T/cpu0/status yields)
	logged=$(messages)
	start_reader
	check "$mode: all CPUs yield to a task with direct access on CPU 0" wait_until is_stopped
	same "$mode: status gives the reason" user_access "$(reason)"
	same "$mode: the counters were yielded once" $((yields + 1)) \
		"$(word $N3T/cpu0/status yields)"
	same "$mode: the kernel log has one more line about it" $((logged + 1)) "$(messages)"
	# skip the first lines, which are from before
	lines=$(($(wc -l < "$tmp/seen") + 2))
	check "$mode: the task reads all counters repeatedly" wait_until \
		has_looked $((lines + 10))
	same "$mode: no other counter has changed meanwhile" 0 \
		"$(tail -n +$lines "$tmp/seen" | awk '$2 { n++ } END { print n + 0 }')"
	stop $reader
	sleep 2
	check "$mode: all CPUs stay stopped when the task is gone" is_stopped
	check "$mode: 1 can be written to enable" put $N3T/enable 1
	check "$mode: all CPUs are sampled after writing 1 to enable" wait_until is_back
done

# an event on all of CPU 0 leaves the cycle counter free, so that a poll can find a task
check "contention can be set again" put $N3T/contention yield
perf stat -C 0 -x , -o "$tmp/perf" -e '{r08,r12,r1b,r3a,r3b,r3d}' sleep 1000 &
holder=$!
check "CPU 0 yields to others" wait_until cpu0_says "contended others"
same "status has the reason others" others "$(reason)"
yields=$(word $N3T/cpu0/status yields)
start_reader 17
check "all CPUs yield to a task that CPU 0 finds while it has yielded" wait_until is_stopped
same "this does not count as another yield of CPU 0" "$yields" "$(word $N3T/cpu0/status yields)"
stop $reader
stop $holder

last=$(online | tail -n 1)
put $N3T/window_ms 3000
put "$CPU_DEVICES/cpu$last/online" 0
put "$CPU_DEVICES/cpu$last/online" 1
sleep 1
check "all CPUs stay stopped when a setting changes and a CPU comes online" is_stopped
put $N3T/enable 0
check "with enable 0 the CPUs are disabled without a reason" all_say "disabled none"
put $N3T/enable 1
check "all CPUs are sampled when enable changes from 0 to 1" wait_until is_back

start_reader
check "all CPUs yield again to a task with direct access" wait_until is_stopped
put $N3T/enable 1
check "CPUs released by writing 1 to enable find the task if it still exists" \
	wait_until is_stopped
stop $reader
unload n3_telemetry
check "n3_telemetry loads again" load n3_telemetry reserved_counters=2
check "all CPUs are sampled after loading again" wait_until is_back

# an event without direct access fits into the reserved counters
yields=$(word $N3T/cpu0/status yields)
check "perf counts for a task" perf stat -x , -o "$tmp/perf" -e r8 taskset -c 0 sleep 2
same "a task that counts without direct access makes no CPU yield" "$yields" \
	"$(word $N3T/cpu0/status yields)"
put $N3T/switch perf
same "status shows user access as unchecked if perf switches sets" unchecked \
	"$(word $N3T/status user_access)"
put $N3T/switch auto
same "status shows user access as checked if perf does not switch sets" \
	checked "$(word $N3T/status user_access)"
check "n3_telemetry unloads" unload n3_telemetry

# the CPUs' PMU stays that if it is named
check "n3_telemetry loads with pmu=$(own_pmu)" load n3_telemetry pmu="$(own_pmu)" \
	reserved_counters=2
check "named: all CPUs are sampled" wait_until is_back
start_reader
check "named: all CPUs yield to a task with direct access" wait_until is_stopped
stop $reader
