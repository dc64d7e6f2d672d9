#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# fleet.sh SCENARIO... - simulated workloads, one per CPU, exported to the host until the machine
# is ended: n3-exporter at port 10303, its textfile with series of each CPU and the simulation's
# rates at port 8080.

sim=/sys/kernel/debug/n3_sim
files=/tmp/files

insmod /modules/n3_sim.ko || exit 1
mkdir -p $files
cpu=0
for scenario; do
	# No event is counted before the scenarios are set.
	echo "$scenario" > "$sim/cpu$cpu/scenario" || exit 1
	cat "$sim/cpu$cpu/rates" > "$files/rates$cpu"
	cpu=$((cpu + 1))
done
insmod /modules/n3_telemetry.ko pmu=n3_sim replicates=1 || exit 1

httpd -p 8080 -h $files || exit 1
n3-exporter --per cpu --textfile $files/n3.prom --interval 1 &
n3-exporter --groups all --errors --listen 0.0.0.0:10303
