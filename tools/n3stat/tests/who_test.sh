# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2034,SC2154 # run.sh and lib.sh set the rest
# --pid, --comm, --cgroup: CPUs of a program; CPU utilisation. On artificial trees
# and on this machine's /proc.

made who-sys --cpus 4 --nodes 2

proc=$many/made-proc/proc
"$shared/make_proc.py" "$many/before/proc" 0 && cp -r "$many/before" "$many/after" &&
	"$shared/make_proc.py" "$many/after/proc" 1 || exit 1
# stage N: makes $proc of before, or changes it to that of after while nobody reads it
stage()
{
	if [ "$1" -eq 0 ]; then
		rm -rf "$many/made-proc"
		cp -r "$many/before" "$many/made-proc"
	else
		cp -r "$many/after/." "$many/made-proc" && rm -r "$proc/100/task/103"
	fi
}

# between ARGUMENT...: runs n3stat with a change from stage 0 to 1 in the middle
between()
{
	stage 0
	begins -r "$made" --proc "$proc" "$@"
	holds $pid && stage 1
	kill -CONT $pid
	ends $pid && [ ! -s "$tmp/err" ]
}

# shares NAMES NAME ARGUMENT...: checks the shares of these processes in --json
shares()
{
	ran=$1 name=$2
	shift 2
	between "$@" --json 1 1
	status=$?
	cp "$tmp/out" "$tmp/json"
	# shellcheck disable=SC2086 # names are words
	"$here/check_who.py" made $ran <"$tmp/json" >"$tmp/out" 2>>"$tmp/err" && [ $status -eq 0 ]
	result $? "$name"
}

# --- artificial processes

shares "100 children" "--pid: threads that run, move, begin, end; children; odd and torn lines" \
	--pid 100
shares "200 children200" "--pid: of a process whose name has a newline" --pid 200
shares "100 children" "--comm: a name with blanks and ')'" --comm "(a) R 1 b"
shares "200 children200" "--comm: a name with a newline" --comm "new
line"
shares "100 children 200 children200" "--pid and --comm together are all of both" --comm "new
line" --pid 100
shares "100 200" "--cgroup: all processes of a cgroup and of those below it" \
	--cgroup "$many/made-proc/cg"
shares "fast" "--pid: more CPU time than there was, by another clock, is 100 % of it" --pid 500
shares "200" "--cgroup: a cgroup below another" --cgroup "$many/made-proc/cg/below"
shares "100 200 children200" "--cgroup and --pid together: nothing counts twice" \
	--cgroup "$many/made-proc/cg" --pid 200

stage 0
ln -s . "$many/made-proc/cg/a"
ln -s . "$many/made-proc/cg/b"
timeout 60 "$n3stat" -r "$made" --proc "$proc" --cgroup "$many/made-proc/cg" --json 0.1 1 \
	>"$tmp/out" 2>"$tmp/err" &&
	grep -q '"processes":3,' "$tmp/out" && [ ! -s "$tmp/err" ]
result $? "--cgroup: directories that link to themselves are not cgroups"
# more than the maximum, on two levels
"$here/make_cgroups.py" "$many/made-proc/cgroups"
run -r "$made" --proc "$proc" --cgroup "$many/made-proc/cgroups" --json 0.1 1 &&
	grep -q '"processes":1,' "$tmp/out" &&
	[ "$(wc -l <"$tmp/err")" -eq 1 ] && has_message too_many_cgroups "$many/made-proc/cgroups: 16384 "
result $? "--cgroup: reports once that there are too many"
rm -r "$many/made-proc/cgroups"

# With a thousand, samples become rare, but all CPU time is counted.
rm -rf "$many/made-proc"
"$shared/make_proc.py" "$proc" 0 --threads 1000
begins -r "$made" --proc "$proc" --pid 400 --json 1
within 60 "a line" has_lines "$tmp/out" . && holds $pid
"$shared/make_proc.py" "$proc" 1 --threads 1000
kill -CONT $pid
within 60 "two more lines" has_lines "$tmp/out" . $(($(wc -l <"$tmp/out") + 2))
stops
cp "$tmp/out" "$tmp/json"
"$here/check_who.py" rounds many <"$tmp/json" >"$tmp/out" 2>>"$tmp/err" &&
	! grep -qv '"threads":1000,' "$tmp/json" && [ ! -s "$tmp/err" ]
