#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Instructions of commands with 64 CPUs, in user space and in the kernel, at slices of 4 ms in
# windows of 2 s. The limits are those of the commands that read the module's text instead of
# moments; for a group 2.5 times that.
# machine: big
# timeout: 400

. "$(dirname "$0")/../lib/sim.sh"

SLICE_MS=4
WINDOW_MS=2000
RUNS=3

# instructions, command
LIMITS='
22300000 n3stat
37100000 n3stat tree
9000000 n3stat -g general --per system
9900000 n3stat -g topdown_l1 --per system
24400000 n3stat -g mpki --per system
102300000 n3stat --per cpu
'
# hundredths of these: with bounds checks
TIMES=100
! checks_bounds || TIMES=120

nr_cpus=$(online | wc -l)
[ "$nr_cpus" -ge 64 ] || skip_all "needs 64 CPUs"

plan 9

check "n3_sim loads" load n3_sim
# shellcheck disable=SC2046 # a list
check "all CPUs alternate two phases, so that anchors correlate" \
	set_phases $(online)
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim slice_ms=$SLICE_MS window_ms=$WINDOW_MS
sleep 3

echo "$LIMITS" | grep . > "$tmp/limits"
while read -r limit command; do
	# shellcheck disable=SC2086 # one argument a word
	cost=$(taskset -c $((nr_cpus - 1)) "$HERE/cost" run $RUNS $command 2>&1)
	within "$command takes at most $limit instructions" 1000000 "$cost" \
		$((limit / 100 * TIMES))
done < "$tmp/limits"
