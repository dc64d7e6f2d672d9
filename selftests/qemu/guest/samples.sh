#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# samples.sh [costs] - the samples of Documentation/admin-guide: "# COMMAND" and its output, into
# /results/samples, and costs of n3stat in millions of instructions, into /results/costs, or only
# these. For run.sh -m turns.

sim=/sys/kernel/debug/n3_sim
n3t=/sys/kernel/n3_telemetry
export COLUMNS=80
cd /tmp || exit 1
rc=0

# shown COMMAND - in its own shell, as in the guide
shown() {
	printf '# %s\n' "$1"
	eval "$1" 2>&1 || rc=1
	echo
}

# scenario CPU NAME
scenario() { echo "$2" > "$sim/cpu$1/scenario"; }

scenarios() {
	scenario 0 backend_memory_bound
	scenario 1 frontend_bound
	scenario 2 bad_speculation
	scenario 3 retiring
}

# program CPU LINES - phases, each for some microseconds
# shellcheck disable=SC2059 # lines with \n
program() { printf "$2" > "$sim/cpu$1/program"; }

settle() { sleep 5; }

samples() {
	cpu=0
	while [ $cpu -lt 4 ]; do
		taskset $((1 << cpu)) sh -c 'while :; do :; done' &
		spinning="$spinning $!"
		cpu=$((cpu + 1))
	done
	sleep 0.3
	shown "n3stat 1 3"
	shown "n3stat --per cpu"
	# shellcheck disable=SC2086
	kill $spinning
	wait

	shown "n3stat -m ipc,l2_cache_mpki,branch_mpki --sort l2_cache_mpki"
	shown "n3stat -g ll_cache_effectiveness -g l2_cache_effectiveness -C 0"
	shown "cat $n3t/cpu3/topdown_l1"
	shown "cat $n3t/cpu0/bottleneck"
	shown "n3stat tree -C 0"
	shown "n3stat explain backend_cache_l2d_bound"
	shown "n3stat explain stale"
	shown "n3stat --csv -m ipc -m l2_cache_mpki --per cpu 1 2"

	echo 4000 > $n3t/window_ms
	scenario 0 backend_memory_bound
	settle
	{ sleep 0.1; scenario 0 frontend_bound; } &
	shown "n3stat -m frontend_bound -C 0 --values 1 6"
	wait
	echo 2000 > $n3t/window_ms

	program 0 'frontend_bound 200000\nbackend_memory_bound 300000\n'
	sleep 12
	shown "cat $n3t/cpu0/bottleneck"

	scenarios
	settle
	shown "n3stat record -o before.rec 0.5 40"
	scenario 2 retiring
	program 0 'frontend_bound 200000\nbackend_memory_bound 300000\n'
	sleep 12
	shown "n3stat record -o after.rec 0.5 40"
	shown "n3stat report --diff before.rec after.rec"
	shown "n3stat report --diff --place cpu2 before.rec after.rec"

	scenarios
	echo topdown_l1 > $n3t/groups
	settle
	shown "n3stat tree -C 0"
	echo all > $n3t/groups
	settle
}

# counted COMMAND... - instructions, in millions
counted() {
	perf stat -x , -o /tmp/count -e instructions -- "$@" > /dev/null 2>&1 || rc=1
	awk -F , '/instructions/ { print $1 / 1e6 }' /tmp/count
}

costs() {
	for options in "-g topdown_l1 --values" "record -o x.rec --per cpu -g topdown_l1" \
		       "record -o x.rec -C 0" "record -o x.rec --per cpu" \
		       "record -o x.rec --per system" "record -o x.rec" \
		       "--json -g all --per cpu --per system"; do
		# the host expects a sign of life
		echo "n3stat $options" > /dev/console
		# shellcheck disable=SC2086
		few=$(counted n3stat $options 0.5 5)
		# shellcheck disable=SC2086
		many=$(counted n3stat $options 0.5 25)
		awk -v few="$few" -v many="$many" -v options="$options" 'BEGIN {
			printf "%-50s %.2f\n", "n3stat " options " 0.5", (many - few) / 20 }'
	done
	for options in "-g topdown_l1 --values" "tree" ""; do
		# shellcheck disable=SC2086
		echo "n3stat $options" > /dev/console
		printf '%-50s %.2f\n' "n3stat $options, once" "$(counted n3stat $options)"
	done
}

insmod /modules/n3_sim.ko || exit 1
scenarios
insmod /modules/n3_telemetry.ko pmu=n3_sim || exit 1
settle
if [ "$1" != costs ]; then
	samples > /results/samples
	send samples
fi
costs > /results/costs
exit $rc
