# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154,SC2016 # run.sh and lib.sh set the rest; sh -c expands
# n3stat record: while a command runs, for a time, and what becomes of an existing file.

made command --cpus 2 --lean backend_bound
rec=$tmp/command.rec
go=$tmp/command-go
ran=$tmp/command-ran

# status CODE ARGUMENT...: record ends with this status, and on a slow machine with a warning
status()
{
	expected=$1
	shift
	rm -f "$rec" "$rec.old"
	"$n3stat" -r "$made" record -q -o "$rec" "$@" >"$tmp/out" 2>"$tmp/err"
	[ $? -eq "$expected" ] && ! grep -v 'fell_behind' "$tmp/err"
}
# is_whole FILE: the recording is not cut
is_whole()
{
	text "$1" >"$tmp/out" 2>"$tmp/err" && [ ! -s "$tmp/err" ] &&
		tail -n 1 "$tmp/out" | grep -qx end
}

status 0 100 -- true && is_whole "$rec" && [ "$(snapshots "$rec")" -eq 1 ]
result $? "record -- COMMAND: a snapshot at the end of a command that is shorter than the interval"
# one snapshot at the end of a second: the time is not that between the first and the last
rm -f "$rec"
run -r "$made" record -o "$rec" 100 -- sleep 1 &&
	sed -n 's/^recorded 1 snapshot in \([0-9.]*\) s,.*/\1/p' "$tmp/err" |
	awk '{ exit $1 < 1 || $1 > 60 } END { exit NR != 1 }'
result $? "record: prints how long it recorded"
status 7 0.02 -- sh -c 'exit 7' && is_whole "$rec"
result $? "record -- COMMAND: exits with its status"
status 137 0.02 -- sh -c 'kill -9 $$' && is_whole "$rec"
result $? "record -- COMMAND: exits with 128 plus the signal that killed it"
status 0 0.02 -- sh -c 'echo "$*" >"$0"' "$ran" -o --seconds -- x &&
	[ "$(cat "$ran")" = "-o --seconds -- x" ]
result $? "record -- COMMAND: its arguments are not parsed"
(ulimit -S -n 100 && status 0 100 -- sh -c 'ulimit -n >"$0"' "$ran") && [ "$(cat "$ran")" -eq 100 ]
result $? "record -- COMMAND: it has the limit of open files of n3stat's caller"
# without a shell, which sets its own
"$n3stat" -r "$made" record -q -o "$rec" 0.02 -- cat /proc/self/status >"$tmp/out"
same "record -- COMMAND: no signal is blocked or caught in the command" 2 \
	"$(grep -Ec '^Sig(Blk|Cgt):[[:space:]]*0+$' "$tmp/out")"

# begin ARGUMENT...: record in the background; $! is $pid
begin()
{
	rm -f "$rec" "$rec.old" "$go" "$ran"
	env --default-signal "$n3stat" -r "$made" record -q -o "$rec" "$@" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
}
# runs until $0 exists, or for a minute
wait_long='i=0; while [ ! -e "$0" ] && [ $((i += 1)) -lt 600 ]; do sleep 0.1; done'
begin 0.02 -- sh -c "$wait_long; exit 3" "$go"
within 60 "three snapshots" has_snapshots "$rec" 3 && touch "$go" && ends "$pid" 3 &&
	is_whole "$rec"
result $? "record -- COMMAND: records until it ends"
begin 0.02 2 -- sh -c "$wait_long; echo over >\"\$1\"; exit 4" "$go" "$ran"
within 60 "two snapshots" has_snapshots "$rec" 2 && touch "$go" && ends "$pid" 4 && [ -s "$ran" ] &&
	[ "$(snapshots "$rec")" -eq 2 ]
result $? "record -- COMMAND: with COUNT, waits for the command after the last snapshot"
begin --seconds 0.05 0.02 -- sh -c "sleep 0.3; echo over >\"\$0\"; exit 5" "$ran"
ends "$pid" 5 && [ -s "$ran" ] && [ "$(snapshots "$rec")" -le 2 ]
result $? "record -- COMMAND: with --seconds, waits for the command"

# a sleep ends at once
for signal in INT TERM HUP; do
	begin 0.02 -- sleep 60
	within 60 "a snapshot" has_snapshots "$rec" 1 && kill -$signal "$pid" && ends "$pid" 143 &&
		is_whole "$rec"
	result $? "record -- COMMAND: SIG$signal terminates the command; the recording is complete"
done
begin 0.02 -- sh -c 'trap "echo term >\"$0\"; exit 9" TERM; while :; do sleep 0.1; done' "$ran"
within 60 "a snapshot" has_snapshots "$rec" 1 && kill -INT "$pid" && ends "$pid" 9 &&
	[ "$(cat "$ran")" = term ]
result $? "record -- COMMAND: after a signal, the command decides on the status"
begin 60 -- sh -c 'trap "echo term >\"$0\"; exit 9" TERM; echo ready >"$1"
	while :; do sleep 0.1; done' "$ran" "$go"
