# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Reports of tools/dev/silicon.sh in the emulated machines whose rates are known. To be sourced
# after n3.sh.

SILICON=/silicon/silicon.sh
REPORT=$tmp/report

# run_silicon OPTION... - instead of this shell, with a loop that costs the host little
run_silicon() {
	rm -rf "$REPORT"
	exec env LOOP="$LIB/spin 300 1000" "$SILICON" \
		--module "${MODULE:-$MODULES/n3_telemetry.ko}" -o "$REPORT" "$@" > "$tmp/shown" 2>&1
}

# start OPTION... - a run, $run
start() {
	rm -f "$tmp/shown"
	run_silicon "$@" &
	run=$!
}

# signalled SIGNAL WORDS OPTION... - a run that receives the signal when it shows the words, in the
# foreground, where SIGINT is not ignored
signalled() {
	signal=$1 words=$2
	shift 2
	rm -f "$tmp/shown"
	(
		wait_until grep -q "$words" "$tmp/shown" > /dev/null 2>&1
		kill -"$signal" "$(sed -n 's/^main \([0-9]*\) .*/\1/p' /run/n3_silicon.state)"
	) &
	(run_silicon "$@")
	rc=$?
	read_report
}

# end - its status in $rc, its results as "PART.ID STATE VALUE DETAIL" with tabs in $tmp/results
end() {
	wait $run
	rc=$?
	read_report
}

silicon() { start "$@"; end; }

read_report() {
	awk -F '"' '/"part":/ {
		detail = $0
		sub(/.*"detail":"/, "", detail)
		sub(/"}.*/, "", detail)
		for (i = 2; $i != "part"; i++)
			;
		printf "%s.%s\t%s\t%s\t%s\n", $(i + 2), $(i + 6), $(i + 10), $(i + 14), detail
	}' "$REPORT/report.json" > "$tmp/results"
	sed 's/^/# /' "$REPORT/report.txt"
}

# result_of PART.ID COLUMN
result_of() { awk -F '\t' -v id="$1" -v column="$2" '$1 == id { print $column }' "$tmp/results"; }
state_of() { result_of "$1" 2; }
# results_with STATE - their ids
results_with() { awk -F '\t' -v state="$1" '$2 == state { print $1 }' "$tmp/results"; }

# rates_of_report - $tmp/known, the rates of the CPU of the report, and $tmp/expected, their values
rates_of_report() {
	cpu=$(sed -n 's/^"cpu":"\([0-9]*\)",*$/\1/p' "$REPORT/report.json")
	cp "$tmp/rates.$cpu" "$tmp/known"
	values < "$tmp/known" > "$tmp/expected"
}

# turns_match - whether each metric of the specification with a value has that of the rates: within
# 0.3 % of its terms, or the tolerance of integers in short slices
turns_match() {
	rates_of_report
	awk -F '[\t ]' '
	function size(x) { return x < 0 ? -x : x + 0 }
	FNR == NR { expected[$1] = $2; terms[$1] = size($3); next }
	sub(/^turns\./, "", $1) && ($1 in expected) && $3 ~ /^-?[0-9]/ {
		nr++
		if (size($3 - expected[$1]) > 0.003 * terms[$1] + 0.0002) {
			print $1, $3, "expected", expected[$1]
			wrong++
		}
		if ($2 == "fail") {
			print $1, "fails"
			wrong++
		}
	}
	END { print nr + 0, "metrics,", wrong + 0, "wrong"; exit wrong > 0 || nr < least }' \
		least="$1" "$tmp/expected" "$tmp/results"
}

# identities_match - whether each identity of the report fails exactly if the rates violate it
identities_match() {
	rates_of_report
	awk -F '\t' '
	function size(x) { return x < 0 ? -x : x }
	function fails(text,    word, n, i, sum, larger) {
		if (text ~ /^[A-Z0-9_]+ <= [A-Z0-9_]+$/) {
			split(text, word, " <= ")
			return rate[word[1]] > rate[word[2]]
		}
		if (text ~ /^[A-Z0-9_]+ = [A-Z0-9_]+( \+ [A-Z0-9_]+)?$/) {
			n = split(text, word, " = | \\+ ")
			for (i = 2; i <= n; i++)
				sum += rate[word[i]]
			larger = rate[word[1]] > sum ? rate[word[1]] : sum
			return size(rate[word[1]] - sum) > 0.01 * larger
		}
		return text ~ /of a loop/
	}
	FNR == NR { split($0, field, " "); rate[field[1]] = field[2]; next }
	$1 ~ /^selftest\./ && match($4, / ?: /) && $3 ~ /^(holds|fails)$/ {
		text = substr($4, 1, RSTART - 1)
		nr++
		failing += $2 == "fail"
		if (($2 == "fail") != fails(text)) {
			print $1, $2, "wrongly:", $4
			wrong++
		}
	}
	END { print nr, "identities,", failing, "fail,", wrong + 0, "wrong"; exit wrong || nr < 15 }' \
		"$tmp/known" "$tmp/results"
}

# sums_match - the same of shares of stalls that should add up
sums_match() {
	rates_of_report
	for end in frontend backend; do
		sum=$(awk -v metrics=" ${end}_mem_bound ${end}_core_bound " \
			'index(metrics, " " $1 " ") { sum += $2 } END { print sum }' "$tmp/expected")
		want=$(awk -v sum="$sum" 'BEGIN { print (sum >= 99 && sum <= 101 ? "pass" : "fail") }')
		echo "$end $sum: $want"
		[ "$(state_of "coherence.${end}_stalls")" = "$want" ] || return 1
	done
}

# other_failures - ids that fail, except those
other_failures() {
	awk -F '\t' '$2 == "fail" && !($1 ~ /^selftest/ && $3 == "fails") &&
		$1 !~ /^coherence[.](front|back)end_stalls$/ { print $1 }' "$tmp/results" | xargs
}

# as_before - whether nothing of a run is left
as_before() {
	ls -d /run/n3_silicon.state $N3T 2> /dev/null && return 1
	ps | grep -E '[/]silicon/silicon.sh|[s]pin 300|[p]erf (stat|record)' && return 1
	[ "$(online)" = "$were_online" ]
}
