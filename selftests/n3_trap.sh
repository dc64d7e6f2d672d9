#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Where each access to a PMU register takes 20 us, as it may in a virtual machine, slices
# become so long that they cost no more than max_cost, and status says so; values are right.
# What is expected follows from the accesses that the emulated N3 has counted.
# machine: n3-trap
# on: rotation
# timeout: 300

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"
. "$(dirname "$0")/lib_n3.sh"
. "$(dirname "$0")/lib_load.sh"

TRAP_NS=20000

plan 22

slice_ms() { word $N3T/cpu0/status slice_ms; }
reason() { word $N3T/cpu0/status slice_reason; }
slices() { word $N3T/cpu0/status slices; }
uptime_us() { awk '{ printf "%d", $1 * 1e6 }' /proc/uptime; }

# trapped SECONDS - what accesses took in that time: $slices, $a_slice ns, $ppm of the time
trapped() {
	slices=$(slices)
	us=$(uptime_us)
	accesses_during sleep "$1"
	us=$(($(uptime_us) - us))
	slices=$(($(slices) - slices))
	ns=$(awk -v ns=$TRAP_NS '{ n += $2 + $3 } END { print n * ns }' "$tmp/between")
	a_slice=$((ns / slices))
	ppm=$((ns * 1000 / us))
	diag "$slices slices in $us us: $ns ns of accesses; $(tr '\n' ',' < "$tmp/between")"
}

# paced MAX_COST - what is expected of slices that are as long as that wants
paced() {
	trapped 10
	within "max_cost $1: accesses take no more than that" 1 "$ppm" $(($1 + $1 / 20))
	within "max_cost $1: slices are no longer than that wants" \
		$((a_slice / $1)) "$(slice_ms)" $((a_slice * 3 / 2 / $1 + 4))
	same "max_cost $1: status says why slices are so long" max_cost "$(reason)"
	within "max_cost $1: the cost in status is that of the accesses and of little else" \
		$((ppm * 9 / 10)) "$(word $N3T/status cost)" "$1"
	within "max_cost $1: the window has two rotations" "$(shortest_window 6 "$(slice_ms)")" \
		"$(cat $N3T/window_ms)" $LONGEST_WINDOW
	next_window
	check "max_cost $1: all metrics match the rates" compare_all
}

# what newer kernels still do after boot takes time, too
sleep 10
before=$(uptime_us)
accesses 0 10000 > /dev/null
within "10000 accesses to a PMU register take 200 ms" 190000 $(($(uptime_us) - before)) 300000

check "n3_telemetry loads with the default max_cost" load n3_telemetry \
	max_cost="$(default_of max_cost)"
busy 0
sleep 10
paced "$(default_of max_cost)"
within "a slice takes what 14 to 20 accesses do" $((14 * TRAP_NS)) \
	"$(word $N3T/cpu0/status slice_cost_ns)" $((20 * TRAP_NS))
finds 0 note "on 1 CPU slices are long" max_cost

put $N3T/max_cost 10000
sleep 5
paced 10000

put $N3T/max_cost 0
sleep 3
same "max_cost 0: slices are as short as they were set, and status says so" "4 slice_ms" \
	"$(slice_ms) $(reason)"
next_window
check "max_cost 0: all metrics match the rates" compare_all

put $N3T/max_cost 100
sleep 5
same "max_cost 100: slices are as long as they can be, and status says that they cost more" \
	"$(highest slice_ms) longest" "$(slice_ms) $(reason)"
same "no slice was dropped" 0 "$(word $N3T/cpu0/status dropped)"
put $N3T/enable 0
same "without sampling status gives no reason" none "$(reason)"
same "the kernel log has no warning" "" "$(kernel_warnings)"