within 60 "the command" test -s "$go" && kill -TERM "$pid" && ends "$pid" 9
result $? "record -- COMMAND: a signal interrupts a long interval"
begin 0.02 -- sleep 60
within 60 "a snapshot" has_snapshots "$rec" 1 && child=$(ps --ppid "$pid" -o pid= | tr -d ' ') &&
	mv "$made" "$made.gone" && ends "$pid" 3 && within 60 "the end of the command" has_ended "$child"
result $? "record -- COMMAND: the command does not outlive a failed recorder"
mv "$made.gone" "$made"

# --- --seconds

seconds()
{
	cut -d ' ' -f 1 /proc/uptime
}
from=$(seconds)
status 0 --seconds 0.5 0.05 && is_whole "$rec" && [ "$(snapshots "$rec")" -le 11 ] &&
	echo "$from $(seconds)" | awk '{ exit !($2 - $1 >= 0.48) }'
result $? "record --seconds: ends after that time"
status 0 --seconds 0.1 100 && [ "$(snapshots "$rec")" -eq 1 ]
result $? "record --seconds: shorter than the interval, the first snapshot"
status 0 --seconds 1000 0.02 2 && [ "$(snapshots "$rec")" -eq 2 ]
result $? "record --seconds: COUNT may end it earlier"
for bad in 0 x -1 1e9; do
	refuses 2 "bad_value '$bad'" "record: refuses --seconds $bad" \
		-r "$made" record -o "$tmp/no.rec" "--seconds=$bad"
done

# --- the file

rm -f "$rec" "$rec.old"
for text in first second; do
	echo "$text" >"$rec"
	run -r "$made" record -q -o "$rec" 0.02 1 && is_whole "$rec" &&
		[ "$(cat "$rec.old")" = "$text" ] &&
		[ "$(stat -c %a "$rec")" = 600 ]
	result $? "record: keeps an existing file as .old: $text"
done
rm "$rec.old"
: >"$rec"
run -r "$made" record -q -o "$rec" 0.02 1 && is_whole "$rec" && [ ! -e "$rec.old" ]
result $? "record: does not keep an empty file"
ln -s command.rec "$tmp/command-link.rec"
run -r "$made" record -q -o "$tmp/command-link.rec" 0.02 1 && [ -L "$tmp/command-link.rec" ] &&
	is_whole "$rec" &&
	[ ! -e "$rec.old" ] && [ ! -e "$tmp/command-link.rec.old" ]
result $? "record: writes through a symbolic link"
mkfifo "$tmp/command.fifo"
cat "$tmp/command.fifo" >"$tmp/command-copy.rec" &
reader=$!
run -r "$made" record -q -o "$tmp/command.fifo" 0.02 1 && ends $reader &&
	is_whole "$tmp/command-copy.rec" &&
	[ -p "$tmp/command.fifo" ]
result $? "record: writes to a pipe with a name"
cp "$rec" "$tmp/command-before.rec"
mkdir "$rec.old"
refuses 1 "cannot_write command.rec.old" "record: reports a file that cannot be renamed" \
	-r "$made" record -q -o "$rec" 0.02 1
for missing in nosuchcommand "$tmp/nosuch" ''; do
	refuses 127 "command_not_found '$missing'" "record: refuses the missing command '$missing'" \
		-r "$made" record -q -o "$rec" -- "$missing"
done
echo x >"$tmp/plain"
for plain in "$tmp/plain" "$tmp"; do
	refuses 126 "not_executable $plain" "record: refuses a command that is not a program" \
		-r "$made" record -q -o "$rec" -- "$plain"
done
PATH=$tmp:$PATH refuses 126 "not_executable plain" \
	"record: refuses a file in PATH that is not a program" \
	-r "$made" record -q -o "$rec" -- plain
refuses 2 missing_argument "record: refuses an empty command" -r "$made" record -q -o "$rec" 1 --
refuses 2 conflicting_options "record: refuses -o - with a command" -r "$made" record -o - -- true
cmp "$rec" "$tmp/command-before.rec" >"$tmp/out" 2>&1 && [ -z "$(ls "$rec.old")" ]
result $? "record: an error before the start leaves the file alone"
rmdir "$rec.old"
rm "$rec"
printf '#!%s/nothing\n' "$tmp" >"$tmp/no interpreter"
chmod 755 "$tmp/no interpreter"
refuses 1 "cannot_start no interpreter: No such file" \
	"record: reports why a command cannot be executed" \
	-r "$made" record -q -o "$rec" -- "$tmp/no interpreter"
rm "$rec"
"$n3stat" -r "$made" record -q -o "$rec" 0.02 2>"$tmp/err" &
pid=$!
within 60 "a snapshot" has_snapshots "$rec" 1
refuses 1 "file_in_use command.rec" "record: does not rename the file of another recorder" \
	-r "$made" record -q -o "$rec" 0.02 1
kill "$pid"
ends "$pid" && [ ! -e "$rec.old" ] && is_whole "$rec"
result $? "record: the file of another recorder keeps its name and stays intact"
