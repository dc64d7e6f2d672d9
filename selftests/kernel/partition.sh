#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A CPU that a cpuset isolates at run time is not sampled, unless cpus names it, until it is
# no longer isolated. Kernels before 6.9 do not notify modules.
# on: 6.12 newest
# machine: turns

. "$(dirname "$0")/../lib/sim.sh"

cgroup=$tmp/cgroup
cleanup() {
	[ ! -d "$cgroup/part" ] || rmdir "$cgroup/part"
	! grep -q "$cgroup" /proc/mounts || umount "$cgroup"
}

mkdir "$cgroup"
mount -t cgroup2 none "$cgroup" || skip_all "no cgroups"
[ -e "$cgroup/cpuset.cpus.isolated" ] || skip_all "no isolated partitions visible to modules"

plan 12

last=$(online | tail -n 1)

partition() { echo "$1" > "$cgroup/part/cpuset.cpus.partition"; }

echo +cpuset > "$cgroup/cgroup.subtree_control"
mkdir "$cgroup/part"
echo "$last" > "$cgroup/part/cpuset.cpus"

begin_sim "$last"
check "the last CPU is sampled" cpu_is "$last" sampling 6
partition isolated
same "the last CPU is isolated" "$last" "$(cat "$cgroup/cpuset.cpus.isolated")"
check "the isolated CPU holds no counter" wait_until cpu_is "$last" disabled 0
same "cpus has the other CPUs" "0-$((last - 1))" "$(cat $N3T/cpus)"
put $N3T/cpus "$last"
check "the isolated CPU is sampled if cpus names it" cpu_is "$last" sampling 6
next_window
check "values of the isolated CPU match the rates" compare_cpu "$last"
put $N3T/cpus all
check "the isolated CPU is not sampled with cpus all" cpu_is "$last" disabled 0
partition member
check "the CPU is sampled again when it is no longer isolated" wait_until cpu_is "$last" sampling 6
next_window
check "values of the CPU match the rates again" compare_cpu "$last"
