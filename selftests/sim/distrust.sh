#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The setting distrust, as parameter and file. Metrics that need a distrusted event are
# unsupported, on CPUs and combined, in group files, custom, quality and the answer; no set
# contains such an event, and no anchor is one; all other values match the rates. With all events
# distrusted nothing is sampled and no counter held. Then stall slots that contradict each other,
# by less and by more than 1 % of all slots: metrics that use them are inconsistent.
# machine: turns
# on: test-long
# timeout: 400

. "$(dirname "$0")/../lib/sim.sh"
. "$(dirname "$0")/../lib/estimates.sh"
. "$(dirname "$0")/../lib/load.sh"

DEBUG=/sys/kernel/debug/n3_telemetry
SLOTS='STALL_SLOT|STALL_SLOT_FRONTEND|STALL_SLOT_BACKEND'

plan 69

# countable - all events that a counter can count, in the table's order
countable() {
	awk -F '\t' '!/^#/ && $5 ~ /PMU/ && $2 != "CHAIN" { print $2 }' "$SPEC/events.tsv"
}

# used - the events that the specification's metrics use, one a line
used() {
	awk -F '\t' '!/^#/ { gsub(/[^A-Z0-9_]+/, "\n", $3); print $3 }' "$SPEC/metrics.tsv" |
		grep '^[A-Z]' | sort -u
}

# supported EVENTS [VARIABLE=VALUE]... - whether, on all CPUs, metrics that need one of the
# events are unsupported and all others match the rates
supported() {
	events=$1
	shift
	compare_all events="$events" word=unsupported "$@"
}

# planned EVENTS - how often they occur in sets of any plan, except as unsupported
planned() {
	awk -v events="$1" '
	$1 == "set" {
		for (i = 4; $i != "metrics"; i++)
			found += $i ~ "^(" events ")$"
	}
	$1 == "budget" {
		for (i = 8; i <= NF; i++)
			found += $i ~ "^(" events ")$"
	}
	END { print found + 0 }' $DEBUG/plan
}

anchors_of() { sed -n 's/^anchors //p' "$N3T/cpu$1/status"; }

sampled() { echo "$(word "$N3T/cpu$1/status" state) $(word "$N3T/cpu$1/status" sets)"; }

# becomes CPU TEXT
becomes() {
	said=$(sampled "$1")
	echo "$said"
	[ "$said" = "$2" ]
}

# slices_of CPU - slices ever taken there
slices_of() { word "$N3T/cpu$1/status" slices; }

# more_slices CPU - whether it takes slices now
more_slices() {
	slices=$(slices_of "$1")
	sleep 1
	[ "$(slices_of "$1")" -gt "$slices" ]
}

# names FILE - first words of its lines
names() { awk '{ print $1 }' "$1" | xargs; }

# line_of FILE NAME - rest of the line that begins with this name
line_of() { sed -n "s/^$2 //p" "$1"; }

# contradict CPU SHARE - makes STALL_SLOT exceed its parts by this share of all slots
# (negative: fall below)
contradict() {
	random_rates "$SEED" | awk -v share="$2" '
	{ rate[$1] = $2 }
	END {
		rate["STALL_SLOT" (share < 0 ? "_FRONTEND" : "")] += \
			(share < 0 ? -share : share) * 5 * rate["CPU_CYCLES"]
		for (event in rate)
			printf "%s %.0f\n", event, rate[event]
	}' > "$tmp/rates.$1"
	expect "$1"
	put_file "$SIM/cpu$1/rates" "$tmp/rates.$1"
}

# words_of DIRECTORY METRIC - distinct values of a metric in the files of a directory
words_of() {
	{ cat "$N3T/$1"/topdown_l1; inferred "$1" topdown_l1; } |
		sed -n "s/^$2 \(value=\)\{0,1\}\([^ ]*\).*/\2/p" | sort -u | xargs
}

check "n3_sim loads" load n3_sim
check "n3_sim accepts random rates on all CPUs" set_all_rates "$SEED" 0 1 2 3

remember
refused "distrust=no_such_event" "Invalid argument" "distrust: .*no_such_event" pmu=n3_sim \
	distrust=no_such_event
check "n3_telemetry loads with distrust=stall_slot_frontend,0x0004" load n3_telemetry pmu=n3_sim \
	distrust=stall_slot_frontend,0x0004
same "the file distrust has the events of the parameter in the table's order" \
	"L1D_CACHE STALL_SLOT_FRONTEND" "$(cat $N3T/distrust)"
awake 0 1 2 3
next_window
check "distrust as a parameter: metrics that need the two are unsupported, others match" \
	supported "L1D_CACHE|STALL_SLOT_FRONTEND"
same "with STALL_SLOT_FRONTEND distrusted the rest of Topdown_L1 is one set" whole \
	"$(word $N3T/cpu0/status topdown_l1)"