status=$?
result $status "--pid: a process of 1000 threads"

between --pid 100 2 1
status=$?
sed -n '/^ cpu/,/^[0-9]/s/^ *\([0-9]*\) .*/\1/p' "$tmp/out" | xargs >"$tmp/rows"
[ $status -eq 0 ] && [ "$(cat "$tmp/rows")" = "0 2 1 3 4" ]
result $? "the table: CPUs by their share, largest first"
[ "$(wc -L <"$tmp/out")" -le 80 ]
result $? "the table fits 80 columns"
tr '\n' ' ' <"$tmp/out" | grep -q 'values are those of the CPUs'
result $? "the table explains that values are those of CPUs"
columns=' cpu busy theirs others idle front back +bad retir +ipc answer'
matches "^ +busy theirs others idle|^$columns\$" \
	"the table: its columns"
matches '^moved between CPUs: seen 1 time in ' "the table reports that threads moved"
# its columns, in percent of the time: CPU, busy, theirs, others
percent=$(awk '$1 == "0" && NF > 4 { printf "%.0f", 100 * $4 / $2 }' "$tmp/out")
grep -Eq "^others had ($percent|$((percent - 1))|$((percent + 1))) % of the busy time of cpu0" \
	"$tmp/out"
result $? "the table reports that others also ran there"
matches '^next: n3stat tree --pid 100$' "the table names the next step"
below=$many/made-proc/cg/below
between --pid 210 --pid 100 --comm "(a) R 1 b" --cgroup "$below" 2 1
matches "^next: n3stat tree --pid 210 --pid 100 --comm '\(a\) R 1 b' --cgroup $below\$" \
	"the next step has the same options, quoted for the shell"

between --pid 100 --csv 2 1
[ "$(head -n 1 "$tmp/out" | cut -d, -f1-9)" = \
	time,place,busy,theirs,others,idle,steal,doubt,frontend_bound ] &&
	[ "$(sed 1d "$tmp/out" | cut -d, -f2,3,6,7 | xargs)" = \
		"cpu0,50.0,50.0,0.0 cpu2,0.0,100.0,0.0 cpu1,20.0,60.0,20.0 cpu3,100.0,0.0,0.0" ]
result $? "--csv has the shares of each CPU"

# the command that finds the code is of the processes, and of their CPU if these are many
between tree --pid 200
matches 'perf record .* -p 200,303 ' "tree: perf of the process and its child"
between tree --json --comm "(a) R 1 b" --pid 200
matches '"find_it":"perf record [^"]* -p 100,200,300,301,302,303 ' \
	"tree --json: perf of several processes"
spe=$many/who-spe
cp -r "$made" "$spe"
for cpu in 0 1 2 3; do
	echo 'usable yes' >"$spe/cpu$cpu/spe"
	printf 'path bad_speculation 50 1\nfound bad_speculation\n' >"$spe/cpu$cpu/bottleneck"
done
made=$spe between tree --pid 200
matches 'n3stat spe record -p 200,303 ' "tree: SPE of the process and its child"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	cp -r "$many/before/proc/400" "$many/before/proc/$((1000 + i))"
done
between tree --pid 200 --comm many
matches 'perf record .* -C 1 ' "tree: perf of the CPU of many processes"
rm -r "$many"/before/proc/10[01][0-9]

# --- processes that did not run

run -r "$made" --proc "$proc" --pid 210 0.1 1 && grep -q '^pid 210 .* [0-9.]* s' "$tmp/out"
result $? "reports that a process did not run, with exit status 0"
run -r "$made" --proc "$proc" tree --pid 210 && grep -q '^pid 210 .* [0-9.]* s' "$tmp/out" &&
	! grep -q backend_bound "$tmp/out"
result $? "tree: reports that a process did not run, and shows no CPU"
run -r "$made" --proc "$proc" --pid 210 --json 0.1 1 && [ ! -s "$tmp/err" ] &&
	python3 -c 'import json, sys
