# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Values, estimates and their intervals. To be sourced after sim.sh.

# read_quality PLACE - the quality of all groups into $tmp/quality
read_quality() {
	for file in $GROUP_FILES; do
		inferred "$1" "$file"
	done > "$tmp/quality"
}

# numbers_of KEY METRIC - from the first line of a metric in $tmp/quality
numbers_of() {
	sed -n "s/^$2 \(.* \)\{0,1\}$1=\([^ ]*\).*/\2/p" "$tmp/quality" | head -n 1
}

# are_well_formed - whether each line of $tmp/quality has the documented form, with numbers,
# and there is one for each metric of each group of the specification
are_well_formed() {
	awk '
	NR == FNR { if (!/^#/) expected += $4; next }
	{
		number = "-?[0-9]+[.][0-9]+"
		bound = "(" number "|none)"
		estimate = " estimate=" number " estimate_low=" bound " estimate_high=" bound
		line = "^[a-z0-9_]+ value=" number " low=" bound " high=" bound \
			" coverage=[0-9]+[.][0-9][0-9] slices=[0-9]+" estimate "$"
		lines++
	}
	$0 !~ line { print; wrong++ }
	END { print lines " lines"; exit wrong || lines != expected }' FS='\t' \
		"$SPEC/groups.tsv" FS=' ' "$tmp/quality"
}

# measured_and_estimated - "METRIC VALUE LOW HIGH ESTIMATE LOW HIGH" for each line of it
measured_and_estimated() {
	awk '{
		for (i = 2; i <= NF; i++) {
			split($i, pair, "=")
			of[pair[1]] = pair[2]
		}
		print $1, of["value"], of["low"], of["high"], of["estimate"],
			of["estimate_low"], of["estimate_high"]
	}' "$tmp/quality"
}

# are_what_was_measured - whether all estimates and their intervals equal the values
are_what_was_measured() {
	measured_and_estimated | awk '
	$2 != $5 || $3 != $6 || $4 != $7 { print; other++ }
	END { print NR " lines"; exit other || !NR }'
}

# number_estimated - number of metrics whose estimate differs from the value
number_estimated() {
	measured_and_estimated | awk '$2 != $5 && !($1 in seen) { seen[$1]; n++ }
		END { print n + 0 }'
}

# compare_estimates DIRECTORY NAME [VARIABLE=VALUE]... - compares the estimates there with
# those expected from $tmp/rates.NAME, as compare_cpu does with values
compare_estimates() {
	from=$1 of=$2
	shift 2
	rm -rf "$tmp/estimates"
	mkdir "$tmp/estimates"
	for file in $GROUP_FILES; do
		inferred "$from" "$file" |
			sed 's/^\([a-z0-9_]*\) .* estimate=\([^ ]*\) .*/\1 \2/' > "$tmp/estimates/$file"
	done
	awk -v cpu=": $from " -v dir="$tmp/estimates" -f "$LIB/compare.awk" \
		bar=0.005 points=0.1 counters=31 wait_for=stale "$@" \
		"$SPEC/metrics.tsv" "$SPEC/groups.tsv" "$tmp/expected.$of"
}

# hold DIRECTORY NAME - whether the intervals of its estimates exist and contain the values
# expected from $tmp/rates.NAME, with an allowance for integer counts
hold() {
	read_quality "$1"
	measured_and_estimated | awk '
	NR == FNR { expected[$1] = $2; terms[$1] = $3; next }
	{
		slack = 0.0005 * terms[$1]
		if (slack < 0.0005)
			slack = 0.0005
		if (!($1 in expected) || $6 == "none" || expected[$1] < $6 - slack ||
		    expected[$1] > $7 + slack) {
			print "expected " expected[$1] ": " $0
			wrong++
		}
		seen++
	}
	END { print seen + 0 " lines, " wrong + 0 " wrong"; exit wrong || !seen }' "$tmp/expected.$2" -
}
