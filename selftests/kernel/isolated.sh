#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Isolated CPUs and CPUs without a tick are sampled only if named in cpus. They are then
# sampled although a single task runs there and a deferrable timer would not fire: with sets
# switched in place, and through perf. Loading interrupts them only to find out which PMU
# they have.
# machine: isolated

. "$(dirname "$0")/../lib/sim.sh"

isolated=$(cat $CPU_DEVICES/isolated)
no_tick=$(cat $CPU_DEVICES/nohz_full)
case $isolated-$no_tick in
*[0-9]-[0-9]*) ;;
*) skip_all "no isolated CPU and one without a tick" ;;
esac
# one number each, as given by run.sh -m isolated
set -- "$isolated" "$no_tick"

plan 18

# calls CPU - how often other CPUs had it call a function, as perf does to open an event
calls() { awk -v column=$(($1 + 2)) '/Function call/ { print $column }' /proc/interrupts; }

# slices CPU - "SLICES SECONDS": number taken and the time, from one process, since separate
# ones would share the CPU with the busy tasks
slices() { awk '$1 == "slices" { n = $2 } END { print n, $1 }' "$N3T/cpu$1/status" /proc/uptime; }
states() { for cpu; do word "$N3T/cpu$cpu/status" state; done; }

# slices_per_second HOW LEAST CPU... - a check for each CPU
slices_per_second() {
	how=$1 least=$2
	shift 2
	for cpu; do
		busy "$cpu"
		next_window
		before=$(slices "$cpu")
		sleep 4
		within "CPU $cpu, switching $how, takes up to 50 slices a second" "$least" \
			"$(slices "$cpu" | awk -v before="$before" '{
				split(before, b, " ")
				print ($1 - b[1]) / ($2 - b[2])
			}')" 51
		[ "$how" != "in place" ] ||
			check "values of CPU $cpu match the rates" compare_cpu "$cpu"
		idle_again
	done
}

diag "SEED=$SEED, isolated: $isolated, without a tick: $no_tick"
check "n3_sim loads" load n3_sim
check "n3_sim accepts random rates" set_all_rates "$SEED" "$@"
# Two CPUs are probed: 0, on which the check runs, and 1.
calls_isolated=$(calls "$isolated") calls_other=$(calls 1)
taskset -p -c 0 $$ > /dev/null
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim slice_ms=20
calls_isolated=$(($(calls "$isolated") - calls_isolated))
calls_other=$(($(calls 1) - calls_other))
within "counters are probed on a CPU that is not isolated, in calls" 20 $calls_other 1000
# loading code calls all CPUs a few times
within "the isolated CPU is only asked which PMU it has, in calls" 0 \
	$calls_isolated $((calls_other / 2))
taskset -p ff $$ > /dev/null
same "by default the isolated CPU and the one without a tick are not sampled" "disabled
disabled" "$(states "$@")"
same "with cpus all the isolated CPU and the one without a tick are not sampled" "disabled
disabled" "$(put $N3T/cpus all; states "$@")"

same "cpus accepts the isolated CPU and the one without a tick by number" "" \
	"$(put $N3T/cpus "$isolated,$no_tick")"
same "when named in cpus the isolated CPU and the one without a tick are sampled" "sampling
sampling" "$(states "$@")"
slices_per_second "in place" 48 "$@"

unload n3_telemetry
unload n3_sim
check "n3_sim loads with latch_at=add" load n3_sim latch_at=add
check "n3_sim with latch_at=add accepts random rates" set_all_rates "$SEED" "$@"
check "n3_telemetry loads on n3_sim with latch_at=add" \
	load n3_telemetry pmu=n3_sim cpus="$isolated,$no_tick" slice_ms=20
# slices are ended by a worker, which waits where the kernel preempts lazily and has no tick
slices_per_second "through perf" 25 "$@"