idle_again
unload n3_telemetry

check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
same "distrust has mode 644, owner 0:0 and its default" "644 0:0 $(default_of distrust)" \
	"$(stat -c '%a %u:%g' $N3T/distrust) $(cat $N3T/distrust)"
awake 0 1 2 3
next_window
check "without distrust all values match the rates" compare_all
before=$(sampled 0)

# the automatic anchor
same "distrust accepts a name" "" "$(put $N3T/distrust 'stall_slot_backend\n')"
same "distrust shows the name" STALL_SLOT_BACKEND "$(cat $N3T/distrust)"
same "no set contains a distrusted event, and no CPU has an anchor" "0 none" \
	"$(planned STALL_SLOT_BACKEND) $(anchors_of 0)"
next_window
check "STALL_SLOT_BACKEND distrusted: metrics that need it are unsupported, others match" \
	supported STALL_SLOT_BACKEND
same "backend_bound is unsupported on a CPU, a node and the system, with its quality" \
	"unsupported unsupported unsupported" \
	"$(words_of cpu0 backend_bound) $(words_of node0 backend_bound) \
$(words_of system backend_bound)"
within "retiring of the system has a value" -1000 "$(word $N3T/system/topdown_l1 retiring)" 1000
same "a distrusted area: the answer is its word" "answer unsupported" "$(ends_of answer cpu0)"
put $N3T/anchors 'stall_slot_backend inst_retired'
same "a distrusted event in anchors is not used as an anchor, but stays set" \
	"INST_RETIRED, STALL_SLOT_BACKEND INST_RETIRED" "$(anchors_of 0), $(cat $N3T/anchors)"
put $N3T/distrust none
same "distrust accepts none" none "$(cat $N3T/distrust)"
same "without distrust both named events are anchors" \
	"STALL_SLOT_BACKEND INST_RETIRED" "$(anchors_of 0)"
put $N3T/anchors auto
same "the plan is the same as before distrust" "$before" "$(sampled 0)"

# refused texts
check "distrust refuses an unknown event" refuses distrust no_such_event no_such_event
started=$(cut -d . -f 1 /proc/uptime)
lines=$(lines_of_refusals distrust)
took=$(($(cut -d . -f 1 /proc/uptime) - started))
within "100 refused writes add at most eleven lines in five seconds to the kernel log" 0 \
	"$lines" $((22 + took / 5 * 11))

# disjoint choices of all events that metrics use, except CPU_CYCLES
diag "SEED=$SEED"
nr=4
used | grep -v '^CPU_CYCLES$' | awk -v seed="$SEED" -v nr=$nr '
	BEGIN { srand(seed) }
	{ print int(rand() * nr) + 1, $1 }' > "$tmp/choices"
for choice in $(seq $nr); do
	names=$(awk -v choice="$choice" '$1 == choice { print $2 }' "$tmp/choices" | xargs)
	events=$(echo "$names" | tr ' ' '|')
	same "distrust accepts choice $choice of $nr" "" "$(put $N3T/distrust "$names")"
	next_window
	check "choice $choice: metrics that need one of them are unsupported, others match" \
		supported "$events"
	same "choice $choice: no set contains one of them" 0 "$(planned "$events")"
done
put $N3T/distrust cpu_cycles
next_window
check "CPU_CYCLES distrusted: metrics that need it are unsupported, others match" \
	supported CPU_CYCLES

# custom events
put $N3T/distrust 'mem_access'
put $N3T/custom 'bus_access mem_access 0xc0de'
next_window
same "custom has a line for each of its events" "BUS_ACCESS MEM_ACCESS 0xc0de" \
	"$(names $N3T/cpu0/custom)"
same "a distrusted custom event is unsupported" unsupported "$(line_of $N3T/cpu0/custom MEM_ACCESS)"
same "other custom events are counted, per instruction as well" 1 \
	"$(grep -c '^BUS_ACCESS per_second=[0-9.]* per_kilo_instruction=[0-9.]* per_cycle=[0-9.]*$' \
		$N3T/cpu0/custom)"
put $N3T/distrust 'inst_retired cpu_cycles'
next_window
same "INST_RETIRED and CPU_CYCLES distrusted: no rate per instruction or cycle" \
	"per_kilo_instruction=unsupported per_cycle=unsupported" \
	"$(line_of $N3T/cpu0/custom BUS_ACCESS | cut -d ' ' -f 2-)"
same "INST_RETIRED distrusted: no set contains it" 0 "$(planned INST_RETIRED)"
put $N3T/distrust 'mem_access bus_access'
put $N3T/custom 'bus_access mem_access'
same "all events of custom distrusted: the file is unsupported" \
	unsupported "$(cat $N3T/cpu0/custom)"
