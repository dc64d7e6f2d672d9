#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Totals in counters/ never decrease and lose nothing, while CPUs go offline and come back and
# settings change; quotients of their differences match the rates of the simulated PMU, also
# after an event was distrusted for a while, when the keys that need it are absent. The
# expected values are computed from the specification's formulas in floating point
# (lib/sim.sh). CPU 1 has a counter less, so STALL_SLOT is a sum there, and CPU 2 has two
# less, which splits Topdown_L1. Numbers may exceed those that awk represents exactly, so
# they are compared as text.
#
# LONG=1: a million reads, and a thousand changes of settings and of CPUs.
# machine: tick
# timeout: 2400

. "$(dirname "$0")/../lib/sim.sh"

if [ "$LONG" = 1 ]; then
	READS=${READS:-1000000} CHANGES=${CHANGES:-1000}
else
	READS=${READS:-10000} CHANGES=${CHANGES:-20}
fi
SHARES='frontend_bound backend_bound bad_speculation retiring'

[ "$(online | wc -l)" -eq 4 ] || skip_all "needs four CPUs"

plan 48

cleanup() {
	touch "$tmp/stop"
	[ -z "$reader" ] || wait "$reader"
}
reader=''

# keys FILE
keys() { awk '{ print $1 }' "$N3T/$1" | xargs; }

# A CPU that looks for another counter has no plan meanwhile.
is_split() {
	said="$(word $N3T/cpu2/status topdown_l1) $(keys cpu2/counters/topdown_l1)"
	echo "$said"
	[ "$said" = "split " ]
}