d = json.load(sys.stdin)
sys.exit(d["places"] != [] or d["who"]["ran"] != 0 or d["who"]["pid"] != ["210"])' <"$tmp/out"
result $? "--json: no places if they did not run"
run -r "$made" --proc "$proc" tree --pid 210 --json && grep -q '^pid 210 .* [0-9.]* s' "$tmp/err" &&
	python3 -c 'import json, sys, time
lines = sys.stdin.read().splitlines()
d = json.loads(lines[0])
assert len(lines) == 1 and d["places"] == [] and abs(d["time"] - time.time()) < 60, d' \
		<"$tmp/out" 2>>"$tmp/err"
result $? "tree --json: no places if they did not run"
run -r "$made" --proc "$proc" --comm "$(printf '\377\376\033')" 0.1 1
[ "$(tr -d '\n -~' <"$tmp/out" | wc -c)" -eq 0 ] && grep -q '^comm ??? did not run' "$tmp/out"
result $? "a name with control characters never reaches the terminal"

# They exit between two rounds.
stage 0
begins -r "$made" --proc "$proc" --pid 100 --json 0.3
within 60 "a round" has_lines "$tmp/out" . && mv "$proc/100" "$proc/gone"
ends $pid && [ "$(wc -l <"$tmp/err")" -eq 1 ] && has_message processes_ended
result $? "ends when the process has ended"

# --- recordings

# records ARGUMENT...: a first snapshot, and a second one of both stages
records()
{
	stage 0
	begins -r "$made" --proc "$proc" record -q -o "$tmp/who.rec" "$@" 2 2
	within 60 "a snapshot" has_snapshots "$tmp/who.rec" 1 && holds $pid && stage 1
	kill -CONT $pid
	ends $pid && [ ! -s "$tmp/err" ]
}
records --pid 100 && "$here/check_who.py" recording "$tmp/who.rec" 100 children \
	>"$tmp/out" 2>"$tmp/err"
result $? "record --pid: the time on each CPU and of the system, since the snapshot before"
run report "$tmp/who.rec" && grep -q ': cpu0, 2 snapshots$' "$tmp/out" &&
	grep -qx 'processes: pid 100' "$tmp/out" &&
	grep -Eq '^time of theirs: cpu0 [0-9.]+ %, cpu1 ' "$tmp/out" &&
	grep -Eq '^theirs .* percent of time$' "$tmp/out"
result $? "report: of the CPU where the recorded processes ran most"
run report --place system "$tmp/who.rec" && grep -q ': system, 2 snapshots$' "$tmp/out" &&
	run report -o - "$tmp/who.rec" && grep -q '<dd>pid 100</dd>' "$tmp/out"
result $? "report: of another place, and the page, with the recorded processes"
records --comm "new
line" --cgroup "$many/made-proc/cg/below" &&
	"$here/check_who.py" recording "$tmp/who.rec" 200 children200 >"$tmp/out" 2>"$tmp/err"
result $? "record --comm and --cgroup: nothing counts twice"
stage 0
begins -r "$made" --proc "$proc" record -q -o "$tmp/gone.rec" --pid 100 0.3
within 60 "a snapshot" has_snapshots "$tmp/gone.rec" 1 && mv "$proc/100" "$proc/gone"
ends $pid && [ "$(wc -l <"$tmp/err")" -eq 1 ] && has_message processes_ended
result $? "record: ends when the process has ended"

# --- errors

stage 0
refuses 4 "no_such_process 99" "names a process that does not exist" \
	-r "$made" --proc "$proc" --pid 99
refuses 4 "no_such_process 101" "a thread is not a process" -r "$made" --proc "$proc" --pid 101
refuses 4 "no_such_process 'no such'" "names a program that does not run" \
	-r "$made" --proc "$proc" --comm "no such"
refuses 4 no_such_cgroup "names a cgroup that does not exist" \
	-r "$made" --proc "$proc" --cgroup nosuch
refuses 4 no_such_process "reports that a cgroup is empty" \
	-r "$made" --proc "$proc" --cgroup "$many/made-proc/cg/empty"
# as with hidepid: this process is there, the first one of the machine is not
mkdir "$proc/self"
echo n3stat >"$proc/self/comm"
for who in "--pid 99" "--comm nosuch" "--cgroup $many/made-proc/cg/empty"; do
	# shellcheck disable=SC2086 # words
	refuses 6 "processes_hidden $proc" "reports that others' processes are hidden: $who" \
		-r "$made" --proc "$proc" $who
