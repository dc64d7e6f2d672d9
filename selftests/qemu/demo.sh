#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# demo.sh [RUNS [LOOPS]] - repeats make demo while LOOPS busy loops compete for the host.
# TAP; the last run is in build/demo.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

runs=${1:-1} loops=${2:-0}
log=$BUILD/demo.log
busy=()
trap '[ ${#busy[@]} -eq 0 ] || kill "${busy[@]}"' EXIT

# file_of_cpu3 FILE - the command that prints a file of CPU 3 with its output, without numbers
file_of_cpu3() {
	sed -nE '/^# cat .*cpu3/,/^(```)?$/ { /^(```)?$/d; s/[0-9]+\.[0-9]+/9/; p }' "$1"
}

# demo - exits 0, all values match the expected ones, the output ends with the next
# command, and README.md shows the same file
demo() {
	make -s -C "$TOP" demo > "$log" 2>&1 </dev/null || { echo "# exit status $?"; return 1; }
	[ "$(grep -c '  ok$' "$log")" -eq 16 ] && ! grep -q OFF "$log" &&
		grep -q '^cause backend_cache_l2d_bound ' "$log" &&
		[ "$(tail -n 5 "$log" | head -n 1)" = Next ] &&
		file_of_cpu3 "$log" | grep -q retiring &&
		diff <(file_of_cpu3 "$TOP/README.md") <(file_of_cpu3 "$log")
}

echo "1..$runs"
for ((i = 0; i < loops; i++)); do
	while :; do :; done &
	busy+=($!)
done
failed=0
for ((i = 1; i <= runs; i++)); do
	if demo; then
		echo "ok $i - make demo with $loops busy loops"
	else
		echo "not ok $i - make demo with $loops busy loops"
		tail -n 40 "$log" | sed 's/^/# /'
		failed=1
	fi
done
exit $failed
