# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# A minute of the fuzzer; "make fuzz-long" runs ten million inputs.

inputs=60000
name="spe: nothing crashes on $inputs damaged perf.data files, streams and machines"
if [ -n "$FUZZ" ]; then
	"$FUZZ" "$inputs" 1 >"$tmp/out" 2>"$tmp/err" && grep -q '^ok 1 ' "$tmp/out"
	result $? "$name"
else
	skip "$name" "FUZZ is not set"
fi
