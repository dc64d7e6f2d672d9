# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat baseline, and marks of --baseline.
# on: test-long

known=$many/base-known
mkdir "$known"

# recordings N: the names of the first N recordings
recordings()
{
	seq -f "$known/%g.rec" "$1"
}

# --- percentiles

"$here/check_baseline.py" record "$plain_n3stat" "$known" 120 >"$tmp/out" 2>"$tmp/err"
result $? "baseline: 120 recordings of known values"
for nr in 120 100 99 20 19 4 1; do
	# shellcheck disable=SC2046 # names without blanks
	run baseline -o "$tmp/$nr.base" $(recordings $nr)
	"$here/check_baseline.py" check "$known" $nr "$tmp/$nr.base" >"$tmp/out" 2>&1
	result $? "baseline: $nr snapshots give the supported percentiles and their values"
done
# shellcheck disable=SC2046
run baseline -o "$tmp/20.base" $(recordings 20) && [ ! -s "$tmp/out" ] && has_message few_samples "" 0 &&
	grep -Eq '^cpu: 20 .* 20 ' "$tmp/err"
result $? "baseline: reports the number of independent snapshots"
# shellcheck disable=SC2046
run baseline -o "$tmp/19.base" $(recordings 19) &&
	has_message few_samples ' 0.2 s' 3
result $? "baseline: reports that 19 are too few for marks"
[ "$(stat -c %a "$tmp/20.base")" = 600 ]
result $? "baseline: the file is readable by its owner only"
# shellcheck disable=SC2046
run baseline -o - $(recordings 20) && cmp -s "$tmp/out" "$tmp/20.base"
result $? "baseline: -o - writes to the standard output"
run baseline "$tmp/120.base" && "$here/check_baseline.py" table "$tmp/120.base" <"$tmp/out" 2>"$tmp/err" &&
	run baseline "$tmp/99.base" && "$here/check_baseline.py" table "$tmp/99.base" <"$tmp/out" 2>"$tmp/err" &&
	grep -qx -- '-: too few independent snapshots; p5 and p95 need 20, p1 and p99 100' "$tmp/out"
result $? "baseline: prints every percentile of a file"
run baseline "$tmp/120.base" && [ "$(wc -L <"$tmp/out")" -le 110 ]
result $? "baseline: the table is no wider than 110 columns"

# key FILE EXPRESSION: evaluates an expression of the baseline b
key()
{
	python3 -c 'import json, sys; b = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$@"
}
# shellcheck disable=SC2046
run baseline -o "$tmp/twice.base" $(recordings 30) $(recordings 30)
[ "$(key "$tmp/twice.base" 'b["scopes"]["cpu"]["independent"], b["scopes"]["cpu"]["metrics"]["ipc"]["independent"], b["scopes"]["cpu"]["metrics"]["ipc"]["values"]')" = "(30, 30, 180)" ]
result $? "baseline: recordings given twice are not independent of each other"

# timed_lines WINDOW_MS TIME...: snapshots at these times
timed_lines()
{
	printf '%s\n' 'n3stat-recording 1' "about window_ms $1" 'places cpu0' 'columns general.ipc'
	shift
	for at; do
		printf 't %s\n0 1.%s:-:-:5:5\nend\n' "$at" "${at%.*}"
	done
}
timed()
{
	timed_lines "$@" | pack
}
# window in ms | times | number of non-overlapping snapshots
status=0
while IFS='|' read -r window times want; do
	# shellcheck disable=SC2086 # times are several
	timed "$window" $times >"$tmp/timed.rec"
	run baseline -o "$tmp/timed.base" "$tmp/timed.rec"
	[ "$(key "$tmp/timed.base" 'b["scopes"]["cpu"]["metrics"]["ipc"]["independent"]')" = "$want" ] || {
		status=1
		echo "$window $times: not $want"
	}
