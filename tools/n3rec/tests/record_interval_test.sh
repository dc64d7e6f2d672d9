# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat record INTERVAL: values of whole intervals, where the module has totals of them.

rec=$tmp/interval.rec
check=$shared/../n3stat/tests/check_intervals.py

# records ARGUMENT...: a snapshot of the interval in which the totals grow, with these arguments
# of make_tree.py
records()
{
	made_interval
	rm -f "$rec"
	run -r "$made" record -q -o "$rec" 1000 -- "$shared/make_tree.py" "$made" --cpus 4 --seed 3 "$@" &&
		text "$rec" >"$tmp/out" 2>"$tmp/err"
}

records --grown 4 && "$check" 4 4 - recording <"$tmp/out" >"$tmp/err" 2>&1
result $? "record: all values are exact for an interval in which the totals grew"

"$check" 4 4 "$tmp/of_interval" tree
run -r "$tmp/of_interval" --json -g topdown_l1,topdown_frontend,topdown_backend --per system \
	--per cpu
grep -o '"text":"[^"]*"' "$tmp/out" | sed 's/"text":"\(.*\)"/answer: \1/' >"$tmp/static"
for place in system cpu0 cpu1 cpu2 cpu3; do
	"$n3stat" report --place $place "$rec" 2>&1 | sed -n '/^answer/p'
done >"$tmp/out"
[ "$(sort -u "$tmp/out" | wc -l)" -gt 3 ] && diff "$tmp/static" "$tmp/out" >"$tmp/err"
result $? "record: the answers are those of the interval"

"$n3stat" report --stdio "$rec" >"$tmp/out" 2>"$tmp/err"
ipc=$(awk '$1 == "ipc" { print $2 }' "$tmp/of_interval/system/general")
[ "$(awk '$1 == "ipc" { printf "%.1f", $2 }' "$tmp/out")" = "$(printf %.1f "$ipc")" ] &&
	grep -Eq '^[^|]* interval [^|]* 1000 s' "$tmp/out"
result $? "report: the table is headed by the interval that a snapshot covers"
run report -o "$tmp/page.html" "$rec" &&
	grep -q '<dt>A snapshot covers the</dt><dd>interval</dd>' "$tmp/page.html"
result $? "report: so is the page"

records && ! grep -q 'bad_alloc' "$tmp/out" && [ "$(grep -c '^t ' "$tmp/out")" -eq 1 ] &&
	awk '/^[0-9]/ && $2 !~ /^[-0-9.]+:[-0-9.]+:[-0-9.]+:48[.]5:48/ { wrong++ }
		END { exit !NR || wrong }' "$tmp/out"
result $? "record: values whose totals did not grow are the window's, with coverage and slices"

made interval --cpus 1 --seed 3
echo 10 >"$made/window_ms"
begins -r "$made" record -q -o "$rec" 0.05 3
ends "$pid" && text "$rec" >"$tmp/out" && [ "$(grep -c '^t ' "$tmp/out")" -eq 3 ] &&
	run report --diff --json "$rec" "$rec" && python3 -c 'import json, sys
rows = json.load(sys.stdin)["metrics"].values()
assert rows and all(row["a_windows"] == 3 for row in rows if row["a_windows"]), rows' \
	<"$tmp/out" 2>"$tmp/err"
result $? "diff: intervals do not overlap, whenever their snapshots were taken"

made long --cpus 1
run -r "$made" record -q -o "$rec" 0.02 2 && text "$rec" >"$tmp/out" &&
	! grep -q '^about covers' "$tmp/out" && grep -qx 'about window_ms 2000' "$tmp/out"
result $? "record: windows if INTERVAL is not longer than those"
