# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat report --diff: change, relative change, units, warnings, JSON. Expected numbers
# are computed in Python from the input of the recordings.

mkdir "$tmp/pair"
"$here/make_pair.py" "$tmp/pair" 2>"$tmp/err" || cat "$tmp/err"
run report --diff "$tmp/pair/a" "$tmp/pair/b"
[ ! -s "$tmp/err" ] && sed '1,4d; /^$/d' "$tmp/out" | tr -s ' ' |
	diff "$tmp/pair/table" - >"$tmp/diff" &&
	grep -Eq '^metric +A +B +change +error +change of A +unit of A and B +verdict$' "$tmp/out"
result $? "report --diff: change in the metric's unit and in percent of A, error and verdict"
run report --diff --to 0 "$tmp/pair/a" "$tmp/pair/b"
grep -Eq '^dtlb_mpki +3.98 +7.98 +\+4.00 +none +\+100.5 % +MPKI +too few windows$' "$tmp/out" &&
	grep -q '^7 metrics have no verdict: fewer than 5 ' "$tmp/out" &&
	tail -n 1 "$tmp/out" | grep -q '^0 of 0 compared '
result $? "report --diff: a single window has neither an error nor a verdict"

run report --diff --json "$tmp/pair/a" "$tmp/pair/b"
"$here/check_diff.py" "$tmp/out" "$tmp/pair" >"$tmp/wrong" 2>"$tmp/err"
result $? "report --diff --json: place, files and all metrics as computed"
run report --diff --json "$tmp/pair/a" "$tmp/pair/other"
python3 - "$tmp/out" >"$tmp/wrong" 2>&1 <<-'END'
	import json, sys
	have = json.load(open(sys.argv[1]))
	assert have["simulated"] is True
	differs = ["host", "kernel", "pmu", "core", "simulated", "window_ms"]
	assert have["differs"] == differs, have["differs"]
END
[ $? -eq 0 ] && [ "$(wc -l <"$tmp/err")" -eq 6 ]
result $? "report --diff --json: names differences and simulated counts"

run report --diff "$tmp/pair/a" "$tmp/pair/other"
said=$(sed -n 's/^n3stat report: .* workload: \(.*\) \[recordings_differ\]$/\1/p' "$tmp/err")
[ "$said" = "host: one in A, two in B
kernel: 6.1.0 in A, 6.12.0 in B
PMU: armv8_pmuv3_0 in A, n3_sim in B
core: Neoverse N3 in A, Neoverse V2 (0xd4f) in B
simulated counts: no in A, yes in B
window_ms: 2000 in A, 1000 in B" ] && ! grep -q '^A: .*simulated' "$tmp/out" &&
	head -n 1 "$tmp/out" | grep -q '^B: simulated counts (n3_sim)$'
result $? "report --diff: warns of another host, kernel, PMU, core, window and of simulated counts"
run report --diff "$tmp/pair/a" "$tmp/pair/same_but_host"
[ "$(wc -l <"$tmp/err")" -eq 1 ] && has_message recordings_differ 'host: one in A, two in B'
result $? "report --diff: no other warnings"
run report --diff "$tmp/pair/bare" "$tmp/pair/b"
[ "$(wc -l <"$tmp/err")" -eq 4 ] && has_message recordings_differ 'kernel: .* in A, 6.1.0 in B'
result $? "report --diff: warns of facts known of only one recording"
run report --diff "$tmp/pair/bare" "$tmp/pair/bare" && [ ! -s "$tmp/err" ]
result $? "report --diff: does not warn of facts known of neither"

# columns FILE COLUMN=VALUE...: a recording of one snapshot
columns()
{
	columns_file=$1
	shift
	{
		printf 'n3stat-recording 1\nplaces cpu0\ncolumns'
		printf ' %s' "$@" | sed 's/=[^ ]*//g'
		printf '\nt 100\n0'
		printf ' %s' "$@" | sed 's/ [^ ]*=/ /g'
		printf '\nend\n'
	} | pack >"$columns_file"
}
columns "$tmp/many" general.ipc=2 mpki.ipc=2 general.cpi=0.5 mpki.l1d_cache_mpki=7 general.m1=1
columns "$tmp/fewer" mpki.ipc=3 mpki.cpi=0.25 mpki.m2=1 mpki.m3=1 general.m3=2 \
	mpki.m4=6
# ipc and cpi are in both; l1d_cache_mpki and m1 in one, m2, m3 and m4 in the other
for order in "many fewer 2 3" "fewer many 3 2"; do
	# shellcheck disable=SC2086 # words
	set -- $order
	run report --diff --json "$tmp/$1" "$tmp/$2" && python3 -c 'import json, sys
metrics = json.load(sys.stdin)["metrics"]
many, few = ("a", "b") if sys.argv[1] == "many" else ("b", "a")
numbers = {name: (metric[many], metric[few]) for name, metric in metrics.items()}
assert numbers == {"ipc": (2, 3), "cpi": (0.5, 0.25)}, metrics' "$1" \
		<"$tmp/out" 2>"$tmp/wrong" && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		has_message metrics_not_compared " $3 in A and $4 in B"
	result $? "report --diff: a metric in another group of the other, metrics in only one: $1, $2"
done

refuses 2 conflicting_options "report: refuses --json with -o" report --json -o - "$tmp/pair/a"
refuses 4 "no_such_place cpu7" "report --diff --json: names a place that was not recorded" \
	report --diff --json --place cpu7 "$tmp/pair/a" "$tmp/pair/b"
"$n3stat" report --diff --json "$tmp/pair/a" "$tmp/pair/b" >/dev/full 2>"$tmp/err"
[ $? -eq 1 ] && has_message cannot_write 'No space left on device'
result $? "report --diff: reports a full disk"

# Names with control characters, invalid UTF-8 and special characters of JSON.
odd=$tmp/pair/$(printf 'a\033[31m\302\233\377"\\b')
cp "$tmp/pair/a" "$odd"
known_as="$tmp/pair/a?[31m???\"\\b"
run report --diff "$odd" "$tmp/pair/b" && [ ! -s "$tmp/err" ] &&
	grep -qxF "A: $known_as, system, 6 snapshots" "$tmp/out"
result $? "report --diff: control characters of a file's name never reach the terminal"
run report --diff --json "$odd" "$odd" && python3 - "$tmp/out" "$known_as" 2>"$tmp/err" <<-'END'
	import json, sys
	have = json.loads(open(sys.argv[1], "rb").read().decode("utf-8"))
	assert have["a"]["file"] == have["b"]["file"] == sys.argv[2], have["a"]["file"]
END
result $? "report --diff --json: is valid JSON for any file names"

# with five snapshots t is 2.776: 2.776 * stdev / sqrt(5) of each, both in quadrature
pack <"$shared/golden/a.txt" >"$tmp/a.rec"
pack <"$shared/golden/b.txt" >"$tmp/b.rec"
cd "$tmp" || exit 1
run report --diff --place cpu0 a.rec b.rec
cd - >/dev/null || exit 1
golden diff.txt "report --diff: the whole table"