done >"$tmp/wrong" <<'END'
2000|100.000 102.000 104.000 106.000|4
2000|100.000 101.990 103.980 105.970|4
2000|100.000 101.900 103.800 105.700|2
2000|100.000 100.500 101.000 101.500 102.000 102.500 103.000 103.500 104.000|3
500|100.000 100.500 101.000 101.500 102.000|5
2000|100.000 100.100 100.200|1
60000|100.000 120.000 140.000 160.000 180.000 200.000 220.000|3
END
mv "$tmp/wrong" "$tmp/out"
result $status "baseline: snapshots whose windows overlap are counted once"

timed 2000 100.000 102.000 >"$tmp/timed.rec"
timed 500 200.000 200.500 201.000 >"$tmp/timed2.rec"
run baseline -o "$tmp/timed.base" "$tmp/timed.rec" "$tmp/timed2.rec" &&
	has_message windows_differ 'timed2.rec .*0.5 s.* 2 s' &&
	[ "$(key "$tmp/timed.base" 'b["scopes"]["cpu"]["metrics"]["ipc"]["independent"]')" = 3 ]
result $? "baseline: a warning of different windows, the longest of which separates snapshots"
run baseline -o "$tmp/timed.base" "$tmp/timed.rec" "$tmp/timed.rec" && has_message windows_differ "" 0
result $? "baseline: no warning of equal windows"

# --- errors

refuses 2 missing_argument "baseline: without arguments" baseline
refuses 2 missing_argument "baseline: -o without a recording" baseline -o "$tmp/no.base"
refuses 2 too_many_arguments "baseline: two files without -o" baseline \
	"$tmp/20.base" "$tmp/19.base"
refuses 1 not_a_baseline "baseline: a recording without -o" baseline "$known/1.rec"
refuses 1 not_a_recording "baseline: from a baseline" baseline -o "$tmp/no.base" "$tmp/20.base"
refuses 1 "cannot_read nothing.rec" "baseline: from a missing file" baseline \
	-o "$tmp/no.base" "$known/1.rec" "$tmp/nothing.rec"
refuses 1 "cannot_read nothing.base" "baseline: a missing file" baseline "$tmp/nothing.base"
timed 2000 >"$tmp/empty.rec"
refuses 1 "empty_recording empty.rec" "baseline: from a recording without a snapshot" baseline \
	-o "$tmp/no.base" "$tmp/empty.rec"
made base-sim --cpus 1
run -r "$made" record -q -o "$tmp/base-sim.rec" 0.05 1
refuses 2 "recordings_differ base-sim.rec" "baseline: simulated counts are not mixed with others" \
	baseline -o "$tmp/no.base" "$known/1.rec" "$tmp/base-sim.rec"
cp -r "$known/tree" "$tmp/base-v2"
echo 'core Neoverse V2 (0xd4f): not a Neoverse N3' >>"$tmp/base-v2/spec"
run -r "$tmp/base-v2" record -q -o "$tmp/base-v2.rec" 0.05 1
refuses 2 "recordings_differ base-v2.rec" "baseline: two kinds of cores are not mixed" baseline -o "$tmp/no.base" \
	"$known/1.rec" "$tmp/base-v2.rec"
[ ! -e "$tmp/no.base" ]
result $? "baseline: no file after an error"
cp "$known/1.rec" "$tmp/base-kept.rec"
ln -s base-kept.rec "$tmp/base-link.rec"
refuses 2 "input_is_output base-kept.rec" "baseline: does not overwrite its input" baseline \
	-o "$tmp/base-link.rec" "$tmp/base-kept.rec"
cmp -s "$known/1.rec" "$tmp/base-kept.rec"
result $? "baseline: the recording stays as it was"
timed 2000 100.000 102.000 | head -c -5 >"$tmp/base-cut.rec"
run baseline -o "$tmp/base-cut.base" "$tmp/base-cut.rec" && has_message incomplete_recording 'base-cut.rec: .* 1 complete snapshot ' &&
	[ "$(key "$tmp/base-cut.base" 'b["scopes"]["cpu"]["snapshots"]')" = 1 ]
result $? "baseline: uses the complete part of a truncated recording, with a warning"

