#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Under the kernel's own driver, on CPUs whose PMU counts every N3 event at a random rate:
# all 67 metrics of every CPU are right with all parameters except max_cost at their
# defaults, and so are their estimates, with and without an anchor; perf counts events by name at
# the same rates, with and without the module.
# machine: n3-turns
# timeout: 240

. "$(dirname "$0")/../lib/n3.sh"
. "$(dirname "$0")/../lib/perf.sh"
. "$(dirname "$0")/../lib/estimates.sh"

# the last is not one of Arm's common events
SET='STALL_SLOT_BACKEND STALL_SLOT_FRONTEND OP_RETIRED OP_SPEC L1D_CACHE IMP_STALL_BACKEND_MCQ'

plan 13

# right_rates CPU EVENT... - whether perf stat -C counts them at their rates, within 0.01 %,
# in one group with cycles
right_rates() {
	cpu=$1 group=$pmu/cpu_cycles/
	shift
	for event; do
		group=$group,$pmu/$(echo "$event" | tr 'A-Z' 'a-z')/
	done
	stat_lines -C "$cpu" -e "{$group}" sleep 1
	[ "$(wc -l < "$tmp/lines")" -eq $(($# + 1)) ] || return 1
	awk '
	FNR == NR { rate[tolower($1)] = $2; next }
	{
		split($1, name, "/")
		share = rate[name[2]] / rate["cpu_cycles"]
		if (name[2] == "cpu_cycles")
			cycles = $2
		off = cycles && share ? $2 / cycles / share - 1 : 1
		printf "%s %s, %.4f %% off\n", $1, $2, off * 100
		wrong += off > 0.0001 || off < -0.0001
	}
	END { exit wrong > 0 }' "$tmp/rates.$cpu" "$tmp/lines"
}

# each_cpu COMMAND - with its directory and the name of its rates
each_cpu() {
	for cpu in $(online); do
		"$1" "cpu$cpu" "$cpu" || return 1
	done
}

# anchors_of_all - anchors in the CPUs' status
anchors_of_all() { sed -n 's/^anchors //p' $N3T/cpu*/status | sort -u; }

pmu=$(own_pmu)

check "n3_telemetry loads" load n3_telemetry
same "spec reports the CPUs' own PMU, not simulated" "$pmu 0" \
	"$(word $N3T/spec pmu) $(word $N3T/spec simulated)"
awake
next_window
check "all 67 metrics of every CPU match the random rates" compare_all
same "the anchor of all CPUs is the default" STALL_SLOT_BACKEND "$(anchors_of_all)"
same "each slice has the anchor" 0 "$(grep -v '^#' /sys/kernel/debug/n3_telemetry/cpu1/slices |
	grep -vc ' STALL_SLOT_BACKEND=[0-9]')"
check "estimates match the random rates" each_cpu compare_estimates
check "intervals of estimates contain the true values" each_cpu hold
# shellcheck disable=SC2086 # one argument an event
check "perf stat counts a group of six at their rates within 0.01 % while the module samples" \
	right_rates 1 $SET
next_window
check "all 67 metrics of every CPU match the random rates after perf" compare_all

put $N3T/reserved_counters 2
same "with four counters there is no anchor" none "$(anchors_of_all)"
next_window
read_quality "cpu$(online | head -n 1)"
check "four counters: estimates equal the values" are_what_was_measured
put $N3T/reserved_counters 0

put $N3T/enable 0
# shellcheck disable=SC2086
check "perf stat counts the group at their rates with enable 0" right_rates 3 $SET
# each overflow, one per 100 us, stops and starts all counters at an arbitrary point
period=$(rate 0 INST_RETIRED | awk '{ printf "%d", $1 * 1e5 }')
perf record -q -o /dev/null -C 0 -c "$period" -e "$pmu/inst_retired/" sleep 5 &
sampler=$!
# shellcheck disable=SC2086
check "perf stat counts five events at their rates while perf record samples a sixth" \
	right_rates 0 ${SET% *}
stop $sampler
