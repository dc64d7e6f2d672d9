# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# The report's page: its numbers compared with the recording, and its use in a browser.
# on: test-long

# A page too large for memory. The limit is KiB of data, unlike -v without the code of libraries:
# 300 million values of 8 bytes take 2,343,750.
mkdir "$tmp/odd"
"$here/make_odd.py" "$tmp/odd" 2>"$tmp/err" || cat "$tmp/err"
# shellcheck disable=SC3045 # any sh here has -d
(ulimit -d 4000000 && "$plain_n3stat" report -o - "$tmp/odd/large" >"$tmp/out" 2>"$tmp/err")
[ $? -eq 1 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
	has_message too_many_values 300000000
result $? "report: refuses a page that exceeds the memory"
# shellcheck disable=SC3045 # any sh here has -d
(ulimit -d 4000000 && "$plain_n3stat" report -o - --to 1 "$tmp/odd/large" 2>"$tmp/err" |
	grep -c '</html>' >"$tmp/out")
[ "$(cat "$tmp/out")" -eq 1 ] && [ ! -s "$tmp/err" ]
result $? "report: makes a page of a part of its span"

if ! command -v chromium >/dev/null; then
	skip "report: pages in a browser" "no chromium"
	return
fi

# ten snapshots of changing values, one CPU missing in some of them
made page --cpus 6 --lean frontend_bound
"$n3stat" -r "$made" record -q -o "$tmp/page.rec" 0.25 2>"$tmp/err" &
pid=$!
for seed in 11 12 13 14 15 16; do
	within 60 "two more snapshots" has_snapshots "$tmp/page.rec" $((2 * seed - 20))
	"$shared/make_tree.py" "$made" --cpus 6 --seed $seed
	[ $seed != 13 ] || echo 'frontend_bound offline' >"$made/cpu4/quality/topdown_l1"
done
within 60 "12 snapshots" has_snapshots "$tmp/page.rec" 12
kill $pid
ends $pid
run report -o - "$tmp/page.rec"
cp "$tmp/out" "$tmp/page.html"
"$shared/browser.py" "$tmp/page.html" >"$tmp/dom" 2>"$tmp/err"
[ ! -s "$tmp/err" ] && "$here/check_page.py" "$tmp/dom" "$tmp/page.rec" >"$tmp/out" 2>&1
result $? "report: a browser shows charts, tree and every mean as recorded"

# rows WINDOW COLUMN...: lines of a recording of CPU 0, with a snapshot every 2 s of each line on
# stdin
rows()
{
	printf 'n3stat-recording 1\nabout window_ms %s\nplaces cpu0\n' "$1"
	shift
	echo "columns $*"
	awk '{ print "t", 98 + 2 * NR; print 0, $0; print "end" }'
}
level_1='topdown_l1.retiring topdown_l1.backend_bound topdown_l1.frontend_bound'
level_1="$level_1 topdown_l1.bad_speculation"
# answers FILE...: in each, the answer, the metrics that it marks, and that of the advice shown
answers()
{
	for file; do
		sed -nE 's|^<p id="answer"><span>([^<]*)</span>: <b>([^<]*)</b></p>|\1 \2|p' "$file"
		sed -nE 's|^<tr class="named" data-metric="([^"]*)".*|named \1|p
			s|^<p class="advice" data-metric="([^"]*)"><b>\1</b>\..*|advice \1|p' "$file"
	done | tr '\n' ';'
}
# The answers of snapshots: one area, retiring, two areas that are close to each other by their
# errors, and not, an unknown error, and none.
rows 2000 "$level_1" >"$tmp/ends.txt" <<END
20:19:21:50:50 70:69:71:50:50 6:5:7:50:50 4:3:5:50:50
75:74:76:50:50 15:14:16:50:50 6:5:7:50:50 4:3:5:50:50
4:3:5:50:50 49:44:54:50:50 6:5:7:50:50 41:36:46:50:50
4:3:5:50:50 49:46:52:50:50 6:5:7:50:50 41:38:44:50:50
4:-:-:50:3 69:-:-:50:3 6:-:-:50:3 21:-:-:50:3
20:19:21:50:50 70:69:71:50:50 idle 4:3:5:50:50
END
pack <"$tmp/ends.txt" >"$tmp/ends.rec"
run report -o "$tmp/ends.html" "$tmp/ends.rec"
set --
for at in 0 1 2 3 4 5; do
	set -- "$@" $at $at "$tmp/ends.html"
