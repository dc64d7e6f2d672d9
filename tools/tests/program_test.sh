# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# The line per interval, and output for programs: --json and --csv.

made tree --cpus 4 --nodes 2

run -r "$made"
matches '^ *system +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +([a-z_]+|mixed [BFS]) [0-9]+%' \
	"without options: a line of the system with its answer"
one_group 'frontend_bound 40.0\nbackend_bound 40.5\nbad_speculation 1.0\nretiring 18.5\n'
run -r "$tmp/one" --per cpu
matches ' mixed B ~40% F ~40%$' "without options: the letters and shares of areas that are mixed"
made tree --cpus 4 --nodes 2
run -r "$made" --per cpu --per node --per system
[ "$(sed 1,3d "$tmp/out" | awk '{ print $1 }' | tr '\n' ' ')" = \
	"system node0 node1 cpu0 cpu1 cpu2 cpu3 " ]
result $? "--per given three times prints all three kinds of rows"
# aligned: each of the five values is right-aligned with its title, apart from absent decimals
aligned()
{
	awk '
		function ends(line, end,   i, n, at) {
			at = 0
			for (i = 1; match(substr(line, at + 1), /[^ ]+/); i++) {
				at += RSTART + RLENGTH - 1
				end[i] = at
			}
			return i - 1
		}
		/front +back .*answer/ { ends($0, title); lines = 0; headers++; next }
		/slots|^$|^simulated|^means/ { next }
		{
			ends($0, end)
			for (i = 1; i <= 5; i++)
				bad += end[i + 1] > title[i] || end[i + 1] <= title[i - 1] ||
					(end[i + 1] != title[i] && substr($0, end[i + 1] + 1, title[i] - end[i + 1]) ~ /[^ ]/)
			rows++
		}
		END { exit bad || headers != '"$1"' || rows != '"$2"' }' "$tmp/out"
}
rm -rf "$tmp/wide"
cp -r "$made" "$tmp/wide"
sed -i 's/=[^ ]*/=implausible/' "$tmp/wide/cpu1/quality/topdown_l1"
run -r "$tmp/wide" --per cpu --per system && aligned 1 5
result $? "values stay below their titles where a word is longer than the column"
rm -rf "$tmp/wide"
cp -r "$made" "$tmp/wide"
begins -r "$tmp/wide" --per cpu --per system 0.05
within 60 "ten lines" has_lines "$tmp/out" '^ *cpu' 10 &&
	sed -i 's/=[^ ]*/=implausible/' "$tmp/wide/cpu1/quality/topdown_l1" &&
	within 60 "a line with the word" has_lines "$tmp/out" implausible 2
stops
aligned 2 "$(grep -Ec '^ *(system|cpu[0-9])' "$tmp/out")"
result $? "a wider header is printed when a long word comes later"
run -r "$made" -N 1
same "--node prints the nodes in its list" 1 "$(sed 1,3d "$tmp/out" | awk '{ print $1 }')"
run -r "$made" -C 2-3 -N 1 -C 0,2 --node=0
same "--cpu and --node given twice print the places of both lists" "node0 node1 cpu0 cpu2 cpu3 " \
	"$(sed 1,3d "$tmp/out" | awk '{ print $1 }' | tr '\n' ' ')"
refuses 4 "no_such_place CPU 9" "names a CPU of the first of two lists that does not exist" \
	-r "$made" -C 9 -C 0
refuses 2 bad_value "--per refuses anything but cpu, node and system" -r "$made" --per core
refuses 4 "no_such_place node 7" "names a node that does not exist" -r "$made" -N 7

run -r "$made" -m ipc -m retiring -C 0-3 --sort retiring
sed 1,3d "$tmp/out" |
	awk '{ if (NR > 1 && $3 > last) bad = 1; last = $3 } END { exit bad || NR != 4 }'
result $? "--sort prints the largest value first"
run -r "$made" -m ipc -m retiring -C 0-3 --sort=+Retiring
sed 1,3d "$tmp/out" |
	awk '{ if (NR > 1 && $3 < last) bad = 1; last = $3 } END { exit bad || NR != 4 }'
result $? "--sort=+METRIC prints the smallest value first"
run -r "$made" -m ipc -m retiring -C 0-3 --sort=-retiring --values
sed 1,3d "$tmp/out" |
	awk '{ if (NR > 1 && $3 > last) bad = 1; last = $3 } END { exit bad || NR != 4 }'
