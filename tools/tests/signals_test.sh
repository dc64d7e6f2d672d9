# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154,SC2016 # run.sh and lib.sh set the rest; sh -c expands
# Signals that are ignored when n3stat starts, and others, by command.
# spe record is tested on machines with SPE: selftests/spe/spe_record_command.sh.

made signals --cpus 1
grows=$tmp/grows

# starts_with OPTIONS COMMAND...: runs it in the background with these options of env(1), and
# lets it append to the file $grows
starts_with()
{
	options=$1
	shift
	: >"$grows"
	# background commands ignore SIGINT and SIGQUIT
	# shellcheck disable=SC2086 # words
	case $1 in
	record) set -- env --default-signal $options "$n3stat" -r "$made" record -q -o "$grows" 0.02 ;;
	tables) set -- env --default-signal $options "$n3stat" -r "$made" -g general 0.02 ;;
	lines) set -- env --default-signal $options "$n3stat" -r "$made" 0.02 ;;
	esac
	"$@" >>"$grows" 2>"$tmp/err" &
	pid=$!
	goes_on
}

is_larger()
{
	[ "$(stat -c %s "$grows")" -gt "$1" ]
}

# goes_on: the file grows twice
goes_on()
{
	for _ in 1 2; do
		within 60 "$grows to grow" is_larger "$(stat -c %s "$grows")" || return
	done
}

# stays NAME SIGNAL: it continues after the signal
stays()
{
	kill "-$2" "$pid" && goes_on
	result $? "$1: goes on at SIG$2 that was ignored when it started"
	kill -9 "$pid"
	wait "$pid" 2>/dev/null
}

for command in record tables lines; do
	for signal in HUP INT TERM; do
		starts_with "--ignore-signal=$signal" $command
		stays $command $signal
		starts_with "" $command
		kill -$signal "$pid"
		case $command in
		record) ends "$pid" 0 ;;
		*)
			nr=$(kill -l $signal 2>/dev/null ||
				python3 -c "import signal; print(int(signal.SIG$signal))")
			ends "$pid" $((128 + nr))
			;;
		esac
		result $? "$command: SIG$signal ends it"
	done
	# as in the background of a script, where it is stopped by kill -INT
	starts_with --ignore-signal=INT,QUIT $command
	kill -INT "$pid"
	within 60 "the end of $command" has_ended "$pid"
	result $? "$command: SIGINT ends it where a shell without job control started it"
	stops
done

# ignored_by NAME WANTED OPTIONS: the set of signals that a command of record ignores, SIGPIPE
# is 13 and SIGCHLD 17; 32 and 33 belong to the C library and cannot be changed
ignored_by()
{
	# shellcheck disable=SC2086 # words
	env --default-signal $3 "$n3stat" -r "$made" record -q -o "$tmp/ignored.rec" 100 -- \
		grep SigIgn /proc/self/status >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 0 ] && grep -Eq "^SigIgn:[[:space:]]*[0-9a-f]{8}[08]$2\$" "$tmp/out"
	result $? "record: its command $1"
}
ignored_by "ignores no signal" 0000000 ""
ignored_by "ignores SIGPIPE where n3stat did at its start" 0001000 --ignore-signal=PIPE
ignored_by "ignores SIGCHLD where n3stat did at its start, and its status is known" 0010000 \
	--ignore-signal=CHLD

if ! command -v tmux >/dev/null; then
	skip "top: signals" "no tmux"
else
	# screen OPTIONS: top in a new terminal, as $pid
	screen()
	{
		tmux -L signals -f /dev/null new-session -d -x 80 -y 24 \
			"exec env --default-signal $1 '$n3stat' -r '$made' top 0.1" 2>"$tmp/err"
		pid=$(tmux -L signals display-message -p '#{pane_pid}')
		within 60 "top" shows_value '[0-9]'
	}
	shows_value()
	{
		tmux -L signals capture-pane -p 2>"$tmp/err" >"$tmp/out"
		grep -Eq "^cpu0 .*\| +$1" "$tmp/out"
	}
	cp "$made/cpu0/quality/topdown_l1" "$tmp/signals-value"
	for signal in HUP INT TERM; do
		screen --ignore-signal=$signal
		kill -$signal "$pid"
		sed -i 's/=.*/=idle/' "$made/cpu0/quality/topdown_l1"
		within 60 "the next values" shows_value -
		result $? "top: goes on at SIG$signal that was ignored when it started"
		cp "$tmp/signals-value" "$made/cpu0/quality/topdown_l1"
		tmux -L signals kill-server
		within 60 "the end of top" has_ended "$pid"
		result $? "top: ends when its terminal goes, SIG$signal ignored"
		kill -9 "$pid" 2>/dev/null
		screen ""
		kill -$signal "$pid"
		within 60 "the end of top" has_ended "$pid"
		result $? "top: SIG$signal ends it"
		tmux -L signals kill-server 2>/dev/null
	done
fi
