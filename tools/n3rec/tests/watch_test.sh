# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154,SC2016 # run.sh and lib.sh set the rest; sh -c expands
# n3stat watch: when it runs a command, and when it does not. No time is an upper bound that
# a busy machine could exceed: only minimum times are measured, all else is awaited.
# on: test-long

watched=$tmp/watched
events=$tmp/watch-events
ran=$tmp/watch-ran

# at PLACE [ESTIMATE LOW HIGH]: sets the place's backend_bound, to a word with one argument
at()
{
	mkdir -p "$watched/$1/quality"
	printf 'frontend_bound value=1 low=1 high=1 coverage=9 slices=9 estimate=1 estimate_low=1 estimate_high=1\nbackend_bound value=%s low=1 high=99 coverage=9.00 slices=9 estimate=%s estimate_low=%s estimate_high=%s\n' \
		"$2" "$2" "${3:-none}" "${4:-none}" >"$tmp/watch-new"
	mv "$tmp/watch-new" "$watched/$1/quality/topdown_l1"
	printf 'frontend_bound 1\nbackend_bound 50\n' >"$watched/$1/topdown_l1"
}

# until_line FILE REGEX [N]: waits until a line, or N, of the file matches
until_line()
{
	within 60 "a line '$2' in ${1##*/}" has_lines "$@"
}

# begin ARGUMENT...: watch in the background; $! is $pid
begin()
{
	rm -f "$ran"
	: >"$events"
	"$n3stat" -r "$watched" watch "$@" >"$events" 2>"$tmp/err" &
	pid=$!
}

# finish STATUS: waits for its end with this status; the output is that of watch
finish()
{
	ends "$pid" "$1"
	code=$?
	cp "$events" "$tmp/out"
	return $code
}

stop()
{
	kill "$pid"
	finish 0
}

mkdir "$watched"
echo 100 >"$watched/window_ms"

# --- when

at cpu0 50.5 49.5 51.5
at cpu1 70.25 69.125 71.375
tell='echo "$N3STAT_PLACE $N3STAT_METRIC $N3STAT_VALUE $N3STAT_LOW $N3STAT_HIGH $N3STAT_BOUND" >>"$0"'
for condition in 'backend_bound > 60' 'backend_bound>60' 'BACKEND>60.0' ' backend >60 '; do
	begin "$condition" 0.05 --for 0 --times 1 -- sh -c "$tell" "$ran"
	finish 0 && [ "$(sed 's/60.0$/60/' "$ran")" = "cpu1 backend_bound 70.25 69.125 71.375 60" ] && [ ! -s "$tmp/err" ]
	result $? "watch: '$condition' runs the command, with the event in its environment"
done
begin backend_bound '<' 60 0.05 --for 0 --times 1 -- sh -c "$tell" "$ran"
finish 0 && [ "$(cat "$ran")" = "cpu0 backend_bound 50.5 49.5 51.5 60" ]
result $? "watch: a condition of several words, and <"
begin 'backend_bound < 60 0.05' --for 0 --times 1 -- sh -c "$tell" "$ran"
finish 0 && [ -s "$ran" ]
result $? "watch: the interval in the same argument"
day='20[0-9]{2}-[01][0-9]-[0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-5][0-9]'
[ "$(grep -Ec "^$day (cpu0: backend_bound 50.5 \(49.5 to 51.5\), now < 60|cpu0: started sh, process [0-9]+|process [0-9]+ ended with status 0 after [0-9.]+ s)\$" "$events")" -eq 3 ] &&
	[ "$(wc -l <"$events")" -eq 3 ]
result $? "watch: a line with the time for each event"
at cpu0 50.1234 49.5678 50.6790
begin 'backend < 60' 0.05 --for 0 --times 1 -- true
finish 0 && grep -q ' cpu0: backend_bound 50.12 (49.57 to 50.68), now < 60$' "$events"
result $? "watch: a number and its interval have one decimal more than the error"
at cpu0 50.1234 50.1233 50.1235
begin 'backend < 60' 0.05 --for 0 --times 1 -- true
finish 0 && grep -q ' cpu0: backend_bound 50.1234 (50.1233 to 50.1235), now < 60$' "$events"
result $? "watch: no more decimals than the module prints"
at cpu0 50.5 49.5 51.5
begin 'backend > 60' 0.05 --for 0 --times 1 -q -- sh -c "$tell; echo told" "$ran"
finish 0 && [ -s "$ran" ] && [ "$(cat "$events")" = told ]
result $? "watch: -q prints nothing, but the command may"

