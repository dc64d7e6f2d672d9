# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat top: columns, sort order, notes, search, help and processes.

# shellcheck source=screen.sh
. "$here/screen.sh"

# estimate FILE METRIC VALUE ERROR: sets it
estimate()
{
	awk -v m="$2" -v v="$3" -v e="$4" '$1 == m {
		printf "%s value=%s low=%s high=%s coverage=48.50 slices=48", m, v, v - e, v + e
		printf " estimate=%s estimate_low=%s estimate_high=%s\n", v, v - e, v + e
		next } { print }' "$1" >"$tmp/estimate" &&
		cp "$tmp/estimate" "$1"
}

# rows: the places on the screen, in their order
rows()
{
	sed -n '4,$s/^\([a-z]*[0-9]*\).*|.*|.*/\1/p' "$tmp/out" | tr '\n' ' '
}

# rows_are PLACE...: they are the first rows
rows_are()
{
	case "$(rows)" in
	"$* "*) return 0 ;;
	esac
	return 1
}

# rows_are_only PLACE...: there are no others. A screen may be captured while it is drawn: a test
# waits for this.
rows_are_only()
{
	[ "$(rows)" = "$* " ]
}

# titles: of the columns after the bar
titles()
{
	sed -n '3s/.*|//p' "$tmp/out" | xargs
}

# has_titles TITLE...: these are all
has_titles()
{
	[ "$(titles)" = "$*" ]
}

# --- options

made options --cpus 3
refuses 5 "unknown_metric nonsense" "top --sort: refuses an unknown column" \
	-r "$made" top --sort nonsense
refuses 5 "unknown_metric backend_bound" "top --sort: proposes a column" \
	-r "$made" top --sort backend_bount
refuses 5 "metric_not_shown l2_tlb_mpki" "top --sort: refuses a metric without a column" \
	-r "$made" top --sort l2_tlb_mpki
refuses 5 "metric_not_shown retiring" "top --sort: has only the columns of --metric" \
	-r "$made" top -m ipc -s retiring
refuses 5 "unknown_metric ipx" "top --metric: refuses an unknown metric" -r "$made" top -m ipx
refuses 5 "unknown_group mpkj" "top --groups: refuses an unknown group" -r "$made" top --groups mpkj
for column in place IPC back +retiring -bad_speculation answer branch_mpki; do
	refuses 2 needs_terminal "top --sort: accepts $column" -r "$made" top --sort=$column
done
refuses 2 conflicting_options "top --pid: refuses --cpu" -r "$made" top --pid 1 -C 0
refuses 2 conflicting_options "top --pid: refuses a copy without --proc" -r "$made" top --pid 1

made top-no-totals --no-totals
"$shared/make_proc.py" "$many/no-totals/proc" 0 || exit 1
refuses 5 "unknown_metric ghz" "top: has no column of rates without totals" \
	-r "$made" top --proc "$many/no-totals/proc" --sort ghz

# --- columns

made columns --cpus 20
for cpu in $(seq 0 19); do
	# a permutation
	share=$((7 * cpu % 20 + 30))
	set_values "$made/cpu$cpu" frontend_bound:5 backend_bound:$share bad_speculation:5 \
		retiring:$((90 - share)) backend_core_bound:90 backend_core_rename_bound:0
	[ $cpu -ne 12 ] || set_values "$made/cpu12" frontend_bound:$share backend_bound:5 \
		frontend_core_bound:90 frontend_core_flush_bound:100 frontend_core_flow_bound:0
	for file in mpki branch_effectiveness; do
		estimate "$made/cpu$cpu/quality/$file" branch_mpki $((cpu + 1)).2500 0.0100
	done
