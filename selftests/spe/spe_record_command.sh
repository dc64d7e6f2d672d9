#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# n3stat spe record -- COMMAND on several CPUs, repeatedly: its exit status is kept. Linux
# 6.1 has warned in ctx_sched_out() at the command's exec, twice on a very busy host. Not in
# make test, where that would end the machine and all tests in it.
# machine: spe
# on: test-long
# timeout: 600

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/spe.sh"

ROUNDS=20

# ends_with STATUS COMMAND... - whether ROUNDS recordings of the command return this status
ends_with() {
	wanted=$1
	shift
	for _ in $(seq $ROUNDS); do
		n3stat spe record -q -o "$FILE" -- "$@" > "$tmp/said" 2>&1
		[ $? -eq "$wanted" ] || { cat "$tmp/said"; return 1; }
	done
}

# whole_without FD - whether a recording made with that descriptor closed is read without
# messages
whole_without() {
	rm -f "$FILE"
	sh -c "exec n3stat spe record -o $FILE -- \
		dd if=/dev/zero of=/dev/null bs=64k count=50 $1<&-" > "$tmp/said" 2>&1 &&
		n3stat spe report "$FILE" > "$tmp/said" 2> "$tmp/errors" &&
		[ ! -s "$tmp/errors" ] && return
	cat "$tmp/said" "$tmp/errors"
	return 1
}

plan 6

load_driver
check "a command's exit status is kept" \
	ends_with 3 sh -c 'dd if=/dev/zero of=/dev/null bs=64k count=50; exit 3'
# shellcheck disable=SC2016 # its own process
check "the exit status after a signal is that of a shell" ends_with 143 sh -c 'kill -TERM $$'
check "no such command: an error" ends_with 1 /no/such/command
for fd in 0 1 2; do
	check "a recording is complete with descriptor $fd closed" whole_without $fd
done
