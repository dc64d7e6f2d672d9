#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Four simulated workloads, one on each CPU, and what n3_telemetry says of them
# beside the answer that follows from the simulation's own rates. Fails when a
# value is off by more than 0.1 percentage points.

sim=/sys/kernel/debug/n3_sim
n3t=/sys/kernel/n3_telemetry
scenarios='backend_memory_bound frontend_bound bad_speculation retiring'

insmod /modules/n3_sim.ko && insmod /modules/n3_telemetry.ko pmu=n3_sim || exit 1

echo
echo "Neoverse N3 (emulated), $(grep -c ^processor /proc/cpuinfo) CPUs, Linux $(uname -r)"
echo 'All counts below are SIMULATED: n3_telemetry was told to use n3_sim.'

cpu=0
for s in $scenarios; do
	echo "$s" > "$sim/cpu$cpu/scenario" || exit 1
	# an idle CPU is not sampled: keep it busy
	taskset -c "$cpu" sh -c 'while :; do :; done' &
	cpu=$((cpu + 1))
done
# a window of counts, all from the scenarios
sleep 5

echo
echo '# cat /sys/kernel/n3_telemetry/cpu3/topdown_l1'
cat "$n3t/cpu3/topdown_l1"

# known RATES - the four percentages, straight from events per second
known() {
	awk '{ rate[$1] = $2 }
	END {
		slots = 5 * rate["CPU_CYCLES"]
		flush = rate["STALL_FRONTEND_FLUSH"] / rate["CPU_CYCLES"]
		used = 1 - rate["STALL_SLOT"] / slots
		good = rate["OP_RETIRED"] / rate["OP_SPEC"]
		print "frontend_bound", 100 * (rate["STALL_SLOT_FRONTEND"] / slots - flush)
		print "backend_bound", 100 * rate["STALL_SLOT_BACKEND"] / slots
		print "bad_speculation", 100 * (used * (1 - good) + flush)
		print "retiring", 100 * used * good
	}' "$1"
}

rc=0
cpu=0
for s in $scenarios; do
	printf '\ncpu%d: %-24s %12s %12s\n' "$cpu" "$s" measured known
	known "$sim/cpu$cpu/rates" > /tmp/known
	awk 'NR == FNR { known[$1] = $2; next }
	{
		off = $2 - known[$1]
		ok = $2 ~ /^-?[0-9.]+$/ && $1 in known && off * off < 0.01
		bad += !ok
		printf "  %-28s %12s %12.4f  %s\n", $1, $2, known[$1], ok ? "ok" : "OFF"
	}
	END { exit bad || FNR != 4 }' /tmp/known "$n3t/cpu$cpu/topdown_l1" || rc=1
	cpu=$((cpu + 1))
done
echo
# shellcheck disable=SC2046 # one argument a job
kill $(jobs -p)
rmmod n3_telemetry && rmmod n3_sim || rc=1
exit $rc
