#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# guest.sh - for run.sh, in the emulated machine: the files in caps/ of the driver without patches
# and after each of them, as NAME=VALUE, and a recording by perf with the last one. A driver that is
# built in is the last one.

spe=/sys/bus/event_source/devices/arm_spe_0

# caps N
caps() { (cd "$spe/caps" && grep . ./*) | sed 's,^\./,,; s/:/=/' | sort > "/results/caps$1"; }

if [ -d "$spe" ]; then
	caps 3
else
	for n in 0 1 2 3; do
		insmod "/selftests/arm_spe_pmu$n.ko" || exit 1
		caps $n
		[ $n = 3 ] || rmmod arm_spe_pmu || exit 1
	done
fi
perf record -q -o /results/perf.data -e arm_spe_0/ts_enable=1,period=4096/ -C 1 \
	taskset -c 1 /selftests/spe/spe_loop 1000000
