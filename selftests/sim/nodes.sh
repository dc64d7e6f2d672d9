#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Nodes and the system: their values are computed from all their CPUs together, the rates of
# each over the time in which it was counted, then the formula. CPUs count at different
# rates here and one of them has a counter less, so each event is counted for a different
# share of the time. CPUs without values, or offline, are excluded and status reports that.
# machine: turns
# timeout: 240

. "$(dirname "$0")/../lib/sim.sh"

NODES=/sys/devices/system/node

[ -e $NODES/node1 ] && [ "$(online | wc -l)" -eq 4 ] || skip_all "needs four CPUs in two nodes"

plan 29

# together NAME CPU... - values of these CPUs together, into $tmp/expected.NAME
together() {
	name=$1
	shift
	for cpu; do
		cat "$tmp/rates.$cpu"
	done | awk '
		{ rate[$1] += $2 }
		END { for (event in rate) printf "%s %.0f\n", event, rate[event] }' > "$tmp/rates.$name"
	expect "$name"
}

# match PLACE CPU... - whether the values of the node or system are those of the CPUs
match() {
	place=$1
	shift
	together "$place" "$@"
	COMPARE_CPUS=$place compare_all dir="$N3T/$place"
}

# members PLACE - status in one line
members() {
	awk '$1 !~ /^(budget|withdrawals|withdrawn)$/ { printf "%s%s %s", (NR > 1 ? ", " : ""), $1, $2 }' \
		"$N3T/$1/status"
}

check "n3_sim loads" load n3_sim
for cpu in 0 1 2 3; do
	check "n3_sim accepts random rates of its own for CPU $cpu" set_rates $cpu $((SEED + cpu))
done
echo 1 > $SIM/cpu1/taken
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
same "CPU 0 has 6 counters, CPU 1 with one taken has 5" "6 5" \
	"$(word $N3T/cpu0/status budget) $(word $N3T/cpu1/status budget)"
same "the kernel has two nodes with CPUs, and a memory-only node" "0-1 0-2" \
	"$(cat $NODES/has_cpu) $(cat $NODES/possible)"
same "only nodes with CPUs have directories" "node0
node1" "$(cd $N3T && ls -d node*)"
same "n3stat --per node has a line for each node" "0 1" \
	"$(n3stat --per node -g topdown_l1 | awk '$1 ~ /^[0-9]+$/ { print $1 }' | xargs)"
awake 0 1 2 3
next_window
same "node 0 has CPUs 0 and 1, node 1 has CPUs 2 and 3" "0-1 2-3" \
	"$(cat $NODES/node[01]/cpulist | xargs)"
check "all CPUs sampled: node0's values match those of CPUs 0 and 1 together" match node0 0 1
check "all CPUs sampled: node1's values match those of CPUs 2 and 3 together" match node1 2 3
check "all CPUs sampled: the system's values match those of all four CPUs together" \
	match system 0 1 2 3
check "all CPUs sampled: CPU 1's values match its own rates" compare_cpu 1
together system 0 2
! compare_cpu system dir=$N3T/system > "$tmp/out"
verdict $? "all CPUs sampled: the system's values are not those of CPUs 0 and 2 alone"
same "all CPUs sampled: system/status includes all four" "cpus 4, included 4, excluded 0" \
	"$(members system)"
same "all CPUs sampled: node1/status includes its two" "cpus 2, included 2, excluded 0" \
	"$(members node1)"

# same_of_sets - of one copy, with the same moments for all
same_of_sets() {
	rm -rf "$tmp/copy"
	cp -r $N3T "$tmp/copy"
	for pair in node0=cpu0-1 node1=cpu2,3 system=cpu0-2,3; do
		n3stat bottleneck -r "$tmp/copy" "${pair#*=}" > "$tmp/set" &&
			n3stat bottleneck -r "$tmp/copy" "${pair%=*}" | cmp - "$tmp/set" &&
			grep -q '^loss ' "$tmp/set" || return 1
	done
	# fewer CPUs, another number
	n3stat bottleneck -r "$tmp/copy" cpu0,2-3 | awk '$1 == "cpus" { nr += $2 } END { exit nr != 3 }'
}
check "the answer of a set of CPUs is that of the node or system with these CPUs" same_of_sets

same "CPU 1 has a counter less: status of node 0 and of the system have its budget" "5 6 5" \
	"$(for place in node0 node1 system; do word $N3T/$place/status budget; done | xargs)"

# one idle, one offline
echo 1 > $SIM/cpu2/idle
next_window
check "CPU 2 idle: the system's values match those of the other three" match system 0 1 3
same "CPU 2 idle: system/status excludes one CPU as idle" \
	"cpus 4, included 3, excluded 1, idle 1" "$(members system)"
check "CPU 2 idle: node1's values match those of CPU 3" match node1 3
echo 0 > $CPU_DEVICES/cpu3/online
next_window
check "CPU 2 idle, CPU 3 offline: the system's values match those of CPUs 0 and 1" \
	match system 0 1
same "CPU 2 idle, CPU 3 offline: system/status excludes one as offline, one as idle" \
	"cpus 4, included 2, excluded 2, offline 1, idle 1" "$(members system)"
same "CPU 2 idle, CPU 3 offline: node1 is idle, which precedes offline" \
	"cpus 2, included 0, excluded 2 idle" \
	"$(members node1 | sed 's/, offline.*//') $(word $N3T/node1/general ipc)"
check "CPU 2 idle, CPU 3 offline: node0's values still match those of CPUs 0 and 1" \
	match node0 0 1
echo 1 > $CPU_DEVICES/cpu3/online
echo 0 > $SIM/cpu2/idle
awake 3
next_window
check "CPUs 2 and 3 back: the system's values match those of all four CPUs together" \
	match system 0 1 2 3
same "CPUs 2 and 3 back: system/status includes all four" "cpus 4, included 4, excluded 0" \
	"$(members system)"