done
mkdir "$proc/1"
echo init >"$proc/1/comm"
refuses 4 no_such_process "names a program that does not run if no process is hidden" \
	-r "$made" --proc "$proc" --comm nosuch
rm -r "$proc/self" "$proc/1"
refuses 2 bad_value "refuses a process that is not a number" -r "$made" --proc "$proc" --pid 1x
refuses 2 bad_value "refuses a process of 0" -r "$made" --proc "$proc" --pid 0
refuses 2 bad_value "refuses a process id that is too large" \
	-r "$made" --proc "$proc" --pid 99999999999999999999
refuses 2 bad_value "refuses an empty name" -r "$made" --proc "$proc" --comm ""
refuses 2 bad_value "refuses an empty cgroup" -r "$made" --proc "$proc" --cgroup ""
refuses 2 conflicting_options "refuses processes of this machine with a copy of another" \
	-r "$made" --pid 1
refuses 2 conflicting_options "tree also refuses them" tree -r "$made" --pid 1
refuses 2 conflicting_options "refuses --pid with -C" -r "$made" --proc "$proc" --pid 100 -C 0
refuses 2 conflicting_options "refuses --pid with -g" -r "$made" --proc "$proc" --pid 100 -g mpki
refuses 2 conflicting_options "refuses --pid with --sort" \
	-r "$made" --proc "$proc" --pid 100 --sort ipc
refuses 1 "cannot_read No such file or directory" "names a --proc that does not exist" \
	-r "$made" --proc "$tmp/nothing" --pid 1
touch "$tmp/file"
refuses 1 "cannot_read Not a directory" "names a --proc that is a file" \
	-r "$made" --proc "$tmp/file" --pid 1
refuses 2 conflicting_options "tree refuses --proc without a reader" \
	tree -r "$made" --proc "$proc" -C 0
for options in "-m ipc" "-g general" "--csv -m ipc"; do
	# shellcheck disable=SC2086 # words
	refuses 2 conflicting_options "refuses --proc with $options" -r "$made" --proc "$proc" $options
done
for options in "" --json "--json -m ipc" --csv "-m ipc,busy" "-g rates"; do
	# shellcheck disable=SC2086 # words
	refuses 1 "cannot_read $tmp/nothing/stat" \
		"names a --proc that does not exist, for busy CPUs: $options" \
		-r "$made" --proc "$tmp/nothing" $options
	# shellcheck disable=SC2086
	run -r "$made" --proc "$proc" $options && grep -Eq 'busy' "$tmp/out"
	result $? "shows how busy CPUs are with --proc: $options"
done
refuses 2 conflicting_options "record refuses processes of this machine with a copy of another" \
	record -r "$made" --pid 1
refuses 4 no_such_process "record names a process that does not exist" \
	record -r "$made" --proc "$proc" --pid 99
refuses 2 conflicting_options "record refuses --pid with -C" \
	record -r "$made" --proc "$proc" --pid 100 -C 0
cp -r "$made" "$tmp/unmeasured"
rm -r "$tmp/unmeasured/cpu0" "$tmp/unmeasured/cpu1" "$tmp/unmeasured/cpu2" "$tmp/unmeasured/cpu3"
mkdir "$tmp/unmeasured/cpu4"
made=$tmp/unmeasured between --pid 200 1 1
has_message no_such_place cpu1
result $? "reports that the module measures none of the CPUs"
: >"$many/made-proc/proc/stat"
refuses 1 cannot_read "refuses a stat without CPUs" -r "$made" --proc "$proc" --pid 100

cp -r "$made" "$tmp/half-measured"
rm -r "$tmp/half-measured/cpu0"
echo 1000 >"$tmp/half-measured/window_ms"
made=$tmp/half-measured between tree --pid 100
tr '\n' ' ' <"$tmp/out" | tr -s ' ' >"$tmp/folded"
nearest="there is no $tmp/half-measured/cpu0; of the CPUs that are measured it is cpu2: [1-9]"
grep -q "pid 100 ran most on cpu0, which is not measured: $nearest" "$tmp/folded" &&
	grep -q '^cpu2  *of all slots' "$tmp/out" && ! grep -q 'cpu2, where' "$tmp/out"
