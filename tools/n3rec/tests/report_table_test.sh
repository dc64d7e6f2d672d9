# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat report: when it prints a tree, a table or JSON, when it makes a page, and the numbers.

pack <"$shared/golden/a.txt" >"$tmp/table.rec"

# 2.776 * stdev / sqrt(5), see diff_test.sh: 2.48 and 0.124
cat >"$tmp/wanted" <<'END'
metric mean error min max snapshots unit
frontend_bound 12 2 10 14 5 percent of slots
backend_bound 58 2 56 60 5 percent of slots
bad_speculation 5.00 <0.01 5.00 5.00 5 percent of slots
retiring 25.00 <0.01 25.00 25.00 5 percent of slots
ipc 1.3 0.1 1.2 1.4 5 per cycle
branch_mpki idle - - - 0 MPKI
END
# is_table: stdout has the table of cpu0
is_table()
{
	head -n 1 "$tmp/out" | grep -q '^[^ ]*: cpu0, 5 snapshots$' &&
		sed '1,/^$/d' "$tmp/out" | tr -s ' ' | diff "$tmp/wanted" - >"$tmp/diff"
}
run report --place cpu0 "$tmp/table.rec" && is_table && [ ! -s "$tmp/err" ]
result $? "report: a table if stdout is not a terminal"
losses='^losses: backend_bound 58% [^ ]*2, frontend_bound 12% [^ ]*2, '
losses=$losses'bad_speculation 5.00% [^ ]*<0.01'
[ "$(sed -n 2p "$tmp/out")" = 'answer: backend_bound 58% (topdown_backend: not recorded)' ] &&
	sed -n 3p "$tmp/out" | grep -q "$losses"
result $? "report: the table starts with the answer and the largest losses"
sed 's/^about host .*/about included system (2 of 4 CPUs)/' "$shared/golden/a.txt" |
	pack >"$tmp/included.rec"
run report "$tmp/included.rec" && grep -qx 'included at the start: system (2 of 4 CPUs)' "$tmp/out"
result $? "report: the table names excluded CPUs"
"$n3stat" report --place cpu0 "$tmp/table.rec" 2>"$tmp/err" | cat >"$tmp/out"
is_table
result $? "report: a table into a pipe"
run report --stdio --place cpu0 "$tmp/table.rec" && is_table
result $? "report --stdio: a table"
"$n3stat" report --place cpu0 - <"$tmp/table.rec" >"$tmp/out" 2>"$tmp/err" && is_table
result $? "report: a table of a recording on the standard input"
run report --from 2 --to 5 "$tmp/table.rec" &&
	head -n 1 "$tmp/out" | grep -q ': system, 2 snapshots$' &&
	grep -Eq '^ipc +1.0000 .* 2  per cycle$' "$tmp/out"
result $? "report: a table of the system, of a span"
sed 's/^about host .*/about simulated 1/; s/5.0000 25.0000/5.0000 none/' "$shared/golden/a.txt" |
	pack >"$tmp/simulated.rec"
run report --place cpu0 "$tmp/simulated.rec" &&
	[ "$(head -n 1 "$tmp/out")" = "simulated counts (n3_sim)" ] &&
	grep -Eq '^retiring +none +- +- +- +0 ' "$tmp/out"
result $? "report: the table reports simulated counts and words"
run report --to 0 --place cpu0 "$tmp/table.rec" &&
	grep -Eq '^retiring +25.00 +none +25.00 +25.00 +1 ' "$tmp/out"
result $? "report: an unknown error is none in the table"

# has_page FILE: a complete page
has_page()
{
	head -n 1 "$1" | grep -qi '^<!doctype html>' && grep -q '</html>' "$1"
}
run report -o - "$tmp/table.rec" && has_page "$tmp/out"
result $? "report -o -: a page on stdout"
# the scripts share one scope, in which a later function replaces another of its name
sed -nE 's/^(async )?(function|const|let) ([A-Za-z0-9_$]+).*/\3/p' "$tmp/out" | sort >"$tmp/names"
uniq -d "$tmp/names" >"$tmp/out"
[ "$(wc -l <"$tmp/names")" -gt 100 ] && [ ! -s "$tmp/out" ]
result $? "report: no two functions of the page's scripts have one name"
run report -o "$tmp/table.html" "$tmp/table.rec" && [ ! -s "$tmp/out" ] &&
	has_page "$tmp/table.html"
