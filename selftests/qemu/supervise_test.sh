#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# supervise_test.sh - supervise.sh with stub parts: lines, status line, limits, verdict, and
# no leftover processes. TAP.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

unset N3T_RUN
plain=$TOP/tools/dev/plain-env.sh
[ -n "${PLAIN_ENV:-}" ] || exec "$plain" "$(realpath "$0")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# sleeps of this test are identified by their length
long=9$$

cat > "$tmp/tap" <<-'END'
	#!/bin/sh
	# tap PASSED FAILED
	echo "1..$(($1 + $2))"
	for i in $(seq "$1"); do echo "ok $i"; done
	for i in $(seq "$2"); do echo "not ok $(($1 + i)) - wrong $i"; echo "# why"; done
	[ "$2" -eq 0 ]
END
cat > "$tmp/daemon" <<-END
	#!/bin/sh
	# as tests are started: in another session, with the run's output, and ignoring
	# SIGTERM and SIGHUP
	$plain setsid sh -c 'trap "" TERM HUP; while :; do sleep $long; done' &
	echo 1..1
	echo ok 1
END
cat > "$tmp/hang" <<-END
	#!/bin/sh
	echo 1..2
	echo ok 1
	sleep $long
END
cat > "$tmp/shown" <<-END
	#!/bin/sh
	# ends when it has been shown
	until grep -q 'running: slow' $tmp/said; do sleep 0.1; done
	exec $tmp/tap 1 0
END
chmod +x "$tmp"/*
cat > "$tmp/run" <<-END
	#!/bin/bash
	. "$QEMU_DIR/lib.sh"
	. "$QEMU_DIR/tally.sh"
	eval "\$1"
END
chmod +x "$tmp/run"

tests=0
failed=0
# check NAME COMMAND...
check() {
	local name=$1 no=
	shift

	tests=$((tests + 1))
	"$@" > "$tmp/out" 2>&1 || no='not '
	echo "${no}ok $tests - $name"
	[ -z "$no" ] || { sed 's/^/# /' "$tmp/out" "$tmp/said"; failed=1; }
}

# supervise MINUTES COMMANDS - runs them; $status and $tmp/said
supervise() {
	status=0
	"$QEMU_DIR/supervise.sh" "$1" "$tmp/dir" "$tmp/run" "$2" > "$tmp/said" 2>&1 || status=$?
}

said() { grep -qE "$1" "$tmp/said"; }
last_is() { [ "$(tail -n 1 "$tmp/said")" = "$1" ] && [ "$(cat "$tmp/dir/verdict")" = "$1" ]; }
status_is() { [ "$status" -eq "$1" ]; }
none_left() { ! pgrep -f "sleep $long" > /dev/null; }

echo 1..21
supervise 1 "report one $tmp/tap 3 0; build two sleep 2; report three $tmp/tap 2 0"
check "a part has a line: name, passed, failed, elapsed" said '^one +3 passed, 0 failed  [0-9:]+$'
check "a build has a line, too" said '^two +done  [0-9:]+$'
check "all pass: the verdict is the last line" last_is "5 passed, 0 failed"
check "all pass: status 0" status_is 0
check "without a terminal output is plain lines" eval '! grep -q $'"'[\\r\\e]' $tmp/said"

supervise 1 "report one $tmp/tap 3 1; build two false"
check "failed checks are shown" said '^not ok 4 - wrong 1$'
check "a failed report and a failed build count" last_is "3 passed, 2 failed"
check "a failure: status 1" status_is 1

supervise 1 "exit 3"
check "a run that stops counts as a failure" last_is "0 passed, 1 failed"

supervise 1 "report one $tmp/daemon"
check "a process left behind in another session is ended" none_left
check "a run with leftover processes ends with the verdict" last_is "1 passed, 0 failed"

PART_MINUTES=1 supervise 1 "PART_MINUTES=0; limited() { timeout -k 1 1 \"\$@\"; }; \
	report one $tmp/hang; report two $tmp/tap 1 0"
check "a part that hangs is named" said 'one: not finished after 0 minutes'
check "parts after one that hangs run" said '^two +1 passed'
check "a part that hangs counts as a failure" last_is "2 passed, 2 failed"

# longer if the host needs longer to get there
for minutes in 0.05 0.2 1 5; do
	supervise $minutes "report one $tmp/daemon & report hung $tmp/hang"
	! said 'running: .*hung' || break
done
check "a run that hangs names the running parts" \
	said "^not finished after $minutes minutes.*running: .*hung 0:"
check "a run that hangs exits with 1" status_is 1
check "a run that hangs leaves no processes" none_left

# interrupted, as by Ctrl-C, before anything has ended
stop_it() {
	"$QEMU_DIR/supervise.sh" 5 "$tmp/dir" "$tmp/run" "report hung $tmp/hang" > "$tmp/said" 2>&1 &
	until pgrep -f "sleep $long" > /dev/null; do sleep 0.1; done
	kill -TERM $!
	status=0
	wait $! || status=$?
	status_is 1 && none_left && last_is "0 passed, 1 failed"
}
check "ended by a signal it names the running parts and leaves no processes" stop_it
(trap '' HUP; supervise 1 "report one $tmp/tap 1 0"; exit "$status")
check "with SIGHUP ignored, as under nohup, it runs normally" last_is "1 passed, 0 failed"

on_terminal() {
	TERM=xterm script -qfec "stty cols 60; $QEMU_DIR/supervise.sh 1 $tmp/dir $tmp/run \
		'report slow $tmp/shown'" "$tmp/said" < /dev/null > /dev/null
	said '\[0:[0-9]+\] 0 passed, 0 failed; running: slow 0:' && said '1 passed, 0 failed'
}
check "a terminal shows the running parts" on_terminal
check "the status line fits the width of the terminal" \
	eval 'tr "\r" "\n" < '"$tmp/said"' | awk "{ gsub(/\033\[K/, \"\") }
	length > 60 && /running/ { bad = 1 } END { exit bad }"'
exit $failed
