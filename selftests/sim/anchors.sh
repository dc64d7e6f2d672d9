#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Anchors, the events that every counter set contains: the default, the setting and the
# parameter, and reports in status, debugfs and slices. With fewer counters
# only named anchors are used, and no metric loses its place. Values stay the exact
# quotients of the counts in the slices of their set. Without anchors, estimates and their
# intervals equal the values; with anchors they match constant rates, on CPUs and over CPUs
# with and without anchors, and contain the means of phases. estimate_test.py checks how good
# estimates are.
# machine: turns
# timeout: 300

. "$(dirname "$0")/../lib/sim.sh"
. "$(dirname "$0")/../lib/load.sh"
. "$(dirname "$0")/../lib/estimates.sh"

DEBUG=/sys/kernel/debug/n3_telemetry
BACKEND=STALL_SLOT_BACKEND
BOTH="$BACKEND INST_RETIRED"

plan 58

# anchored CPU - from its status: "ANCHORS, N sets"
anchored() {
	sed -n 's/^anchors //p' "$N3T/cpu$1/status" | tr '\n' ,
	echo " $(word "$N3T/cpu$1/status" sets) sets"
}

# becomes CPU TEXT - whether anchored prints this text
becomes() {
	said=$(anchored "$1")
	echo "$said"
	[ "$said" = "$2" ]
}

# lacking BUDGET EVENTS - how many sets of the plan for this number of counters lack one of
# the events, not counting the set of custom events
lacking() {
	awk -v budget="$1" -v events="$2" '
	$1 == "budget" { mine = $2 == budget }
	mine && $1 == "set" && $NF != "custom" {
		split("", has)
		for (i = 4; $i != "metrics"; i++)
			has[$i]
		lacks = 0
		nr = split(events, event, " ")
		for (i = 1; i <= nr; i++)
			lacks += !(event[i] in has)
		lacking += lacks > 0
		sets++
	}
	END { print lacking + 0 " of " sets + 0 }' $DEBUG/plan
}

# planned BUDGET - head of the plan for this number of counters in debugfs
planned() { sed -n "s/^budget $1 //p" $DEBUG/plan; }

# slices_lacking EVENT - number of the latest slices of CPU 0 without a count of it
slices_lacking() {
	awk -v event="$1" '/^#/ { next }
		{ seen++; lacking += $0 !~ " " event "=[0-9]" }
		END { print seen ? lacking + 0 " lack it" : "no slice" }' $DEBUG/cpu0/slices
}

# newest - the number of the latest slice of CPU 0
newest() { awk '!/^#/ { print $1; exit }' $DEBUG/cpu0/slices; }

# consistent - quality of CPU 0 and its slices, with no slice in between
consistent() {
	for try in 1 2 3 4 5 6 7 8; do
		before=$(newest)
		read_quality cpu0
		cat $DEBUG/cpu0/slices > "$tmp/slices"
		[ "$(newest)" != "$before" ] || return 0
	done
	return 1
}

# sums SET SLICES - counts summed over this number of the latest kept slices of a set
sums() {
	awk -v set="$1" -v slices="$2" '
	/^#/ || $7 != set || $8 != "kept" || n == slices { next }
	{
		n++
		for (i = 9; i <= NF; i++) {
			split($i, pair, "=")
			sum[pair[1]] += pair[2]
		}
	}
	END {
		for (event in sum)
			printf "%s %.0f\n", event, sum[event]
	}' "$tmp/slices"
}

# are_quotients - whether each value of CPU 0 equals the specification's formula, applied to
# the counts in the slices of its set, to the last digit
are_quotients() {
	consistent || { echo "slices end all the time"; return 1; }
	wrong=0 metrics=0
	awk '
	$1 == "budget" { mine = $2 == 6 }
	mine && $1 == "set" {
		for (i = 4; $i != "metrics"; i++)
			;
		line = $2
		while (i++ < NF)
			line = line " " $i
		print line
	}' $DEBUG/plan > "$tmp/sets"
	while read -r set members; do
		slices=$(numbers_of slices "${members%% *}")
		# counts of events in other sets do not matter: formulas of their metrics
		# are not used
		{ cat "$tmp/rates.0"; sums "$set" "$slices"; } | values > "$tmp/quotients"
		for metric in $members; do
			metrics=$((metrics + 1))
			awk -v metric="$metric" -v value="$(numbers_of value "$metric")" '
			$1 == metric {
				# a unit of the last digit
				unit = 1
				for (i = length(value); i > index(value, "."); i--)
					unit /= 10
				off = (value - $2) / unit
				if (off < -0.51 || off > 0.51) {
					print metric " is " value ", not " $2
					exit 1
				}
				found = 1
			}
			END { exit !found }' "$tmp/quotients" || wrong=$((wrong + 1))
		done
	done < "$tmp/sets"
	echo "$metrics metrics, $wrong wrong"
	[ $wrong -eq 0 ] && [ $metrics -eq 67 ]
}