result $? "tree: reports that they ran most on an unmeasured CPU, and shows the next"

# --- CPU utilisation

# busy_of PLACE: the place's utilisation in the last report
busy_of()
{
	awk -v place="$1" '$1 == place { busy = $2 } END { print busy }' "$tmp/out"
}

# The second row must not come before the process is held.
echo 9000 >"$made/window_ms"
stage 0
begins -r "$made" --proc "$proc" --per cpu --per node --per system 4 2
within 60 "the first lines" has_lines "$tmp/out" 'system.*%' && holds $pid && stage 1
kill -CONT $pid
ends $pid
# ticks: cpu0 50 of 100, cpu1 20 of 100 (20 stolen), cpu2 0 of 100, cpu3 100 of 100
[ "$(for p in cpu0 cpu1 cpu2 cpu3 node0 node1 system; do busy_of $p; done | xargs)" = \
	"50 20 0 100 35 50 42" ]
result $? "busy: of CPUs, nodes and the system between two lines"
awk '$1 == "cpu0" && !seen++ { exit $2 != "-" }' "$tmp/out"
result $? "busy: - if no time has passed"
"$n3stat" -r "$made" --proc "$proc" --per cpu --json 0.5 2 >"$tmp/json" 2>"$tmp/err" &&
	python3 -c 'import json, sys
for line in sys.stdin:
    for place in json.loads(line)["places"]:
        assert place["busy"] is None and place["idle"] is None and place["steal"] is None' \
		<"$tmp/json" 2>>"$tmp/err"
result $? "busy: null in JSON if no time has passed"
# busy_covers TIME INTERVAL COUNT
busy_covers()
{
	run -r "$made" --proc "$proc" -m busy "$2" "$3" &&
		[ "$(head -n 1 "$tmp/out" | grep -o "busy is [^,]*")" = "busy is $1" ]
}
busy_covers "of at least 0.25 s" 0.01 2 && busy_covers "since the row before" 0.26 2 &&
	busy_covers "of the last 0.25 s" 0.01 1
result $? "busy: the time that it covers"
run -r "$made" && ! grep -q busy "$tmp/out" && run -r "$made" --json &&
	! grep -q '"busy"' "$tmp/out"
result $? "busy: not shown for a copy without --proc"

# simulated counts would have no frequency
sed -i 's/^simulated .*/simulated 0/' "$made/spec"
# rates: totals of the CPUs grow between two lines, by cycles, instructions and sampled time
"$here/make_totals.py" "$tmp/totals"
# totals N: those before or after
totals()
{
	for counters in "$made"/cpu?/counters; do
		cp "$tmp/totals$1${counters#"$made"}"/* "$counters"
	done
}
# rates_between OPTION...: two reports, before and after; the second of all places is $tmp/second
rates_between()
{
	stage 0
	totals 0
	begins -r "$made" --proc "$proc" --per cpu --per node --per system "$@" 4 2
	within 60 "the first report" has_lines "$tmp/out" 'system' && holds $pid && stage 1 && totals 1
	kill -CONT $pid
	ends $pid
	tail -n 7 "$tmp/out" >"$tmp/second"
	tail -n 7 "$tmp/out" | sed "s/^ *//" | sort >"$tmp/sorted"
}
# GHz: cycles per second over busy of 0.5, 0.2, 0 and 1; of several CPUs the sums of both
wanted="cpu0 3.000 1.3500;cpu1 2.750 1.1000;cpu2 - 0.0050;cpu3 2.500 0.7500;\
node0 2.929 2.4500;node1 2.500 0.7550;system 2.676 3.2050;"
rates_between -m ghz,gips
same "rates: frequency and instructions per second of CPUs, nodes and the system" "$wanted" \
	"$(awk '{ printf "%s %s %s;", $1, $2, $3 }' "$tmp/sorted")"
rates_between --csv
[ "$(awk -F, '{ print $2, $(NF - 5), $(NF - 4) ";" }' "$tmp/second" | sort | tr -d '\n')" = \
	"$wanted" ] &&
	head -n 1 "$tmp/out" | grep -q ',ipc,busy,ghz,gips,answer,cpus,included,simulated$'
