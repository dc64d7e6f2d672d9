# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat INTERVAL: values of the whole interval, where the module has totals of it.

# grows ARGUMENT...: prints rows, between two of which the totals grow
grows()
{
	made_interval
	begins -r "$made" "$@" 0.1
	within 60 "the first row" has_lines "$tmp/out" "$row" && holds "$pid" &&
		made interval --cpus 4 --seed 3 --grown 4 &&
		before=$(grep -Ec "$row" "$tmp/out") && kill -CONT "$pid" &&
		within 60 "two more rows" has_rows $((before + 2 * places))
	grown=$?
	stops
	return $grown
}

has_rows()
{
	[ "$(grep -Ec "$row" "$tmp/out")" -ge "$1" ]
}

# is_expected FORMAT: the last rows are those that follow from the counts
is_expected()
{
	sed "\$d" "$tmp/out" >"$tmp/rows" &&
		"$here/check_intervals.py" 4 4 "$tmp/of_interval" "$1" <"$tmp/rows" >"$tmp/err" 2>&1
}

row='"schema"' places=1
grows --json -g all --per system --per cpu && is_expected json
result $? "--json: all metrics are exact for an interval in which the totals grew"

"$here/check_intervals.py" 4 4 "$tmp/of_interval" tree
run -r "$tmp/of_interval" --json -g topdown_l1,topdown_frontend,topdown_backend --per system \
	--per cpu
cp "$tmp/out" "$tmp/static"
grows --json -g topdown_l1,topdown_frontend,topdown_backend --per system --per cpu
is_expected json && "$here/check_interval_answer.py" "$tmp/static" "$tmp/out" >"$tmp/err" 2>&1
result $? "--json: answer and losses are those of the interval"

row='^[0-9.]+,' places=5
grows --csv -m ipc,retiring,ll_cache_read_hit_ratio --per system --per cpu && is_expected csv
result $? "--csv: values of the interval, and the names of those that are not"

# numbers TEXT: in this text
numbers()
{
	grep -oE '[0-9.]*[0-9]' | xargs
}

row='^ +[0-3] ' places=1
grows -m ipc --errors -C 1
value=$(awk '$1 == "ipc" { print $2 }' "$tmp/of_interval/cpu1/general")
[ "$(head -n 1 "$tmp/out" | numbers)" = "0.1 0.01" ] &&
	"$here/check_stars.py" "$value" "$tmp/out" >"$tmp/err" 2>&1
result $? "a table: * behind values of the window; values of the interval have no error"

row='^system ' places=1
grows
value=$(awk '$1 == "ipc" { print $2 }' "$tmp/of_interval/system/general")
awk -v ipc="$value" '
	$1 == "system" && $6 !~ /\*/ {
		nr++
		wrong += sprintf("%.2f", ipc) != sprintf("%.2f", $6)
	}
	$1 == "system" && $6 ~ /\*/ { stars++ }
	END { exit !(nr == 1 && !wrong && stars) }' "$tmp/out"
result $? "the line of the system is that of the interval"

# is_of_window ROW...: all values of each row
is_of_window()
{
	[ "$(grep -c '"covers":"window"' "$tmp/out")" -ge 2 ] && ! grep -q '"covers":"interval"' "$tmp/out"
}

row='"schema"' places=1
made again --cpus 1 --seed 3
echo 10 >"$made/window_ms"
begins -r "$made" --json -m ipc,retiring 0.1
within 60 "the first row" has_lines "$tmp/out" "$row" && holds "$pid" &&
	made again --cpus 1 --seed 3 --grown 4 &&
	sed -i 's/^start_ns .*/start_ns 2000/' "$made/cpu0/counters/time" &&
	before=$(grep -Ec "$row" "$tmp/out") && kill -CONT "$pid" &&
	within 60 "two more rows" has_rows $((before + 2))
status=$?
stops
[ $status -eq 0 ] && is_of_window
result $? "an interval in which the module was loaded again has values of the window"

made long --cpus 1
run -r "$made" --json -m ipc 0.02 2 && ! grep -q 'covers\|interval_s' "$tmp/out"
result $? "an INTERVAL below the window has values of the window"
echo 10 >"$made/window_ms"
run -r "$made" --json -m ipc 5 1 && ! grep -q 'covers\|interval_s' "$tmp/out"
result $? "a single row is of the window"

echo 'slots_total 1 2' >"$made/cpu0/counters/topdown_l1"
refuses 1 malformed_file "refuses a total that is not a number" \
	-r "$made" --csv -C 0 -m retiring 0.02 2
