# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# The simulated PMU: random rates, the values that follow from them, and comparing
# these with what the module shows. To be sourced after lib.sh.
#
# The expected values are computed here by awk, in floating point, from the
# formulas of spec/metrics.tsv: nothing of the module takes part in it.

SIM=/sys/kernel/debug/n3_sim

# random_rates SEED - "MNEMONIC rate" for every event that can be counted, from a
# thousandth of the cycles up to as many.
random_rates() {
	awk -v seed="$1" -f "$HERE/rates.awk" "$SPEC/events.tsv"
}

# The specification's formulas in awk's own language: value_of(METRIC, COUNT), terms_of() which
# adds what is subtracted, and names(LIST). SLOTS, if set, are those of a cycle of another core.
awk -F '\t' -v slots="${SLOTS:-5}" '
!/^#/ {
	sub(/5 \* CPU_CYCLES/, slots " * CPU_CYCLES", $3)
	sub(/CPU_CYCLES \* 5/, "CPU_CYCLES * " slots, $3)
	gsub(/[A-Z][A-Z0-9_]*/, "count[\"&\"]", $3)
	value = value "if (metric == \"" $1 "\") return " $3 "\n"
	gsub(/ - /, " + ", $3)
	terms = terms "if (metric == \"" $1 "\") return " $3 "\n"
	names = names " " $1
}
END {
	print "function value_of(metric, count) {\n" value "}"
	print "function terms_of(metric, count) {\n" terms "}"
	print "function names(list) { return split(\"" names "\", list, \" \") }"
}' "$SPEC/metrics.tsv" > "$tmp/formulas.awk"
cat > "$tmp/values.awk" << 'END'
{ count[$1] = $2 }
END {
	nr = names(metric)
	for (i = 1; i <= nr; i++)
		printf "%s %.15g %.15g\n", metric[i], value_of(metric[i], count),
			terms_of(metric[i], count)
}
END

# values - "METRIC VALUE TERMS" from lines "EVENT COUNT": what is right to a share of its terms
# may be far from it as a share of their difference
values() {
	awk -f "$tmp/formulas.awk" -f "$tmp/values.awk"
}

# expect CPU - the values that follow from $tmp/rates.CPU, into $tmp/expected.CPU
expect() {
	values < "$tmp/rates.$1" > "$tmp/expected.$1"
}

# set_rates CPU SEED - random rates, in one write
set_rates() {
	random_rates "$2" > "$tmp/rates.$1" && expect "$1" &&
		[ -z "$(put_file "$SIM/cpu$1/rates" "$tmp/rates.$1")" ]
}

# set_all_rates SEED CPU... - others for each of these CPUs
set_all_rates() {
	seed=$1
	shift
	for cpu; do
		set_rates "$cpu" $((seed + cpu)) || return 1
	done
}

# set_scenario CPU SCENARIO
set_scenario() {
	echo "$2" > "$SIM/cpu$1/scenario" &&
		cat "$SIM/cpu$1/rates" > "$tmp/rates.$1" && expect "$1"
}

# set_phases CPU... - two things in turn, of which slices of one set see more or less
set_phases() {
	for cpu; do
		printf 'backend_memory_bound 130000\nretiring 370000\n' > "$SIM/cpu$cpu/program" ||
			return 1
	done
}

# compare_cpu CPU [VARIABLE=VALUE]... - compares all group files of a CPU with what
# follows from its rates: every metric of every group is there, nothing else, values
# are within 0.1 percentage points (1 % in other units) and, unless they are tiny,
# within 0.2 % of the size of their terms, which leaves room for whole counts in short slices.
# Prints what is wrong and the largest error. Returns 2 if nothing is wrong but some
# values are late (stale). For the variables see compare.awk.
compare_cpu() {
	nr=$1
	shift
	awk -v cpu="$nr" -v dir="$N3T/cpu$nr" -f "$HERE/compare.awk" \
		bar=0.002 points=0.1 counters=31 wait_for=stale "$@" \
		"$SPEC/metrics.tsv" "$SPEC/groups.tsv" "$tmp/expected.$nr"
}

# compare_all [VARIABLE=VALUE]... - the same for every online CPU. On an overloaded
# machine slices take so long that a window may miss one: compare again then. With
# checkers a CPU may also get next to nothing done for a window, and a slice may be cut
# by the timer that asking perf for a counter has started.
compare_all() {
	wrong=0 late=stale
	! slow_kernel || late='stale|idle|contended'
	for cpu in ${COMPARE_CPUS:-$(online)}; do
		for try in $(seq 20); do
			said=$(compare_cpu "$cpu" "wait_for=$late" "$@")
			rc=$?
			[ $rc -eq 2 ] && [ "$try" -lt 20 ] || break
			sleep 1
		done
		echo "$said"
		[ $rc -eq 0 ] || wrong=1
	done
	return $wrong
}