result $? "rates: the same in CSV"
rates_between --json
tail -n 1 "$tmp/out" | python3 -c 'import json, sys
from decimal import Decimal
print("".join(sorted("%s %s %s;" % (p["place"], p.get("ghz", "-"), p["gips"])
                     for p in json.load(sys.stdin, parse_float=Decimal)["places"])))' \
	>"$tmp/numbers" 2>"$tmp/err"
same "rates: the same in JSON, without what is unknown" "$wanted" "$(cat "$tmp/numbers")"
rates_between -s ghz
[ "$(awk '{ printf "%s %s;", $1, $3 }' "$tmp/second")" = \
	"cpu0 3.00;node0 2.93;cpu1 2.75;system 2.68;node1 2.50;cpu3 2.50;cpu2 -;" ]
result $? "rates: in the line, sorted by frequency, unknown last"
cp -r "$made" "$tmp/no-totals"
rm -r "$tmp"/no-totals/*/counters
run -r "$tmp/no-totals" --proc "$proc" && grep -q busy "$tmp/out" && ! grep -qi ghz "$tmp/out"
result $? "rates: not in the line of a copy without totals"
cp "$made/cpu1/counters/time" "$tmp/time"
echo cycles_total x >"$made/cpu1/counters/time"
run -r "$made" --proc "$proc" --per cpu -m ghz
[ $? -ne 0 ] && has_message malformed_file && run -r "$made" --proc "$proc" --per cpu -m busy
result $? "rates: the totals are not read for busy alone"
cp "$tmp/time" "$made/cpu1/counters/time"
# longest NAME: a tree with the longest answer and the longest name of a place
longest()
{
	made "$1" --cpus 2
	mv "$made/cpu1" "$made/cpu8191"
	set_values "$made/cpu8191" frontend_bound:44 backend_bound:20 bad_speculation:20 retiring:16 \
		frontend_core_bound:80 frontend_core_flow_bound:9 frontend_core_flush_bound:9
	sed -i 's/\(low\|high\)=[^ ]*/\1=none/g' "$made/cpu8191/quality"/topdown_*
}
longest who-wide
status=0
for width in 80 87; do
	script -qc "stty cols $width; '$n3stat' -r '$made' --proc '$proc' --per cpu --per system" \
		/dev/null \
		</dev/null 2>"$tmp/err" | tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g' >"$tmp/out"
	grep -q 'cpu8191 .* F ~44% rest of FCORE$' "$tmp/out" &&
		grep -q ' ghz ' "$tmp/out" &&
		[ "$(wc -L <"$tmp/out")" -le $width ] || status=1
done
result $status "rates: the longest lines fit 80 and 87 columns"
longest who-long
run -r "$made" --per cpu --per system
grep -q 'cpu8191 .* F ~44% rest of FCORE$' "$tmp/out" && ! grep -q ' busy ' "$tmp/out" &&
	[ "$(wc -L <"$tmp/out")" -le 80 ]
result $? "busy: the longest lines without it fit 80 columns"

# --- CPUs of a node

# places ARGUMENT...: those that have a row in JSON
places()
{
	run -r "$made" "$@" --json && grep -o '"place":"[^"]*"' "$tmp/out" | cut -d '"' -f 4 | xargs
}
made who-nodes --cpus 4 --nodes 2
stage 0
same "-N with --per cpu: the node and its CPUs" "node1 cpu2 cpu3" \
	"$(places --proc "$proc" -N 1 --per cpu)"
same "-N with --per cpu and -C: these CPUs as well" "system node1 cpu0 cpu2 cpu3" \
	"$(places --proc "$proc" -N 1 --per cpu -C 0 --per system)"
same "tree: -N with --per cpu" "node0 cpu0 cpu1" "$(places --proc "$proc" tree -N 0 --per cpu)"
run -r "$made" --proc "$proc" -N 1 --per cpu -m ipc && grep -q '^ *cpu3 ' "$tmp/out"
result $? "-N with --per cpu: a table"
mv "$made/cpu3" "$tmp/cpu3"
same "-N with --per cpu: without a CPU of the node that is not measured" "node1 cpu2" \
	"$(places --proc "$proc" -N 1 --per cpu)"
