# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# A short run of the fuzzer; "make fuzz-long" runs a million inputs.

inputs=${LONG:+10000}
inputs=${inputs:-2000}
name="nothing crashes on $inputs damaged trees, recordings, baselines, machines and screens"
if [ -n "$FUZZ" ]; then
	"$FUZZ" "$inputs" 1 >"$tmp/out" 2>"$tmp/err" &&
		grep -q '^ok 1 ' "$tmp/out"
	result $? "$name"
else
	skip "$name" "FUZZ is not set"
fi
