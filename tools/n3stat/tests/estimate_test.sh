# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# Estimates and values: which of them each output shows, also for damaged lines.

# first letters of the keys of a quality line | value low high estimate its_low its_high in JSON |
# in a recording
sed 's/\<v=/value=/; s/\<l=/low=/; s/\<h=/high=/; s/\<c=/coverage=/; s/\<s=/slices=/
	s/\<e=/estimate=/; s/\<el=/estimate_low=/; s/\<eh=/estimate_high=/' >"$tmp/cases" <<'END'
v=20.0 l=18 h=22 c=50 s=50 e=21.5 el=21 eh=22|20.0 18 22 21.5 21 22|20.0:18:22:50:50:21.5:21:22
v=20.0 l=18 h=22 c=50 s=50|20.0 18 22 20 18 22|20.0:18:22:50:50
v=20.0 l=18 h=22 c=50 s=50 e=20.0 el=18 eh=22|20.0 18 22 20 18 22|20.0:18:22:50:50
v=20.0 l=18 h=22 c=50 s=50 e=20.0 el=19 eh=21|20.0 18 22 20 19 21|20.0:18:22:50:50:20.0:19:21
v=20.0 l=18 h=22 c=50 s=50 e=21.5|20.0 18 22 21.5 - -|20.0:18:22:50:50:21.5:-:-
v=20.0 l=18 h=22 c=50 s=50 e=21.5 el=none eh=none|20.0 18 22 21.5 - -|20.0:18:22:50:50:21.5:-:-
v=20.0 l=none h=none c=50 s=2 e=21.5 el=21 eh=22|20.0 - - 21.5 21 22|20.0:-:-:50:2:21.5:21:22
v=-9.0 l=-10 h=-8 c=50 s=50 e=-0.5 el=-1 eh=0|-9.0 -10 -8 -0.5 -1 0|-9.0:-10:-8:50:50:-0.5:-1:0
v=20.0 l=none h=22 c=50 s=50|20.0 - - 20 - -|20.0:-:-:50:50
v=20.0 h=22 c=50 s=50|20.0 - - 20 - -|20.0:-:-:50:50
v=20.0 l=18 h=x c=50 s=50|20.0 - - 20 - -|20.0:-:-:50:50
v=20.0 l=22 h=18 c=50 s=50|20.0 - - 20 - -|20.0:-:-:50:50
v=20.0 l=18 h=22 c=50 s=50 e=21.5 el=none eh=22|20.0 18 22 21.5 - -|20.0:18:22:50:50:21.5:-:-
v=20.0 l=18 h=22 c=50 s=50 e=21.5 el=21 eh=x|20.0 18 22 21.5 - -|20.0:18:22:50:50:21.5:-:-
v=20.0 l=18 h=22 c=50 s=50 e=21.5 el=22 eh=21|20.0 18 22 21.5 - -|20.0:18:22:50:50:21.5:-:-
v=20.0 l=18 h=22 c=50 s=50 e=21.5 eh=22|20.0 18 22 21.5 - -|20.0:18:22:50:50:21.5:-:-
v=20.0 l=18 h=22 c=50 s=50 e=x el=21 eh=22|20.0 18 22 20 18 22|20.0:18:22:50:50
v=20.0 l=18 h=22 c=50 s=50 e= el=21 eh=22|20.0 18 22 20 18 22|20.0:18:22:50:50
v=20.0 l=18 h=22 c=50 s=50 e=nan el=nan eh=nan|20.0 18 22 20 18 22|20.0:18:22:50:50
v=20.0 l=18 h=22 c=50 s=50 e=1e1 el=21 eh=22|20.0 18 22 20 18 22|20.0:18:22:50:50
v=20.0 l=18 h=22 c=50 s=50 e=idle el=none eh=none|20.0 18 22 20 18 22|20.0:18:22:50:50
v=20.0 l=18 h=22 c=50 s=50 el=21 eh=22|20.0 18 22 20 18 22|20.0:18:22:50:50
v=20.0 l=18 h=22 c=50 s=50 eh=22 el=21 e=21.5|20.0 18 22 21.5 21 22|20.0:18:22:50:50:21.5:21:22
v=idle l=none h=none c=0.00 s=0 e=idle el=none eh=none|idle - - - - -|idle:-:-:0:0
v=idle l=none h=none c=0.00 s=0 e=21.5 el=21 eh=22|idle - - - - -|idle:-:-:0:0
v=idle l=18 h=22 c=0.00 s=0 e=21.5|idle - - - - -|idle:-:-:0:0
END
rm -rf "$tmp/cased"
mkdir -p "$tmp/cased/cpu0/quality"
awk -F'|' '{ print "m" NR, $1 }' "$tmp/cases" >"$tmp/cased/cpu0/quality/general"
awk -F'|' '{ print "m" NR, $1 }' "$tmp/cases" | sed 's/ value=/ /' | awk '{ print $1, $2 }' \
	>"$tmp/cased/cpu0/general"