mv "$tmp/cpu3" "$made/cpu3"
refuses 2 conflicting_options "-N with --per cpu: the CPUs of a copy's nodes are unknown" \
	-r "$made" -N 1 --per cpu
rm -r "$many/made-proc/sys/devices/system/node/node1"
refuses 4 "no_such_place node1/cpulist" "-N with --per cpu: a node whose CPUs are unknown" \
	-r "$made" --proc "$proc" -N 1 --per cpu

# --- this machine's /proc

cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
made who-live --cpus $((cpu + 1))

"$shared/busy_process.py" "n3 (pin) x" "$tmp/pinned.log" 300 "$cpu" &
pinned=$!
"$shared/busy_process.py" "n3 free" "$tmp/free.log" 300 &
free=$!
within 60 "a line of each" has_lines "$tmp/pinned.log" . &&
	within 60 "a line of each" has_lines "$tmp/free.log" .
echo 2000 >"$made/window_ms"
"$n3stat" -r "$made" --proc /proc --pid $pinned --json 2 1 >"$tmp/pinned.json" 2>"$tmp/err" &
first=$!
"$n3stat" -r "$made" --proc /proc --comm "n3 free" --comm "n3 (pin) x" --json 2 1 \
	>"$tmp/both.json" 2>>"$tmp/err" &
second=$!
ends $first
ends $second
"$n3stat" -r "$made" --proc /proc tree --comm "n3 (pin) x" >"$tmp/shown-tree" 2>>"$tmp/err"
run -r "$made" --proc /proc --per cpu --json 0.5 2
cp "$tmp/out" "$tmp/busy.json"
# the logs must cover the end
for log in "$tmp/pinned.log" "$tmp/free.log"; do
	within 60 "a later line in $log" has_lines "$log" . $(($(wc -l <"$log") + 2))
done
kill $pinned $free
wait $pinned $free 2>/dev/null
"$here/check_who.py" live "$tmp/pinned.log" <"$tmp/pinned.json" >"$tmp/out" 2>"$tmp/said"
status=$?
cat "$tmp/said"
[ $status -eq 0 ] && [ ! -s "$tmp/err" ] &&
	[ "$(grep -o '"place":"cpu[0-9]*"' "$tmp/pinned.json" | xargs)" = "place:cpu$cpu" ]
result $? "a pinned process: only its CPU, with the time of its own clock"
"$here/check_who.py" live "$tmp/pinned.log" "$tmp/free.log" \
	<"$tmp/both.json" >"$tmp/out" 2>"$tmp/said"
status=$?
cat "$tmp/said"
result $status "a pinned and a free process: the sum of their clocks"
cp "$tmp/shown-tree" "$tmp/out"
matches "^cpu$cpu, where comm n3 \(pin\) x ran most: [0-9]+ % of its time was theirs" \
	"tree: the CPU where they ran most"
grep -q "^cpu$cpu  *of all slots" "$tmp/shown-tree" &&
	[ "$(grep -c backend_bound "$tmp/shown-tree")" -ge 1 ]
result $? "tree: shows the tree of that CPU"
cp "$tmp/busy.json" "$tmp/out"
# A hypervisor may give CPU time to other guests, which is not idle time either.
python3 -c 'import json, sys
places = json.loads(sys.stdin.readlines()[-1])["places"]
place = [p for p in places if p["id"] == int(sys.argv[1])][0]
assert place["busy"] > 0 and place["busy"] + place["steal"] >= 90, place' "$cpu" \
	<"$tmp/busy.json" 2>"$tmp/err"
result $? "busy: a CPU with a process that never waits is busy"

python3 -c 'import threading, time
thread = threading.Thread(target=time.sleep, args=(60,))
thread.start()
thread.join()' &
threads=$!
has_thread()
{
	thread=$(find "/proc/$threads/task" -mindepth 1 -maxdepth 1 -not -name "$threads" -printf '%f')
	[ "$thread" ]
}
within 60 "a thread" has_thread
refuses 4 "no_such_process --pid $threads" "--pid: names the process of a thread" \
	-r "$made" --proc /proc --pid "$thread"
kill "$threads"