# damaged EXPRESSION: the baseline b, modified by an expression
damaged()
{
	python3 -c 'import json, sys; b = json.load(open(sys.argv[1])); exec(sys.argv[3]); json.dump(b, open(sys.argv[2], "w"))' \
		"$tmp/120.base" "$tmp/damaged.base" "$1"
}
ipc='b["scopes"]["cpu"]["metrics"]["ipc"]'
for change in 'b["format"] = "x"' 'del b["format"]'; do
	damaged "$change"
	refuses 1 not_a_baseline "baseline: damaged by $change" baseline "$tmp/damaged.base"
done
damaged 'b["version"] = 2'
refuses 1 "unknown_version 2" "baseline: a newer version" baseline "$tmp/damaged.base"
# change | the named field
while IFS='|' read -r change field; do
	damaged "$change"
	refuses 1 "damaged_baseline '$field'" "baseline: damaged by $change" baseline "$tmp/damaged.base"
done <<END
b["version"] = "1"|version
del b["scopes"]|scopes
b["scopes"] = []|scopes
b["scopes"]["cpu"] = 5|cpu
del b["hosts"]|hosts
b["kernels"] = [5]|kernels
b["simulated"] = 0|simulated
b["window_ms"] = 0|window_ms
b["core"] = None|core
$ipc = None|metrics
${ipc}["values"] = -1|values
${ipc}["percentiles"] = 7|percentiles
${ipc}["percentiles"]["p5"] = 1e300|ipc
${ipc}["percentiles"]["p5"] = "x"|ipc
${ipc}["percentiles"]["p5"] = float("inf")|ipc
b["scopes"]["cpu"]["metrics"]["m" * 64] = $ipc|metrics
END
for text in '' '{' '[]' '5' 'null' '{}' "$(printf '%0200d' 0 | tr 0 '[')"; do
	printf '%s' "$text" >"$tmp/damaged.base"
	refuses 1 not_a_baseline "baseline: a file with '$(echo "$text" | head -c 10)' alone" baseline "$tmp/damaged.base"
done
damaged 'b["hosts"] = ["a\u001b[2Jb", "c"]'
run baseline "$tmp/damaged.base" && grep -qx 'hosts:      a?\[2Jb, c' "$tmp/out"
result $? "baseline: control characters of a file never reach the terminal"

odd=$tmp/$(printf 'red\033[31m\302\233\377.base')
known_as="$tmp/red?[31m???.base"
cp "$tmp/120.base" "$odd"
run baseline "$odd" && grep -qxF "baseline:   $known_as" "$tmp/out" &&
	run explain ipc -b "$odd" && grep -qxF "baseline: $known_as" "$tmp/out" &&
	run -r "$known/tree" --per cpu -b "$odd" &&
	grep -qF "^ above p95, v below p5 of $known_as (" "$tmp/out"
result $? "baseline: control characters of a file's name never reach the terminal"

# --- marks

made base-marked --cpus 6 --nodes 2
# without an interval, and without a number
sed -i 's/^retiring \(.*\) estimate_low=.*/retiring \1 estimate_low=none estimate_high=none/' "$made/cpu1/quality/topdown_l1"
sed -i 's/=[^ ]*/=idle/' "$made/cpu2/quality/topdown_backend"
sed -i 's/ .*/ idle/' "$made/cpu2/topdown_backend"
"$here/check_marks.py" make "$made" "$tmp/m.base"
all="--per cpu --per node --per system"
for what in table:-g,all tree:tree brief: json:--json,-g,all; do
	# shellcheck disable=SC2046,SC2086 # words
	run -r "$made" $(echo "${what#*:}" | tr , ' ') $all --baseline "$tmp/m.base" && [ ! -s "$tmp/err" ] &&
		"$here/check_marks.py" "${what%%:*}" "$made" "$tmp/m.base" <"$tmp/out" >"$tmp/err" 2>&1
	result $? "--baseline: ${what%%:*} marks exactly the values wholly beyond"
