#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The setting switch, on the stock driver of an N3 whose PMU counts: each mode is used when
# requested, at load and later. If the driver caches the event types that it writes
# (n3_sim's file caching), direct register writes are lost. A driver that skips its last
# value is found at load; one that restores its last value is found at the first slice of
# any CPU or within ten seconds, although the test at load passed on one. Sets are then
# switched by the driver, and values are right; totals with slices that were kept meanwhile are
# withdrawn. When registers are no longer used the driver is brought up to date: events that it
# starts next, of the module or of perf, count correctly.
# machine: n3-turns
# timeout: 300

. "$(dirname "$0")/../lib/n3.sh"
. "$(dirname "$0")/../lib/perf.sh"

plan 60

switches() { [ "$(word $N3T/status switch)" = "$1" ]; }
# sampled - whether all CPUs take slices
sampled() { [ "$(word $N3T/status cpus_sampled)" = "$(online | wc -l)" ]; }
holds() { [ "$(word $N3T/cpu0/status budget)" = "$1" ]; }
# caching WORD CPU...
caching() {
	caching=$1
	shift
	for cpu; do
		echo "$caching" > "$SIM/cpu$cpu/caching" || return 1
	done
}
# mistyped - kernel log lines about it, since the last load
mistyped() { dmesg | sed -n "$((lines + 1)),\$p" | grep 'unexpected event type'; }
# OP_SPEC, which the driver writes to all counters when the module takes them
GROUP='{cycles,r3b,r3b,r3b,r3b,r3b,r3b}'
# perf_counts CPU... - whether each of perf's events counts at the rate of the CPU
perf_counts() {
	for cpu; do
		stat_lines -C "$cpu" -e "$GROUP" sleep 0.5
		awk -v cpu="$cpu" -v rate="$(rate "$cpu" OP_SPEC)" '
		NR == 1 { cycles = $2; next }
		$2 < cycles * rate * 0.99 || $2 > cycles * rate * 1.01 {
			printf "CPU %s: %s in %s cycles, expected %.0f\n", cpu, $2, cycles, cycles * rate
			wrong = 1
		}
		END { exit wrong || NR != 7 || !cycles }' "$tmp/lines" || return 1
	done
}
# first_slices SWITCH - whether every CPU has slices, and each one since SWITCH is used is
# right. perf starts counters one by one.
first_slices() {
	stops=0
	[ "$1" != perf ] || stops=40000
	! slow_kernel || stops=$((10 * stops))
	for cpu in $(online); do
		exact_slices "$cpu" 1 $stops || return 1
	done
}
load_anew() {
	unload n3_telemetry
	lines=$(dmesg | wc -l)
	load n3_telemetry "$@"
}

check "n3_sim loads" load n3_sim
# before any event is counted: it locates the driver's counters
check "the driver can be made to cache types" caching none 0
check "n3_telemetry loads" load_anew
same "the default is auto, which selects direct here" "auto direct" \
	"$(cat $N3T/switch) $(word $N3T/status switch)"
awake
for word in ' ' direct IN-PLACE 'perf in-place'; do
	check "switch refuses '$word'" refuses switch "$word" ''
done
for word in in-place auto perf in-place auto; do
	put $N3T/switch "$word\n"
	case $word in auto) used=direct ;; *) used=$word ;; esac
	check "switch $word: $used is used, and all CPUs are sampled" \
		wait_until eval "switches $used && sampled"
	[ "$word" != perf ] || continue
	next_window
	check "switch $word: all metrics match the rates" compare_all
done

for word in in-place perf; do
	load_anew switch=$word
	same "switch=$word at load is used" "$word $word" \
		"$(cat $N3T/switch) $(word $N3T/status switch)"
done

# shellcheck disable=SC2046
check "the driver begins to skip its last value" caching skip $(online)
load_anew
same "a driver that skips its last value is found at load" in-place "$(word $N3T/status switch)"
check "other settings are accepted" put $N3T/slice_ms 8
next_window
check "values match the rates with a caching driver" compare_all
# shellcheck disable=SC2046
check "perf counts correctly on each CPU, and waits there" perf_counts $(online)

# it starts caching after the module has written other types
for word in in-place perf; do
	# shellcheck disable=SC2046
	caching none $(online)
	load_anew
	# shellcheck disable=SC2046
	caching skip $(online)
	# sets come in random order
	wrong=0
	for _ in 1 2 3 4; do
		sleep 0.5
		same "registers are used before switch $word" direct "$(word $N3T/status switch)"
		put $N3T/switch $word
		sleep 0.5
		first_slices $word > "$tmp/wrong" || { wrong=1; diag "$(cat "$tmp/wrong")"; }
		put $N3T/switch auto
	done
	same "no slice is wrong after switch $word" 0 $wrong
done
# shellcheck disable=SC2046
caching none $(online)
load_anew
next_window
# shellcheck disable=SC2046
caching skip $(online)
put $N3T/enable 0
# shellcheck disable=SC2046
check "perf counts correctly with counters that were given back" perf_counts $(online)
put $N3T/enable 1
same "registers were used meanwhile, and are" direct "$(word $N3T/status switch)"
next_window
check "values match the rates with a caching driver" compare_all

# the test at load looks at the first CPUs
# shellcheck disable=SC2046
caching none $(online)
check "the driver begins to restore its last value on CPU 3" caching restore 3
load_anew
check "a driver that restores its last value is found at the first slice of CPU 3" \
	wait_until switches in-place
same "the log names CPU 3" 1 "$(mistyped | grep -c 'CPU 3:')"
same "no slice of it was kept, so no metric is withdrawn" 0 \
	"$(word $N3T/system/status withdrawals)"
next_window
check "values of all CPUs match the rates after switching in place" compare_all

caching none 3
load_anew
next_window
same "without caching registers are used" direct "$(word $N3T/status switch)"
check "the driver of CPU 2 begins to restore" caching restore 2
check "perf waits on CPU 2 and counts correctly" perf_counts 2
check "a driver that restores its last value is found within ten seconds of slices" \
	wait_until switches in-place
same "the kernel log reports it once" 1 "$(mistyped | wc -l)"
next_window
check "values of all CPUs match the rates after the driver was found" compare_all
check "perf counts correctly on CPU 2 after that" perf_counts 2

# no run ends between the last comparison of types and the one that fails
caching none 2
load_anew
next_window
check "the driver of CPU 2 begins to restore where nothing else counts" caching restore 2
check "that is found after slices were kept" wait_until switches in-place
same "no totals are left on any CPU, as all have this driver" 0 \
	"$(find $N3T/cpu[0-9]/counters -type f ! -name time -exec cat {} + | wc -l)"
unload n3_sim

# the CPUs' PMU stays that if it is named
check "n3_telemetry loads with pmu=$(own_pmu)" load_anew pmu="$(own_pmu)"
same "the named PMU is not simulated, and its registers are used" "1 0 direct" \
	"$(word $N3T/spec named) $(word $N3T/spec simulated) $(word $N3T/status switch)"
next_window
check "pmu= of the CPUs' own PMU: all metrics match the rates" compare_all

load_anew reserved_counters=2
check "with 2 of 6 counters reserved at load 4 are held" wait_until holds 4
same "with 2 counters reserved registers are used" direct "$(word $N3T/status switch)"
load_anew reserved_counters=6
same "with all counters reserved no register is tried" "unplaced perf" \
	"$(word $N3T/cpu0/status state) $(word $N3T/status switch)"
put $N3T/reserved_counters 0
check "without reserved counters registers are used" wait_until switches direct
check "without reserved counters 6 are held" wait_until holds 6
