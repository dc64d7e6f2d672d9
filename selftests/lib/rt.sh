# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# A real-time task that takes all of the last CPU, $hogged. To be sourced after lib.sh, in
# tests that have the program fifo.

hogged=$(online | tail -n 1)
hog=''
limit=$(cat /proc/sys/kernel/sched_rt_runtime_us)
# since 6.12 this keeps time for other tasks
server=/sys/kernel/debug/sched/fair_server/cpu$hogged/runtime
[ ! -e "$server" ] || kept=$(cat "$server")

# limit_rt MICROSECONDS RESERVE - of each second for real-time tasks, -1 for all; nanoseconds
# of it that other tasks have nevertheless
limit_rt() {
	echo "$1" > /proc/sys/kernel/sched_rt_runtime_us
	[ ! -e "$server" ] || echo "$2" > "$server"
}

# take_cpu PRIORITY [PROGRAM]
take_cpu() {
	taskset -c "$hogged" "$HERE/fifo" "$@" &
	hog=$!
}

free_cpu() {
	[ -z "$hog" ] || kill "$hog"
	wait $hog 2>/dev/null
	hog=''
}

# give_back - the CPU, and the limit of real-time tasks
give_back() {
	free_cpu
	limit_rt "$limit" "${kept:-0}"
}
