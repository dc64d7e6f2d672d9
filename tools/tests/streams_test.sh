# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154,SC2016 # run.sh and lib.sh set the rest; sh -c expands
# Standard input, output and error: closed at the start, full, or without a reader.
# spe record uses the same functions, and is tested on machines with SPE.

made streams --cpus 2
root=$made
recording=$tmp/streams.rec
profiled=$tmp/streams.data
run -r "$root" record -q -o "$recording" 0.01 30 || exit 1
spe_tests=$here/../spe/n3spe/tests
aarch64-linux-gnu-gcc -g -O1 -fno-inline -o "$tmp/program" "$spe_tests/spe_program.c" &&
	PYTHONPATH="$PYTHONPATH:$spe_tests/../../libspe/tests:$spe_tests/../../tests" \
		"$spe_tests/make_spe.py" "$profiled" "$tmp/truth.json" "$tmp/program" \
		"$tmp/symfs" 1 500 || exit 1

# Every command that prints, with its subcommands and output formats.
printing()
{
	for command in "" tree top list explain record report doctor selftest spe \
		"spe record" "spe report" "spe profile" "spe info"; do
		echo "$command --help"
		echo "help $command"
	done
	cat <<-END
	--version
	-r $root
	-r $root --json
	-r $root --csv
	-r $root tree
	-r $root tree --json
	list
	list events
	explain ipc
	-r $root record -q -o - 0.01 1
	report $recording
	report -o - $recording
	report --diff $recording $recording
	report --diff --json $recording $recording
	doctor -r $root
	doctor -r $root --json
	selftest --list
	spe report $profiled
	spe report --json $profiled
	spe profile --symfs $tmp/symfs $profiled
	spe info -r $root
	spe info -r $root --json
	END
}

# all NAME COMMAND...: each command of printing() passes, with the caller's stdout
all()
{
	name=$1
	shift
	printing >"$tmp/printing"
	: >"$tmp/bad"
	while read -r line; do
		# shellcheck disable=SC2086 # words
		"$@" $line </dev/null 2>"$tmp/err" || echo "$line: $(cat "$tmp/err")" >>"$tmp/bad"
	done <"$tmp/printing"
	cp "$tmp/bad" "$tmp/out"
	: >"$tmp/err"
	[ ! -s "$tmp/bad" ] && [ "$(wc -l <"$tmp/printing")" -gt 45 ]
	result $? "$name"
}

fails_at_once()
{
	"$n3stat" "$@" >&3
	[ $? -eq 1 ] && has_message cannot_write
}

prints_something()
{
	"$n3stat" "$@" >"$tmp/printed"
	status=$?
	case $status in
	0 | 1 | 7) [ -s "$tmp/printed" ] && has_message cannot_write '' 0 ;;
	*) false ;;
	esac
}

# same status as with a reader, and no message
is_quiet()
{
	"$n3stat" "$@" >/dev/null 2>&1
	wanted=$?
	{ "$n3stat" "$@"; echo $? >"$tmp/status"; } | true
	{ [ "$(cat "$tmp/status")" -eq 0 ] || [ "$(cat "$tmp/status")" -eq $wanted ]; } &&
		has_message cannot_write '' 0
}

fails_closed()
{
	"$n3stat" "$@" >&-
	[ $? -eq 1 ] && has_message cannot_write
}

all "what commands print here is printed" prints_something
all "a full disk ends every command with an error" fails_at_once 3>/dev/full
sanitized=$n3stat
n3stat=$plain_n3stat
all "a closed standard output ends every command with an error" fails_closed
all "a reader of the pipe that ends is no error of any command" is_quiet
n3stat=$sanitized

# closed FD COMMAND...: runs it without this descriptor
closed()
{
	fd=$1
	shift
	sh -c "exec \"\$@\" $fd<&-" sh "$@" </dev/null >/dev/null 2>"$tmp/err"
}

# same_file COMMAND...: it writes the same to "-o FILE" with any descriptor closed
same_file()
{
	status=0
	"$n3stat" "$@" -o "$tmp/written" >/dev/null 2>"$tmp/out" || status=1
	mv "$tmp/written" "$tmp/expected"
	for fd in 0 1 2; do
		closed $fd "$n3stat" "$@" -o "$tmp/written" || status=1
		cmp "$tmp/expected" "$tmp/written" >>"$tmp/out" || status=1
		rm -f "$tmp/written"
	done
	[ -s "$tmp/expected" ] && return $status
}
same_file report "$recording"
result $? "report -o: the page is the same with descriptor 0, 1 or 2 closed"
same_file spe profile --symfs "$tmp/symfs" "$profiled"
result $? "spe profile -o: the file is the same with descriptor 0, 1 or 2 closed"

# limited COMMAND...: it cannot write more than a few blocks to a file
limited()
{
	(trap '' XFSZ; ulimit -f 2; "$@" >"$tmp/out" 2>"$tmp/err")
}
# keeps COMMAND...: the old file stays if the new one cannot be written, and nothing else does
keeps()
{
	rm -rf "$tmp/keep"
	mkdir "$tmp/keep"
	echo old >"$tmp/keep/file"
	limited "$n3stat" "$@" "$tmp/keep/file"
	[ $? -eq 1 ] && has_message cannot_write "$tmp/keep/file: " &&
		[ "$(ls -A "$tmp/keep")" = file ] && [ "$(cat "$tmp/keep/file")" = old ]
	result $? "a full disk leaves the old file of $*"
}
keeps report "$recording" -o
keeps spe report "$profiled" --page
limited "$n3stat" -r "$root" record -q -o "$tmp/limited.rec" 0.01 100
[ $? -eq 1 ] && has_message cannot_write "$tmp/limited.rec: "
result $? "record: a full disk is reported with the file"
ln -sf written "$tmp/to"
run report "$recording" -o "$tmp/to" && [ -L "$tmp/to" ] && [ -s "$tmp/written" ]
result $? "report -o: a link stays one"
for line in "-r $root" "-r $root tree" "report $recording"; do
	# shellcheck disable=SC2086 # words
	"$n3stat" $line >/dev/full 2>"$tmp/err"
	[ $? -eq 1 ] && has_message cannot_write 'standard output: '
	result $? "a full disk is reported with the output of $line"
done

# elsewhere: the standard descriptors of $pid are open, and none is the file
elsewhere()
{
	for nr in 0 1 2; do
		to=$(readlink "/proc/$pid/fd/$nr") && [ "$to" != "$1" ] || return
	done
}
for fd in 0 1 2; do
	rm -f "$tmp/written"
	sh -c "exec \"\$@\" $fd<&-" sh "$n3stat" -r "$root" record -o "$tmp/written" 0.02 \
		</dev/null >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	within 60 "two snapshots" has_snapshots "$tmp/written" 2 && elsewhere "$tmp/written"
	status=$?
	kill "$pid"
	ends "$pid" && run report "$tmp/written" && [ ! -s "$tmp/err" ] &&
		! grep -aq 'recorded' "$tmp/written" && [ $status -eq 0 ]
	result $? "record -o: the recording is whole with descriptor $fd closed, and not that descriptor"
done

# n3stat opens closed descriptors: not possible with a limit of one open file
sh -c 'exec <&- >&-; ulimit -n 1; exec "$1"' sh "$plain_n3stat" 2>"$tmp/err"
[ $? -eq 1 ] && has_message system_error "Too many open files"
result $? "closed descriptors that cannot be opened are an error"
