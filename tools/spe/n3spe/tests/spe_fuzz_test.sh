# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# A minute of the fuzzers; "make fuzz-long" runs ten million inputs.

# fuzzes PROGRAM INPUTS WHAT
fuzzes()
{
	name="spe: nothing crashes on $2 damaged $3"
	if [ -n "$FUZZ" ]; then
		"${FUZZ%/*}/$1" "$2" 1 >"$tmp/out" 2>"$tmp/err" && grep -q '^ok 1 ' "$tmp/out"
		result $? "$name"
	else
		skip "$name" "FUZZ is not set"
	fi
}

fuzzes fuzz 60000 "perf.data files, streams and machines"
fuzzes fuzz_lines 12000 "sections of line number programs"
