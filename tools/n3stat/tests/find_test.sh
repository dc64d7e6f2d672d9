# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat find: which commands run, with which arguments, and what if they fail; perf and n3spe are
# fakes that note their arguments.

# fake FILE NAME: a program that appends NAME and its arguments to $tmp/ran; "record" fails with
# the status in $tmp/status
fake()
{
	rm -f "$1"
	cat >"$1" <<-END
		#!/bin/sh
		echo "$2 \$*" >>"$tmp/ran"
		case \$1 in
		record) read -r status <"$tmp/status"; exit "\$status" ;;
		*) echo "function of $2" ;;
		esac
	END
	chmod 755 "$1"
}
mkdir "$tmp/bin"
fake "$tmp/bin/perf" perf
fake "$tmp/n3stat-spe" spe
echo 0 >"$tmp/status"

made find --cpus 4 --nodes 2 --spe
sed -i 's/^simulated .*/simulated 0/' "$made/spec"
for place in cpu0 cpu1 cpu2 cpu3 system; do
	set_values "$made/$place" frontend_bound:10 backend_bound:10 bad_speculation:50 retiring:30
done
"$shared/make_proc.py" "$tmp/machine/proc" 0
proc=$tmp/machine/proc

# finds ARGUMENT...: n3stat find with perf in PATH, and in another directory
finds()
{
	: >"$tmp/ran"
	(cd "$tmp/bin" && PATH="$tmp/bin:$PATH" "$n3stat" find -r "$made" --proc "$proc" "$@") \
		>"$tmp/out" 2>"$tmp/err"
}
# shown: the commands that the output shows
shown()
{
	sed -n 's/^\$ //p' "$tmp/out"
}
# shows LINE...: exactly these, after the tree, whose options are not compared
shows()
{
	shown | sed 's/^\(n3stat tree\) .*/\1/' >"$tmp/shown"
	printf '%s\n' "n3stat tree" "$@" | cmp -s - "$tmp/shown"
}

filter="--branch --event-filter mispredicted"
finds -C 1 && shows "n3stat spe record -C 1 --seconds 5 $filter" "n3stat spe report" &&
	[ "$(cat "$tmp/ran")" = "spe record -C 1 --seconds 5 $filter
spe report" ] && grep -q '^> bad_speculation' "$tmp/out" &&
	[ "$(tail -n 1 "$tmp/out")" = "function of spe" ] && [ ! -s "$tmp/err" ]
result $? "find: the tree, then SPE where it is usable"

# the process runs meanwhile
: >"$tmp/ran"
echo 2000 >"$made/window_ms"
PATH="$tmp/bin:$PATH" "$n3stat" find -r "$made" --proc "$proc" -p 200 >"$tmp/out" 2>"$tmp/err" &
pid=$!
holds $pid && "$shared/make_proc.py" "$proc" 1
kill -CONT $pid
ends $pid && grep -qx "spe record -p 200,303 --seconds 5 $filter" "$tmp/ran" &&
	shown | head -n 1 | grep -q -- ' -p 200$'
result $? "find -p: samples of the process and its child"

event=armv8_pmuv3_0/br_mis_pred_retired/
sed -i 's/n3_sim/armv8_pmuv3_0/' "$made/spec"
printf 'usable no\nreason owned\n' >"$made/cpu1/spe"
report="report --stdio --no-children -g none --percent-limit 1"
finds -C 1 && shows "perf record -e $event -g -C 1 -- sleep 10" "perf $report" &&
	[ "$(cat "$tmp/ran")" = "perf record -e $event -g -C 1 -- sleep 10
perf $report" ] && [ "$(tail -n 1 "$tmp/out")" = "function of perf" ]
result $? "find: perf where SPE is not usable"
mv "$tmp/n3stat-spe" "$tmp/spe"
rm -f "$tmp/n3spe"
finds -C 0 && grep -q "^perf record -e $event -g -C 0 " "$tmp/ran" && ! grep -q spe "$tmp/ran"
result $? "find: perf if n3spe is not installed"

mv "$tmp/bin/perf" "$tmp/perf"
# no_command REGEX PLACE NAME: the tree, no command, and the reason
no_command()
{
	PATH="$tmp/none" finds -C "$2"
	[ $? -eq 127 ] && has_message not_installed "$1" && [ ! -s "$tmp/ran" ] &&
		grep -q '^> bad_speculation' "$tmp/out"
	result $? "find: without both, the tree and the reason: $3"
}
# perf of this machine must not be found
finds()
{
	: >"$tmp/ran"
	(cd "$tmp/bin" && PATH="$tmp/bin" "$n3stat" find -r "$made" --proc "$proc" "$@") \
		>"$tmp/out" 2>"$tmp/err"
}
no_command 'perf.* n3spe' 0 "n3spe is not installed"
no_command 'perf.* spe info' 1 "SPE is not usable"
mv "$tmp/spe" "$tmp/n3stat-spe"
set_values "$made/cpu2" frontend_bound:5 backend_bound:5 bad_speculation:10 retiring:80
finds -C 2
[ $? -eq 127 ] && has_message not_installed 'retiring.* SPE has no '
result $? "find: without both, the tree and the reason: SPE does not sample it"
mv "$tmp/perf" "$tmp/bin/perf"

echo 3 >"$tmp/status"
finds -C 0
[ $? -eq 3 ] && [ "$(wc -l <"$tmp/ran")" -eq 1 ]
result $? "find: a command that fails is the last, and its status is returned"
echo 0 >"$tmp/status"
printf '#!/bin/sh\ntrap "exit 5" TERM\necho begun >%s\nwhile sleep 0.1; do :; done\n' "$tmp/begun" \
	>"$tmp/n3stat-spe"
"$n3stat" find -r "$made" --proc "$proc" -C 0 >"$tmp/out" 2>"$tmp/err" &
pid=$!
within 60 "the command" has_lines "$tmp/begun" begun
kill -INT $pid
ends $pid 5
result $? "find: a signal ends the command as well"
fake "$tmp/n3stat-spe" spe

(cd "$tmp" && PATH="$tmp/bin:$PATH" "$n3stat" find -r "$made" -C 0) >"$tmp/out" 2>"$tmp/err" &&
	[ "$(shown | wc -l)" -eq 1 ] && grep -q '^not run, .*copy: n3stat spe record -C 0 ' "$tmp/out"
result $? "find: commands of another machine are shown, not run"
sed -i 's/^simulated .*/simulated 1/' "$made/spec"
finds -C 0 && [ ! -s "$tmp/ran" ] && grep -q '^not run, .*simulated: ' "$tmp/out"
result $? "find: nor those of simulated counts"
sed -i 's/ .*/ value=idle/' "$made/cpu3/quality/topdown_l1"
finds -C 3
[ $? -eq 1 ] && [ ! -s "$tmp/ran" ] && grep -qx idle "$tmp/out"
result $? "find: no command without an answer"
refuses 2 too_many_arguments "find: refuses an interval" find -r "$made" 1
refuses 2 conflicting_options "find: refuses -p with -C" \
	find -r "$made" --proc "$proc" -p 100 -C 0
