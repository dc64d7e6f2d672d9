# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154 # silicon.sh and lib.sh set the rest
# Values against perf's, and against each other.

selftest() {
	within_time selftest 10 1000 || return
	idle_again
	interruptible "$N3STAT" selftest -C "$CPU" -o "$work/selftest.json" > "$work/selftest" 2>&1
	if [ ! -s "$work/selftest.json" ]; then
		result report fail '' '' "$(tail -n 2 "$work/selftest")"
		return
	fi
	result counts info "$(events_with counts | wc -l)" events
	uncounted
	for verdict in 'nothing_moves:nothing here moves it' 'not_tested:not tested'; do
		events_with "${verdict#*:}" > "$work/said"
		result "${verdict%:*}" info "$(wc -l < "$work/said")" events \
			"$(cut -d ' ' -f 1 "$work/said" | xargs)"
	done
	identities
}

# events_with VERDICT - "NAME CODE" of each
events_with() {
	tr '{' '\n' < "$work/selftest.json" |
		sed -n 's/^"name":"\([A-Z0-9_]*\)","code":"\(0x[0-9a-f]*\)","verdict":"'"$1"'",.*/\1 \2/p'
}

# uncounted - the events that do not count. Other cores than the N3 lack many of its events: there
# only those fail that PMCEID claims.
uncounted() {
	events_with 'does not count' > "$work/uncounted"
	case $(cat "$CPU_DEVICES/cpu$CPU/regs/identification/midr_el1") in
	*41?fd8e?) claimed=$(cut -d ' ' -f 1 "$work/uncounted" | xargs) ;;
	*)
		claimed=$(MISSING=" $(sed -n 's/^pmceid_missing //p' $N3T/spec) " awk '
			$2 ~ /^0x(00|40)[0-3]/ && !index(ENVIRON["MISSING"], " " $1 " ") { print $1 }' \
			"$work/uncounted" | xargs)
		result not_of_this_core info "$(($(wc -l < "$work/uncounted") - $(echo "$claimed" | wc -w)))" \
			events "$(cut -d ' ' -f 1 "$work/uncounted" | grep -vxF "$(echo "$claimed" | tr ' ' '\n')" | xargs)"
		;;
	esac
	[ -z "$claimed" ]
	judge does_not_count $? "$(echo "$claimed" | wc -w)" events "$claimed"
}

# identities - a result each, named by its text
identities() {
	tr '{' '\n' < "$work/selftest.json" | sed -n \
		's/^"identity":"\([^"]*\)","outcome":"\([^"]*\)","found":"\([^"]*\)".*/\1	\2	\3/p' \
		> "$work/identities"
	while IFS='	' read -r identity outcome found; do
		case $outcome in
		holds) state=pass ;;
		fails) state=fail ;;
		*) state=not_run ;;
		esac
		result "$(echo "$identity" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9]\{1,\}/_/g; s/_$//')" \
			$state "$outcome" '' "$identity: $found"
	done < "$work/identities"
}

# --- turns: the module, perf, and the module again count on a CPU with a steady loop

# catalog - "metric formula" and "group metrics" from n3stat; events' numbers; units
catalog() {
	"$N3STAT" list metrics | sed -n 's/^\([a-z][a-z0-9_]*\)  *\([^ ].*[^ ]\)   *[(A-Z1].*$/\1	\2/p' \
		> "$work/units"
	"$N3STAT" list metrics | sed -n 's/^\([a-z][a-z0-9_]*\)  *.*   *\([(A-Z1].*\)$/\1	\2/p' |
		sed "s/5 \* CPU_CYCLES/$1 * CPU_CYCLES/; s/CPU_CYCLES \* 5/CPU_CYCLES * $1/" \
		> "$work/formulas"
	"$N3STAT" list groups | awk 'NR > 1 { print tolower($1), $NF }' > "$work/groups"
	"$N3STAT" list events | awk '/^0x/ { print $2, $1 }' > "$work/events"
	# value_of(METRIC, COUNT) in awk
	awk -F '\t' '{
		gsub(/[A-Z][A-Z0-9_]*/, "count[\"&\"]", $2)
		printf "if (metric == \"%s\") return %s\n", $1, $2
	}' "$work/formulas" | {
		echo 'function value_of(metric, count) {'
		cat
		echo '}'
	} > "$work/formulas.awk"
}

