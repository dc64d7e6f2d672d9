#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# CPUs go offline and come back at random while all of them are sampled and their files are
# read. Every group file of an offline CPU reports that. Afterwards every CPU is sampled,
# its values match the rates, and the kernel log has no warning.
# machine: tick
# timeout: 300

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/sim.sh"

TRANSITIONS=${TRANSITIONS:-20}

plan 10

all_online() {
	for file in "$CPU_DEVICES"/cpu[0-9]*/online; do
		[ "$(cat "$file")" = 1 ] || echo 1 > "$file"
	done
}
cleanup() {
	[ -z "$reader" ] || kill "$reader"
	all_online
}

# flip NUMBER - takes this CPU online or offline, but never the last one offline
flip() {
	file=$CPU_DEVICES/cpu$1/online
	if [ "$(cat "$file")" = 0 ]; then
		echo 1 > "$file"
	elif [ "$(online | wc -l)" -gt 1 ]; then
		echo 0 > "$file"
	else
		return 1
	fi
}

random() { od -An -N2 -tu2 /dev/urandom | tr -d ' '; }

# reports_offline CPU - whether all its group files and its status report offline
reports_offline() {
	[ "$(word "$N3T/cpu$1/status" state)" = offline ] && all_values_are "$1" offline
}

# slices - number taken by each online CPU
slices() {
	for cpu in $(online); do
		echo "cpu$cpu $(word "$N3T/cpu$cpu/status" slices)"
	done
}

all=$(online)
# shellcheck disable=SC2086 # one argument a CPU
nr_cpus=$(set -- $all; echo $#)
flippable=$(ls -d $CPU_DEVICES/cpu[0-9]*/online | sed 's/.*cpu\([0-9]*\).online/\1/')
nr_flippable=$(echo "$flippable" | wc -l)
[ "$nr_cpus" -gt 1 ] || skip_all "one CPU only"

diag "SEED=$SEED"
check "n3_sim loads" load n3_sim
# shellcheck disable=SC2086 # one argument a CPU
check "n3_sim accepts random rates on all CPUs" set_all_rates "$SEED" $all
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim slice_ms=4
(while :; do cat $N3T/cpu*/* $N3T/status > /dev/null 2>&1; done) &
reader=$!
# shellcheck disable=SC2086 # one argument a CPU
awake $all

done=0 wrong=0 off=0
while [ $done -lt "$TRANSITIONS" ]; do
	cpu=$(echo "$flippable" | sed -n "$(($(random) % nr_flippable + 1))p")
	flip "$cpu" || continue
	done=$((done + 1))
	if [ "$(cat $CPU_DEVICES/cpu"$cpu"/online)" = 0 ]; then
		off=$((off + 1))
		reports_offline "$cpu" > "$tmp/out" || { wrong=$((wrong + 1)); cat "$tmp/out"; }
	fi
done
diag "$TRANSITIONS transitions, $off of them to offline"
same "each CPU that went offline is offline in all its group files and its status" 0 $wrong
within "at least 5 of $TRANSITIONS transitions took a CPU offline" 5 $off "$TRANSITIONS"

all_online
kill $reader
reader=''
[ "$(online | wc -l)" -eq "$nr_cpus" ] || bail "a CPU stays offline"
check "all $nr_cpus CPUs are sampled once they are online again" wait_until samples_all
# spinners have lost the CPU to which they were bound
idle_again
# shellcheck disable=SC2086 # one argument a CPU
awake $all
slices > "$tmp/slices"
next_window
slices | sort - "$tmp/slices" | uniq -d > "$tmp/stuck"
same "every CPU has taken slices in the last window" "" "$(cat "$tmp/stuck")"
check "values of all CPUs match the rates after hotplug" compare_all
check "n3_telemetry unloads" unload n3_telemetry
same "the kernel log has no warning" "" "$(kernel_warnings)"