# starts - the different "START_NS START_UNIX_NS" of all places
starts() {
	for file in $N3T/*/counters/time; do
		echo "$(word "$file" start_ns) $(word "$file" start_unix_ns)"
	done | sort -u
}

# move_clock SECONDS - sets the clock of the machine by that
move_clock() { date -s "@$(($(date +%s) + $1))"; }

# nr_keys FILE... - number of keys of each
nr_keys() {
	for file; do
		wc -l < "$N3T/$file"
	done | xargs
}

# not_numbers - lines of all files in counters/ that are not a key and a number
not_numbers() {
	cat $N3T/cpu*/counters/* $N3T/node*/counters/* $N3T/system/counters/* |
		grep -Evx '[a-z0-9_]+_(total|ns) [0-9]+'
}

# snapshot PLACE - "FILE KEY NUMBER" for all of its totals
snapshot() {
	awk '{ file = FILENAME; sub(/.*\//, "", file); print file, $1, $2 }' "$N3T/$1/counters/"*
}

# elapsed_is_complete - whether the times of CPU 0 add up to the time since the start, less
# the slice in progress
elapsed_is_complete() {
	before=$(uptime_ms)
	cat $N3T/cpu0/counters/time > "$tmp/time"
	awk -v before="$before" -v after="$(uptime_ms)" '
	$1 ~ /_ns$/ && $1 !~ /^(sampler|start_unix)_/ { ms += $2 / 1e6 }
	END {
		printf "%d ms, read between %d and %d ms\n", ms, before, after
		exit !(before - 100 < ms && ms < after + 20)
	}' "$tmp/time"
}

# shares_match CPU - whether Topdown_L1 since $tmp/first.CPU is as expected
shares_match() {
	snapshot "cpu$1" > "$tmp/second.$1"
	awk -v shares="$SHARES" '
	FILENAME ~ /expected/ { expected[$1] = $2 }
	FILENAME ~ /first/ && $1 == "topdown_l1" { at[$2] = $3 }
	FILENAME ~ /second/ && $1 == "topdown_l1" { now[$2] = $3 - at[$2] }
	END {
		slots = now["slots_total"]
		if (!slots)
			exit 1
		flush = now["frontend_flush_slots_total"] / slots
		busy = 1 - now["stall_slots_total"] / slots
		useful = now["ops_retired_total"] / now["ops_speculated_total"]
		got["frontend_bound"] = now["frontend_stall_slots_total"] / slots - flush
		got["backend_bound"] = now["backend_stall_slots_total"] / slots
		got["bad_speculation"] = busy * (1 - useful) + flush
		got["retiring"] = busy * useful
		nr = split(shares, share, " ")
		for (i = 1; i <= nr; i++) {
			error = got[share[i]] * 100 - expected[share[i]]
			printf "%s %.4f, expected %.4f\n", share[i], got[share[i]] * 100,
				expected[share[i]]
			wrong += error > 0.1 || error < -0.1
		}
		exit wrong > 0
	}' "$tmp/expected.$1" "$tmp/first.$1" "$tmp/second.$1"
}

# metrics_match CPU - whether all quotients of totals since $tmp/first.CPU are as expected, and
# exist for all metrics that have a place, but Topdown_L1 and the complement of another
metrics_match() {
	snapshot "cpu$1" > "$tmp/second.$1"
	awk -F '\t' -v counters="$(word "$N3T/cpu$1/status" budget)" -v shares="$SHARES" '
	# number of programmable events in a formula
	function events_of(formula,    n, i, word, have) {
		gsub(/[^A-Z0-9_]+/, " ", formula)
		split(formula, word, " ")
		for (i in word)
			if (word[i] ~ /^[A-Z]/ && word[i] != "CPU_CYCLES" && !(word[i] in have)) {
				have[word[i]] = 1
				n++
			}
		return n
	}
	/^#/ { next }
	FILENAME ~ /metrics.tsv/ {
		factor[$1] = $4 ~ /percent/ ? 100 : $4 ~ /MPKI/ ? 1000 : 1
		placed[$1] = events_of($3) <= counters
		next
	}
	{ split($0, field, " ") }
	FILENAME ~ /expected/ { expected[field[1]] = field[2]; terms[field[1]] = field[3]; next }
	field[2] !~ /_(numerator|denominator|subtrahend)_total$/ { next }
	FILENAME ~ /first/ { at[field[1], field[2]] = field[3] }
	FILENAME ~ /second/ {
		key = field[2]
		sub(/_(numerator|denominator|subtrahend)_total/, "", key)
		now[field[2]] = field[3] - at[field[1], field[2]]
		found[key] = 1
	}
	END {
		for (metric in factor) {
			if (!placed[metric] || metric == "ll_cache_read_hit_ratio" ||
			    index(" " shares " ", " " metric " "))
				continue
			nr++
			below = now[metric "_denominator_total"]
			if (!found[metric] || !below) {
				print metric " is missing"
				wrong++
				continue
			}
			got = now[metric "_numerator_total"] - now[metric "_subtrahend_total"]
			got *= factor[metric] / below
			error = got - expected[metric]
			bar = 0.002 * terms[metric] + 0.0001
			if (error > bar || error < -bar) {
				printf "%s %.6f, expected %.6f\n", metric, got, expected[metric]
				wrong++
			}
		}
		print nr " metrics"
		exit wrong > 0 || nr < 40
	}' "$SPEC/metrics.tsv" "$tmp/expected.$1" "$tmp/first.$1" "$tmp/second.$1"
}

# adds_up PLACE CPU... - whether its totals are the sums of those of the CPUs, while nothing
# but off_ns advances
adds_up() {
	place=$1
	shift
	snapshot "$place" > "$tmp/place"
	for cpu; do
		snapshot "cpu$cpu"
	done > "$tmp/cpus"
	awk '
	FILENAME ~ /cpus$/ { sum[$1 " " $2] += $3; next }
	{ of_place[$1 " " $2] = $3 }
	END {
		for (key in sum) {
			nr++
			if (key ~ / (off|start(_unix)?)_ns/ || sum[key] == of_place[key])
				continue
			printf "%s: %.0f, CPUs have %.0f\n", key, of_place[key], sum[key]
			wrong++
		}
		for (key in of_place)
			wrong += !(key in sum)
		print nr " keys"
		exit wrong > 0 || nr < 100
	}' "$tmp/place" "$tmp/cpus"
}

# replicates_add_up CPU - whether what its replicates counted since $tmp/first is what
# topdown_l1 did, and slices are as many in each, but one, while nothing advances
replicates_add_up() {
	snapshot "cpu$1" | awk '
	function value(number) { return FILENAME ~ /first/ ? -number : number }
	$1 == "topdown_l1" { sum[$2] += value($3) }
	$1 == "topdown_l1.replicates" {
		replicate = substr($2, 1, 2)
		key = substr($2, 4)
		if (key == "slices_total")
			slices[replicate] += value($3)
		else
			of_replicates[key] += value($3)
	}
	END {
		for (key in sum) {
			nr++
			if (sum[key] && sum[key] == of_replicates[key])
				continue
			printf "%s: %.0f, replicates have %.0f\n", key, sum[key], of_replicates[key]
			wrong++
		}
		for (replicate in slices) {
			nr++
			printf "%s: %d slices\n", replicate, slices[replicate]
			wrong += slices[replicate] < 4 || slices[replicate] < slices["r0"] - 1 ||
				slices[replicate] > slices["r0"] + 1
		}
		exit wrong > 0 || nr != 7 + 8
	}' "$tmp/first" -
}

# change NUMBER - one of the changes of settings
change() {
	case $(($1 % 14)) in
	0) put $N3T/groups "topdown_l1 general" ;;
	1) put $N3T/slice_ms 8 ;;
	2) put $N3T/reserved_counters 2 ;;
	3) put $N3T/enable 0 ;;
	4) put $N3T/enable 1 ;;
	5) put $N3T/distrust INST_RETIRED ;;
	6) put $N3T/reserved_counters 0 ;;
	7) put $N3T/groups all ;;
	8) put $N3T/distrust none ;;
	9) put $N3T/slice_ms 4 ;;
	10) put $N3T/replicates 0 ;;
	11) put $N3T/replicates 1 ;;
	12) put $N3T/distrust STALL_FRONTEND_FLUSH ;;
	13) put $N3T/distrust STALL_SLOT_BACKEND ;;
	esac
}

# flip NUMBER - takes CPU 1, 2 or 3 offline or online
flip() {
	online=$CPU_DEVICES/cpu$(($1 % 3 + 1))/online
	echo $((1 - $(cat "$online"))) > "$online"
}

diag "SEED=$SEED LONG=$LONG"
check "n3_sim loads" load n3_sim
check "n3_sim accepts random rates on all CPUs" set_all_rates "$SEED" 0 1 2 3
echo 1 > $SIM/cpu1/taken
echo 2 > $SIM/cpu2/taken
before=$(date +%s)
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
after=$(date +%s)
awake 0 1 2 3
next_window
for cpu in 0 1 2 3; do
	snapshot cpu$cpu > "$tmp/first.$cpu"
done

same "every line in counters/ is a key and a number" "" "$(not_numbers)"
same "time has its keys" \
	"sampled_ns dropped_ns yielded_ns off_ns start_ns start_unix_ns sampler_ns cycles_total" \
	"$(keys cpu0/counters/time)"
l1="slots_total stall_slots_total frontend_stall_slots_total backend_stall_slots_total"
l1="$l1 frontend_flush_slots_total ops_retired_total ops_speculated_total"
same "topdown_l1 has its keys" "$l1" "$(keys cpu0/counters/topdown_l1)"
same "topdown_l1 has the same keys with 5 counters" "$l1" "$(keys cpu1/counters/topdown_l1)"
check "topdown_l1 is empty while Topdown_L1 is split" wait_until is_split
same "general has two keys" "ipc_numerator_total ipc_denominator_total" \
	"$(keys cpu2/counters/general)"
same "integer_dp_percentage has a subtrahend, as the only metric" 1 \
	"$(cat $N3T/cpu0/counters/* | grep -c _subtrahend_total)"
start=$(starts)
same "CPUs, nodes and the system have one start, in two clocks" 1 "$(echo "$start" | wc -l)"
within "start_unix_ns is the time of the load" "$before" \
	$(($(word $N3T/system/counters/time start_unix_ns) / 1000000000)) "$after"
check "the clock is set by an hour" move_clock 3600
same "start_unix_ns stays when the clock is set" "$start" "$(starts)"
move_clock -3600 > "$tmp/out"
check "the four times of CPU 0 add up to the time since the start" \
	wait_until elapsed_is_complete
same "there are no replicates while the setting is 0" "" \
	"$(cat $N3T/cpu*/counters/*.replicates $N3T/system/counters/*.replicates)"

for cpu in 0 1 3; do
	check "Topdown_L1 of CPU $cpu between two reads matches the rates" \
		wait_until shares_match $cpu
done
for cpu in 0 1 2; do
	check "all metrics of CPU $cpu between two reads match the rates" \
		wait_until metrics_match $cpu
done

# Without these events a metric has no value, and the set lacks those that only this one needs.
l1_files='cpu0/counters/topdown_l1 cpu1/counters/topdown_l1 system/counters/topdown_l1'
while read -r event wanted; do
	put $N3T/distrust "$event"
	next_window
	for file in $l1_files; do
		same "$file has the keys of counted events, with $event distrusted" "$wanted" \
			"$(keys "$file" | sed 's/_total//g')"
	done
done << END
STALL_FRONTEND_FLUSH slots stall_slots backend_stall_slots ops_retired ops_speculated
STALL_SLOT_BACKEND slots stall_slots frontend_stall_slots frontend_flush_slots \
ops_retired ops_speculated
END
put $N3T/distrust INST_RETIRED
next_window
same "general and mpki are empty and topdown_l1 is not, with INST_RETIRED distrusted" "0 0 0 7" \
	"$(nr_keys cpu0/counters/general system/counters/general cpu0/counters/mpki \
		cpu0/counters/topdown_l1)"
put $N3T/distrust CPU_CYCLES
next_window
same "time has no cycles_total, with CPU_CYCLES distrusted" \
	"sampled_ns dropped_ns yielded_ns off_ns start_ns start_unix_ns sampler_ns" \
	"$(keys cpu0/counters/time)"
put $N3T/distrust none
next_window
# shellcheck disable=SC2086 # a list
same "all keys are present again" "7 7 7 2 8" \
	"$(nr_keys $l1_files cpu0/counters/general cpu0/counters/time)"
for cpu in 0 1; do
	snapshot "cpu$cpu" > "$tmp/first.$cpu"
	check "Topdown_L1 of CPU $cpu afterwards matches the rates" wait_until shares_match $cpu
done

put $N3T/enable 0
put $N3T/replicates 1
snapshot cpu0 > "$tmp/first"
put $N3T/enable 1
awake 0 1 2 3
next_window
put $N3T/enable 0
check "replicates of CPU 0 add up to topdown_l1 with equally many slices" replicates_add_up 0
expected=''
for n in 0 1 2 3 4 5 6 7; do
	for key in $l1 slices_total; do
		expected="$expected r${n}_$key"
	done
done
same "CPUs with 5 counters and the system have all keys of replicates" "$expected$expected" \
	" $(keys cpu1/counters/topdown_l1.replicates) $(keys system/counters/topdown_l1.replicates)"
same "CPU 2, where Topdown_L1 is split, has none" "" \
	"$(keys cpu2/counters/topdown_l1.replicates)"
put $N3T/replicates 0
same "once the setting is 0 again, totals of replicates are not shown" "" \
	"$(cat $N3T/cpu*/counters/*.replicates $N3T/system/counters/*.replicates)"
put $N3T/replicates 1
put $N3T/distrust STALL_FRONTEND_FLUSH
same "a CPU that is off has no key of an event that is distrusted" "6 56" \
	"$(nr_keys cpu0/counters/topdown_l1 cpu0/counters/topdown_l1.replicates)"
put $N3T/distrust none
put $N3T/enable 1

files=$(echo $N3T/cpu[0-3]/counters/topdown_l1 $N3T/cpu[0-3]/counters/general \
	$N3T/cpu[0-3]/counters/time $N3T/cpu[0-3]/counters/mpki \
	$N3T/cpu[0-3]/counters/topdown_l1.replicates $N3T/system/counters/topdown_l1.replicates \
	$N3T/system/counters/topdown_l1 $N3T/system/counters/general $N3T/system/counters/time)
# shellcheck disable=SC2086 # a list
"$HERE/never_smaller" "$READS" "$tmp/stop" $files > "$tmp/smaller" &
reader=$!
failed_changes=0
for i in $(seq 0 $((CHANGES - 1))); do
	change "$i" || failed_changes=$((failed_changes + 1))
	flip "$i" || failed_changes=$((failed_changes + 1))
done
touch "$tmp/stop"
wait $reader
reader=''
reads=$(word "$tmp/smaller" reads)
diag "$reads reads, $CHANGES changes of settings and as many of CPUs"
same "every change succeeds" 0 $failed_changes
within "$READS files were read" "$READS" "$reads" 100000000
same "no total was smaller than before, and no time was absent" "reads $reads" \
	"$(head -n 5 "$tmp/smaller")"
put $N3T/distrust none
# shellcheck disable=SC2086 # a list
same "all keys are present afterwards" "7 7 7 2" "$(nr_keys $l1_files cpu0/counters/general)"

for cpu in 1 2 3; do
	file=$CPU_DEVICES/cpu$cpu/online
	[ "$(cat "$file")" = 1 ] || echo 1 > "$file"
done
check "the four times of CPU 0 add up to the time since the start afterwards" \
	wait_until elapsed_is_complete
put $N3T/groups all
put $N3T/reserved_counters 0
check "all CPUs are sampled afterwards" wait_until samples_all
next_window
COMPARE_CPUS='0 3'
check "values of CPUs 0 and 3 match the rates afterwards" compare_all
put $N3T/enable 0
check "totals of the system are the sums of its CPUs" adds_up system 0 1 2 3
same "sampled_ns stands still while sampling is off" "" \
	"$(for file in $N3T/cpu[0-3]/counters/time; do
		a=$(word "$file" sampled_ns)
		sleep 0.1
		[ "$a" = "$(word "$file" sampled_ns)" ] || echo "$file"
	done)"
same "sampler_ns is the cost of slices and of the rest in debugfs" \
	"$(awk '$1 == "cpu0" && $5 > 0 && $9 > $5 { print $9 }' /sys/kernel/debug/n3_telemetry/cost)" \
	"$(word $N3T/cpu0/counters/time sampler_ns)"
