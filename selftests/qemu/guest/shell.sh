#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A prompt inside the emulated Neoverse N3 with the modules loaded.

cpu=0
insmod /modules/n3_sim.ko
for s in backend_memory_bound frontend_bound bad_speculation retiring; do
	echo "$s" > "/sys/kernel/debug/n3_sim/cpu$cpu/scenario"
	cpu=$((cpu + 1))
done
insmod /modules/n3_telemetry.ko pmu=n3_sim
stty sane 2>/dev/null
cat <<-'END'

	An emulated Neoverse N3. n3_telemetry is loaded on the simulated PMU, with
	another workload on each CPU:
	    cat /sys/kernel/n3_telemetry/cpu0/topdown_l1
	    n3stat --per cpu 1; n3stat tree -C 0; n3stat top; n3stat explain ipc
	    echo frontend_bound > /sys/kernel/debug/n3_sim/cpu0/scenario
	On the machine's own PMU, where QEMU counts cycles and instructions:
	    rmmod n3_telemetry; insmod /modules/n3_telemetry.ko; perf list pmu
	"exit" or Ctrl-A x ends the machine.

END
exec sh