# groups_for_perf METRIC... - one group of perf for each, and "METRIC EVENT" in that order
groups_for_perf() {
	# shellcheck disable=SC2016 # of awk
	echo "$*" | awk -v pmu="$PMU" -v list="$work/counted" '
	FILENAME ~ /events$/ { code[$1] = $2; next }
	FILENAME ~ /formulas$/ {
		metric = $1
		$1 = ""
		gsub(/[^A-Z0-9_]+/, " ")
		words[metric] = $0
		next
	}
	{
		for (i = 1; i <= NF; i++) {
			n = split(words[$i], word, " ")
			group = ""
			split("", seen)
			for (j = 1; j <= n; j++) {
				if (word[j] !~ /^[A-Z]/ || word[j] in seen)
					continue
				seen[word[j]]
				group = group (group == "" ? "" : ",") pmu "/event=" code[word[j]] "/"
				print $i, word[j] > list
			}
			all = all (all == "" ? "" : ",") "{" group "}"
		}
		print all
	}' "$work/events" "$work/formulas" -
}

# perf_turn MS GROUPS - "METRIC EVENT COUNT RAW" into $work/perf
perf_turn() {
	seconds "$1"
	perf stat -x , -o "$work/perf.out" -C "$CPU" -e "$2" sleep "$seconds" \
		> "$work/said" 2>&1 || return 1
	awk -F '[ ,]' -v pmu="$PMU" '
	FNR == NR { metric[FNR] = $1; event[FNR] = $2; next }
	index($0, pmu "/") {
		n++
		share = $0 ~ /<not/ ? 0 : $5
		printf "%s %s %s %.0f\n", metric[n], event[n], $1 == "<not" ? $1 "_" $2 : $1,
			$1 * share / 100
	}
	END { exit !n }' "$work/counted" "$work/perf.out" > "$work/perf"
}

# module_turn MS GROUPS FILE
module_turn() {
	put enable 1
	put groups "$2"
	nap "$1"
	(cd "$N3T/cpu$CPU" && cat $2) > "$3"
}

# compare_turns - results of $work/first, perf and second; 1 if a metric differs
compare_turns() {
	awk -v part="$part" -v corrected="$corrected" -v units="$work/units" -f "$work/formulas.awk" \
		-f "$HERE/silicon/turns.awk" "$work/first" "$work/second" "$work/perf"
}

# turns_of GROUPS METRIC... - again if one of them differs and time is left
turns_of() {
	chosen=$1
	shift
	say "turns: $chosen"
	for_perf=$(groups_for_perf "$@")
	for _ in 1 2; do
		module_turn $turn_ms "$chosen" "$work/first"
		put enable 0
		if ! perf_turn $turn_ms "$for_perf"; then
			result "${chosen%% *}" not_run '' '' "perf: $(tail -n 1 "$work/said")"
			return
		fi
		module_turn $turn_ms "$chosen" "$work/second"
		compare_turns > "$work/compared" && break
		now
		[ $((elapsed_ms + 3 * turn_ms)) -le $turns_end ] || break
	done
	cat "$work/compared" >> "$work/results"
}

# batches METRICS - "GROUPS:METRICS" with at least that number of metrics, each once
batches() {
	awk -v least="$1" '
	FILENAME ~ /groups$/ { metrics[$1] = $2; next }
	$1 == "group" {
		n = split(metrics[$2], metric, ",")
		fresh = 0
		for (i = 1; i <= n; i++)
			if (!(metric[i] in seen)) {
				seen[metric[i]]
				list = list " " metric[i]
				fresh++
			}
		if (fresh)
			groups = groups (groups == "" ? "" : " ") $2
		nr += fresh
		if (nr >= least) {
			print groups ":" list
			groups = list = ""
			nr = 0
		}
	}
	END { if (nr) print groups ":" list }' "$work/groups" $N3T/spec
}

turns() {
	within_time turns 22 3000 || return
	has_perf || return
	# perf needs a second or two to begin on a slow machine
	least=20
	[ "$MINUTES" -ge 10 ] || least=50
	batches $least > "$work/batches"
	turns_end=$((elapsed_ms + part_ms))
	turn_ms=$((part_ms / ($(wc -l < "$work/batches") * 4)))
	busy "$CPU"
	max_cost=$(cat $N3T/max_cost)
	put max_cost 0
	while IFS=: read -r groups metrics; do
		now
		# shellcheck disable=SC2086 # one argument a metric
		if [ $((elapsed_ms + 3 * turn_ms)) -le $turns_end ]; then
			turns_of "$groups" $metrics < /dev/null
		else
			for metric in $metrics; do
				result "$metric" not_run '' '' "no time left; try a larger --minutes"
			done
		fi
	done < "$work/batches"
	put groups all
	put max_cost "$max_cost"
	idle_again
}

has_perf() {
	command -v perf > /dev/null && perf stat -x , -o /dev/null -C "$CPU" -e cycles true \
		> "$work/said" 2>&1 && return
	result perf not_run '' '' "perf cannot count; install perf (linux-tools): $(tail -n 1 "$work/said")"
	return 1
}
