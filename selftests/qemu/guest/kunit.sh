#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Loads the modules and their KUnit suites, which run at load and report in the kernel log,
# and unloads everything. Then runs kmemleak.

leaks=/sys/kernel/debug/kmemleak
[ ! -e "$leaks" ] || echo clear > "$leaks"

rc=0
load() {
	[ -e "/modules/$1.ko" ] || return 0
	insmod "/modules/$1.ko" || { echo "# $1.ko does not load"; rc=1; }
}
for m in n3_sim n3_sim_kunit n3_telemetry n3_telemetry_kunit; do
	load "$m"
done
for m in n3_telemetry_kunit n3_telemetry n3_sim_kunit n3_sim; do
	grep -q "^$m " /proc/modules || continue
	rmmod "$m" || rc=1
done

if [ -e "$leaks" ]; then
	# objects younger than five seconds are not reported yet
	sleep 6
	echo scan > "$leaks"
	sleep 1
	echo scan > "$leaks"
	cat "$leaks" > /results/kmemleak
	[ ! -s /results/kmemleak ] || rc=1
fi
exit $rc