put $N3T/custom none

# all events
same "distrust accepts all events" "" "$(countable | xargs > "$tmp/all"
	put_file $N3T/distrust "$tmp/all")"
same "distrust shows all events written" "$(sort "$tmp/all" | xargs -n 1 | sort | xargs)" \
	"$(xargs -n 1 < $N3T/distrust | sort | xargs)"
# shellcheck disable=SC2086 # one argument a directory
check "all distrusted: every value everywhere is unsupported" all_are unsupported $everywhere
same "all distrusted: a CPU is unsupported, without a set" "unsupported 0" "$(sampled 0)"
same "all distrusted: the system's status excludes all CPUs as unsupported" \
	"cpus 4 included 0 excluded 4 budget 0 withdrawals 0 withdrawn 0 unsupported 4" \
	"$(xargs < $N3T/system/status)"
check "all distrusted: no slice is taken" eval '! more_slices 0'
same "all distrusted: no counter is held" 0 "$(word $N3T/cpu0/status budget)"
same "all distrusted: quality and the answer are unsupported" "unsupported answer unsupported" \
	"$(words_of cpu0 retiring) $(ends_of answer system)"
put $N3T/groups all
put $N3T/slice_ms 8
same "other settings can be changed meanwhile" "8 unsupported 0" "$(cat $N3T/slice_ms) $(sampled 3)"
put $N3T/slice_ms 4
put $N3T/custom 0xc0de
check "one custom event that is not distrusted is sampled" wait_until becomes 0 "sampling 1"
next_window
same "a custom event that is not distrusted has a rate" \
	1 "$(grep -c '^0xc0de per_second=[0-9.]* per_kilo_instruction=unsupported' \
	$N3T/cpu0/custom)"
put $N3T/custom none
put $N3T/distrust none
check "distrust none restores sampling" wait_until becomes 0 "$before"
next_window
check "distrust none: all values match the rates" compare_all

# fewer counters
echo 1 > "$SIM/cpu0/taken"
put $N3T/distrust 'stall_slot_frontend stall_frontend_flush'
check "5 counters: CPU 0 is sampled" wait_until eval '[ "$(word $N3T/cpu0/status budget)" = 5 ]'
next_window
check "5 counters, two distrusted: values match the rates" supported \
	"STALL_SLOT_FRONTEND|STALL_FRONTEND_FLUSH"
# one counter for metrics with two events, and no metric that needs a single one
put $N3T/groups branch_effectiveness
put $N3T/distrust br_retired
echo 5 > "$SIM/cpu0/taken"
check "one counter, and no metric that fits: a plan without a set" wait_until becomes 0 "sampling 0"
sleep 1
same "one counter: all chosen metrics are unplaced" unplaced \
	"$(awk '{ print $2 }' $N3T/cpu0/branch_effectiveness | sort -u | xargs)"
echo 0 > "$SIM/cpu0/taken"
put $N3T/distrust none
put $N3T/groups all
check "all counters, all groups: the plan is the same as before" wait_until becomes 0 "$before"

# stall slots that contradict each other
for cpu in 0 1 2 3; do
	contradict $cpu 0.009
done
next_window
check "STALL_SLOT exceeds its parts by 0.9 % of slots: all values match the rates" compare_all
for cpu in 1 2 3; do
	contradict $cpu 0.011
done
contradict 0 -0.011
next_window
check "STALL_SLOT off by 1.1 %: metrics that use the three are inconsistent, others match" \
	compare_all events="$SLOTS" word=inconsistent
same "quality and values over CPUs are inconsistent as well" \
	"inconsistent inconsistent inconsistent" \
	"$(words_of cpu1 retiring) $(words_of node0 backend_bound) $(words_of system frontend_bound)"
same "inconsistent areas: the answer is their word" "answer inconsistent" \
	"$(ends_of answer system)"
put $N3T/custom 'stall_slot stall_slot_frontend stall_slot_backend bus_access'
next_window
same "the three events are inconsistent in custom when it has all of them" \
	"inconsistent 3, BUS_ACCESS" \
	"$(awk '{ print $2 }' $N3T/cpu0/custom | grep -c inconsistent | sed 's/^/inconsistent /'), \
$(sed -n '$s/ per_second=[0-9].*//p' $N3T/cpu0/custom)"
put $N3T/custom none
put $N3T/distrust stall_slot
next_window
check "with STALL_SLOT distrusted the other two are consistent" supported STALL_SLOT
put $N3T/distrust none
contradict 2 0
next_window
same "one consistent CPU: the system's values are those of this CPU" \
	"$(word $N3T/cpu2/topdown_l1 retiring | cut -c 1-4)" \
	"$(word $N3T/system/topdown_l1 retiring | cut -c 1-4)"
