#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# 64 CPUs, all of them sampled, while others read every quality file again and again:
# nobody waits for a reader. CPUs go offline and come back, settings change, a reader is
# killed, all within a fifth of a second of the machine's time; one reading of all files in
# system/quality/ takes longer. perf stat -a gets the counters of every CPU
# within two slices plus what perf itself takes, and counts right.
#
# Time on this machine is what instructions take, and does not depend on the host.
# on: rotation
# machine: big
# timeout: 600

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"
. "$(dirname "$0")/lib_perf.sh"

SLICE_MS=20
BOUND_MS=200
# two slices, and two of the intervals in which perf gives counters to others
YIELD_MS=$((2 * SLICE_MS + 2 * 4))

all=$(online)
nr_cpus=$(echo "$all" | wc -l)
[ "$nr_cpus" -ge 32 ] || skip_all "needs 32 CPUs or more"

plan 16

readers='' perf_pid=''
cleanup() {
	# shellcheck disable=SC2086 # one argument a word
	[ -z "$readers" ] || kill -KILL $readers
	[ -z "$perf_pid" ] || kill "$perf_pid"
	for cpu in $all; do
		file=$CPU_DEVICES/cpu$cpu/online
		[ ! -e "$file" ] || [ "$(cat "$file")" = 1 ] || echo 1 > "$file"
	done
}

sampled() {
	said=$(word $N3T/status cpus_sampled)
	echo "$said"
	[ "$said" = "$nr_cpus" ]
}

# now_us - a clock fine enough: that of the kernel's log
now_us() { awk '{ printf "%d", $1 * 1e6 }' /proc/uptime; }

# duration COMMAND... - how long it takes in milliseconds
duration() {
	start=$(now_us)
	"$@" > /dev/null || { echo "fails: $*"; return; }
	echo $((($(now_us) - start) / 1000))
}

flip() {
	echo 0 > "$CPU_DEVICES/cpu$1/online" && echo 1 > "$CPU_DEVICES/cpu$1/online"
}

change_settings() {
	echo share > $N3T/contention && echo yield > $N3T/contention
}

# killed - starts a reading and kills it
killed() {
	cat $N3T/system/quality/* > /dev/null &
	victim=$!
	usleep 20000
	kill -KILL $victim
	wait $victim
	[ $? -eq 137 ]
}

check "n3_sim loads" load n3_sim
check "rates are set" set_rates 0 "$SEED"
check "n3_telemetry loads on $nr_cpus CPUs" load n3_telemetry pmu=n3_sim slice_ms=$SLICE_MS
check "all CPUs are sampled" retry_for 5 sampled
next_window

start=$(now_us)
cat $N3T/system/quality/* > /dev/null
within "reading takes longer than others may wait, in ms" $BOUND_MS \
	$((($(now_us) - start) / 1000)) 60000
"$HERE/reread" $N3T/system/quality/* &
readers=$!
"$HERE/reread" $N3T/node*/quality/* $N3T/*/bottleneck &
readers="$readers $!"
sleep 0.1

within "a CPU goes offline and comes back, in ms" 0 "$(duration flip $((nr_cpus - 1)))" $BOUND_MS
within "a setting changes and changes back, in ms" 0 "$(duration change_settings)" $BOUND_MS
within "a reader that is killed is gone, in ms" 0 "$(duration killed)" $BOUND_MS

stat_lines -a -A -e '{n3_sim/event=0x73/,n3_sim/event=0x74/,n3_sim/event=0x70/,n3_sim/event=0x71/,n3_sim/event=0x75/,n3_sim/event=0x08/}' \
	sleep 0.5
same "perf counted on all CPUs" $((6 * nr_cpus)) "$(wc -l < "$tmp/lines")"
lost_ms=$(awk -v all=500 '{ lost = all * (100 - $3) / 100; if (lost > most) most = lost }
	END { printf "%.1f", most }' "$tmp/lines")
within "each CPU's counters were perf's within two slices, in ms" 0 "$lost_ms" $YIELD_MS
check "all CPUs are sampled when perf is gone" retry_for 5 sampled

# all at once
perf stat -a -x , -o "$tmp/perf" -e '{n3_sim/event=0x73/,n3_sim/event=0x74/}' sleep 0.3 &
perf_pid=$!
failed_flips=0
for cpu in 5; do
	flip $cpu && change_settings || failed_flips=$((failed_flips + 1))
done
wait $perf_pid
perf_pid=''
same "hotplug and settings work while perf counts and others read" 0 $failed_flips
# shellcheck disable=SC2086 # one argument a word
kill -KILL $readers
readers=''
check "all CPUs are sampled in the end" retry_for 5 sampled
next_window
COMPARE_CPUS=0
check "values of CPU 0 are right" compare_all
check "n3_telemetry unloads" unload n3_telemetry
same "the kernel has no complaint" "" "$(kernel_warnings)"