done
spans "$@"
why="topdown_backend: not recorded"
backend="named backend_bound;advice backend_bound"
answers "$tmp"/dom[1-6] >"$tmp/out"
[ "$(cat "$tmp/out")" = "cpu0 backend_bound 70% ($why);$backend;\
cpu0 retiring 75%;named retiring;advice retiring;\
cpu0 mixed: backend_bound 49%, bad_speculation 41%;named backend_bound;named bad_speculation;\
advice backend_bound;\
cpu0 backend_bound 49% ($why);$backend;cpu0 backend_bound ~69% ($why);$backend;cpu0 idle;" ]
result $? "report: a browser shows the answer of a selected span, with its metrics and advice"

# the means of all snapshots, in the page without scripts as well
columns="$level_1 topdown_backend.backend_core_bound topdown_backend.backend_mem_bound"
rows 2000 "$columns" <<END | pack >"$tmp/causes.rec"
30:29:31:50:50 50:49:51:50:50 10:9:11:50:50 10:9:11:50:50 20:19:21:50:50 80:79:81:50:50
20:19:21:50:50 60:59:61:50:50 10:9:11:50:50 10:9:11:50:50 30:29:31:50:50 70:69:71:50:50
30:29:31:50:50 50:49:51:50:50 10:9:11:50:50 10:9:11:50:50 20:19:21:50:50 80:79:81:50:50
END
run report -o "$tmp/causes.html" "$tmp/causes.rec"
spans 0 2 "$tmp/causes.html"
same "report: the answer of all snapshots, with its cause" \
	"cpu0 backend_bound 53%: MEM 41, rest 12;\
named backend_bound;named backend_mem_bound;advice backend_mem_bound;" "$(answers "$tmp/dom1")"
same "report: the answer of all snapshots, without scripts" \
	"$(answers "$tmp/dom1" | cut -d ';' -f 1)" "$(answers "$tmp/causes.html" | cut -d ';' -f 1)"
sed -n 's/^<p id="losses"[^>]*>//p' "$tmp/causes.html" "$tmp/dom1" | tr -d ' ' >"$tmp/out"
[ "$(grep -c '^Largestlosses,ofallslots:backend_mem_bound~41%±13,' "$tmp/out")" -eq 2 ] &&
	[ "$(grep -n '<p id="losses"' "$tmp/dom1" | cut -d : -f 1)" -lt \
		"$(grep -n 'id="topdown-head"' "$tmp/dom1" | cut -d : -f 1)" ]
result $? "report: starts with the largest losses"

# Means and errors computed by hand: t for 1 and 3 degrees of freedom is 12.706 and 3.182. With one
# window each: 50 ± 1.5, 70 ± 0.5, 25 ± 20.5.
errors()
{
	errors=$tmp/errors$1
	rows "$1" "$level_1" >"$errors.txt" <<-END
	10 70:69:71:50:50 50:47:53:50:50 idle
	20 70:69:71:50:50 50:-:-:50:3 idle
	30 70:69:71:50:50 50:-:-:50:3 idle
	40 70:69:71:50:50 50:-:-:50:3 idle
	END
	pack <"$errors.txt" >"$errors.rec"
	run report -o "$errors.html" "$errors.rec"
}
# shown FILE: the rows of level 1
shown()
{
	losses='frontend_bound|backend_bound|bad_speculation|retiring'
	cells='<td>([^<]*)<.td><td>([^<]*)<'
	sed -n -E "s/.*data-metric=\"($losses)\".*<td[^>]*>\1<.td>$cells.*/\2 \3/p" "$1" >"$tmp/out"
	tr '\n' ';' <"$tmp/out"
}
errors 2000
errors 4000
# the same numbers as estimates, with very different values
sed -E 's/([0-9]+):([0-9]+):([0-9]+):50:50/9:8:11:50:50:\1:\2:\3/g
	s/ 50:-:-:50:3/ 8:7:9:50:3:50:-:-/
	s/^0 ([1-4]0) /0 99:-:-:50:50:\1:-:- /' "$errors.txt" | pack >"$tmp/estimates.rec"