done
# except for marks and their legend, the output is the same without a baseline
status=0
for what in -g,all -g,mpki -m,ipc,-m,retiring,-t ''; do
	for often in '' '0.01 2'; do
		# shellcheck disable=SC2046,SC2086
		run -r "$made" $(echo "$what" | tr , ' ') $all $often
		sed 's/ *$//; s/^20[-0-9]* [:0-9]*[.][0-9]* //' "$tmp/out" >"$tmp/expected"
		# shellcheck disable=SC2046,SC2086
		run -r "$made" $(echo "$what" | tr , ' ') $all $often -b "$tmp/m.base"
		legends=$(grep -c "^\^ above p95, v below p5 of $tmp/m.base, simulated counts " "$tmp/out")
		sed '/^\^ above/d; s/\([0-9]\)[v^]/\1 /g; s/ *$//; s/^20[-0-9]* [:0-9]*[.][0-9]* //' "$tmp/out" |
			diff "$tmp/expected" - >"$tmp/wrong" && [ "$legends" -ge 1 ] || status=1
	done
done
mv "$tmp/wrong" "$tmp/out"
result $status "--baseline: marks do not move columns of tables and lines"
run -r "$made" --per cpu -b "$tmp/m.base" && tail -n 1 "$tmp/out" | grep -q '^^ above p95' &&
	run -r "$made" --per cpu -b "$tmp/m.base" 0.01 2 && sed -n 3p "$tmp/out" | grep -q '^^ above p95' &&
	[ "$(grep -c '^^ above' "$tmp/out")" -eq 1 ]
result $? "--baseline: the legend is below a table, and above the header of several"
made base-long --cpus 2
mv "$made/cpu1" "$made/cpu8191"
printf 'path backend_bound 99 1\npath backend_core_bound 99 1\npath backend_core_rename_bound 99 1\n%s\n%s\n' \
	'loss backend_core_rename_bound 97 1' 'found backend_core_rename_bound' >"$made/cpu8191/bottleneck"
"$here/check_marks.py" make "$made" "$tmp/long.base"
cd "$tmp" || exit 1
run -r "$made" --per cpu --per system -b long.base && [ "$(grep -v '^^' "$tmp/out" | wc -L)" -le 80 ]
result $? "--baseline: the longest lines fit 80 columns"
cd - >/dev/null || exit 1
if command -v script >/dev/null; then
	script -qc "stty cols 80; '$n3stat' -r '$made' tree --per cpu -b '$tmp/long.base'" /dev/null </dev/null 2>"$tmp/err" |
		tr -d '\r' | sed 's/\x1b\[[0-9]*m//g' >"$tmp/out"
	grep -q '%[v^]$' "$tmp/out" && ! grep -q '| .*[.][.]' "$tmp/out" && [ "$(grep '|.*%' "$tmp/out" | wc -L)" -le 80 ]
	result $? "tree --baseline: on 80 columns it has marks, and no ranges"
else
	skip "tree --baseline: on 80 columns it has marks, and no ranges" "no script(1)"
fi

made=$many/base-marked
run -r "$made" --per cpu -b "$tmp/m.base" && mv "$tmp/out" "$tmp/expected" &&
	N3STAT_BASELINE=$tmp/m.base run -r "$made" --per cpu && cmp -s "$tmp/out" "$tmp/expected" &&
	N3STAT_BASELINE='' run -r "$made" --per cpu && ! grep -q above "$tmp/out" &&
	N3STAT_BASELINE=$tmp/nothing run -r "$made" --per cpu -b "$tmp/m.base" && cmp -s "$tmp/out" "$tmp/expected"
result $? "N3STAT_BASELINE: is used without --baseline"
N3STAT_BASELINE=$tmp/nothing.base refuses 1 "cannot_read nothing.base" "N3STAT_BASELINE: names a missing file" \
	-r "$made" --per cpu
