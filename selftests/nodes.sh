#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Nodes and the system: their values are those of all their CPUs together, the rates
# of each over the time in which it was counted, then the formula. CPUs count at
# different rates here and one of them has a counter less, so that it is counted for
# other shares of the time. CPUs that have no values, or are off line, are left out
# and status says so.
# on: 6.1
# machine: turns
# timeout: 240

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"

NODES=/sys/devices/system/node

[ -e $NODES/node1 ] && [ "$(online | wc -l)" -eq 4 ] || skip_all "wants four CPUs in two nodes"

plan 26

at_end() { echo 1 > $CPU_DEVICES/cpu3/online; }

# together NAME CPU... - what these CPUs do together, into $tmp/expected.NAME
together() {
	name=$1
	shift
	for cpu; do
		cat "$tmp/rates.$cpu"
	done | awk '{ rate[$1] += $2 } END { for (event in rate) printf "%s %.0f\n", event, rate[event] }' \
		> "$tmp/rates.$name"
	expect "$name"
}

# right FOLDER CPU... - the folder's values are those of the CPUs
right() {
	folder=$1
	shift
	together "$folder" "$@"
	COMPARE_CPUS=$folder compare_all dir="$N3T/$folder"
}

# members FOLDER - status in one line
members() { awk '{ printf "%s%s %s", (NR > 1 ? ", " : ""), $1, $2 }' "$N3T/$1/status"; }

diag "SEED=$SEED"
check "n3_sim loads" load n3_sim
for cpu in 0 1 2 3; do
	check "CPU $cpu: rates are set" set_rates $cpu $((SEED + cpu))
done
echo 1 > $SIM/cpu1/taken
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
same "CPU 1 has a counter less" "6 5" \
	"$(word $N3T/cpu0/status budget) $(word $N3T/cpu1/status budget)"
same "the kernel's nodes are there" "node0
node1" "$(cd $N3T && ls -d node*)"
awake 0 1 2 3
next_window
same "CPUs are where the machine has them" "0-1 2-3" "$(cat $NODES/node[01]/cpulist | xargs)"
check "node0 is right" right node0 0 1
check "node1 is right" right node1 2 3
check "system is right" right system 0 1 2 3
check "CPU 1 by itself is right" compare_cpu 1
together system 0 2
! compare_cpu system dir=$N3T/system > "$tmp/out"
verdict $? "system is not the half of its CPUs"
same "system holds all CPUs" "cpus 4, held 4, left_out 0" "$(members system)"
same "node1 holds its own" "cpus 2, held 2, left_out 0" "$(members node1)"

# one that does nothing, one off line
echo 1 > $SIM/cpu2/idle
next_window
check "one CPU idle: system is right" right system 0 1 3
same "status says so" "cpus 4, held 3, left_out 1, idle 1" "$(members system)"
check "node1 is its other CPU" right node1 3
echo 0 > $CPU_DEVICES/cpu3/online
next_window
check "and one off line: system is right" right system 0 1
same "status says so" "cpus 4, held 2, left_out 2, offline 1, idle 1" "$(members system)"
same "node1 has no values: the word that is nearest to one" "cpus 2, held 0, left_out 2 idle" \
	"$(members node1 | sed 's/, offline.*//') $(word $N3T/node1/general ipc)"
check "node0 is as it was" right node0 0 1
echo 1 > $CPU_DEVICES/cpu3/online
echo 0 > $SIM/cpu2/idle
awake 3
next_window
check "all back: system is right" right system 0 1 2 3
same "status says so" "cpus 4, held 4, left_out 0" "$(members system)"
same "no warning" "" "$(complaints)"