run report -o "$tmp/estimates.html" "$tmp/estimates.rec"
spans 0 3 "$tmp/errors2000.html" 0 3 "$tmp/errors4000.html" 0 3 "$tmp/estimates.html" \
	2 3 "$tmp/errors4000.html" 2 3 "$tmp/estimates.html" 2 3 "$tmp/errors2000.html"
[ "$(shown "$tmp/dom1")" = "50 % ± 2;70.0 % ± 0.5;idle ;25 % ± 21;" ] &&
	grep -q '"overlap":1,' "$tmp/errors2000.html" &&
	! grep -q '<p id="errors">.*([0-9]* of 4)' "$tmp/errors2000.html"
result $? "report: errors of non-overlapping snapshots match those computed by hand"
[ "$(shown "$tmp/dom2")" = "50 % ± 2;70.0 % ± 0.7;idle ;25 % none;" ] &&
	grep -q '"overlap":2,' "$tmp/errors4000.html" &&
	grep -q '<p id="errors">.* 2 .*(2 of 4)' "$tmp/errors4000.html"
result $? "report: errors of overlapping snapshots match those computed by hand"
[ "$(shown "$tmp/dom3")" = "50 % ± 2;70.0 % ± 0.7;idle ;25 % none;" ] &&
	grep -q 'id="estimates"' "$tmp/estimates.html" &&
	! grep -q 'id="estimates"' "$tmp/errors4000.html"
result $? "report: errors of estimates match those computed by hand, for any values"
same "report: a browser shows the errors of a span whose windows overlap" \
	"50 % none;70 % ± 1;idle ;35 % none;" "$(shown "$tmp/dom4")"
same "report: a browser shows the estimates of a span with their errors" \
	"50 % none;70 % ± 1;idle ;35 % none;" "$(shown "$tmp/dom5")"
same "report: a browser shows the errors of a span" "50 % ± 2;70.0 % ± 0.7;idle ;35 % none;" \
	"$(shown "$tmp/dom6")"

# Untrusted names: of a column, and of the file in the shown command.
sed 's/^columns .*/& x.<!--<script>/; s/^0 .*/& 7/' "$tmp/ends.txt" | pack >"$tmp/names.rec"
run report -o "$tmp/names.html" "$tmp/names.rec"
"$shared/browser.py" "$tmp/names.html" "document.title = about.columns.pop().name" \
	>"$tmp/dom" 2>"$tmp/err"
grep -qF '<title>&lt;!--&lt;script&gt;</title>' "$tmp/dom" && [ ! -s "$tmp/err" ] &&
	grep -q '<p id="answer"><span>cpu0</span>: <b>[a-z]' "$tmp/dom"
result $? "report: a column named <!--<script> is harmless in a browser"
mkdir "$tmp/odd-names"
cd "$tmp/odd-names" || exit 1
set -- plain.rec 'my rec.rec' 'a;touch DONE;.rec' "it's.rec" '$(touch DONE)&amp;"<b>.rec' -odd.rec
for file; do
	cp "$tmp/ends.rec" "./$file"
	"$n3stat" report -o "page.$file.html" -- "$file"
done
"$here/page_commands.py" "$@"
for file; do
	rm -f span.html
	PATH=$tmp:$PATH sh "command.$file" >"$tmp/out" 2>"$tmp/err" && [ ! -e DONE ] &&
		grep -q 'Only the span' span.html
	result $? "report: the shown command works for a file named $file"
done
cd - >/dev/null || exit 1

# These print a line per check: 0 or another number, and the name.
for program in page_use page_look page_select; do
	mkdir "$tmp/$program"
	"$here/$program.py" "$n3stat" "$tmp/$program" >"$tmp/used" 2>"$tmp/err"
	status=$?
	cp "$tmp/err" "$tmp/said"
	[ $status -eq 0 ] && [ -s "$tmp/used" ]
	result $? "report: $program.py completes"
	while read -r status name; do
		sed -n "s|^$name: ||p" "$tmp/said" >"$tmp/out"
		: >"$tmp/err"
		result "$status" "$name"
	done <"$tmp/used"
done
