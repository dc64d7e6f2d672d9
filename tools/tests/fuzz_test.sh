# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# Short runs of the fuzzers; "make fuzz-long" runs a million inputs, and ten million moments.

inputs=${LONG:+10000}
inputs=${inputs:-2000}
name="nothing crashes on $inputs damaged trees, recordings, machines and screens"
if [ -n "$FUZZ" ]; then
	"$FUZZ" "$inputs" 1 >"$tmp/out" 2>"$tmp/err" &&
		grep -q '^ok 1 ' "$tmp/out"
	result $? "$name"
else
	skip "$name" "FUZZ is not set"
fi

if [ -n "$MOMENTS_FUZZ" ]; then
	"$MOMENTS_FUZZ" $((10 * inputs)) 1 >"$tmp/moments" 2>"$tmp/err"
	while read -r word rest; do
		[ "$word" = ok ] || [ "$word" = not ] || continue
		[ "$word" = ok ]
		result $? "${rest#*- }"
	done <"$tmp/moments"
	grep -q '^1\.\.' "$tmp/moments"
	result $? "moments: all damage was tried"
else
	skip "damaged moments" "MOMENTS_FUZZ is not set"
fi
