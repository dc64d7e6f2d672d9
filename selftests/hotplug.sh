#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# CPUs go off line and come back at random while all of them are sampled and
# their files are read. A CPU off line says so in every group file. Afterwards
# every CPU is sampled, its values are right, and the kernel has no complaint.
# on: 6.12
# machine: tick
# timeout: 300

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"

TRANSITIONS=${TRANSITIONS:-20}

plan 10

all_online() {
	for file in "$CPU_DEVICES"/cpu[0-9]*/online; do
		[ "$(cat "$file")" = 1 ] || echo 1 > "$file"
	done
}
at_end() {
	[ -z "$reader" ] || kill "$reader"
	all_online
}

# flip NUMBER - the other state for that CPU, but never the last one off line
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

# says_offline CPU - in all its group files and its status
says_offline() {
	[ "$(word "$N3T/cpu$1/status" state)" = offline ] && all_say "$1" offline
}

# slices - how many each CPU on line has taken
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

all_sampled() {
	said="$(word $N3T/status state) $(word $N3T/status cpus_sampled)"
	echo "$said"
	[ "$said" = "sampling $nr_cpus" ]
}

diag "SEED=$SEED"
check "n3_sim loads" load n3_sim
# shellcheck disable=SC2086 # one argument a CPU
check "rates are set" set_all_rates "$SEED" $all
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
		says_offline "$cpu" > "$tmp/out" || { wrong=$((wrong + 1)); cat "$tmp/out"; }
	fi
done
diag "$TRANSITIONS transitions, $off of them off line"
same "each CPU off line said so in all its files" 0 $wrong
within "CPUs did go off line" 5 $off "$TRANSITIONS"

all_online
kill $reader
reader=''
# with checkers it takes so long to get counters that perf's timer runs meanwhile, for
# which a CPU may give way: see compare_all
patience=0
! slow_kernel || patience=30
check "all CPUs are sampled again" soon $patience all_sampled
# spinners have lost the CPU that they were bound to
idle_again
# shellcheck disable=SC2086 # one argument a CPU
awake $all
slices > "$tmp/slices"
next_window
slices | sort - "$tmp/slices" | uniq -d > "$tmp/stuck"
same "each takes slices" "" "$(cat "$tmp/stuck")"
check "values are right" compare_all
check "n3_telemetry unloads" unload n3_telemetry
same "no warning" "" "$(complaints)"