# Five runs at cpu1 are at least five snapshots, which include cpu0.
# never NAME BEYOND ESTIMATE [LOW HIGH]: the condition does not hold, as in "> 60"
never()
{
	called=$1 beyond=$2
	shift 2
	at cpu0 "$@"
	begin "backend_bound $beyond" 0.02 --for 0 --every 0 --times 5 -- sh -c "$tell" "$ran"
	finish 0 && [ "$(sort -u "$ran")" = "cpu1 backend_bound 70.25 69.125 71.375 ${beyond#? }" ] &&
		[ "$(wc -l <"$ran")" -eq 5 ] && ! grep -q cpu0 "$events"
	result $? "watch: $called"
}
never "an interval that includes the bound is not above it" '> 60' 95.0 59.999 131
never "an interval that ends at the bound is not above it" '> 60' 95.0 60.0 131
never "an interval that includes the bound is not below it" '< 80' 9.0 1 80.001
never "an interval that ends at the bound is not below it" '< 80' 9.0 1 80
for beyond in '> 60' '< 80' '> -1'; do
	never "an estimate without an interval is not $beyond" "$beyond" 75.0
	never "a word is not $beyond" "$beyond" idle
done
never "an interval on the other side is not above" '> 60' 9.0 8 10
never "an interval on the other side is not below" '< 80' 95 91 99
at cpu0 80.0 60.5 99.5
at cpu2 99.0 60.25 99.75
begin 'backend_bound > 60' 0.05 --for 0 --times 1 -- sh -c "$tell" "$ran"
finish 0 && grep -q '^cpu1 ' "$ran" && [ "$(grep -c 'now > 60$' "$events")" -eq 3 ]
result $? "watch: of several places, the one with the interval farthest beyond"
at cpu10 50 40 59
begin 'backend_bound > 60' 0.05 --for 0 --times 1 -- sh -c 'echo "$N3STAT_PLACE: $N3STAT_PLACES" >"$0"' "$ran"
finish 0 && [ "$(cat "$ran")" = "cpu1: cpu0 cpu1 cpu2" ]
result $? "watch: every place beyond the bound is in the environment"
begin 'backend_bound > 60' 0.05 -C 1 --for 0 --times 1 -- sh -c 'echo "$N3STAT_PLACE: $N3STAT_PLACES" >"$0"' "$ran"
finish 0 && [ "$(cat "$ran")" = "cpu1: cpu1" ]
result $? "watch: only selected places are in the environment"
rm -r "$watched/cpu10"
begin 'backend_bound > 60' 0.05 -C 0 --for 0 --times 1 -- sh -c "$tell" "$ran"
finish 0 && grep -q '^cpu0 ' "$ran" && ! grep -q 'cpu[12]' "$events"
result $? "watch: -C selects CPUs"
at system 61 60.5 61.5
at node0 61 60.75 61.75
begin 'backend_bound > 60' 0.05 --per node --per system --for 0 --times 1 -- sh -c "$tell" "$ran"
finish 0 && grep -q '^node0 ' "$ran" && grep -q 'system: .* now > 60' "$events" && ! grep -q cpu "$events"
result $? "watch: --per selects nodes and the system"
at cpu0 70
begin 'backend_bound > 60' 0.05 -C 0 --for 0 --times 1 -- sh -c "$tell" "$ran"
until_line "$events" 'no place has a 95 % interval of backend_bound now' && at cpu0 70 69 71 && finish 0 &&
	[ "$(grep -c 'no place has' "$events")" -eq 1 ]
result $? "watch: reports at the start if no place has an interval"
rm -r "$watched/cpu2" "$watched/system" "$watched/node0"

# --- --for

