#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# perf disturbs the self-test at load by moving counters on all CPUs: that disproves
# nothing, so sets are switched through perf until the test can be repeated, and in place
# from then on. A CPU that is short of counters at load does not decide for the others, and
# has all of them later.
# machine: turns

. "$(dirname "$0")/../lib/sim.sh"
. "$(dirname "$0")/../lib/perf.sh"

plan 13

# events - more than counters, in two groups, so that perf moves them every few ms
events() {
	awk -F '\t' '!/^#/ && $5 ~ /PMU/ && $2 != "CHAIN" && $2 != "CPU_CYCLES" && n < 8 {
		printf "%sn3_sim/event=%s/%s", (n % 4 ? "," : n ? ",{" : "{"), $1,
			(n % 4 == 3 ? "}" : "")
		n++
	}' "$SPEC/events.tsv"
}
switches() { [ "$(word $N3T/status switch)" = "$1" ]; }
all_hold() {
	for cpu in $(online); do
		cpu_is "$cpu" sampling "$1" || return 1
	done
}

check "n3_sim loads" load n3_sim
check "rates are set" set_all_rates "$SEED"
perf stat -a -x , -o "$tmp/perf" -e "$(events)" sleep 1000 &
perf_pid=$!
sleep 1
check "n3_telemetry loads while perf multiplexes on all CPUs" load n3_telemetry pmu=n3_sim
check "sets are switched through perf at first" switches perf
same "the kernel log reports a disturbed self-test" 1 \
	"$(dmesg | grep -c 'self-test of n3_sim disturbed')"
stop $perf_pid
check "sets are switched in place when perf is gone" wait_until switches in-place
check "all CPUs are sampled with all counters" wait_until all_hold 6
awake
next_window
check "values match the rates" compare_all
check "n3_telemetry unloads" unload n3_telemetry

echo 3 > "$SIM/cpu0/taken"
check "n3_telemetry loads where CPU 0 is short of counters" load n3_telemetry pmu=n3_sim
same "other CPUs have all counters" 6 "$(word $N3T/cpu1/status budget)"
echo 0 > "$SIM/cpu0/taken"
check "CPU 0 has all counters once they are free" wait_until all_hold 6
next_window
check "values of all CPUs match the rates with six counters" compare_all
