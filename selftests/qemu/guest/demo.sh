#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Four simulated workloads, one per CPU, and the report of n3_telemetry next to the answer
# computed from the simulation's own rates. Fails if a value is off by more than 0.1
# percentage points. For machines whose time is counted in instructions.

sim=/sys/kernel/debug/n3_sim
n3t=/sys/kernel/n3_telemetry
scenarios='backend_memory_bound frontend_bound bad_speculation retiring'

insmod /modules/n3_sim.ko || exit 1
# No event is counted before the scenarios are set.
cpu=0
for s in $scenarios; do
	echo "$s" > "$sim/cpu$cpu/scenario" || exit 1
	cpu=$((cpu + 1))
done
insmod /modules/n3_telemetry.ko pmu=n3_sim || exit 1

# measured - whether every CPU has an area with its causes
measured() {
	for c in 0 1 2 3; do
		n3stat bottleneck cpu$c | grep -qE '^(cause|part) ' || return 1
	done
}
tries=60
until measured; do
	[ $tries -gt 0 ] || { echo 'No values for 30 seconds'; break; }
	sleep 0.5
	tries=$((tries - 1))
done

# shown COMMAND... - with its output, in plain text
shown() {
	printf '\n# %s\n' "$*"
	"$@" > /tmp/shown || rc=1
	cat /tmp/shown
}

rc=0
echo
echo "Neoverse N3 (emulated), $(grep -c ^processor /proc/cpuinfo) CPUs, Linux $(uname -r)"
echo 'All counts below are SIMULATED: n3_telemetry was told to use n3_sim, and the CPUs are idle.'

shown cat $n3t/cpu3/topdown_l1

# known RATES - the four percentages, directly from events per second
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

shown n3stat --per cpu
shown n3stat bottleneck cpu0
shown n3stat tree -C 0
rmmod n3_telemetry && rmmod n3_sim || rc=1
[ "$rc" -ne 0 ] || cat << 'END'

Next
  make shell        a prompt on such a machine: try "n3stat tree", "n3stat top",
                    "n3stat explain backend_cache_l2d_bound"
  make test         every test
  README.md         "Quick start on a Neoverse N3"
END
# suppress the kernel's "Power down"
echo 0 > /proc/sys/kernel/printk
exit $rc
