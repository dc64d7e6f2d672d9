#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# plain-env.sh [NAME=VALUE]... COMMAND... - as env(1), in an environment that does not
# depend on the caller: no signal is ignored or blocked, stdin is empty, umask, limits,
# locale, time zone and terminal are fixed. It keeps the variables HOME, PATH and TMPDIR,
# LONG, which selects the long versions of tests, and the mark of the run
# (selftests/qemu/supervise.sh). Leaks are only searched for with LONG: that takes as long as
# all else in most runs of a sanitized program.
#
# Tests begin with it, so none of them depends on the caller. PLAIN_ENV is set below it.

set -e

umask 022
exec </dev/null
[ -e /proc/self/fd/1 ] || exec >/dev/null
[ -e /proc/self/fd/2 ] || exec 2>/dev/null

# hard RESOURCE - its hard limit
hard() { prlimit --pid $$ --"$1" --output HARD --noheadings | tr -d ' '; }

# limit RESOURCE=VALUE - or the hard limit, if that is lower and cannot be raised
limit()
{
	prlimit --pid $$ --"$1": 2>/dev/null || prlimit --pid $$ --"$1:${1#*=}" 2>/dev/null ||
		prlimit --pid $$ --"${1%=*}=$(hard "${1%=*}")":
}

limit core=0
limit nofile=1024
limit stack=8388608
for resource in as cpu data fsize; do
	limit $resource=unlimited
done
# processes: the maximum
limit nproc="$(hard nproc)"

# a script that chooses a Python takes longer to start than most tests need
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) || python=
[ "$(command -v python3)" = "${python:+${python%/*}/python3}" ] || PATH=${python%/*}:$PATH

[ -n "${LONG:-}" ] || set -- ASAN_OPTIONS=detect_leaks=0 "$@"
# a shell cannot undo that a signal is ignored
exec env -i --default-signal HOME="${HOME:-/}" PATH="$PATH" ${TMPDIR:+TMPDIR="$TMPDIR"} \
	${LONG:+LONG="$LONG"} ${N3T_RUN:+N3T_RUN="$N3T_RUN"} \
	LC_ALL=C.UTF-8 TZ=UTC0 TERM=xterm SHELL=/bin/sh PYTHONDONTWRITEBYTECODE=1 \
	PLAIN_ENV=1 "$@"