# seconds: monotonic time since boot, with a fraction
seconds()
{
	cut -d ' ' -f 1 /proc/uptime
}
note_time='cut -d " " -f 1 /proc/uptime >"$0"'
# passed FROM TO SECONDS: at least that many seconds are between them
passed()
{
	echo "$1 $2 $3" | awk '{ exit !($2 - $1 >= $3) }'
}
at cpu0 9 8 10
at cpu1 9 8 10
begin 'backend_bound > 60' 0.05 --for 1 --times 1 -- sh -c "$note_time" "$ran"
within 60 "the first snapshot" has_lines "/proc/$pid/status" '^State:[[:space:]]*S'
from=$(seconds)
at cpu1 70.25 69.125 71.375
finish 0 && passed "$from" "$(cat "$ran")" 0.98
result $? "watch: --for: minimum duration of the condition"
# The time restarts when the condition ends, even for a single snapshot.
for end in '9 8 10' '70 50 90' '70' 'idle'; do
	# longer if this test is too slow to end it in time
	for hold in 1 4 16; do
		at cpu1 9 8 10
		begin 'backend_bound > 60' 0.05 --for $hold --times 1 -- sh -c "$note_time" "$ran"
		at cpu1 70.25 69.125 71.375
		until_line "$events" 'cpu1: .* now > 60'
		# shellcheck disable=SC2086
		at cpu1 $end
		until_line "$events" 'cpu1: .* no longer > 60|ended with'
		[ -e "$ran" ] || break
		finish 0
	done
	from=$(seconds)
	at cpu1 70.25 69.125 71.375
	finish 0 && passed "$from" "$(cat "$ran")" "$(echo "$hold" | awk '{ print $1 - 0.02 }')" &&
		[ "$(grep -c 'cpu1: .* now > 60' "$events")" -eq 2 ]
	result $? "watch: --for: the time restarts after $end"
done
from=$(seconds)
echo 700 >"$watched/window_ms"
begin 'backend_bound > 60' --times 1 -- sh -c "$note_time" "$ran"
finish 0 && passed "$from" "$(cat "$ran")" 0.69
result $? "watch: the window is the default of --for and INTERVAL"
echo 100 >"$watched/window_ms"

# --- --each

at cpu0 65 64 66
at cpu1 70.25 69.125 71.375
at cpu2 80 79 81
begin 'backend_bound > 60' 0.05 --for 0 --every 0 --each --times 2 -- \
	sh -c 'echo "$N3STAT_PLACE $N3STAT_VALUE $N3STAT_LOW: $N3STAT_PLACES" >>"$0"' "$ran"
