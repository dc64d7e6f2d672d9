# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# The report's script compared with the C code: the same path for the same values.
# on: test-long

name="report: the page's script finds the path and prints the numbers that n3stat does, 4000 times"
if [ -z "$PATH_CASES" ]; then
	skip "$name" "PATH_CASES is not set"
elif ! command -v chromium >/dev/null; then
	skip "$name" "no chromium"
else
	{
		echo '<!DOCTYPE html><meta charset="utf-8"><script>'
		cat "$here/../page_path.js"
		echo 'const all ='
		"$PATH_CASES" 4000 1 | tee "$tmp/cases"
		cat <<-'END'
			const kinds = { mixed: 0, few: 0, word: 0, retiring: 0, minor: 0, found: 0 };
			let wrong = 0, first = '';
			/* JSON has no NaN */
			const number = x => x === null ? NaN : x;
			for (const one of all.numbers) {
			    const have = number_text(one.number, number(one.error), one.most);
			    const same = have.number === one.text && have.error === one.error_text;
			    wrong += !same;
			    first = first || (same ? '' : JSON.stringify([have, one]));
			}
			for (const one of all.cases) {
			    for (const of of [one.values, one.errors])
			        for (const metric in of)
			            of[metric] = number(of[metric]);
			    const have = JSON.stringify(find_losses(all, one.values, one.errors));
			    const want = JSON.stringify({ path: one.path, losses: one.losses, mixed: one.mixed });
			    kinds[!one.path.length ? 'word' : one.path[0] === 'retiring' ? 'retiring' :
				  one.losses[0].value < 5 ? 'minor' : !one.mixed ? 'found' :
				  one.losses[0].half === null || one.losses[1].half === null ? 'few' :
				  'mixed']++;
			    wrong += have !== want;
			    first = first || (have !== want ? have + ' is not ' + want : '');
			}
			document.title = all.cases.length + ' cases, ' + wrong + ' wrong, kinds of ends: ' +
			    Object.values(kinds).filter(n => n >= 100).length + ' ' +
			    JSON.stringify(kinds) + first;
		END
		echo '</script>'
	} >"$tmp/path.html"
	browser --dump-dom "file://$tmp/path.html" | sed -n 's|.*<title>\(.*\)</title>.*|\1|p' >"$tmp/out"
	"$here/digits.py" -c "$tmp/cases" >"$tmp/checked" 2>"$tmp/err" &&
		[ "$(cat "$tmp/checked")" = 4000 ]
	result $? "path_cases: numbers and errors as exact arithmetic has them, 4000 times"
	# each kind of end occurs at least a hundred times
	grep -q '^4000 cases, 0 wrong, kinds of ends: 6 ' "$tmp/out"
	result $? "$name"
fi

# Twelve snapshots of random values with errors, with and without overlapping windows.
random_recording()
{
	python3 - "$here/../../../selftests/spec" "$1" "$2" <<-'END'
		import os, random, sys
		spec, window, seed = sys.argv[1:]
		rng = random.Random(int(seed))
		rows = [line.rstrip("\n").split("\t") for line in open(os.path.join(spec, "groups.tsv"))
		        if line[0] != "#"]
		columns = [f"{row[0].lower()}.{metric}" for row in rows[:3] for metric in row[5].split(",")]
		means = [rng.uniform(5, 90) for _ in columns]
		print(f"n3stat-recording 1\nabout window_ms {window}\nplaces cpu0\ncolumns", *columns)
		# errors from far below the last decimal on
		sizes = [10 ** rng.uniform(-4.5, 0.1) for _ in columns]
		for i in range(12):
		    cells = []
		    for mean, size in zip(means, sizes):
		        value, half = mean + rng.uniform(-4, 4) * size, rng.uniform(0.1, 3) * size
		        cells.append(f"{value:.6f}:{value - half:.6f}:{value + half:.6f}:5:5")
		    print(f"t {100 + 2 * i}\n0", *cells)
		    print("end")
	END
}
# tree_of FILE: metric, mean, share of all slots, its error, class of each row; the losses
tree_of()
{
	row='<tr class="([^"]*)".* data-metric="([^"]*)".*</td>'
	row=$row'<td>~?([^<]*) %</td><td>± ([^<]*)</td>.*<td>([^<]*) %</td></tr>'
	sed -nE "s|$row.*|\2 \5 \3 \4 class=\1|p" "$1"
	sed -n 's|^<p id="losses" [^>]*>\(L[^<]*\)</p>.*|\1|p' "$1"
}
# table_of FILE: metric and mean of each row of the tree, from the tables of the groups
table_of()
{
	sed -n 's|^<tr><td>\([a-z0-9_]*\)</td><td>\([0-9.]*\)</td><td>± .*|\1 \2|p' "$1" |
		sort >"$tmp/table"
	sed -n 's/ .*//p' "$tmp/have" | grep -v '^Largest' | while read -r metric; do
		grep "^$metric " "$tmp/table" | head -n 1
	done
}
# numbers that are rounded twice may differ in the last digit
far='
	function unit(x) { return index(x, ".") ? 10 ^ (index(x, ".") - length(x)) : 1 }
	function far(x, y, by) {
		gsub(/~|&lt;|[,.]$/, "", x)
		gsub(/~|&lt;|[,.]$/, "", y)
		by = 1.1 * (unit(x) > unit(y) ? unit(x) : unit(y))
		return x - y > by || y - x > by
	}'
status=0
kinds=
name="report: a browser shows the tree of a span as a report of the span alone does"
for seed in 1 2 3 4; do
	command -v chromium >/dev/null || break
	first=$((seed - 1))
	last=$((first + 2 * seed))
	random_recording $((1000 * seed + 500)) $seed | pack >"$tmp/random.rec"
	# and the page of only this span: the tree of its script, and its tables from n3stat
	run report -o "$tmp/random.html" "$tmp/random.rec" &&
		run report -o "$tmp/part.html" --from $((2 * first)) --to $((2 * last)) "$tmp/random.rec" &&
		spans $first $last "$tmp/random.html" 0 99 "$tmp/part.html"
	tree_of "$tmp/dom1" >"$tmp/have"
	tree_of "$tmp/dom2" >"$tmp/want"
	"$here/digits.py" "$tmp/part.html" "$tmp/dom1" "$tmp/dom2" >>"$tmp/numbers" 2>"$tmp/err" ||
		status=1
	table_of "$tmp/part.html" | paste -d ' ' "$tmp/have" - | awk '
		'"$far"'
		/ class=/ { rows++; bad += $1 != $6 || far($2, $7) }
		END { exit bad || rows != 21 }' || status=1
	grep -q 'Mixed' "$tmp/want" && kinds="${kinds}m" || kinds="${kinds}f"
	paste -d ' ' "$tmp/have" "$tmp/want" | awk '
		'"$far"'
		/^Largest/ {
			for (i = 1; i <= NF / 2; i++)
				if ($i ~ /^~?[0-9]/)
					bad += far($i, $(NF / 2 + i))
				else
					bad += $i != $(NF / 2 + i)
			losses++
			next
		}
		{ rows++; bad += $1 != $6 || far($2, $7) || far($3, $8) || far($4, $9) || $5 != $10 }
		END { exit bad || rows != 21 || losses != 1 }' || status=1
	[ $status -eq 0 ] || break
done
if command -v chromium >/dev/null; then
	paste "$tmp/have" "$tmp/want" >"$tmp/out"
	case $kinds in
	*mf* | *fm*) ;;
	*) status=1 ;;
	esac
	result $status "$name"
else
	skip "$name" "no chromium"
fi
