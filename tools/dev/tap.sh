#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# tap.sh SECONDS PROGRAM... - runs TAP programs one after the other as one TAP report with
# its own numbers, and what CPU time each took. A program that exits with an error, prints no
# plan or is not done after SECONDS, with LONG six times that, counts as a failure. X_test.sh is
# sourced by ../tests/test.sh.
set -u

seconds=$1
shift
[ -z "${LONG:-}" ] || seconds=$((6 * seconds))
out=$(mktemp) || exit 1
pid=
cpu_time=0
trap 'rm -f "$out" "$out.times"' EXIT
# timeout(1) creates a process group, which a terminal does not interrupt
trap '[ -z "$pid" ] || kill "$pid"; exit 1' HUP INT TERM

# starts PROGRAM: background processes of a shell would ignore SIGINT
starts()
{
	program=$1
	case $program in
	*.py) set -- "${PYTHON:-python3}" "$1" ;;
	*_test.sh) set -- "${0%/*}/../tests/test.sh" "$1" ;;
	esac
	env --default-signal timeout -k 30 "$seconds" "$@" >"$out" 2>&1 &
	pid=$!
}

# counts_cpu - sets $cpu_time to the seconds of ended programs; a pipe would have its own
counts_cpu()
{
	times >"$out.times"
	cpu_time=$(sed -n '2s/[ms]/ /gp' "$out.times" | awk '{ printf "%d", 60 * $1 + $2 + 60 * $3 + $4 }')
}

echo "TAP version 13"
total=0
failed=0
for test in "$@"; do
	starts "$test"
	wait "$pid"
	status=$?
	pid=
	name=$(basename "$test")
	# 137: it had to be killed
	if [ $status -eq 124 ] || [ $status -eq 137 ]; then
		echo "not ok - $name ends within $seconds s, last line: $(grep -E '^(not )?ok' "$out" | tail -n 1)" >>"$out"
	elif [ $status -ne 0 ] && ! grep -q '^not ok' "$out"; then
		echo "not ok - $name exits with status 0 (it is $status)" >>"$out"
	elif ! grep -q '^1\.\.[1-9]' "$out"; then
		echo "not ok - $name runs to completion (it prints no plan)" >>"$out"
	fi
	awk -v nr=$total '
		/^1\.\./ { next }
		/^(not )?ok/ { sub(/ok( [0-9]+)? -/, "ok " ++nr " -"); print; next }
		/^#/ { print; next }
		{ print "# " $0 }
	' "$out"
	before=$cpu_time
	counts_cpu
	echo "# $name: $((cpu_time - before)) s of CPU time"
	total=$((total + $(grep -cE '^(not )?ok' "$out")))
	failed=$((failed + $(grep -c '^not ok' "$out")))
done
echo "1..$total"
[ $failed -eq 0 ]