finish 0 && [ "$(cat "$ran")" = "cpu0 65 64: cpu0 cpu1 cpu2
cpu1 70.25 69.125: cpu0 cpu1 cpu2
cpu2 80 79: cpu0 cpu1 cpu2
cpu0 65 64: cpu0 cpu1 cpu2
cpu1 70.25 69.125: cpu0 cpu1 cpu2
cpu2 80 79: cpu0 cpu1 cpu2" ]
result $? "watch: --each: a run for each place, one after another; --times counts them once"
# the first command ends the condition everywhere
mkfifo "$tmp/watch-go"
begin 'backend_bound > 60' 0.05 --for 0 --each -- \
	sh -c 'echo "$N3STAT_PLACE $N3STAT_VALUE" >>"$0"; [ $N3STAT_PLACE != cpu0 ] || read go <"$1"' "$ran" "$tmp/watch-go"
until_line "$ran" cpu0
for cpu in cpu0 cpu1 cpu2; do
	at $cpu 9 8 10
done
until_line "$events" 'cpu2: .* no longer > 60'
echo go >"$tmp/watch-go"
until_line "$ran" cpu2 && stop && [ "$(cat "$ran")" = "cpu0 65
cpu1 70.25
cpu2 80" ]
result $? "watch: --each: the estimates are those of the snapshot in which it was due"
at cpu0 50.5 49.5 51.5
at cpu1 70.25 69.125 71.375
rm -r "$watched/cpu2"

# --- --every

from=$(seconds)
begin 'backend_bound > 60' 0.05 --for 0 --every 1 --times 3 -- sh -c 'echo run >>"$0"' "$ran"
finish 0 && [ "$(wc -l <"$ran")" -eq 3 ] && passed "$from" "$(seconds)" 2
result $? "watch: --every: three runs take twice that time"
[ "$(grep -c 'cpu1: not started again before 1 s are over$' "$events")" -le 2 ]
result $? "watch: --every: a suppressed run is reported once"
begin 'backend_bound > 60' 0.02 --for 0 -- sh -c 'echo run >>"$0"' "$ran"
until_line "$events" 'not started again before 60 s are over' && sleep 0.5 && stop && [ "$(wc -l <"$ran")" -eq 1 ] &&
	[ "$(grep -c 'not started again before' "$events")" -eq 1 ]
result $? "watch: without --every at most one run per minute"
# each run but the last lasts until it was reported as running, or for a minute
until_told='i=0; n=$(wc -l <"$0"); while [ $n -lt 3 ] && [ $((i += 1)) -lt 600 ] &&
	[ $(grep -c "not started again while" "$1") -lt $n ]; do sleep 0.1; done'
begin 'backend_bound > 60' 0.02 --for 0 --every 0 --times 3 -- sh -c \
	'mkdir "$0.lock" && echo run >>"$0"; '"$until_told"'; rmdir "$0.lock"' "$ran" "$events"
finish 0 && [ "$(wc -l <"$ran")" -eq 3 ] && [ "$(grep -c 'ended with status 0' "$events")" -eq 3 ] &&
	[ "$(grep -Ec 'cpu1: not started again while process [0-9]+ runs$' "$events")" -eq 2 ]
result $? "watch: one command at a time, and waits for the last one"

# --- status of the command

begin 'backend_bound > 60' 0.02 --for 0 --every 0 --times 2 -- sh -c 'exit 3'
finish 0 && [ "$(grep -Ec 'process [0-9]+ ended with status 3 after' "$events")" -eq 2 ]
result $? "watch: reports a failed command and continues"
begin 'backend_bound > 60' 0.02 --for 0 --times 1 -- sh -c 'kill -9 $$'
finish 0 && grep -q 'ended with status 137 after' "$events"
result $? "watch: a killed command has the same status as in a shell"
printf '#!/bin/sh\n' >"$tmp/watch-kept"
chmod 755 "$tmp/watch-kept"
cp "$tmp/watch-kept" "$tmp/watch-gone"
at cpu1 9 8 10
begin 'backend_bound > 60' 0.02 --for 1 --every 0 -- "$tmp/watch-gone"
at cpu1 70.25 69.125 71.375
until_line "$events" 'now > 60' && rm "$tmp/watch-gone" && until_line "$tmp/err" "watch-gone: .*\[cannot_start\]\$" &&
	cp "$tmp/watch-kept" "$tmp/watch-gone" && until_line "$events" 'ended with status 0' && stop
result $? "watch: continues after a command has vanished"
echo 'no interpreter' >"$tmp/broken"
chmod 755 "$tmp/broken"
printf '#!%s/nothing\n' "$tmp" >"$tmp/no interpreter"
chmod 755 "$tmp/no interpreter"
begin 'backend_bound > 60' 0.02 --for 0 --every 0.5 --times 1 -- "$tmp/no interpreter"
until_line "$tmp/err" 'no interpreter: No such file.*\[cannot_start\]$' 2 && [ "$(grep -Ec 'started .*process|ended' "$events")" -eq 0 ]
result $? "watch: reports why a command cannot be executed, and retries it after --every"
cp "$tmp/watch-kept" "$tmp/no interpreter.new" && mv "$tmp/no interpreter.new" "$tmp/no interpreter" && finish 0 &&
	[ "$(grep -Ec 'started .*process|ended with status 0' "$events")" -eq 2 ]
result $? "watch: failed executions do not count for --times"

# runs until $0-go exists, or for a minute; writes its pid to $1
wait_long='echo $$ >"$1"; i=0; while [ ! -e "$0-go" ] && [ $((i += 1)) -lt 600 ]; do sleep 0.1; done'
for signal in INT TERM HUP; do
	rm -f "$tmp/watch-go" "$tmp/watch-over"
	begin 'backend_bound > 60' 0.02 --for 0 -- sh -c "$wait_long; echo over >\"\$0-over\"" "$tmp/watch" "$ran"
	until_line "$ran" . && kill -$signal "$pid"
	finish 0 && grep -q "interrupted; process $(cat "$ran") goes on" "$events" && kill -0 "$(cat "$ran")" &&
		touch "$tmp/watch-go" && until_line "$tmp/watch-over" over
	result $? "watch: SIG$signal ends it, but not the command, with status 0"
done
begin 'backend_bound > 60' 0.02 --for 0 --times 1 -- sh -c 'ps -o pgid= -p $$ | tr -d " " >"$0"; echo $$ >>"$0"' "$ran"
finish 0 && [ "$(sort -u "$ran" | wc -l)" -eq 1 ]
result $? "watch: the command is not in the terminal's foreground process group"
: >"$tmp/out"
sleep 60 | "$n3stat" -r "$watched" watch 'backend_bound > 60' 0.02 --for 0 --times 1 -- sh -c \
	'readlink /proc/self/fd/0; wc -c' >"$tmp/out" 2>"$tmp/err" &
pid=$!
until_line "$tmp/out" 'ended with status 0' && [ "$(grep -Ec '^(/dev/null|0)$' "$tmp/out")" -eq 2 ]
result $? "watch: the command has no input"
stops
# without a shell, which sets its own
begin 'backend_bound > 60' 0.02 --for 0 --times 1 -- grep SigBlk /proc/self/status
finish 0 && grep -Eq '^SigBlk:[[:space:]]*0+$' "$events"
result $? "watch: no signal is blocked in the command"
has_no_child()
{
	[ "$(ps --ppid "$pid" -o pid= | wc -l)" -eq 0 ]
}
begin 'backend_bound > 60' 0.02 --for 0 --every 0 -- true
until_line "$events" 'ended with status 0' 3 && [ "$(ps --ppid "$pid" -o stat= | grep -c Z)" -le 1 ] &&
	at cpu1 9 8 10 && until_line "$events" 'no longer' &&
	within 60 "the end of all its children" has_no_child && stop
result $? "watch: ended commands leave no zombies"
at cpu1 70.25 69.125 71.375
rm -f "$tmp/watch-go"
begin 'backend_bound > 60' 0.02 --for 0 -- sh -c "$wait_long" "$tmp/watch" "$ran"
until_line "$ran" .
mv "$watched" "$tmp/watch-unloaded"
finish 3 && [ "$(wc -l <"$tmp/err")" -eq 1 ] && kill -0 "$(cat "$ran")"
result $? "watch: ends with status 3, without the command, when the module is unloaded"
touch "$tmp/watch-go"
mv "$tmp/watch-unloaded" "$watched"
{ "$n3stat" -r "$watched" watch 'backend_bound > 60' 0.02 --for 0 --every 0 -- true; echo $? >"$tmp/status"; } 2>"$tmp/err" |
	head -n 2 >"$tmp/out"
[ "$(cat "$tmp/status")" -eq 0 ] && [ ! -s "$tmp/err" ]
result $? "watch: ends without a message when its pipe is closed"

# --- percentiles

baseline()
{
	printf '{"format":"n3stat-baseline","version":1,"hosts":[],"kernels":[],"pmus":[],"simulated":false,"recordings":1,"window_ms":100,"scopes":{%s}}' "$1" >"$tmp/watch.base"
}
baseline '"cpu":{"places":2,"snapshots":30,"independent":30,"metrics":{"backend_bound":{"values":60,"independent":30,"percentiles":{"p5":12.5,"p50":20,"p95":69.0625}}}}'
at cpu0 65.0 64 66
begin 'backend_bound > p95' 0.02 -b "$tmp/watch.base" --for 0 --times 1 -- sh -c "$tell" "$ran"
finish 0 && [ "$(cat "$ran")" = "cpu1 backend_bound 70.25 69.125 71.375 69.0625" ] && ! grep -q cpu0 "$events" && [ ! -s "$tmp/err" ]
result $? "watch: a percentile of a baseline is a bound"
at cpu0 9 8 10
N3STAT_BASELINE=$tmp/watch.base begin 'backend_bound < P5' 0.02 --for 0 --times 1 -- sh -c "$tell" "$ran"
finish 0 && [ "$(cat "$ran")" = "cpu0 backend_bound 9 8 10 12.5" ]
result $? "watch: a percentile of the baseline in N3STAT_BASELINE"

# --- errors

# denies CODE "ID [REGEX]" NAME CONDITION...: watch fails before running a command
denies()
{
	expected=$1 error=$2 called=$3
	shift 3
	rm -f "$ran"
	refuses "$expected" "$error" "watch: refuses $called" -r "$watched" watch "$@" -- touch "$ran"
	[ ! -e "$ran" ]
	result $? "watch: runs nothing: $called"
}
denies 2 missing_argument "no condition"
denies 2 bad_condition "an empty condition" ''
denies 2 "bad_condition '> 60'" "a condition without a metric" '> 60'
denies 2 "bad_condition 'ipc'" "only a metric" ipc
for rate in busy GHz gips; do
	denies 2 bad_condition "$rate, which has no interval" "$rate > 1"
done
denies 2 "bad_condition 'ipc'" "a condition without a bound" 'ipc <'
for operator in '>=' '<=' '=' '==' '!=' '<>' '>>' is; do
	denies 2 "bad_condition '$operator'" "the operator $operator" "backend_bound $operator 60"
done
for bound in x 60% 1e3 0x10 nan inf p 95 p94 p100 60.; do
	[ "$bound" != 95 ] || bound=-
	denies 2 "bad_condition '$bound'" "the bound $bound" "backend_bound > $bound"
done
denies 2 bad_condition "a bound that is too long" "backend_bound > $(printf '%060d' 1)"
denies 2 "missing_argument p95" "a percentile without a baseline" 'backend_bound > p95'
denies 2 "not_in_baseline p99 of backend_bound" "a percentile missing from the baseline" \
	'backend_bound > p99' -b "$tmp/watch.base"
denies 2 "not_in_baseline p95 of frontend_bound" "a metric missing from the baseline" \
	'frontend_bound > p95' -b "$tmp/watch.base"
denies 1 not_a_baseline "a file that is not a baseline" 'backend_bound > p95' -b "$shared/lib.sh"
denies 2 "bad_value '5 5'" "two intervals" 'backend_bound > 60' 5 5
denies 2 "bad_value '0'" "an interval of 0" 'backend_bound > 60' 0
denies 2 "bad_value 'x'" "a bad --for" 'backend_bound > 60' --for x
denies 2 "bad_value '-1'" "a bad --every" 'backend_bound > 60' --every=-1
for times in 0 -1 x '' 9999999999; do
	denies 2 "bad_value '$times'" "--times '$times'" 'backend_bound > 60' "--times=$times"
done
denies 5 "unknown_metric 'nonsense'" "a metric that does not exist" 'nonsense > 60'
denies 5 "unknown_metric '$(printf '%070d' 1)'" "a name that is too long" "$(printf '%070d' 1) > 60"
denies 4 "no_such_place CPU 9" "a CPU that does not exist" 'backend_bound > 60' -C 9
refuses 2 missing_argument "watch: refuses no command" -r "$watched" watch 'backend_bound > 60'
refuses 2 missing_argument "watch: refuses an empty command" -r "$watched" watch 'backend_bound > 60' --
refuses 127 "command_not_found 'nosuchcommand'" "watch: refuses a command that is not in PATH" -r "$watched" watch \
	'backend_bound > 60' -- nosuchcommand
refuses 127 "command_not_found '$tmp/nosuch'" "watch: refuses a missing command" -r "$watched" watch \
	'backend_bound > 60' -- "$tmp/nosuch"
refuses 127 "command_not_found ''" "watch: refuses an empty name as a command" -r "$watched" watch 'backend_bound > 60' -- ''
echo x >"$tmp/plain"
refuses 126 "not_executable $tmp/plain" "watch: refuses a command that is not a program" -r "$watched" watch \
	'backend_bound > 60' -- "$tmp/plain"
refuses 126 "not_executable $tmp" "watch: refuses a directory" -r "$watched" watch 'backend_bound > 60' -- "$tmp"
PATH=$tmp:$PATH refuses 126 "not_executable plain" "watch: refuses a file in PATH that is not a program" -r "$watched" watch \
	'backend_bound > 60' -- plain
refuses 3 no_directory "watch: reports a missing module" -r "$tmp/nothing" watch 'backend_bound > 60' -- true

run -r "$shared/golden/tree" watch 'backend_bound > 50' 0.2 --for 0 --times 1 -- true
sed -i 's/^20[-0-9]* [0-9:]* /TIME /; s/process [0-9]*/process PID/; s/after [0-9.]* s/after SECONDS s/' "$tmp/out"
golden watch.txt "watch: the whole output, from the condition to the end of the command"