sed 's/.*|\(.*\)|.*/\1/' "$tmp/cases" >"$tmp/shown"
sed 's/.*|//' "$tmp/cases" >"$tmp/cells"

run -r "$tmp/cased" --json -g general --per cpu &&
	"$here/estimates.py" "$tmp/out" >"$tmp/json" 2>"$tmp/err"
diff "$tmp/shown" "$tmp/json" >"$tmp/out"
result $? "--json: value and estimate with their intervals, also of damaged lines"

run -r "$tmp/cased" record -q -g general --per cpu -o "$tmp/cased.rec" 0.01 1 &&
	text "$tmp/cased.rec" >"$tmp/cased.txt" &&
	sed -n 's/^0 //p' "$tmp/cased.txt" | tr ' ' '\n' | diff "$tmp/cells" - >"$tmp/out"
result $? "record: value and estimate with their intervals, the estimate only if it differs"

# page FILE: estimate, and error or -, of each line of the page
page()
{
	sed -n -E 's|^<tr><td>m[0-9]+</td><td>([^<]*)</td><td>(± )?([^<]*)</td>.*|\1 \3|p' "$1" |
		awk '{ print $1, (NF > 1 && $2 != "none" ? $2 : "-") }'
}
PYTHONPATH="$here/../../n3rec/tests" "$here/estimates_shown.py" "$tmp/shown" >"$tmp/expected"
run report -o "$tmp/cased.html" "$tmp/cased.rec" &&
	page "$tmp/cased.html" | diff "$tmp/expected" - >"$tmp/out"
result $? "report: estimates with their errors, or values without one"
grep -q '^<p id="estimates">.*estimates' "$tmp/cased.html"
result $? "report: explains the numbers"

# cell of a recording | mean and error on the page; decimals that differ lack a common unit
status=0
while IFS='|' read -r cell want; do
	printf '%s\n' 'n3stat-recording 1' 'places cpu0' 'columns general.m1' 't 1' '0 7:6:8:5:5' end \
		't 3' "0 $cell" end | pack >"$tmp/cell.rec"
	run report --from 1 -o "$tmp/cell.html" "$tmp/cell.rec"
	[ "$(page "$tmp/cell.html" 2>/dev/null)" = "$want" ] || {
		status=1
		echo "$cell: $(page "$tmp/cell.html")" >>"$tmp/wrong"
	}
	rm -f "$tmp/cell.html"
done <<'END'
20:18:22:50:50|20 2
20:18:22:50:50:21.5:21:22|22 -
20.0:18:22:50:50:21.5:21:22|21.5 0.5
20.0:18:22:50:50:21.5:-:-|22 -
20.0:18:22:50:50:21.5:22:21|22 -
20:18:22:50:50:x:21:22|20 2
idle:-:-:0:0:21.5:21:22|idle -
END
mv "$tmp/wrong" "$tmp/out" 2>/dev/null
result $status "report: ignores estimates that are not numbers or lack an interval"

# --- use of the estimate or the exact quotient