result $? "--sort=-METRIC prints the largest value first"
status=0
for cpu in 0 1 2 3; do
	grep -q "^ *$cpu *$(sed -n 's/^ipc //p' "$made/cpu$cpu/general") *$(sed -n \
		's/^retiring //p' "$made/cpu$cpu/topdown_l1")$" "$tmp/out" || status=1
done
result $status "-m: a column per metric, each value in its place"
mv "$tmp/out" "$tmp/expected"
run -r "$made" --metric=ipc,retiring -C 0-3 --sort retiring --values &&
	cmp -s "$tmp/out" "$tmp/expected"
result $? "-m with a list prints the same as -m repeated"
run -r "$made" -g general,MPKI -m retiring,ipc -C 0
same "-g with a list and -m with a list print all of both" "General MPKI Metrics " \
	"$(grep '^[A-Z]' "$tmp/out" | tr '\n' ' ')"
refuses 5 "unknown_metric 'nonsense'" "names the metric of a list that does not exist" -r "$made" \
	-m ipc,nonsense,retiring
refuses 5 "unknown_metric ''" "refuses an empty name as a metric" -r "$made" -m ipc,
refuses 5 "unknown_group 'nonsense'" "names the group of a list that does not exist" -r "$made" \
	-g general,nonsense
refuses 5 "metric_not_shown 'dtlb_mpki'" "--sort refuses a metric that is not shown" \
	-r "$made" --sort dtlb_mpki
refuses 5 "unknown_metric 'nosuch'" "--sort names a metric that does not exist" \
	-r "$made" --sort nosuch
refuses 2 conflicting_options "refuses --json and --csv together" -r "$made" --json --csv
refuses 2 conflicting_options "refuses --csv and --json together" -r "$made" --csv --json
# Every printed form of a metric's name is accepted as an argument.
{
	"$n3stat" list metrics | sed '1d; s/ .*//'
	run -r "$made" && sed -n 2p "$tmp/out" | tr ' ' '\n' | grep -v answer
	run -r "$made" -g all && grep -E '^ *cpu ' "$tmp/out" | tr ' ' '\n' | grep -vx cpu
	"$n3stat" list metrics | sed '1d; s/ .*//' | xargs "$n3stat" explain |
		sed -n 's/^short name: //p'
	# names in top, and in older versions
	printf '%s\n' front back bad retir backend_cache_l2d bad_spec FRONTEND_CORE_FLUSH
} | grep . | sort -u >"$tmp/names"
# explained KIND: explain describes all $tmp/names as this; those that are not extra, which the
# tree lacks, are in $tmp/shown
explained()
{
	# shellcheck disable=SC2046 # words
	run explain $(cat "$tmp/names") &&
		[ "$(grep -c "^$1: " "$tmp/out")" -eq "$(wc -l <"$tmp/names")" ] &&
		awk -v first="^$1: " 'NR == FNR { nr += $0 ~ first; extra[nr] += /[(]extra/; next } !extra[FNR]' \
			"$tmp/out" "$tmp/names" >"$tmp/shown"
}
explained metric && run -r "$made" -C 0 --csv -m "$(paste -sd, "$tmp/shown")" &&
	# of the 67 metrics of the specification, one each
	awk -F, 'NF != 67 + 3 { bad = 1 } END { exit bad || NR != 2 }' "$tmp/out"
status=$?
while read -r name; do
	"$plain_n3stat" -r "$made" -g all --per cpu --sort "$name" >/dev/null || status=1
done <"$tmp/shown" 2>"$tmp/err"
[ $status -eq 0 ] && [ "$(wc -l <"$tmp/names")" -gt 170 ] && [ "$(wc -l <"$tmp/shown")" -ge 141 ]
result $? "-m, --sort and explain accept every name of a metric that n3stat prints"
{
	"$n3stat" list groups | sed '1d; s/ .*//'
	run -r "$made" -g all && grep '^[A-Z]' "$tmp/out"
	run -r "$made" --json -g all --per system &&
		grep -Eo '"[a-z0-9_]*":\{"[a-z0-9_]*":\{"value"' "$tmp/out" |
		sed 's/"\([^"]*\)".*/\1/'
	for cpu in 0 1 2 3; do
		run -r "$made" tree -C $cpu &&
			sed -n 's/^  groups: *\(.*\)  (.*/\1/p' "$tmp/out" | sed 's/, /\n/g'
	done
} | sort -u >"$tmp/names"
explained group && run -r "$made" -g "$(paste -sd, "$tmp/shown")" && [ ! -s "$tmp/err" ] &&
	[ "$(wc -l <"$tmp/names")" -gt 38 ] && [ "$(wc -l <"$tmp/shown")" -ge 36 ]