run -r "$made" --csv --per cpu && sed 's/^[0-9.]*//' "$tmp/out" >"$tmp/expected" &&
	N3STAT_BASELINE=$tmp/m.base run -r "$made" --csv --per cpu && sed 's/^[0-9.]*//' "$tmp/out" | cmp -s - "$tmp/expected"
result $? "--csv: has no marks of N3STAT_BASELINE"
refuses 2 conflicting_options "--csv: refuses --baseline" -r "$made" --csv -b "$tmp/m.base"
refuses 1 not_a_baseline "--baseline: refuses a recording" -r "$made" -b "$known/1.rec"

run explain ipc retiring -b "$tmp/120.base" &&
	[ "$(grep -c "^baseline: $tmp/120.base\$" "$tmp/out")" -eq 2 ] &&
	[ "$(awk '$1 ~ /^(CPUs|nodes|system)$/ && NF == 9' "$tmp/out" | wc -l)" -eq 6 ] &&
	[ "$(awk '$1 == "CPUs" { print $7 }' "$tmp/out" | head -n 1)" = \
	"$(key "$tmp/120.base" '"%.4f" % b["scopes"]["cpu"]["metrics"]["ipc"]["percentiles"]["p95"]')" ]
result $? "explain --baseline: prints the ranges of a metric"
run explain ll_cache_read_mpki -b "$tmp/120.base" && grep -qx '  no value of this metric' "$tmp/out" &&
	run explain ipc && ! grep -q baseline "$tmp/out"
result $? "explain --baseline: reports that a baseline has no value; no message without a baseline"

# --- mismatches

run -r "$known/tree" --per cpu -g general -b "$tmp/m.base" && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
	has_message baseline_differs "m.base .*simulated.* real"
result $? "--baseline: warns of a baseline of simulated counts"
run -r "$made" --per cpu -g general -b "$tmp/20.base" && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
	has_message baseline_differs "20.base .*real.* simulated"
result $? "--baseline: warns that the counts are simulated"
run -r "$tmp/base-v2" --per cpu -g general -b "$tmp/20.base" && has_message baseline_differs \
	'20.base .*Neoverse N3.* Neoverse V2'
result $? "--baseline: warns of another core"
run baseline -o "$tmp/base-v2.base" "$tmp/base-v2.rec" && run -r "$tmp/base-v2" --per cpu -g general -b "$tmp/base-v2.base" &&
	[ ! -s "$tmp/err" ] && run -r "$known/tree" --per cpu -g general -b "$tmp/base-v2.base" &&
	has_message baseline_differs 'v2.base .*Neoverse V2 .*Neoverse N3'
result $? "--baseline: of another core warns on a Neoverse N3, but not there"

# A directory in place of the module's, in the mount namespace of this shell.
live()
{
	unshare -m sh -c 'mount -t tmpfs none /sys/kernel && cp -r "$1" /sys/kernel/n3_telemetry && shift && "$@"' - \
		"$known/tree" "$n3stat" "$@" >"$tmp/out" 2>"$tmp/err"
}
name="baseline: has the machine and its kernel, and warns on another kernel"
if [ ! -e /sys/kernel/n3_telemetry ] && unshare -m mount -t tmpfs none /sys/kernel 2>/dev/null; then
	live record -q --per cpu -g general -o "$tmp/live.rec" 0.05 1
	run baseline -o "$tmp/live.base" "$tmp/live.rec"
	[ "$(key "$tmp/live.base" 'b["hosts"] + b["kernels"]')" = "['$(uname -n)', '$(uname -r)']" ] &&
		live -g general -b "$tmp/live.base" && [ ! -s "$tmp/err" ] &&
		sed "s/\"$(uname -r)\"/\"6.1.0-other\"/" "$tmp/live.base" >"$tmp/other.base" &&
		live -g general -b "$tmp/other.base" && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		has_message baseline_differs "other.base .*kernel 6.1.0-other.* $(uname -r)" &&
		run -r "$known/tree" --per cpu -g general -b "$tmp/other.base" && [ ! -s "$tmp/err" ]
	result $? "$name"
else
	skip "$name" "needs root and a mount namespace"
fi
