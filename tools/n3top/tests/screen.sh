# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # lib.sh sets the rest
# Helpers: contents of a tmux terminal's screen.

terminal=0

# A previous server may still be exiting: each terminal has its own.
tm()
{
	tmux -L "n3stat-$$-$terminal" -f /dev/null "$@" 2>/dev/null
}

# starts COMMAND [COLUMNS [LINES]]: in a new terminal; its exit status follows on the screen
starts()
{
	: >"$tmp/err"
	terminal=$((terminal + 1))
	tm new-session -d -x "${2:-80}" -y "${3:-24}" "LC_ALL=C.UTF-8 $1; echo status=\$?; sleep 1000"
}

# shows REGEX NAME [KEY...]: waits for a matching line after these keys
shows()
{
	regex=$1 name=$2
	shift 2
	[ $# -eq 0 ] || tm send-keys "$@"
	within 60 "'$regex' on the screen" on_screen grep -Eq -- "$regex"
	result $? "$name"
}

# on_screen COMMAND...: waits until it succeeds with the screen as stdin and in $tmp/out
on_screen()
{
	tm capture-pane -p >"$tmp/out"
	"$@" <"$tmp/out"
}

