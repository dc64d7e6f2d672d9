#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Selection of groups (fewer groups get more coverage; extra ones in addition to the
# specification's), custom events and CPUs, by parameters and at run time. Then the files in
# debugfs, compared with the simulation's rates.
# machine: turns
# timeout: 240

. "$(dirname "$0")/../lib/sim.sh"

DEBUG=/sys/kernel/debug/n3_telemetry

plan 34

coverage() { inferred cpu0 "$1" | sed -n "s/^$2 .*coverage=\([0-9.]*\).*/\1/p"; }

# numbers GROUP... - how many of their metrics have no number in the group files of CPU 0,
# and how many other metrics have one
numbers() {
	awk -F '\t' -v dir="$N3T/cpu0" -v groups="$*" '
	BEGIN { split(groups, list, " "); for (i in list) chosen[list[i]] = 1 }
	/^#/ { next }
	{
		file = tolower($1)
		n = split($6, metric, ",")
		for (i = 1; file in chosen && i <= n; i++)
			wanted[metric[i]] = 1
		while ((getline line < (dir "/" file)) > 0) {
			split(line, field, " ")
			line_of[file, field[1]] = field[2]
		}
	}
	END {
		for (key in line_of) {
			split(key, part, SUBSEP)
			number = line_of[key] ~ /^-?[0-9]/
			missing += part[2] in wanted && !number
			more += !(part[2] in wanted) && number
		}
		print missing + 0 " missing, " more + 0 " extra"
	}' "$SPEC/groups.tsv"
}

# near EXPECTED GOT - lines "name value [terms]" and "name value", within 0.2 % of the terms, which
# are the value if nothing is subtracted
near() {
	awk 'NR == FNR { expected[$1] = $2; terms[$1] = NF > 2 ? $3 : $2; n++; next }
	{
		error = ($2 - expected[$1]) / terms[$1]
		if (!($1 in expected) || $2 !~ /^-?[0-9.]+$/ || error * error > 0.002 * 0.002) {
			print "expected " $1 " " expected[$1] ", got " $0
			wrong = 1
		}
		seen++
	}
	END { print seen " values"; exit wrong || seen != n || !n }' "$1" "$2"
}

EXTRA=$(awk -F '\t' '!/^#/ { print tolower($2) }' "$SPEC/extra.tsv" | uniq | xargs)

extra_match() {
	formulas "$SPEC/extra.tsv" > "$tmp/extra.awk"
	awk -f "$tmp/extra.awk" -f "$tmp/values.awk" < "$tmp/rates.0" > "$tmp/extra"
	for group in $EXTRA; do
		cat "$N3T/cpu0/$group"
	done > "$tmp/got"
	near "$tmp/extra" "$tmp/got"
}

# custom_match EVENT... - whether custom has their rates in that order
custom_match() {
	for event; do
		awk -v event="$event" '{ rate[$1] = $2 } END {
			printf "%s/s %.15g\n", event, rate[event]
			printf "%s/ki %.15g\n", event, rate[event] * 1000 / rate["INST_RETIRED"]
			printf "%s/c %.15g\n", event, rate[event] / rate["CPU_CYCLES"]
		}' "$tmp/rates.0"
	done > "$tmp/custom"
	cat "$N3T/cpu0/custom"
	value='=([0-9.]*)'
	sed -nE "s|^([A-Z0-9_]*) per_second$value per_kilo_instruction$value per_cycle$value\$|\
\1/s \2\n\1/ki \3\n\1/c \4|p" \
		"$N3T/cpu0/custom" > "$tmp/got"
	near "$tmp/custom" "$tmp/got"
}

# raw_counts FILE - whether in each line the ratio of each event to CPU_CYCLES matches the
# rates; a slice has integer counts
raw_counts() {
	awk 'NR == FNR { rate[$1] = $2; next }
	/CPU_CYCLES=/ {
		match($0, /CPU_CYCLES=.*/)
		nr = split(substr($0, RSTART), word, /[ =]/)
		for (i = 3; i < nr; i += 2) {
			off = word[i + 1] - word[2] * rate[word[i]] / rate["CPU_CYCLES"]
			if (off < -2 - word[2] / 1e6 || off > 2 + word[2] / 1e6) {
				print "off by " off ": " $0
				wrong = 1
			}
			seen++
		}
	}
	END { print seen + 0 " counts"; exit wrong || seen < 50 }' "$tmp/rates.0" "$1"
}

begin_sim 0 groups=topdown_l1,miss_ratio custom=br_mis_pred,0x0011,MEM_ACCESS cpus=0 \
	slice_ms=10 window_ms=3000
same "the file groups has the groups of the parameter" "topdown_l1 miss_ratio" \
	"$(cat $N3T/groups)"
