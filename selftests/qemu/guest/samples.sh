#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# samples.sh [values] [story] [doctor] - the samples of Documentation/admin-guide: "# COMMAND" and
# its output, into a file of /results for each part. All parts, or these. For run.sh -m turns.

sim=/sys/kernel/debug/n3_sim
n3t=/sys/kernel/n3_telemetry
export COLUMNS=80
cd /tmp || exit 1
rc=0

# shown COMMAND - in its own shell, as in the guide; the host expects a sign of life
shown() {
	echo "$1" > /dev/console
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

# spin CPU [PROGRAM] - until rest
spin() {
	taskset $((1 << $1)) "${2:-/tmp/other}" &
	spinning="$spinning $!"
}

rest() {
	# shellcheck disable=SC2086
	kill $spinning
	wait
	spinning=
}

values() {
	for cpu in 0 1 2 3; do
		spin $cpu
	done
	sleep 0.3
	shown "n3stat 1 3"
	shown "n3stat --per cpu"
	shown "n3stat tree --color=always"
	rest

	shown "cat $n3t/status"
	shown "cat $n3t/cpu3/topdown_l1"
	shown "n3stat bottleneck cpu0"
}

# A service waits for memory until a change removes a part of its cache misses: the same
# instructions then take 64 % of the cycles.
story() {
	scenarios
	settle
	spin 0 /tmp/imaged
	spin 2 /tmp/imaged
	spin 2
	settle
	shown "n3stat --comm imaged"
	shown "n3stat tree --comm imaged"
	shown "n3stat -g l2_cache_effectiveness,ll_cache_effectiveness -C 0"
	shown "n3stat record -C 0 -o before.rec 2 15"
	program 0 'backend_memory_bound 400000\nretiring 100000\n'
	sleep 12
	shown "n3stat record -C 0 -o after.rec 2 15"
	rest
	shown "n3stat report --diff before.rec after.rec"
}

# Three counters instead of six, and a CPU is offline.
doctor() {
	unload
	load counters=3
	echo 0 > /sys/devices/system/cpu/cpu2/online
	settle
	shown "n3stat doctor"
	echo 1 > /sys/devices/system/cpu/cpu2/online
	unload
	load
}

# load [PARAMETER_OF_N3_SIM]
load() {
	insmod /modules/n3_sim.ko "$@" && scenarios && insmod /modules/n3_telemetry.ko pmu=n3_sim
	settle
}

unload() { rmmod n3_telemetry && rmmod n3_sim; }

for name in other imaged; do
	printf '#!/bin/sh\nwhile :; do :; done\n' > /tmp/$name
	chmod +x /tmp/$name
done
load || exit 1
[ $# -gt 0 ] || set -- values story doctor
for part; do
	$part > "/results/$part"
	send "$part"
done
exit $rc