done
# stands in for the busy time of a CPU
"$shared/make_proc.py" "$many/still/proc" 0 || exit 1
for size in 200 150 120 80 60 40; do
	starts "'$n3stat' -r '$made' top --proc '$many/still/proc' 5" $size 30
	# the first update is after 0.25 s
	within 60 "$size columns" on_screen grep -q '^cpu19 '
	[ "$(wc -L <"$tmp/out")" -le $size ]
	result $? "top: $size columns: no line is longer"
	bar=$(sed -n '3s/^[^|]*|\([^|]*\)|.*/\1/p' "$tmp/out")
	[ ${#bar} -ge 10 ] && [ ${#bar} -le 40 ]
	result $? "top: $size columns: the bar has 10 to 40 letters"
	titles >"$tmp/titles.$size"
	tm kill-server
done
same "top: 40 columns have busy time, IPC and one area" "front ipc busy" "$(cat "$tmp/titles.40")"
same "top: 60 columns have the answer instead of areas" "ipc busy answer" \
	"$(cat "$tmp/titles.60")"
at_80="front back bad retir ipc busy answer"
same "top: 80 columns have all areas, IPC, busy time and the answer" "$at_80" \
	"$(cat "$tmp/titles.80")"
at_120="front back bad retir ipc busy GHz Gi/s answer"
same "top: 120 columns have rates, and the answer last" "$at_120" \
	"$(cat "$tmp/titles.120")"
[ "$(wc -w <"$tmp/titles.200")" -gt "$(wc -w <"$tmp/titles.150")" ]
result $? "top: 200 columns have MPKI"

starts "'$n3stat' -r '$made' top --sort answer 0.3" 120
# 7 * 17 is 19 modulo 20, 7 * 14 is 18, 7 * 11 is 17
shows 'by answer, largest$' "top: --sort answer"
within 60 "their order" on_screen rows_are system cpu17 cpu14 cpu11
result $? "top: --sort answer: the largest area is first"
set_values "$made/cpu17" backend_bound:5 retiring:85
within 60 "their order" on_screen rows_are system cpu14 cpu11
result $? "top: --sort answer: retiring is not lost"
set_values "$made/cpu17" backend_bound:49 retiring:41
within 60 "their order" on_screen rows_are system cpu17 cpu14 cpu11
matches '^cpu17 .* backend 49% rest of CORE$' "top: the column has area, share and cause"
shows '^cpu12 +of all slots' "top: F3 and a number selects that CPU" F3 1 2 Enter Right
tm send-keys Left
shows '^search: flush_' "top: F3 shows the text while it is typed" F3 f l u s h
shows '^cpu12 +of all slots' "top: F3 finds a cause" Enter Right
tm send-keys Left
shows 'not found' "top: F3 reports that nothing is found" F3 x y z
tm send-keys Escape
shows '^cpu17 +of all slots' "top: F3 finds a part of a name in the order of the rows" Home F3 p u \
	1 Enter Right
shows '^cpu14 +of all slots' "top: n finds the next" Left n Right
shows '^cpu17 +of all slots' "top: N finds the one before" Left N Right
shows 'status=0' "top: q quits after a search" q
tm kill-server

starts "'$n3stat' -r '$made' top -m branch_mpki,retiring -s +branch_mpki 0.3"
within 60 "the columns" on_screen has_titles retir branch_mpki answer
result $? "top -m: the columns are these metrics in the order of the module's files"
within 60 "their order" on_screen rows_are system cpu0 cpu1 cpu2
result $? "top --sort +METRIC: the smallest is first"
matches '^cpu3 .*\| +[0-9.]+ +4\.25 ' "top -m: the value is the file's estimate"
tm kill-server

starts "'$n3stat' -r '$made' top -m ghz,ipc 0.3"
within 60 "the columns" on_screen has_titles ipc GHz answer
result $? "top -m ghz: has the column where it is unknown"
within 60 "the row" on_screen grep -Eq '^cpu3 .*\| +[0-9.]+ +- '
result $? "top -m ghz: an unknown value is a dash"
tm kill-server

# CPUs 3 to 16 have the same value
for cpu in $(seq 3 16); do
	for file in mpki branch_effectiveness; do
		estimate "$made/cpu$cpu/quality/$file" branch_mpki 3.5000 0.0100
	done
done
# cpus: their order on the screen, without the system
cpus()
{
	rows | sed 's/system //; s/cpu//g'
}
# cpus_are ORDER
cpus_are()
{
	[ "$(cpus)" = "$1 " ]
}
ties=$(seq -s ' ' 3 16)
starts "'$n3stat' -r '$made' top -m branch_mpki -s branch_mpki 0.3" 80 40
within 60 "their order" on_screen cpus_are "19 18 17 $ties 2 1 0"
result $? "top --sort METRIC: equal values are in the order of places"
tm send-keys r
within 60 "their order" on_screen cpus_are "0 1 2 $ties 17 18 19"
result $? "top: so are they with the smallest first"
tm kill-server

starts "'$n3stat' -r '$made' top --groups general,branch_effectiveness 0.3" 180
shows '\| +ipc +branch_direct_ratio .* branch_mpki +branch_return_ratio' \
	"top --groups: has all metrics of the groups"
tm kill-server

# --- notes

made notes --cpus 3
echo "topdown_l1 general" >"$made/groups"
for cpu in 0 1 2; do
	sed -i 's/ .*/ value=disabled/' "$made/cpu$cpu/quality/mpki"
done
printf 'cpus 3\nincluded 1\nexcluded 2\n' >"$made/system/status"
starts "'$n3stat' -r '$made' top -g mpki 1"
shows '^cpu0 .*\| +disabled ' "top -g: a group that is not sampled has its word"
shows '^disabled: MPKI' "top -g: a note names the group"
matches '^try: +echo all > /sys/kernel/n3_telemetry/groups$' \
	"top -g: and the command that enables it"
matches '^system +\|' "top: the row of the system has its name alone"
matches '^n3stat top  .* 1 of 3 CPUs, ' "top: the title has the number of CPUs that are included"
shows '^system \(1 of 3 CPUs\) +of all slots' "top: so has its tree" Home Right
tm send-keys Left
tm resize-window -x 60 -y 16
shows '  SIMULATED  1 of 3 CPUs, by place$' "top: so has that of 60 columns"
shows '^busy|2 s.*overlap' "top: a note has the window if updates overlap"
tm resize-window -x 60 -y 11
# has_room: a last row of three, and no notes
has_room()
{
	! grep -q overlap "$tmp/out" && [ "$(wc -l <"$tmp/out")" -eq 11 ]
}
within 60 "a low screen" on_screen has_room && [ "$(grep -c '^cpu[0-9] ' "$tmp/out")" -eq 3 ]
result $? "top: a low screen has rows instead of notes"
tm kill-server
starts "'$n3stat' -r '$made' top -C 0 2"
shows '^cpu0 ' "top: an interval as long as the window"
! grep -q overlap "$tmp/out"
result $? "top: it has no note about the window"
tm kill-server

# --- help

starts "'$n3stat' -r '$made' top 0.3" 60 12
shows '^cpu0 ' "top: a small screen before the help"
shows '^  up, down, k, j: ' "top: h shows the help" h
: >"$tmp/seen"
# is_other: another page than the one before
is_other()
{
	! cmp -s "$tmp/out" "$tmp/page"
}
until
	sed '1,2d;$d' "$tmp/out" >>"$tmp/seen"
	grep -q 'inconsistent' "$tmp/seen"
do
	cp "$tmp/out" "$tmp/page"
	tm send-keys NPage
	within 60 "the next page" on_screen is_other || break
done
[ "$(wc -L <"$tmp/seen")" -le 60 ] && grep -q '^  q, F10: ' "$tmp/seen" &&
	grep -q 'inconsistent' "$tmp/seen"
result $? "top: the help scrolls to its end"
shows '^  up, down, k, j: ' "top: home scrolls the help back" Home
shows '^cpu0 ' "top: another key leaves the help" x
tm resize-window -x 80 -y 24
shows '^  h, \?, F1 ' "top: h shows the help on 80x24" h
grep -q '^  up, down' "$tmp/out" && grep -q 'inconsistent' "$tmp/out"
result $? "top: the help fits 80x24"
tm kill-server

# --- processes

# runs ARGUMENT...: top in a new terminal, as $pid, with the artificial processes at stage 0. A
# shell is between them, as tmux continues a child that is stopped.
runs()
{
	rm -rf "$many/made-proc"
	"$shared/make_proc.py" "$many/made-proc/proc" 0 || exit 1
	: >"$tmp/err"
	terminal=$((terminal + 1))
	tm new-session -d -x 100 -y 24 \
		"sh -c 'echo \$\$ >\"$tmp/pid\"; exec \"\$@\"' sh \
			env LC_ALL=C.UTF-8 '$n3stat' -r '$made' top --proc '$many/made-proc/proc' $*; :"
	within 60 "top" on_screen grep -q '^n3stat top '
	pid=$(cat "$tmp/pid")
}

# changes REGEX: the processes and CPU times change between two updates, of which a line then has
# REGEX; top is stopped after that one
changes()
{
	regex=$1
	holds "$pid"
	"$shared/make_proc.py" "$many/made-proc/proc" 1 || exit 1
	[ -z "$totals" ] || totals 1
	kill -CONT "$pid"
	within 60 "'$1' on the screen" on_screen grep -Eq -- "$1"
	result $? "$2"
	holds "$pid"
}

totals=
made processes --cpus 4
# totals STAGE: in 1 s of sampling more, CPU 3 ran 2.5e9 cycles with 1.5 instructions each
totals()
{
	mkdir -p "$made/cpu3/counters"
	printf '%s\n' "sampled_ns $((5000000000 + $1 * 1000000000))" "dropped_ns 0" "yielded_ns 0" \
		"off_ns 0" \
		"start_ns 1000" "cycles_total $((7000000000 + $1 * 2500000000))" >"$made/cpu3/counters/time"
	printf '%s\n' "ipc_numerator_total $((900000000 + $1 * 1500000))" \
		"ipc_denominator_total $((600000000 + $1 * 1000000))" >"$made/cpu3/counters/general"
}
runs --pid 200 6
shows 'by theirs, largest$' "top --pid: sorts by their share"
shows '^n3stat top .* 0 CPUs' "top --pid: has no rows while they do not run"
changes '^cpu1 ' "top --pid: has the CPU where they run"
within 60 "two rows" on_screen rows_are_only cpu1 cpu3
result $? "top --pid: has only their CPUs, that with the largest share first"
has_titles theirs front back bad retir ipc busy GHz Gi/s answer
result $? "top --pid: has a column of their share"
# /proc/stat: CPU 1 was busy for 20 % of the time, CPU 3 for all of it
matches '^cpu1 .* 20 +- +-( |$)' "top --pid: and the busy time of the CPU"
matches '^cpu3 .* 100 +- +-( |$)' "top --pid: of each"
tm kill-server

runs --sort busy 6
changes '^cpu3 .* 100 +- +-( |$)' "top: has the busy time of a CPU"
within 60 "their order" on_screen rows_are_only system cpu3 cpu0 cpu1 cpu2
result $? "top --sort busy: the busiest is first"
matches '^cpu0 .* 50 +- +-( |$)' "top: has the busy time of the next CPU"
tm kill-server

runs --sort busy 6
tm send-keys i
changes '^cpu3 .* 100 +- +-( |$)' "top: has the busy time without idle CPUs"
within 60 "the rows" on_screen rows_are_only system cpu3 cpu0 cpu1
result $? "top: i hides the CPU that was not busy"
tm kill-server

totals=yes
totals 0
runs --sort gips 6
changes '^cpu3 .* 100 +- +3\.75( |$)' "top: simulated counts have no frequency"
tm kill-server
sed -i 's/^simulated .*/simulated 0/' "$made/spec"
totals 0
runs --sort ghz 6
# busy all of the time: 2.5e9 cycles a second are 2.5 GHz
changes '^cpu3 .* 100 +2\.50 +3\.75( |$)' \
	"top: has the frequency and the instructions per second of a CPU"
within 60 "their order" on_screen rows_are system cpu3 && titles | grep -q ' busy GHz Gi/s'
result $? "top --sort ghz: the CPU with a frequency is first"
matches '^cpu0 .* 50 +- +-( |$)' "top: unknown ones are words"
tm kill-server
