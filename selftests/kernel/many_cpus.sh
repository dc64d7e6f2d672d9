#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# 64 sampled CPUs, 16 on kernels with checkers, while two readers read all moments in a loop, and
# one of them the values of the system: readers block no one. CPUs go offline and come back,
# settings change, and perf stat -a gets the counters of every CPU within two slices plus
# perf's own delay. The same with readers that are starved in the middle of a file.
#
# Time on this machine is counted in instructions and does not depend on the host. QEMU runs
# its CPUs in the order of their numbers, and a busy one takes all of the time until the
# next timer expires: CPUs after it get nothing. The readers therefore run on the last CPU,
# which takes nothing from the others.
# on: test-long
# machine: big
# timeout: 700

. "$(dirname "$0")/../lib/sim.sh"

SLICE_MS=20
BOUND_MS=500
! slow_kernel || BOUND_MS=5000
# KCSAN delays every twentieth access of the module, also in the worker that opens a CPU's
# counters and for which a change waits: only completion can be checked.
[ ! -e /sys/kernel/debug/kcsan ] || BOUND_MS=120000
# Two slices. perf's timer, which reports waiting events and schedules counters that became
# free, takes up to 4 ms each time. 64 CPUs give counters back one after another.
YIELD_MS=$((2 * SLICE_MS + 2 * 4 + 12))
! slow_kernel || YIELD_MS=200
EVENTS='n3_sim/event=0x73/,n3_sim/event=0x74/,n3_sim/event=0x70/'
EVENTS="{$EVENTS,n3_sim/event=0x71/,n3_sim/event=0x75/,n3_sim/event=0x08/}"
NR_EVENTS=6

nr_cpus=$(online | wc -l)
last=$((nr_cpus - 1))
[ "$nr_cpus" -ge 16 ] || skip_all "needs 16 CPUs or more"

plan 19

all_sampled() { [ "$(word $N3T/status cpus_sampled)" = "$nr_cpus" ]; }

# duration COMMAND... - its duration in milliseconds; reports a failure
duration() {
	started=$(uptime_ms)
	"$@" > /dev/null || { echo "$1 failed"; return; }
	echo $(($(uptime_ms) - started))
}

flip() {
	echo 0 > "$CPU_DEVICES/cpu$1/online" && echo 1 > "$CPU_DEVICES/cpu$1/online"
}

set_contention() { echo "$1" > $N3T/contention; }

# hold_up WHEN - operations that readers must not delay
hold_up() {
	for cpu in 5 $((last - 1)); do
		within "CPU $cpu goes offline and comes back $1, in ms" 0 \
			"$(duration flip $cpu)" $BOUND_MS
	done
	for contention in share yield; do
		within "contention becomes $contention $1, in ms" 0 \
			"$(duration set_contention $contention)" $BOUND_MS
	done
}

# count_everywhere SECONDS - output of perf stat for each CPU into $tmp/lines: CPU, count,
# milliseconds for which the event was without a counter
count_everywhere() {
	perf stat -a -A -x , -o "$tmp/perf" -e "$EVENTS" sleep "$1" 2> "$tmp/said"
	awk -F , '/^CPU[0-9]/ {
		without = $6 > 0 ? $5 * (100 / $6 - 1) / 1e6 : "all"
		print $1, $2, without
	}' "$tmp/perf" > "$tmp/lines"
}

# ticks_of_readers - CPU time used by the readers, in hundredths of a second
ticks_of_readers() {
	for pid in $readers; do
		cat "/proc/$pid/stat"
	done | awk '{ ticks += $14 + $15 } END { print ticks }'
}

longest_without() { awk '$3 + 0 > most { most = $3 } END { printf "%.1f", most }' "$tmp/lines"; }

begin_sim 0 slice_ms=$SLICE_MS window_ms=1500
check "$nr_cpus CPUs are sampled" wait_until all_sampled
next_window
check "values of CPU 0 match the rates" compare_cpu 0

taskset -c $last "$HERE/reread" $N3T/cpu*/moments &
readers=$!
taskset -c $last "$HERE/reread" $N3T/system/[a-z]*_* $N3T/cpu*/moments &
readers="$readers $!"
sleep 0.1
count_everywhere 0.3
same "perf stat -a counts $NR_EVENTS events on each of $nr_cpus CPUs while others read" \
	$((NR_EVENTS * nr_cpus)) "$(awk '$2 > 0' "$tmp/lines" | wc -l)"
within "perf stat -a has each CPU's counters within two slices while others read, in ms" 0 \
	"$(longest_without)" $YIELD_MS
check "all CPUs are sampled again after perf stat -a" wait_until all_sampled
hold_up "while others read"

perf stat -a -x , -o "$tmp/perf" -e "$EVENTS" sleep 0.3 2> "$tmp/said" &
perf_pid=$!
flip 5 && set_contention share && set_contention yield
same "hotplug and settings work while perf stat -a counts and others read" 0 $?
wait $perf_pid

# A program of higher priority leaves two ticks per second to two readers of the lowest
# priority. It must not starve the kernel's worker on that CPU, which changes its counters.
# shellcheck disable=SC2086 # one argument a word
renice -n 19 -p $readers > /dev/null
taskset -c $last "$LIB/spin" &
spinners="$spinners $!"
renice -n -6 -p $! > /dev/null
sleep 0.1
before=$(ticks_of_readers)
started=$(uptime_ms)
hold_up "while readers starve"
elapsed=$(($(uptime_ms) - started))
within "readers starve meanwhile, CPU time in ms of $elapsed ms" 0 \
	$((10 * ($(ticks_of_readers) - before))) $((elapsed / 20 + 20))
idle_again
# shellcheck disable=SC2086 # one argument a word
stop $readers
check "all CPUs are sampled at the end" wait_until all_sampled