result $? "-g and explain accept every name of a group that n3stat prints"
refuses 5 "unknown_metric 'nonsense'" "names a metric that does not exist" -r "$made" -m nonsense

run -r "$made" --json --per system --per node --per cpu -g all 0.02 3 &&
	"$shared/check_json.py" "$made" system node0 node1 cpu0 cpu1 cpu2 cpu3 <"$tmp/out" \
		>"$tmp/err" 2>&1
result $? "--json: every value of every file, in the documented schema"
same "--json: one line per interval" 3 "$(wc -l <"$tmp/out")"
cp -r "$made" "$tmp/words"
# words listed in the ABI, one instead of all lines of custom, and one CPU without quality
for cpu in 0 1 2 3; do
	echo disabled >"$tmp/words/cpu$cpu/custom"
done
run -r "$tmp/words" -g custom
same "prints a word instead of all lines of custom" 4 "$(grep -c disabled "$tmp/out")"
status=0
for word in offline disabled unplaced unsupported contended idle stale implausible inconsistent \
	undef; do
	awk -v w=$word '{ print $1, w }' "$made/cpu1/mpki" >"$tmp/words/cpu1/mpki"
	awk -v w=$word '{ print $1, "value=" w, "low=none high=none coverage=0.00 slices=0 estimate=" w,
		"estimate_low=none estimate_high=none" }' "$made/cpu1/mpki" >"$tmp/words/cpu1/quality/mpki"
	rm -rf "$tmp/words/cpu2/quality"
	run -r "$tmp/words" --json -g all --per cpu &&
		"$shared/check_json.py" "$tmp/words" cpu0 cpu1 cpu2 cpu3 <"$tmp/out" >"$tmp/err" 2>&1 ||
		status=1
done
result $status "--json: null with the word, for each word"
made=$many/tree

run -r "$made" --csv -g all --per cpu 0.02 2 && "$here/check_csv.py" "$made" "$tmp/out" 2>"$tmp/err"
result $? "--csv: every value of every file, one header"
refuses 2 bad_option "--csv takes no argument" -r "$made" --csv=crlf
refuses 2 conflicting_options "-t is refused with --csv" -r "$made" -t --csv
run -r "$made" -C 0-1 0.02 3
same "a blank line between rounds of several rows" "0 1 blank 0 1 blank 0 1" \
	"$(sed -n 's/^$/blank/p; s/^ *\([01]\) .*/\1/p' "$tmp/out" | xargs)"
run -r "$tmp/words" --csv -g mpki -C 1
matches '^[0-9.]+,cpu1(,undef){10},[01]$' "--csv: words as in the files"
one_group 'odd,name 1\nodd"name 2\n'
run -r "$tmp/one" --csv -g topdown_l1
same "--csv: names with commas or quotes are quoted" 'time,place,"odd,name","odd""name",simulated' \
	"$(head -n 1 "$tmp/out")"

run -r "$made" -C 0 && ! grep -q "$(printf '\033')" "$tmp/out"
result $? "no colour in a pipe"
if command -v script >/dev/null; then
	script -qc "'$n3stat' -r '$made' -C 0" /dev/null >"$tmp/out" </dev/null 2>"$tmp/err"
	grep -q "$(printf '\033')" "$tmp/out"
	result $? "colour is used on a terminal"
	all="'$n3stat' -r '$made' -C 0; '$n3stat' -r '$made' tree; '$n3stat' -r '$made' -g mpki"
	for setting in NO_COLOR=1 TERM=dumb; do
		env $setting script -qc "$all" /dev/null >"$tmp/out" </dev/null 2>"$tmp/err"
		grep -q backend_bound "$tmp/out" && ! grep -q "$(printf '\033')" "$tmp/out"
		result $? "no colour is used with $setting"
	done
	# ten columns: names folded, then split into tables of 80 columns, with every value
	script -qc "stty rows 24 cols 80; '$n3stat' -r '$made' -g mpki --values --color=never" /dev/null \
		</dev/null 2>"$tmp/err" |
		tr -d '\r' >"$tmp/out"
	status=0
	for cpu in 0 1 2 3; do
		[ "$(awk -v cpu=$cpu '$1 == cpu { $1 = ""; print }' "$tmp/out" | xargs)" = \
			"$(cut -d' ' -f2 "$made/cpu$cpu/mpki" | xargs)" ] || status=1
	done
	[ $status -eq 0 ] && [ "$(wc -L <"$tmp/out")" -le 80 ] &&
		[ "$(grep -c '^ cpu ' "$tmp/out")" -eq 2 ]
	result $? "-g mpki on a terminal of 80 columns: every value, no longer line"
