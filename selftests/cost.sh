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
# starting and stopping costs.
# machine: icount
# timeout: 300

. "$(dirname "$0")/lib.sh"

LIMIT=6000

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
busy 0

sample 0.3 0
without=$counted
sample 2.3 0
without=$((counted - without))

sample 0.3 1
with=$counted slices=$taken
sample 2.3 1
with=$((counted - with)) slices=$((taken - slices))

within "2 s hold 100 slices" 95 $slices 101
diag "2 s of sampling: $with instructions lost; without: $without"
within "instructions a slice" 100 $(((with - without) / slices)) $LIMIT
same "no slice was dropped" 0 "$(word $N3T/cpu0/status dropped)"