same "the file custom has the events of the parameter except CPU_CYCLES, always counted" \
	"BR_MIS_PRED MEM_ACCESS" "$(cat $N3T/custom)"
same "the file cpus has the CPU of the parameter" 0 "$(cat $N3T/cpus)"
same "status has all keys, in this order" "state sampling
cpus_sampled 1
switch in-place
max_cost 0
cost NUMBER
reason none
user_access unchecked
version NUMBER" "$(sed 's/^\(cost\|version\) [0-9].*/\1 NUMBER/' $N3T/status)"
same "with cpus=0, CPU 1 is disabled" disabled "$(word $N3T/cpu1/status state)"
awake 0
next_window
check "values of the chosen groups match the rates" compare_cpu 0 'pass=disabled'
same "metrics of the chosen groups have numbers, others do not" "0 missing, 0 extra" \
	"$(numbers topdown_l1 miss_ratio)"
few=$(coverage miss_ratio l1d_cache_miss_ratio)
check "custom events match the rates" custom_match BR_MIS_PRED MEM_ACCESS

same "groups accepts \"all\"" "" "$(put $N3T/groups all)"
next_window
check "with the specification's groups chosen, values match the rates" compare_cpu 0
all=$(coverage miss_ratio l1d_cache_miss_ratio)
within "two groups alone have at least twice their coverage among all groups" 2 \
	"$(awk -v few="$few" -v all="$all" 'BEGIN { print all ? few / all : 0 }')" 100

same "groups accepts the extra groups" "" "$(put $N3T/groups "$EXTRA\n")"
same "spec marks these groups, and no other, as extra" "$EXTRA" \
	"$(awk '$1 == "group" && $3 == "extra" { print $2 }' $N3T/spec | xargs)"
same "spec counts the extra metrics and groups" \
	"$(grep -vc '^#' "$SPEC/extra.tsv") $(echo "$EXTRA" | wc -w)" \
	"$(word $N3T/spec extra_metrics) $(word $N3T/spec extra_groups)"
next_window
check "values of the extra groups match the rates" extra_match
put $SIM/cpu0/rates "$(sed -n 's/^\(SAMPLE_[A-Z_]*\) .*/\1 0/p' "$tmp/rates.0")"
next_window
same "without sampled operations all metrics of spe_sampling are idle" \
	"$(extra_members spe_sampling) idle" \
	"$(awk '{ print $2 }' $N3T/cpu0/spe_sampling | sort | uniq -c | xargs)"
same "other extra groups still have numbers" 0 \
	"$(cat $N3T/cpu0/memory_traffic $N3T/cpu0/chi_busy | grep -c ' [a-z]')"
put_file $SIM/cpu0/rates "$tmp/rates.0"
same "with the extra groups alone, no metric of the specification has a number" \
	"0 missing, 0 extra" "$(numbers)"
same "groups accepts all and the extra groups" "" \
	"$(put $N3T/groups "all,$(echo $EXTRA | tr ' ' ,)")"
same "groups has the names of all groups" "$GROUP_FILES $EXTRA" "$(cat $N3T/groups)"
next_window
check "with all groups, values of the extra groups match the rates" extra_match
check "with all groups, values of the specification's groups match the rates" compare_cpu 0

check "custom refuses 7 events with 6 counters" refuses custom \
	"l1d_cache l1d_cache_refill l1i_cache l1i_cache_refill l2d_cache l2d_cache_refill bus_access" 7
within "100 refused writes add at most 30 lines to the kernel log" 0 \
	"$(lines_of_refusals groups)" 30
same "custom accepts an event's later name in lower case and shows the specification's" \
	"IMP_LS_RAR" "$(put $N3T/custom imp_ls_rar_hazard; cat $N3T/custom)"
same "custom accepts \"none\"" none "$(put $N3T/custom none; cat $N3T/custom)"
same "with custom none, cpu0/custom is disabled" disabled "$(cat $N3T/cpu0/custom)"

put $N3T/groups all
next_window
same "plan, cost and slices in debugfs are readable by root only" "400 400 400" \
	"$(stat -c %a $DEBUG/plan $DEBUG/cost $DEBUG/cpu0/slices | xargs)"
same "debugfs plan has 16 sets of at most 6 events" "16 6" "$(awk '
	$1 == "set" { sets++; for (i = 4; $i != "metrics"; i++); n = i - 4; if (n > max) max = n }
	END { print sets, max }' $DEBUG/plan)"
cat $DEBUG/cpu0/slices > "$tmp/slices"
check "debugfs slices: counts match the rates" raw_counts "$tmp/slices"
check "debugfs cost has the cost of slices of CPU 0" \
	awk '$1 == "cpu0" { print; exit !($3 > 100 && $5 > 0 && $7 > 0) }' $DEBUG/cost
