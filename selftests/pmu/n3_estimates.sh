#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Under the kernel's own driver, on CPUs whose PMU counts every N3 event at a random rate:
# the default anchor is counted in every slice at its rate; estimates of all 67 metrics are
# right on every CPU and their intervals contain the true values, with the default anchor,
# with two, and without any where only four counters are left.
# machine: n3-turns
# timeout: 240

. "$(dirname "$0")/../lib/n3.sh"
. "$(dirname "$0")/../lib/estimates.sh"

BACKEND=STALL_SLOT_BACKEND

plan 14

# everywhere COMMAND - for each CPU, with the number as directory and as name of the rates
everywhere() {
	for cpu in $(online); do
		"$1" "cpu$cpu" "$cpu" || return 1
	done
}

# anchors_of_all - anchors in the CPUs' status
anchors_of_all() { sed -n 's/^anchors //p' $N3T/cpu*/status | sort -u; }

# matched WHEN - three checks of all CPUs
matched() {
	next_window
	check "$1: values match the random rates" compare_all
	check "$1: estimates match the random rates" everywhere compare_estimates
	check "$1: intervals of estimates contain the true values" everywhere hold
}

check "n3_telemetry loads" load n3_telemetry
same "the anchor of all CPUs is $BACKEND" $BACKEND "$(anchors_of_all)"
awake
matched "default anchor"
check "slices have counted their events at their rates" exact_slices 1 100
same "each slice has the anchor" 0 \
	"$(grep -v '^#' /sys/kernel/debug/n3_telemetry/cpu1/slices | grep -vc " $BACKEND=[0-9]")"
put $N3T/anchors "inst_retired $BACKEND"
same "the anchors of all CPUs are two" "INST_RETIRED $BACKEND" "$(anchors_of_all)"
matched "two anchors"
put $N3T/anchors auto
put $N3T/reserved_counters 2
same "with four counters there is no anchor" none "$(anchors_of_all)"
next_window
read_quality "cpu$(online | head -n 1)"
check "four counters: estimates equal the values" are_what_was_measured
put $N3T/reserved_counters 0
same "with six counters the default anchor is back" $BACKEND "$(anchors_of_all)"