# two CPUs: their values lead to backend_bound, their estimates to frontend_bound;
# cpu0 has the larger value, cpu1 the larger estimate
opposite()
{
	for cpu in 0 1; do
		directory=$1/cpu$cpu
		mkdir -p "$directory/quality"
		printf '%s\n' "frontend_bound $((22 - cpu)).00" 'backend_bound 70.00' 'bad_speculation 1.00' \
			'retiring 7.00' >"$directory/topdown_l1"
		awk -v cpu=$cpu '
			BEGIN {
				estimate["frontend_bound"] = 61.26 + cpu; estimate["backend_bound"] = 30.5
				estimate["bad_speculation"] = 2; estimate["retiring"] = 6.24 - cpu
			}
			{
				e = estimate[$1]
				printf "%s value=%s low=%.2f high=%.2f coverage=50.00 slices=50 ", $1, $2, $2 - 1.5, $2 + 1.5
				printf "estimate=%.2f estimate_low=%.2f estimate_high=%.2f\n", e, e - 0.44, e + 0.44
			}' "$directory/topdown_l1" >"$directory/quality/topdown_l1"
		echo 'ipc 1.250000' >"$directory/general"
		echo 'ipc value=1.250000 low=1.2 high=1.3 coverage=50.00 slices=50 estimate=1.500000' \
			>"$directory/quality/general"
	done
}
opposite "$tmp/opposite"

run -r "$tmp/opposite" tree --cpu 0
grep -Eqx '> frontend_bound +61\.3% ±0\.4 +\|############        \| +61\.3%' "$tmp/out" &&
	grep -Eqx '  backend_bound +30\.5% ±0\.4 +\|######              \| +30\.5%' "$tmp/out" &&
	[ "$(grep -c '^>' "$tmp/out")" -eq 1 ]
result $? "tree: numbers, errors, bars and the answer are based on the estimates"
cp -r "$tmp/opposite" "$tmp/close"
sed -i 's/estimate=61.26 .*/estimate=31.00 estimate_low=30.74 estimate_high=31.26/' \
	"$tmp/close/cpu0/quality/topdown_l1"
run -r "$tmp/close" tree --cpu 0
grep -q '^mixed: frontend_bound 31%, backend_bound 30%$' "$tmp/out"
result $? "tree: mixed if two estimates are closer than the margin"
sed -i 's/estimate=31.00 .*/estimate=61.26 estimate_low=none estimate_high=none/' \
	"$tmp/close/cpu0/quality/topdown_l1"
run -r "$tmp/close" tree --cpu 0
grep -Eqx '> frontend_bound +61% +none +\|############        \| +61%' "$tmp/out" &&
	grep -q '^frontend_bound ~61%' "$tmp/out"
result $? "tree: an estimate without an interval does not get that of the value"
sed -i 's/^frontend_bound value=[^ ]*/frontend_bound value=idle/' \
	"$tmp/close/cpu0/quality/topdown_l1"
run -r "$tmp/close" tree --cpu 0
grep -Eqx '  frontend_bound +idle' "$tmp/out" &&
	grep -qx idle "$tmp/out"
result $? "tree: the word of the value, whatever the estimate is"

quality="value=5.00 low=4 high=6 coverage=5.00 slices=5"
quality="$quality estimate=5.50 estimate_low=5 estimate_high=6"
for cpu in 0 1; do
	for group in topdown_frontend topdown_backend; do
		"$n3stat" explain $group | sed -n 's/^  \([a-z0-9_]*\) .*/\1 5.00/p' \
			>"$tmp/opposite/cpu$cpu/$group"
		sed "s/ .*/ $quality/" \
			"$tmp/opposite/cpu$cpu/$group" >"$tmp/opposite/cpu$cpu/quality/$group"
	done
done
run -r "$tmp/opposite" --json --per cpu --sort frontend_bound
[ "$(grep -o '"place":"cpu[01]"' "$tmp/out" | tr '\n' ' ')" = '"place":"cpu1" "place":"cpu0" ' ] &&
	[ "$(grep -o '"areas":\["frontend_bound"\]' "$tmp/out" | wc -l)" -eq 2 ]