# percent_held - of the intervals in five windows of CPU 0 with set_phases, whose period is a
# fourth of a window; CPUs 1 and 2 have the rates of its two kinds
percent_held() {
	sed 's/$/ 130/' "$tmp/rates.1" > "$tmp/kinds"
	sed 's/$/ 370/' "$tmp/rates.2" >> "$tmp/kinds"
	awk '{ rate[$1] += $2 * $3 / 500 }
		END { for (event in rate) printf "%s %.0f\n", event, rate[event] }' "$tmp/kinds" \
		> "$tmp/rates.phases"
	expect phases
	for _ in 1 2 3 4 5; do
		hold cpu0 phases | tail -n 1
		sleep 2
	done | awk '{ lines += $1; wrong += $3 } END { print lines ? 100 - wrong * 100 / lines : 0 }'
}

check "n3_sim loads" load n3_sim
check "n3_sim accepts random rates on all CPUs" set_all_rates "$SEED" 0 1 2 3
remember
refused "anchors=no_such_event" "Invalid argument" "no_such_event" pmu=n3_sim \
	anchors=no_such_event
check "n3_telemetry loads with anchors=inst_retired,$BACKEND" load n3_telemetry pmu=n3_sim \
	"anchors=inst_retired,$BACKEND" cpus=0
same "the file anchors has the events of the parameter" "INST_RETIRED $BACKEND" \
	"$(cat $N3T/anchors)"
same "status has them in that order, and 20 sets" "INST_RETIRED $BACKEND, 20 sets" \
	"$(anchored 0)"
unload n3_telemetry
check "n3_telemetry loads with anchors=none" load n3_telemetry pmu=n3_sim anchors=none cpus=0
same "anchors=none: the file, status and debugfs show none and 13 sets" \
	"none none, 13 sets sets 13 rotation 24 anchors none" \
	"$(cat $N3T/anchors) $(anchored 0) $(planned 6)"
unload n3_telemetry

check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
same "anchors has mode 644, owner 0:0 and its default" "644 0:0 $(default_of anchors)" \
	"$(stat -c '%a %u:%g' $N3T/anchors) $(cat $N3T/anchors)"
same "by default every CPU has one anchor and 16 sets" "4 $BACKEND, 16 sets" \
	"$(for cpu in 0 1 2 3; do anchored $cpu; done | sort | uniq -c | sed 's/^ *//')"
same "debugfs has the same plan for 6 counters" \
	"sets 16 rotation 30 anchors $BACKEND" "$(planned 6)"
same "every set of the plan has the anchor" "0 of 16" "$(lacking 6 $BACKEND)"
awake 0 1 2 3
next_window
same "every slice has counted the anchor" "0 lack it" "$(slices_lacking $BACKEND)"
check "values match the rates with the default anchor" compare_all
check "estimates of CPU 0 match its rates" compare_estimates cpu0 0
check "intervals of the estimates of CPU 3 hold" hold cpu3 3
check "lines in quality have value, estimate and both intervals" are_well_formed

# an unknown event as an anchor, then two, four, none
same "anchors accepts a name in lower case and a number" "" \
	"$(put $N3T/anchors 'stall_slot_backend,0x0008\n')"
same "anchors shows both by name" "$BOTH" "$(cat $N3T/anchors)"
same "two anchors: 20 sets" "$BOTH, 20 sets" "$(anchored 0)"
same "two anchors: all sets but Topdown_L1, which is whole, have both" "1 of 20 whole" \
	"$(lacking 6 "$BOTH") $(word $N3T/cpu0/status topdown_l1)"
next_window
check "two anchors: values match the rates" compare_all
check "two anchors: estimates match the rates" compare_estimates cpu1 1
put $N3T/anchors 'BUS_ACCESS 0x13 0x13 cpu_cycles MEM_ACCESS L1D_CACHE 0xc0de'
same "anchors drops duplicates and CPU_CYCLES" "BUS_ACCESS MEM_ACCESS L1D_CACHE 0xc0de" \
	"$(cat $N3T/anchors)"