else
	skip "output on a terminal" "no script(1)"
fi

before=$made
made colours --cpus 2 --no-totals
"$here/check_colour.py" "$plain_n3stat" "$made" >"$tmp/out" 2>"$tmp/err"
result $? "values above \"much\" are red, shares of a parent if they are so of all slots"
for words in "-C 0" "-g topdown_l1" "tree -C 0"; do
	# shellcheck disable=SC2086 # some are several words
	set -- $words
	run "$@" -r "$made"
	cp "$tmp/out" "$tmp/plain"
	NO_COLOR=1 run "$@" -r "$made" --color=always
	sed "s/$(printf '\033')\[[0-9;]*m//g" "$tmp/out" | cmp -s - "$tmp/plain" &&
		! cmp -s "$tmp/out" "$tmp/plain"
	result $? "--color=always: the same text with colours: $words"
done
run -r "$made" --color=red
[ $? -eq 2 ] && has_message bad_value red
result $? "--color=red is refused"
made=$before

# Only ASCII is printed without UTF-8.
"$here/../n3check/tests/make_selftest.py" "$here/../../selftests/spec/events.tsv" STALL_BACKEND \
	>"$tmp/ascii.json" 2>"$tmp/err"
run -r "$made" record -q -o "$tmp/ascii.rec" 0.01 2
ascii()
{
	LC_ALL=C run "$@"
	[ -s "$tmp/out" ] && ! LC_ALL=C grep -q '[^ -~	]' "$tmp/out" &&
		! LC_ALL=C grep -q '[^ -~]' "$tmp/err"
	result $? "only ASCII without UTF-8: $*"
}
ascii -r "$made"
ascii -r "$made" -g all
ascii -r "$made" --csv -g all
ascii -r "$made" --json -g all
ascii -r "$made" tree
LC_ALL=C run -r "$made" tree && grep -Eq '[0-9]% \+-[0-9.]+ ' "$tmp/out"
result $? "tree: +- before the error without UTF-8"
ascii -r "$made" tree --json
ascii doctor -r "$made"
ascii doctor --json -r "$made"
ascii report --diff "$tmp/ascii.rec" "$tmp/ascii.rec"
ascii selftest -i "$tmp/ascii.json"
ascii explain backend_bound inconsistent 0x17 mpki
ascii list

# Keys of all JSON output, which also marks simulated counts
keys()
{
	run "$@"
	"$shared/check_keys.py" <"$tmp/out" 2>"$tmp/err"
	result $? "keys of JSON: $*"
}
keys -r "$made" --json -g all --per cpu --per node --per system
keys -r "$made" --json
keys -r "$made" tree --json
keys doctor --json -r "$made"
keys selftest --json -i "$tmp/ascii.json"
keys spe info --json -r "$made"
cp -r "$made" "$tmp/customs"
for place in cpu0 system; do
	echo 'L1D_CACHE_REFILL per_second=153395825.954976' \
		'per_kilo_instruction=49.142436 per_cycle=0.051239' >"$tmp/customs/$place/custom"
done
keys -r "$tmp/customs" --json -g custom -C 0
"$shared/check_keys.py" <"$tmp/ascii.json" >"$tmp/out" 2>&1
result $? "keys of JSON: the self-test's report from the tests"

# Help of every command, by -h and by the command help
for command in "" tree top list explain record report spe "spe info" "spe record" "spe report" \
	"spe profile" doctor selftest help; do
	# shellcheck disable=SC2086 # no command is no argument
	run $command --help && cp "$tmp/out" "$tmp/wanted"
	# shellcheck disable=SC2086
	[ -s "$tmp/wanted" ] && run $command -h && [ ! -s "$tmp/err" ] && cmp -s "$tmp/out" "$tmp/wanted"
	result $? "-h prints the help of n3stat $command"
	# shellcheck disable=SC2086
	run help $command && [ ! -s "$tmp/err" ] && cmp -s "$tmp/out" "$tmp/wanted"
	result $? "n3stat help $command prints the same"
