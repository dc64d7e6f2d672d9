# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# Invalid options: one line with an id, from every command.

# shellcheck disable=SC2086 # words of a command
for command in "" $commands help; do
	command=$(echo "$command" | tr / ' ')
	called="n3stat${command:+ $command}"
	refuses 2 "bad_option '--nonsense'" "$called refuses an unknown option" $command --nonsense
	refuses 2 "bad_option '-%'" "$called refuses an unknown letter" $command -%
	refuses 2 bad_option "$called refuses an unknown option in JSON" $command --nonsense --json
	refuses 2 "bad_option '--program-name'" "$called refuses an option without its argument" \
		$command --program-name
	refuses 2 "bad_option '--help=x'" "$called refuses an argument of an option without one" \
		$command --help=x
	"$n3stat" $command --help | grep -Eo -- '--[a-z-]+[a-z]' | sort -u >"$tmp/options"
	start=$(sed 's/^--\(.\).*/\1/' "$tmp/options" | uniq -d | head -n 1)
	[ -z "$start" ] ||
		refuses 2 "bad_option '--$start'" "$called refuses an ambiguous abbreviation" $command --$start
done
refuses 2 "bad_option '--p' .*--period --pa" "names what an abbreviation may stand for" \
	spe record --p true
refuses 2 "bad_option '-C'" "refuses a letter without its argument after another" -tC
refuses 2 "bad_option '-z'" "names the unknown one of several letters" --root=x -tzC
# A typing error, or a habit from other programs: the message names the option.
while IFS='|' read -r words proposed; do
	# shellcheck disable=SC2086 # words
	refuses 2 "bad_option $proposed" "n3stat $words: the error names $proposed" $words
done <<-'END'
	--grup mpki|--group
	--metrc=ipc|--metric
	tree --cgruop=x|--cgroup
	spe record --perido 5|--period
	report --dfif|--diff
	doctor --jsn|--json
	-c 0|-C
	-P 1|-p
	-I 1000|INTERVAL
	-d 1|INTERVAL
	tree -I 1000|INTERVAL
	-M ipc|--metric
	-a|--per
	spe record -s 5|--seconds
	spe record -m 64k|--aux-size
END
refuses 2 bad_option "nothing is proposed for other words" --nonsense
same "the error is only that the option is unknown" '--nonsense --help' \
	"$(grep -oE -- '--[a-z-]+' "$tmp/err" | xargs)"
refuses 2 "bad_value --per cpu" "-p cpu: the error names --per" -p cpu
refuses 2 "bad_value --per cpu" "top -p cpu: the error names --per" top -p cpu
refuses 2 "bad_value --per cpu" "record -p cpu: the error names --per" record -p cpu
refuses 2 "bad_value -C 0-3" "-p with a list: the error names -C" -p 0-3
refuses 5 "unknown_metric -C 0-3" "-m with a list of numbers: the error names -C" -m 0-3
refuses 5 "unknown_group -C 1" "-g with a number: the error names -C" -g 1
made options --cpus 2
refuses 4 "no_such_place -p $$\?" "-C with the number of a process: the error names -p" \
	-r "$made" -C $$
# a kernel thread, a program, and a program with the number of a CPU that is not measured
mkdir -p "$tmp/numbers/proc/77" "$tmp/numbers/proc/78" "$tmp/numbers/proc/79" \
	"$tmp/numbers/sys/devices/system/cpu/cpu79"
: >"$tmp/numbers/proc/77/cmdline"
echo program | tee "$tmp/numbers/proc/78/cmdline" >"$tmp/numbers/proc/79/cmdline"
refuses 4 "no_such_place -p 78\?" "-C with the number of a program: the error names -p" \
	-r "$made" --proc "$tmp/numbers/proc" -C 78
for number in 77 79; do
	refuses 4 no_such_place "-C $number: an error" -r "$made" --proc "$tmp/numbers/proc" -C $number
	! grep -q -- '-p ' "$tmp/err"
	result $? "-C $number: the error names no process"
done
for option in --cpu=0 --node=0 --group=mpki --metric=ipc --pid=1 --comm=a --cgroup=a; do
	# shellcheck disable=SC2046 # one word each
	refuses 2 too_many_names "refuses 1000 times $option" $(yes -- $option | head -n 1000)
done
run -z --js
[ $? -eq 2 ] && has_message bad_option && is_json_error bad_option
result $? "--json may be abbreviated and follow the error"
run spe info -j -r "$tmp/nothing"
[ $? -eq 3 ] && has_message no_directory && is_json_error no_directory
result $? "spe info -j also prints errors in JSON"
run -r "$made" -C0 --metri=ipc -- 0.01 1
result $? "an abbreviated option, and arguments after --, are valid"
run --per cpu --help --nonsense && grep -q '^Usage' "$tmp/out"
result $? "--help comes before a later error"
run -V --nonsense && grep -q '^n3stat ' "$tmp/out"
result $? "--version comes before a later error"
