#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# With pseudo-NMIs perf's overflow handler can start the PMU while the module changes
# counters. Both slices next to such a change are dropped as disturbed, kept slices are
# exact, and no counter is yielded.
#
# QEMU counts time in instructions, each of which is one cycle, so a slice of a CPU that
# does not sleep has equal counts of both, even if NMIs stop the PMU in it. It notices an
# overflow late, at the next exception or access to the PMU: when a change stops the PMU, if
# the counter has overflowed since the tick. System calls are exceptions: with many of them
# a counter overflows before the tick as frequently as after it.
# on: test-long
# machine: nmi

. "$(dirname "$0")/../lib/lib.sh"

grep -qw irqchip.gicv3_pseudo_nmi=1 /proc/cmdline || skip_all "no pseudo-NMIs"

plan 15

SLICES=/sys/kernel/debug/n3_telemetry/cpu0/slices
PERIOD=200003	# some 20 in a slice

says() { [ "$(word $N3T/cpu0/status state)" = "$1" ]; }
nmis() { awk '/arm-pmu/ { print $2 }' /proc/interrupts; }
nmis_reach() { [ "$(nmis)" -ge "$1" ]; }
disturbed() { sed -n '1s/.* disturbed \([0-9]*\).*/\1/p' $SLICES; }

# recent - numbers of the latest 256 slices, into $tmp/recent: "kept" and "disturbed"; with
# "_off", those whose counts of instructions and cycles differ; "stopped", kept ones in
# which the PMU was stopped; "single", disturbed ones between two kept ones
recent() {
	cat $SLICES > "$tmp/slices"
	awk '
	function after(key) {
		match($0, key "[= ][0-9]+")
		return substr($0, RSTART + length(key) + 1, RLENGTH - length(key) - 1)
	}
	!/^#/ {
		state = $8
		cycles = after("CPU_CYCLES")
		all[state]++
		off[state] += after("INST_RETIRED") != cycles
		stopped += state == "kept" && after("time_us") * 1000 - cycles > 5000
		single += before2 == "kept" && before == "disturbed" && state == "kept"
		before2 = before
		before = state
	}
	END {
		print "kept", all["kept"] + 0 "\nkept_off", off["kept"] + 0
		print "disturbed", all["disturbed"] + 0
		print "disturbed_off", off["disturbed"] + 0
		print "stopped", stopped + 0 "\nsingle", single + 0
	}' "$tmp/slices" > "$tmp/recent"
	diag "$(tr '\n' ' ' < "$tmp/recent")"
}
of_recent() { word "$tmp/recent" "$1"; }

check "perf's interrupt is an NMI" sh -c 'dmesg | grep "PMU driver.* using NMIs"'
busy 0
check "n3_telemetry loads with a counter reserved" load n3_telemetry reserved_counters=1 \
	slice_ms=4 groups=general
check "CPU 0 is sampled" wait_until says sampling
sleep 1.2
recent
same "without NMIs 256 slices of 256 are kept" 256 "$(of_recent kept)"
same "without NMIs each slice has equal counts of instructions and cycles" 0 "$(of_recent kept_off)"
same "without NMIs the PMU is stopped in no slice" 0 "$(of_recent stopped)"

yields=$(word $N3T/cpu0/status yields)
before=$(nmis)
perf record -q -C 0 -e r11 -c $PERIOD -o /dev/null sleep 1000 2> "$tmp/perf" &
perf_pid=$!
check "perf's NMIs arrive" wait_until nmis_reach $((before + 100))
idle_again
dd if=/dev/zero of=/dev/null bs=1 &
renice -n 19 -p $! > /dev/null
sleep 1.2
recent
within "of 256 slices at least 20 are dropped as disturbed" 20 "$(of_recent disturbed)" 236
same "each disturbance drops the slice that ends and the one that starts" 0 \
	"$(of_recent single)"
within "NMIs stop the PMU in at least 20 kept slices" 20 \
	"$(of_recent stopped)" 256
same "with NMIs each kept slice has equal counts of instructions and cycles" 0 \
	"$(of_recent kept_off)"
same "with NMIs the published ipc is exactly 1" 1.000000 "$(word $N3T/cpu0/general ipc)"
same "no counter is yielded for disturbed slices" "$yields" \
	"$(word $N3T/cpu0/status yields)"

stop $perf_pid
sed 's/^/# /' "$tmp/perf"
before=$(disturbed)
sleep 0.5
same "no slice is disturbed after the last NMI" "$before" "$(disturbed)"
says sampling
verdict $? "CPU 0 is still sampled"