done
refuses 2 "unknown_command 'nonsense': see n3stat --help" \
	"help: names a command that does not exist" help nonsense
refuses 2 "unknown_command 'tere'.* tree[?]" "help: names the nearest command" help tere
refuses 2 too_many_arguments "help: refuses a second command" help tree top
refuses 2 "unknown_command 'repotr'.* report[?]" "help: names the nearest command of spe" \
	help spe repotr
# -h is neither an option's argument nor an option of a command of spe record
refuses 3 "no_directory -h" "-h as a directory does not print help" -r -h

# Mistyped names
refuses 2 "unknown_command 'treee'.* tree[?]" "names the nearest command" treee
refuses 2 "unknown_command 'selftets'.* selftest[?]" "names the command with two letters swapped" \
	selftets
refuses 2 "unknown_command 'x': see n3stat --help" "suggests no command for a letter" x
refuses 2 "unknown_command 'recordd'.* record[?]" "spe: names the nearest command" spe recordd
refuses 5 "unknown_metric 'brnch_mpki'.* branch_mpki[?]" "-m names the nearest metric" -r "$made" \
	-m ipc,brnch_mpki
refuses 5 "unknown_metric 'bad_spce'.* bad_spec[?]" "-m also suggests a short name" \
	-r "$made" -m bad_spce
refuses 5 "unknown_metric 'mpki'.* group" "-m reports that a name is a group's" -r "$made" -m mpki
refuses 5 "unknown_group 'mpky'.* mpki[?]" "-g names the nearest group" -r "$made" -g general,mpky
refuses 5 "unknown_group 'al' in" "-g suggests nothing for two letters" -r "$made" -g al
refuses 5 "unknown_group 'alll'.* all[?]" "-g names all" -r "$made" -g alll
refuses 5 "unknown_group 'ipc'.* metric" "-g reports that a name is a metric's" -r "$made" -g ipc
refuses 5 "unknown_metric 'retireing'.* retiring[?]" "--sort names the nearest shown metric" \
	-r "$made" --sort +retireing
refuses 5 "unknown_metric 'dtlb_mpkii': see" "--sort only suggests shown metrics" \
	-r "$made" --sort dtlb_mpkii
# a name that only exists in this copy
refuses 5 "unknown_group 'custm'.* custom[?]" "-g names a group that only the module has" \
	-r "$tmp/customs" -C 0 -g custm
refuses 5 "unknown_group 'custm' in" "-g only suggests existing groups" -r "$made" -C 0 -g custm

# Every output of simulated counts is marked in its first line; others are not.
sed 's/armv8_pmuv3_0/n3_sim/' "$tmp/ascii.json" >"$tmp/sim.json"
cp -r "$made" "$tmp/counting"
sed -i 's/^pmu .*/pmu armv8_pmuv3_0/; s/^simulated 1/simulated 0/; s/^named 1/named 0/' \
	"$tmp/counting/spec"
run -r "$tmp/counting" record -q -o "$tmp/counting.rec" 0.01 2
first_line()
{
	wanted=$1
	shift
	run "$@"
	[ -s "$tmp/out" ] && [ "$(head -n 1 "$tmp/out" | grep -c '^simulated counts (n3_sim)$')" \
		-eq "$wanted" ]
	result $? "simulated in the first line, $wanted: $*"
}
first_line 1 -r "$made"
first_line 1 -r "$made" -g mpki
first_line 1 -r "$made" tree
first_line 1 report --diff "$tmp/ascii.rec" "$tmp/ascii.rec"
first_line 1 selftest -i "$tmp/sim.json"
first_line 0 -r "$tmp/counting"
first_line 0 -r "$tmp/counting" -g mpki
first_line 0 -r "$tmp/counting" tree
first_line 0 report --diff "$tmp/counting.rec" "$tmp/counting.rec"
first_line 0 selftest -i "$tmp/ascii.json"
run report --diff "$tmp/counting.rec" "$tmp/ascii.rec"
same "report --diff: reports which recording is simulated" "B: simulated counts (n3_sim)" \
	"$(head -n 1 "$tmp/out")"
run report --diff "$tmp/ascii.rec" "$tmp/counting.rec"
same "report --diff: also reports the first one" "A: simulated counts (n3_sim)" \
	"$(head -n 1 "$tmp/out")"
