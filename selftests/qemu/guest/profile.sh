#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# profile.sh SLICE_MS [FILE READS [SETTING]] - for tools/dev/profile.sh: samples a busy CPU for
# four seconds, in which a file of the module is read READS times. Stores the addresses of the
# kernel's functions and the number of slices.
# profile.sh switch SWITCHES [SETTINGS] - two tasks wait for each other on a CPU where each slice is
# of Topdown_L1. Stores the addresses and the number of context switches.
# profile.sh load TIMES - loads and unloads the module, with hardly any slice meanwhile.

slice_ms=$1 file=${2:-status} reads=${3:-0} setting=${4:-}
n3t=/sys/kernel/n3_telemetry

if [ "$1" = load ]; then
	insmod /modules/n3_sim.ko || exit 1
	sleep 10
	for i in $(seq "$2"); do
		insmod /modules/n3_telemetry.ko pmu=n3_sim slice_ms=100 window_ms=10000 || exit 1
		[ "$i" -gt 1 ] || cat /proc/kallsyms > /results/kallsyms
		rmmod n3_telemetry || exit 1
	done
	exit
fi

switches() { awk '$1 == "ctxt" { print $2 }' /proc/stat; }

if [ "$1" = switch ]; then
	rounds=$(($2 / 2))
	shift 2
	insmod /modules/n3_telemetry.ko groups=topdown_l1 max_cost=0 "$@" || exit 1
	cat /proc/kallsyms > /results/kallsyms
	sleep 10
	before=$(switches)
	perf bench sched pipe -l $rounds || exit 1
	echo $(($(switches) - before)) > /results/switches
	cat $n3t/cpu0/status > /results/cpu_status
	exit
fi

# for a read: a PMU that has values for every metric, and anchors that correlate
pmu=''
if [ "$file" != status ]; then
	insmod /modules/n3_sim.ko || exit 1
	printf 'backend_memory_bound 130000\nretiring 370000\n' \
		> /sys/kernel/debug/n3_sim/cpu0/program || exit 1
	pmu=pmu=n3_sim
fi
# shellcheck disable=SC2086 # none or one of each
insmod /modules/n3_telemetry.ko enable=0 slice_ms="$slice_ms" $pmu $setting || exit 1
[ ! -e $n3t/max_cost ] || echo 0 > $n3t/max_cost
# the kernel finishes its work after booting while it is idle
sleep 10
exec 3< $n3t/"$file" || exit 1
taskset -c 0 /selftests/lib/spin &
echo 1 > $n3t/enable
sleep 3
/selftests/kernel/reread -n "$reads" $n3t/"$file"
sleep 1
echo 0 > $n3t/enable
kill $!
awk '$1 == "slices" { print $2 }' $n3t/cpu0/status > /results/slices
grep -w n3t_sampler_start /proc/kallsyms > /dev/null || exit 1
cat /proc/kallsyms > /results/kallsyms
