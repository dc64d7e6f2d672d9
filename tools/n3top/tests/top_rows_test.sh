# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat top: which rows are shown: filter, idle CPUs, nodes; the menu of columns, F1 to F10, the
# interval, unknown keys, and places without values.

# shellcheck source=screen.sh
. "$here/screen.sh"

# replaced PLACE WORD: its values are this word
replaced()
{
	sed -i "s/ .*/ value=$2/" "$made/$1"/quality/*
	for group in "$made/$1"/quality/*; do
		sed -i "s/ .*/ $2/" "$made/$1/${group##*/}"
	done
}

# rows_are_only PLACE...: the places on the screen, in their order
rows_are_only()
{
	[ "$(sed -n '4,$s/^ *\([a-z]*[0-9]*\) *|.*|.*/\1/p' "$tmp/out" | xargs)" = "$*" ]
}

# has_rows NAME "PLACE..." [KEY...]: waits for these rows after these keys
has_rows()
{
	name=$1 places=$2
	shift 2
	[ $# -eq 0 ] || tm send-keys "$@"
	# shellcheck disable=SC2086 # names are words
	within 60 "the rows $places" on_screen rows_are_only $places
	result $? "$name"
}

# --- two nodes of four CPUs

made rows --cpus 8 --nodes 2
proc=$many/rows/proc
mkdir -p "$proc"
{
	echo "cpu 100 0 0 100 0 0 0 0 0 0"
	for cpu in 0 1 2 3 4 5 6 7; do
		echo "cpu$cpu 100 0 0 100 0 0 0 0 0 0"
	done
} >"$proc/stat"
for node in 0 1; do
	mkdir -p "$many/rows/sys/devices/system/node/node$node"
done
echo 0-3 >"$many/rows/sys/devices/system/node/node0/cpulist"
echo 4-7 >"$many/rows/sys/devices/system/node/node1/cpulist"
for cpu in 0 1 2 3 4 5 6 7; do
	set_values "$made/cpu$cpu" frontend_bound:5 backend_bound:$((5 + cpu)) bad_speculation:40 \
		retiring:50
done
set_values "$made/cpu6" frontend_bound:40 bad_speculation:5
replaced cpu2 idle
replaced cpu5 contended
printf 'cpus 8\nincluded 6\nexcluded 2\n' >"$made/system/status"
printf 'cpus 4\nincluded 3\nexcluded 1\n' >"$made/node1/status"
all="system cpu0 cpu1 cpu2 cpu3 cpu4 cpu5 cpu6 cpu7"
starts "'$n3stat' -r '$made' top --proc '$proc' 1"
has_rows "top: the system and all CPUs" "$all"
matches ' 6 of 8 CPUs, every 1 s, by place$' "top: the title has the CPUs of the system's values"
matches '^F1Help  F2Nodes F3SearchF4FilterF5Tree  F6SortByF7Every-F8Every[+]F9Pause F10Quit$' \
	"top: the last line has the function keys"
shows '^h: help$' "top: an unknown key refers to the help" x
shows '^F1Help' "top: the next key ends that" Home

has_rows "top: F4 filters by a name" "system cpu7" F4 u 7
matches '^filter: u7_ ' "top: the text is shown while it is typed"
matches ' 6 of 8 CPUs, 1 shown, with .u7., ' "top: so has the title the text and the number of rows"
has_rows "top: escape ends the filter" "$all" Escape
has_rows "top: / filters by an answer" "system cpu6" / f r o n t Enter
shows '^F1Help' "top: enter ends typing"
has_rows "top: the filter continues where it ended" "system" / x
has_rows "top: backspace removes a letter" "system cpu6" BSpace
has_rows "top: escape in the list ends it, too" "$all" Enter Escape
has_rows "top: \\ filters by a word" "system cpu5" '\' c o n t Enter
has_rows "top: another filter" "system cpu4 cpu5 cpu6 cpu7" Escape / n o d e 1 Enter
has_rows "top: i hides idle CPUs" "system cpu0 cpu1 cpu3 cpu4 cpu5 cpu6 cpu7" Escape i
matches ' 6 of 8 CPUs, 7 shown, ' "top: the title has their number"
has_rows "top: i shows them again" "$all" i

has_rows "top: F2 has rows of nodes" "system node0 node1" F2
matches '^node1: 3 of 4 CPUs$' "top: a note has the CPUs of a node's values"
nodes="system node0 cpu0 cpu1 cpu2 cpu3 node1 cpu4 cpu5 cpu6 cpu7"
has_rows "top: 2 has the CPUs of each node" "$nodes" 2
matches '^ cpu0 +[|]' "top: they are indented"
has_rows "top: a filter keeps the nodes of its rows" "system node1 cpu6" / c p u 6 Enter
has_rows "top: 2 has only CPUs again" "$all" Escape 2

shows '^> +place' "top: F6 shows the columns" F6
shows '^> +backend_bound +Share of ' "top: the menu has a description" Down Down
# The CPUs without a value are last.
sorted=$(for cpu in 0 1 3 4 6 7; do
	sed -n "s/^backend_bound .* estimate=\([^ ]*\) .*/\1 cpu$cpu/p" "$made/cpu$cpu/quality/topdown_l1"
done | sort -gr | sed 's/.* //' | xargs)
has_rows "top: enter sorts by the column, the system stays first" "system $sorted cpu2 cpu5" Enter
shows 'by backend_bound, largest$' "top: the title has the column"
shows '^> +backend_bound' "top: s shows the menu at that column" s
shows 'by backend_bound, largest$' "top: another key leaves it" Down x
grep -q "^place " "$tmp/out"
result $? "top: the list is back"

shows ' every 0.5 s, ' "top: - makes the interval shorter" -
shows ' every 2 s, ' "top: + makes it longer" + +
shows ' every 1 s, ' "top: F7 makes it shorter" F7
shows ' every 2 s, ' "top: F8 makes it longer" F8
shows 'PAUSED' "top: F9 pauses" F9
shows '^  up, down, k, j ' "top: F1 shows the help" F1
shows '^system .*[|]' "top: F1 leaves it" F1
shows 'of all slots' "top: F5 shows the tree" F5
shows '^place ' "top: F5 leaves the tree" F5
shows 'status=0' "top: F10 quits" F10
tm kill-server

starts "'$n3stat' -r '$made' top --proc '$proc' -s backend_bound 1" 80 9
has_rows "top: a low screen has the first rows" "system $(echo "$sorted" | cut -d' ' -f 1-4)"
last="$(echo "$sorted" | cut -d' ' -f 5-) cpu2 cpu5"
has_rows "top: the system does not scroll" "system $last" End
tm kill-server

starts "'$n3stat' -r '$made' top -C 0-1 1"
shows '^cpu1 ' "top: two CPUs"
shows 'no rows of nodes' "top: F2 without nodes gives the reason" F2
tm kill-server

# --- places without values

for place in cpu0 cpu1 cpu2 cpu3 cpu4 cpu5 cpu6 cpu7 system; do
	replaced $place contended
done
replaced cpu2 idle
printf 'cpus 8\nincluded 0\nexcluded 8\ncontended 7\nidle 1\n' >"$made/system/status"
starts "'$n3stat' -r '$made' top 1"
shows '^cpu7 +[|]contended +[|]( +-)+ contended$' "top: a word in the bar is not repeated"
shows '^7 CPUs are contended: n3stat doctor$' "top: a tree without values ends with the next step" \
	Right
same "top: its branches are folded" 4 "$(grep -c ' contended *[|]' "$tmp/out")"
shows '^cpu0 is contended: n3stat doctor$' "top: so does that of a CPU" n
shows '^cpu2 is idle: ' "top: an idle CPU is no case for doctor" n n
! grep -q doctor "$tmp/out"
result $? "top: it has its reason"
tm kill-server
