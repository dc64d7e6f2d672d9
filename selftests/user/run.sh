#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Runs TAP programs one after the other as one TAP report with numbers of its
# own. A program that exits with an error or without a plan counts as a failure.
#
#   run.sh PROGRAM|SCRIPT.py ...
set -u

out=$(mktemp) || exit 1
all=$(mktemp) || exit 1
trap 'rm -f "$out" "$all"' EXIT

run()
{
	case $1 in
	*.py) "${PYTHON:-python3}" "$1" ;;
	*) "$1" ;;
	esac
}

echo "TAP version 13"
for test in "$@"; do
	run "$test" >"$out" 2>&1
	status=$?
	if [ $status -ne 0 ] && ! grep -q '^not ok' "$out"; then
		echo "not ok - $(basename "$test") exits with status 0 (it is $status)" >>"$out"
	elif ! grep -q '^1\.\.[1-9]' "$out"; then
		echo "not ok - $(basename "$test") runs to completion (it prints no plan)" >>"$out"
	fi
	awk -v nr="$(grep -cE '^(not )?ok' "$all")" '
		/^1\.\./ { next }
		/^(not )?ok/ { sub(/ok( [0-9]+)? -/, "ok " ++nr " -"); print; next }
		/^#/ { print; next }
		{ print "# " $0 }
	' "$out" | tee -a "$all"
done
echo "1..$(grep -cE '^(not )?ok' "$all")"
! grep -q '^not ok' "$all"
