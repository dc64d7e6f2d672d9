# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154,SC2016 # run.sh and lib.sh set the rest; sh -c expands
# The tests themselves: independent of the caller's environment, and they end.

dev=$here/../dev

# hostile COMMAND...: runs it with unusual values of all inherited attributes
hostile()
{
	(
		umask 077
		ulimit -S -n 64
		ulimit -S -s 4096
		ulimit -S -c unlimited 2>/dev/null
		ulimit -S -f 1000
		cd "$here/.." || exit 1
		exec env -u TERM -u HOME TZ=Asia/Kolkata LANG=de_DE.UTF-8 LC_ALL=tr_TR.UTF-8 LC_NUMERIC=de_DE \
			LANGUAGE=de COLUMNS=20 LINES=5 CDPATH=/:/tmp:. POSIXLY_CORRECT=1 GREP_OPTIONS=-v \
			GREP_COLORS=mt=01 BASH_ENV=/dev/full ENV=/dev/full NO_COLOR=1 PYTHONPATH=/dev/null \
			PYTHONWARNINGS=error XDG_CACHE_HOME=/dev/null XDG_RUNTIME_DIR=/dev/null SHELL=/bin/false \
			TMUX=/nowhere,1,1 MALLOC_PERTURB_=7 N3STAT_CGROUPS=/nowhere \
			--ignore-signal=HUP,INT,QUIT,PIPE,CHLD,TERM,ALRM,USR1,XFSZ --block-signal=HUP,CHLD,USR2 \
			"$@" <&-
	)
}

# inherited attributes; signals 32 and 33 belong to the C library and cannot be changed
show='umask; ulimit -a; env | sort; readlink /proc/self/fd/0
	grep -E "^Sig(Blk|Ign|Cgt)" /proc/self/status'
HOME=/ "$dev/plain-env.sh" sh -c "$show" >"$tmp/expected" 2>"$tmp/err"
hostile env --default-signal=QUIT "$dev/plain-env.sh" sh -c "$show" >"$tmp/out" 2>>"$tmp/err"
[ ! -s "$tmp/err" ] && grep -Eq '^SigIgn:[[:space:]]*[0-9a-f]{8}[08]0{7}$' "$tmp/out" &&
	diff "$tmp/expected" "$tmp/out" >"$tmp/err"
result $? "environment: nothing of the caller's reaches a test"

# Tests that once depended on it, run as by users: with make, or by name in this folder.
hostile env N3STAT="$n3stat" tests/run.sh stat >"$tmp/nested" 2>"$tmp/err"
status=$?
cp "$tmp/nested" "$tmp/out"
[ $status -eq 0 ] && [ ! -s "$tmp/err" ] && has_lines "$tmp/out" '^ok ' 40
result $? "environment: tests pass in a hostile one"

# --- limits

# a duration of this run
long=599.$$
cat >"$tmp/hangs_test.sh" <<END
result 0 "hangs: the first"
sleep $long &
sleep $long
result 0 "hangs: never"
END
# longer if the host needs longer to get there
for seconds in 1 10 100; do
	LONG='' N3STAT=$n3stat "$dev/tap.sh" $seconds "$tmp/hangs_test.sh" >"$tmp/out" 2>"$tmp/err"
	status=$?
	! has_lines "$tmp/out" '^ok 1 - hangs: the first$' || break
done
[ $status -eq 1 ] && has_lines "$tmp/out" '^ok 1 - hangs: the first$' &&
	grep -q "^not ok 2 - hangs_test.sh ends within $seconds s, last line: ok 1 - hangs: the first\$" \
		"$tmp/out" &&
	[ "$(tail -n 1 "$tmp/out")" = 1..2 ]
result $? "environment: a file of tests that hangs fails, and its last test is named"
same "environment: and nothing of it goes on" 0 "$(pgrep -fc "^sleep $long\$")"
sleep $long &
pid=$!
within 1 "nothing" has_ended $pid >"$tmp/out"
[ $? -eq 1 ] && [ "$(cat "$tmp/out")" = "# waited in vain for nothing" ]
result $? "environment: what is waited for in vain is told"
stops
