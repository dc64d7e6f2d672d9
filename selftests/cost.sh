#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What a slice costs the CPU that is measured: instructions that a busy program
# loses while sampling goes on, less those that it loses without, for each slice.
# QEMU counts instructions exactly, one a nanosecond, so the figure does not depend
# on how busy the machine below is. Instructions of the kernel would not do: the PMU
# stands still while the counters are switched.
#
# perf counts the program's on one of the six counters, from before the module is
# loaded; the module has five. A long stretch less a short one leaves out what
# starting and stopping costs. Both are short of 2^31 instructions, where perf's
# counter overflows.
# machine: icount
# timeout: 300

. "$(dirname "$0")/lib.sh"

LIMIT=7000

plan 4

slices() { word $N3T/cpu0/status slices; }

# sample SECONDS ENABLE - instructions that were not the program's; not in a shell
# that forks meanwhile
sample() {
	put $N3T/enable 0
	slices_before=$(slices)
	perf stat -x , -o "$tmp/perf" -C 0 -e instructions:u \
		sh -c "echo $2 > $N3T/enable; sleep $1; echo 0 > $N3T/enable"
	taken=$(($(slices) - slices_before))
	counted=$(sed -n 's/^\([0-9]*\),,instructions:u,\([0-9]*\),100.00,.*/\2 - \1/p' "$tmp/perf")
	[ -n "$counted" ] || bail "perf did not count all the time"
	counted=$((counted))
	diag "$1 s, enable $2: $counted instructions, $taken slices"
}

check "n3_telemetry loads" load n3_telemetry enable=0
# what a kernel has left to do after booting, it does while idle
sleep 10
busy 0

sample 0.1 0
without=$counted
sample 1.9 0
without=$((counted - without))

sample 0.1 1
with=$counted slices=$taken
sample 1.9 1
with=$((counted - with)) slices=$((taken - slices))

within "1.8 s hold 90 slices" 85 $slices 91
diag "1.8 s of sampling: $with instructions lost; without: $without"
within "instructions a slice" 100 $(((with - without) / slices)) $LIMIT
same "no slice was dropped" 0 "$(word $N3T/cpu0/status dropped)"