result $? "--json: order and answer are based on the estimates"
run -r "$tmp/opposite" -g topdown_l1 --per cpu --sort frontend_bound
[ "$(sed 1,2d "$tmp/out" | tr -s ' ')" = " 1 62.3 30.5 2.0 5.2
 0 61.3 30.5 2.0 6.2" ]
result $? "tables: estimates and their order, with the decimals of the errors"
run -r "$tmp/opposite" -g topdown_l1 --per cpu --sort frontend_bound --values
[ "$(sed 1,2d "$tmp/out" | tr -s ' ')" = " 0 22.00 70.00 1.00 7.00
 1 21.00 70.00 1.00 7.00" ]
result $? "tables with --values: counted values and their order"
cp -r "$tmp/opposite" "$tmp/no-quality"
rm -r "$tmp/no-quality"/cpu*/quality
run -r "$tmp/no-quality" -g topdown_l1 --per cpu --values && mv "$tmp/out" "$tmp/expected"
run -r "$tmp/opposite" -g topdown_l1 --per cpu --values && cmp -s "$tmp/out" "$tmp/expected"
result $? "tables with --values: the same without the files of the estimates"
cp -r "$tmp/opposite" "$tmp/expensive"
sed -i 's/=[^ ]*/=idle/' "$tmp/expensive"/cpu*/quality/*
run -r "$tmp/expensive" -g topdown_l1 --per cpu --values && cmp -s "$tmp/out" "$tmp/expected"
result $? "tables with --values: read no files of the estimates"
run -r "$tmp/opposite" -g topdown_l1 -C 0 --errors
same "tables with --errors: the errors of the estimates" " 0 61.3 0.4 30.5 0.4 2.0 0.4 6.2 0.4" \
	"$(sed 1,2d "$tmp/out" | tr -s ' ')"
run -r "$tmp/opposite" -g topdown_l1 -m ipc -C 0 --errors --values
[ "$(grep '^   0' "$tmp/out" | tr -s ' ')" = " 0 22 2 70 2 1 2 7 2
 0 1.25 0.05" ]
result $? "tables with --errors --values: the errors of the values, and their decimals"
run -r "$tmp/opposite" -m ipc -C 0 --errors
same "tables: an unknown error leaves two digits" " 0 1.5 none" "$(sed 1,2d "$tmp/out" | tr -s ' ')"
run -r "$tmp/no-quality" -g topdown_l1 -C 0 --errors
same "tables: a module without errors has all decimals" " 0 22.00 - 70.00 - 1.00 - 7.00 -" \
	"$(sed 1,2d "$tmp/out" | tr -s ' ')"
# low high of the estimate 63.8062, and as printed
while read -r low high shown error; do
	echo "frontend_bound value=1 low=0 high=2 coverage=50.00 slices=50 estimate=63.8062" \
		"estimate_low=$low estimate_high=$high" >"$tmp/no-quality/cpu0/topdown_l1"
	mkdir -p "$tmp/no-quality/cpu0/quality"
	cp "$tmp/no-quality/cpu0/topdown_l1" "$tmp/no-quality/cpu0/quality/"
	run -r "$tmp/no-quality" -m frontend_bound -C 0 --errors
	same "tables: 63.8062 between $low and $high is printed as $shown" " 0 $shown $error" \
		"$(sed 1,2d "$tmp/out" | tr -s ' ')"
done <<'END'
62.9 64.7 63.8 0.9
63.7062 63.9062 63.8 0.1
63.7562 63.8562 63.81 0.05
52.8062 74.8062 64 11
63.8061 63.8063 63.8062 0.0001
63.8062 63.8062 63.8062 0.0000
END
for options in "" --json "--csv -m ipc" "--json -m ipc"; do
	for option in --values --errors; do
		# shellcheck disable=SC2086 # words
		refuses 2 conflicting_options "refuses $option with ${options:-the line per interval}" \
			-r "$tmp/opposite" --per cpu $options $option
	done
done
run -r "$tmp/opposite" --csv -g topdown_l1 --per cpu --sort frontend_bound
[ "$(sed '1d; s/^[0-9.]*,//; s/,[01]$//' "$tmp/out")" = "cpu0,22.00,70.00,1.00,7.00
cpu1,21.00,70.00,1.00,7.00" ]
result $? "--csv: counted values and their order"
run -r "$tmp/opposite" --csv --per cpu
[ "$(head -n 1 "$tmp/out" | tr , '\n' | grep -n answer | cut -d : -f 1)" = \
	"$(awk -F , '$2 == "cpu0" { for (i = 1; i <= NF; i++) if ($i == "frontend_bound 61%") print i }' \
		"$tmp/out")" ]
result $? "--csv: the answer is that of the estimates"
# 5.5 % of 61.26 and 62.26 % is no end of 5 %
run -r "$tmp/opposite" --per cpu --sort frontend_bound
[ "$(sed 1,2d "$tmp/out" | tr -s ' ')" = " 1 62.3 30.5 2.0 5.2 1.5 frontend_bound 62%
 0 61.3 30.5 2.0 6.2 1.5 frontend_bound 61%" ]
result $? "the line per interval: estimates, their order, and the answer of the estimates"

# --- differences

echo 1 >"$tmp/opposite/window_ms"
records_five "$tmp/opposite" "$tmp/before.rec" -g topdown_l1 -C 0
sed -i '/^frontend_bound/s/estimate=.*/estimate=51.26 estimate_low=50.26 estimate_high=52.26/
	/^backend_bound/s/value=70.00 low=[^ ]* high=[^ ]*/value=60.00 low=59.9 high=60.1/' \
	"$tmp/opposite/cpu0/quality/topdown_l1"
records_five "$tmp/opposite" "$tmp/after.rec" -g topdown_l1 -C 0
run report --diff "$tmp/before.rec" "$tmp/after.rec"
# the square root of the sum of squares of 0.44 and 1, over five windows, is 0.49; 0.44 and
# 0.44: 0.28
same "report --diff: compares estimates with their errors" \
	"frontend 61.3 51.3 -10.0 pp 0.5 pp -16.3 % percent of slots less
backend 30.5 30.5 +0.0 pp 0.3 pp +0.0 % percent of slots within the error" \
	"$(sed -n 's/^\(frontend\|backend\)_bound  */\1 /p' "$tmp/out" | tr -s ' ')"

# The module's widest intervals: half widths of 50 points of a percentage, or three times any
# other value.
# metric low high
cat >"$tmp/wide-cases" <<'END'
frontend_bound 0 100
frontend_bound -100 -0.1
branch_mpki -20 40
branch_mpki 0 1000
l1d_cache_mpki -300 -100
END
while read -r metric low high; do
	value=$(python3 -c "print(($low + $high) / 2)")
	one_group "$metric $value\n"
	mkdir "$tmp/one/cpu0/quality"
	mv "$tmp/one/cpu0/topdown_l1" "$tmp/one/cpu0/general"
	echo "$metric value=$value low=$low high=$high coverage=50.00 slices=50 estimate=$value" \
		"estimate_low=$low estimate_high=$high" >"$tmp/one/cpu0/quality/general"
	run -r "$tmp/one" --json -g general -C 0
	[ "$(grep -Eo '"(estimate_)?(low|high)"' "$tmp/out" | wc -l)" -eq 4 ] &&
		grep -q '"value":[-0-9.]*,.*"estimate":[-0-9.]*,' "$tmp/out"
	result $? "$metric $low to $high: an interval"
	echo 1 >"$tmp/one/window_ms"
	records_five "$tmp/one" "$tmp/wide.rec" -g general --per cpu
	grep -Eq "^$metric .* \+0( pp)? +[0-9]+ .* within the error\$" "$tmp/out"
	result $? "$metric $low to $high: an error in report --diff"
done <"$tmp/wide-cases"
