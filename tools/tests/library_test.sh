# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# Errors of libn3telemetry that the programs do not provoke.

export ASAN_OPTIONS=detect_leaks=1
if [ -n "${LIBRARY:-}" ]; then
	for case in $("$LIBRARY"); do
		made tree --cpus 2
		"$LIBRARY" "$case" "$made" >"$tmp/out" 2>"$tmp/err"
		result $? "libn3telemetry: $case"
	done
	"$shared/make_proc.py" "$many/memory-proc/proc" 0 || exit 1
	"$LIBRARY" memory "$made" "$many/memory-proc/proc" >"$tmp/out" 2>"$tmp/err" &&
		[ "$(cat "$tmp/out")" -gt 10 ]
	result $? "libn3telemetry reports each allocation that fails, and loses no memory"
	"$shared/check_rates.py" "$LIBRARY" "$many/rates" >"$tmp/out" 2>"$tmp/err"
	result $? "libn3telemetry: frequency and instructions per second are exact"
	"$shared/check_interval.py" "$LIBRARY" "$many/interval" >"$tmp/out" 2>"$tmp/err"
	result $? "libn3telemetry: the values of an interval are exact"
else
	skip "errors of libn3telemetry" "LIBRARY is not set"
fi