result $? "report -o: a page in the file"
# on_terminal ARGUMENT...: report with stdout a terminal, in an empty folder
on_terminal()
{
	rm -rf "$tmp/terminal"
	mkdir "$tmp/terminal"
	cp "$tmp/table.rec" "$tmp/terminal/"
	python3 -c 'import os, pty, sys
os.chdir(sys.argv[1])
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[2:])))' "$tmp/terminal" "$n3stat" \
		report "$@" table.rec </dev/null >"$tmp/out" 2>"$tmp/err"
}
# printed: the last output without what a terminal adds
printed()
{
	tr -d '\r' <"$tmp/out" >"$tmp/plain" && cp "$tmp/plain" "$tmp/out" &&
		[ "$(ls "$tmp/terminal")" = table.rec ]
}
# is_tree PLACE: stdout has the tree of the golden recording
is_tree()
{
	head -n 1 "$tmp/out" | grep -q ": $1, 5 snapshots\$" &&
		[ "$(sed -n 's/^\([> ] *[a-z]*_*[a-z]*\)  *\([0-9.]*%\).*/\1 \2/p' "$tmp/out" | tr -s ' ' |
			xargs)" = "frontend_bound 12% > backend_bound 58% bad_speculation 5.00% retiring 25.00%" ]
}
on_terminal --place cpu0 && printed && is_tree cpu0 && [ "$(wc -L <"$tmp/out")" -le 80 ]
result $? "report: on a terminal, the tree"
grep -q ' perf record .*stall_backend/.* -C 0 ' "$tmp/out" &&
	grep -q '^page: n3stat report -o [^ ]* table.rec$' "$tmp/out"
result $? "report: the tree ends with the commands for the code and for a page"
on_terminal -o new.html && has_page "$tmp/terminal/new.html" && grep -q 'new.html' "$tmp/out"
result $? "report -o: on a terminal, the name of the page"
# the recording has another place, cpu0, without values but level 1 and ipc
cp "$tmp/table.rec" "$tmp/n3stat.rec"
(cd "$tmp" && "$n3stat" report --place cpu0) >"$tmp/out" 2>"$tmp/err" && is_table
result $? "report: without a name, n3stat.rec"
(cd "$HOME" && "$n3stat" report) >"$tmp/out" 2>"$tmp/err"
[ $? -eq 1 ] && has_message cannot_read n3stat.rec
result $? "report: without a name, and without n3stat.rec"
refuses 2 too_many_arguments "report: one recording, without --diff" \
	report "$tmp/table.rec" "$tmp/table.rec"
run report --json "$tmp/table.rec" && "$here/check_report_json.py" <"$tmp/out" >"$tmp/wrong" 2>&1 &&
	[ ! -s "$tmp/err" ]
result $? "report --json: means, errors, words and answer of every place"
run report --json --place cpu0 "$tmp/table.rec" &&
	[ "$(grep -o '"place":"[^"]*"' "$tmp/out")" = '"place":"cpu0"' ]
result $? "report --json --place: this place"
on_terminal --stdio --place cpu0 && printed && is_table
result $? "report --stdio: on a terminal, a table"

for conflict in "--stdio -o -" "-o - --place cpu0" "--json -o -" "--json --stdio"; do
	# shellcheck disable=SC2086 # words
	refuses 2 conflicting_options "report: refuses $conflict" report $conflict "$tmp/table.rec"
done
refuses 2 conflicting_options "report --diff: refuses -o" \
	report --diff -o - "$tmp/table.rec" "$tmp/table.rec"
refuses 2 bad_option "report: has no --html" report --html "$tmp/table.rec"
refuses 4 "no_such_place cpu7" "report: the table of a place that was not recorded" \
	report --place cpu7 "$tmp/table.rec"
"$n3stat" report "$tmp/table.rec" >/dev/full 2>"$tmp/err"
[ $? -eq 1 ] && has_message cannot_write 'No space left on device'
result $? "report: a table on a full disk"