next_window
check "four unrelated anchors: values match the rates" compare_all
check "four unrelated anchors: estimates match the rates" compare_estimates cpu2 2

sets=$(anchored 0)
check "anchors refuses a fifth event" \
	refuses anchors "$BOTH MEM_ACCESS BUS_ACCESS l1d_cache" l1d_cache
same "refused anchors leave the sets unchanged" "$sets" "$(anchored 0)"
within "refused writes do not interrupt sampling: Topdown_L1 is covered" 40 \
	"$(read_quality cpu0; numbers_of coverage retiring)" 60
same "anchors accepts none" none "$(put $N3T/anchors none; cat $N3T/anchors)"
same "without anchors there are 13 sets" "none, 13 sets" "$(anchored 0)"
set_phases 0
set_scenario 1 backend_memory_bound
set_scenario 2 retiring
next_window
read_quality cpu0
check "without anchors all estimates of a CPU with phases are its values" are_what_was_measured
read_quality system
check "without anchors all estimates of the system are its values" are_what_was_measured
same "anchors accepts auto" auto "$(put $N3T/anchors 'auto\n'; cat $N3T/anchors)"
next_window
read_quality cpu0
within "with the default anchor estimates of most metrics of CPU 0 differ from the values" 40 \
	"$(number_estimated)" 67
within "intervals of estimates of CPU 0 contain the means of its phases, in percent" 85 \
	"$(percent_held)" 100
put $N3T/slice_ms 100
next_window
check "values are exact quotients of counts from the same slices, with the default anchor" \
	are_quotients
put $N3T/anchors "$BOTH"
next_window
check "values are exact quotients of counts from the same slices, with two anchors" are_quotients
put $N3T/slice_ms "$(default_of slice_ms)"

# fewer counters
put $N3T/anchors auto
set_all_rates "$SEED" 0 1 2
echo 1 > "$SIM/cpu0/taken"
check "5 counters: all 22 sets have the anchor" wait_until becomes 0 "$BACKEND, 22 sets"
same "5 counters: every set of the plan in debugfs has the anchor" "0 of 22" "$(lacking 5 $BACKEND)"
next_window
COMPARE_CPUS=0
check "5 counters: values match the rates" compare_all counters=5
check "5 counters: estimates match the rates" compare_estimates cpu0 0
echo 2 > "$SIM/cpu0/taken"
check "4 counters: no anchor, and the number of sets is unchanged" wait_until becomes 0 \
	"none, 22 sets"
same "CPUs with 6 counters keep their anchor" "$BACKEND, 16 sets" "$(anchored 1)"
for cpu in 0 1 2 3; do
	cat "$tmp/rates.$cpu"
done | awk '{ sum[$1] += $2 } END { for (event in sum) printf "%s %.0f\n", event, sum[event] }' \
	> "$tmp/rates.all"
expect all
# restart: CPUs remember how much their rates have just changed
echo 0 > $N3T/enable
echo 1 > $N3T/enable
check "4 counters, enabled again: no anchor" wait_until becomes 0 "none, 22 sets"
next_window
read_quality cpu0
check "4 counters: estimates of the CPU are its values" are_what_was_measured
check "estimates over CPUs with and without anchors match their rates" \
	compare_estimates system all
check "intervals over CPUs with and without anchors contain the true values" hold system all
put $N3T/anchors "$BOTH"
check "4 counters, two anchors named: status shows both" wait_until becomes 0 \
	"$BOTH, $(word $N3T/cpu0/status sets) sets"
next_window
check "4 counters, two anchors named: values match the rates, no metric is unplaced" \
	compare_all counters=4
put $N3T/anchors auto
echo 0 > "$SIM/cpu0/taken"
check "6 counters again: the default anchor is back" wait_until becomes 0 "$BACKEND, 16 sets"
put $N3T/reserved_counters 2
check "2 of 6 counters reserved: no anchor" wait_until becomes 0 "none, 22 sets"
put $N3T/reserved_counters 0

put $N3T/groups topdown_l1
check "with Topdown_L1 alone there is one set and no anchor" wait_until becomes 0 \
	"none, 1 sets"
put $N3T/groups all
put $N3T/custom 'mem_access br_mis_pred'
check "custom events add a set" wait_until becomes 0 "$BACKEND, 17 sets"
same "the set of custom events has no anchor" "MEM_ACCESS BR_MIS_PRED INST_RETIRED metrics custom" \
	"$(sed -n 's/^  set 16 events //p' $DEBUG/plan | head -n 1)"
