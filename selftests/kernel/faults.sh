#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Every allocation fails once: on a change of a setting, when a CPU comes online, and in the
# hotplug thread of a CPU while the module loads. The operation fails with ENOMEM or
# succeeds anyway, the next try works, nothing is left behind and nothing leaks.
#
# LONG=1 fails each of them. Otherwise every 60th in settings and in loading and every
# fourth in CPU hotplug, starting at random. Of the 260 allocations of a CPU that comes
# online eight are the module's (92nd, 93rd, 95th, 98th, 103rd, 106th, 107th and 112th), so
# every fourth hits at least one. Two CPUs are enough: each further CPU repeats the same few
# hundred allocations.
# on: test-long
# machine: pair
# timeout: 2300

. "$(dirname "$0")/../lib/sim.sh"
. "$(dirname "$0")/../lib/faults.sh"

plan 26

if [ "$LONG" = 1 ]; then
	load_step=1 write_step=1 online_step=1
else
	load_step=60 write_step=60 online_step=4
fi

hotplug_thread() {
	for dir in /proc/[0-9]*; do
		read -r name < "$dir/comm" && [ "$name" = "cpuhp/$1" ] && echo "${dir#/proc/}"
	done 2> /dev/null
}

diag "SEED=$SEED LONG=$LONG"
check "n3_sim loads" load n3_sim
faults_start
remember

each_fails "loading survives failed allocations in CPU 1's hotplug thread" $load_step \
	-t "$(hotplug_thread 1)" load "$MODULES/n3_telemetry.ko" pmu=n3_sim
nothing_left "after loads with failed allocations in CPU 1's hotplug thread"

check "n3_sim accepts random rates on all CPUs" set_all_rates "$SEED"
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
awake
while read -r setting first second step; do
	echo "$first" > "$N3T/$setting"
	each_fails "a write to $setting survives failed allocations" \
		$((1 + (write_step - 1) * step)) -u "$N3T/$setting=$first" \
		write "$N3T/$setting" "$second"
	# the undone change is in force
	[ "$(cat "$N3T/$setting" | tr ' ' ,)" = "$first" ] ||
		diag "$setting is $(cat "$N3T/$setting"), not $first"
	# the next setting changes while CPUs are sampled
	put $N3T/enable 1
done <<-END
enable 0 1 3
slice_ms 20 30 1
window_ms 2000 4000 1
groups topdown_l1 all 1
custom none br_mis_pred,l1d_cache 1
cpus 0 0-1 3
contention yield share 1
reserved_counters 0 2 3
switch auto perf 3
replicates 0 1 1
container_pieces 0 125 1
END
put $N3T/cpus all
put $N3T/groups all
next_window
check "all online CPUs are sampled after writes with failed allocations" wait_until samples_all
check "values match the rates after writes with failed allocations" compare_all

lines=$(dmesg | wc -l)
echo 0 > $CPU_DEVICES/cpu1/online
each_fails "CPU 1 comes online despite failed allocations in its hotplug thread" \
	$online_step -t "$(hotplug_thread 1)" \
	-u "$CPU_DEVICES/cpu1/online=0" write $CPU_DEVICES/cpu1/online 1
said=$(dmesg | tail -n +$((lines + 1)) | grep -c 'CPU 1 cannot be sampled (error -12)')
within "the kernel log reports CPU 1 as not sampled (error -12)" 1 "$said" 100000
check "CPU 1 comes online without failed allocations" \
	sh -c "echo 1 > $CPU_DEVICES/cpu1/online"
check "CPU 1 is sampled, as all online CPUs are" wait_until samples_all

idle_again
check "n3_telemetry unloads" unload n3_telemetry
nothing_left "after unloading"
no_trace
