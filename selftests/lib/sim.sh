# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# The simulated PMU: random rates, the expected values, and the comparison of these with the
# module's.
#
# awk computes the expected values in floating point from the formulas of spec/metrics.tsv,
# independently of the module.

. "$(dirname "$0")/../lib/lib.sh"

SIM=/sys/kernel/debug/n3_sim
diag "SEED=$SEED"

# random_rates SEED - "MNEMONIC rate" for every event that can be counted: see rates.awk
random_rates() {
	awk -v seed="$1" -f "$LIB/issue.awk" -f "$LIB/rates.awk" "$SPEC/events.tsv"
}

# formulas TABLE - its formulas in awk: value_of(METRIC, COUNT), terms_of(), which adds what
# the formula subtracts, and names(LIST). SLOTS, if set, are the slots per cycle of another
# core.
formulas() {
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
	}' "$1"
}

formulas "$SPEC/metrics.tsv" > "$tmp/formulas.awk"
cat > "$tmp/values.awk" << 'END'
{ count[$1] = $2 }
END {
	nr = names(metric)
	for (i = 1; i <= nr; i++)
		printf "%s %.15g %.15g\n", metric[i], value_of(metric[i], count),
			terms_of(metric[i], count)
}
END

# values - "METRIC VALUE TERMS" from lines "EVENT COUNT": a small error relative to the
# terms may be a large one relative to their difference
values() {
	awk -f "$tmp/formulas.awk" -f "$tmp/values.awk"
}

# extra_members GROUP - number of the metrics of an extra group
extra_members() { awk -F '\t' -v group="$1" 'tolower($2) == group' "$SPEC/extra.tsv" | wc -l; }

# expect CPU - values expected from $tmp/rates.CPU, into $tmp/expected.CPU
expect() {
	values < "$tmp/rates.$1" > "$tmp/expected.$1"
}

# tree_losses CPU - losses by $tmp/expected.CPU, the largest first: share and metric
tree_losses() {
	awk -f "$LIB/tree_losses.awk" "$tmp/expected.$1" "$SPEC/groups.tsv" "$SPEC/tree.tsv"
}

# set_rates CPU SEED - random rates, in one write
set_rates() {
	random_rates "$2" > "$tmp/rates.$1" && expect "$1" &&
		[ -z "$(put_file "$SIM/cpu$1/rates" "$tmp/rates.$1")" ]
}

# set_all_rates SEED [CPU]... - different ones for each of these CPUs, or all online CPUs
set_all_rates() {
	seed=$1
	shift
	# shellcheck disable=SC2046 # one argument a CPU
	[ $# -gt 0 ] || set -- $(online)
	for cpu; do
		set_rates "$cpu" $((seed + cpu)) || return 1
	done
}

# begin_sim CPUS [PARAMETER=VALUE]... - three checks: both modules load, and the simulated PMU
# counts at random rates on these CPUs, or on all online ones if the list is empty
begin_sim() {
	rated=$1
	shift
	check "n3_sim loads" load n3_sim
	# shellcheck disable=SC2086 # one argument a CPU
	check "n3_sim accepts random rates on CPUs ${rated:-all}" set_all_rates "$SEED" $rated
	check "n3_telemetry loads on n3_sim${*:+ with $*}" load n3_telemetry pmu=n3_sim "$@"
}

# set_scenario CPU SCENARIO
set_scenario() {
	echo "$2" > "$SIM/cpu$1/scenario" &&
		cat "$SIM/cpu$1/rates" > "$tmp/rates.$1" && expect "$1"
}

# set_phases CPU... - two alternating phases, which the slices of a set see in varying
# proportions
set_phases() {
	for cpu; do
		printf 'backend_memory_bound 130000\nretiring 370000\n' > "$SIM/cpu$cpu/program" ||
			return 1
	done
}

# compare_cpu CPU [VARIABLE=VALUE]... - compares all group files of a CPU with the values
# expected from its rates: every metric of every group is present and no other, values are
# within 0.1 percentage points (1 % in other units) and, unless they are tiny, within 0.2 %
# of the size of their terms, which allows for integer counts in short slices. Prints
# mismatches and the largest error. Returns 2 if the only mismatch is late values (stale).
# For the variables see compare.awk.
compare_cpu() {
	nr=$1
	shift
	awk -v cpu="$nr" -v dir="$N3T/cpu$nr" -f "$LIB/compare.awk" \
		bar=0.002 points=0.1 counters=31 wait_for=stale "$@" \
		"$SPEC/metrics.tsv" "$SPEC/groups.tsv" "$tmp/expected.$nr"
}

# check_published [VARIABLE=VALUE]... - compares the published values of CPU 0 with the expected
# ones; words instead of a value are allowed. Adds to $checks, $numbers and $wrong.
check_published() {
	compare_cpu 0 'pass=contended|idle|stale|unplaced' "$@" > "$tmp/values"
	[ $? -ne 1 ] || { wrong=$((wrong + 1)); sed 's/^/# /' "$tmp/values"; }
	checks=$((checks + 1))
	numbers=$((numbers + $(sed -n 's/.*: \([0-9]*\) numbers.*/\1/p' "$tmp/values")))
}

# compare_all [VARIABLE=VALUE]... - the same for every online CPU. On an overloaded machine
# slices may take long enough for a window to miss one, so the comparison is repeated. With
# checkers a CPU may also do next to nothing for a window, and the timer started by a
# request for a counter may cut a slice.
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
