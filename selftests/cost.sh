#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What a slice costs the CPU that is measured: instructions that a busy program
# loses while sampling goes on, less those that it loses without, for each slice.
# QEMU counts instructions exactly, one a nanosecond, so the figure does not depend
# on how busy the machine below is. Instructions of the kernel would not do: the PMU
# stands still while the counters are switched.
#
# perf counts the program's on one of the six counters, from before the sampling
# begins; the module has five. It says each tenth of a second what it counted: those
# in which sampling begins and ends are left out, and of three runs the median of
# each tenth is taken, since the kernel's housekeeping comes when it likes. A run is
# short of 2^31 instructions, where perf's counter overflows.
# machine: icount
# timeout: 300

. "$(dirname "$0")/lib.sh"

LIMIT=7000
# With checkers a slice takes some 60,000, and what the kernel frees in one go millions.
! slow_kernel || LIMIT=1000000
FIRST=4
LAST=14

plan 4

slices() { word $N3T/cpu0/status slices; }

# sample ENABLE - what was not the program's, tenth by tenth, to $tmp/lost-ENABLE;
# not in a shell that forks meanwhile
sample() {
	put $N3T/enable 0
	taken=$(slices)
	perf stat -x , -I 100 -o "$tmp/perf" -C 0 -e instructions:u \
		sh -c "echo $1 > $N3T/enable; sleep 1.45; echo 0 > $N3T/enable"
	taken=$(($(slices) - taken))
	sed -n 's/^ *[0-9.]*,\([0-9]*\),,instructions:u,\([0-9]*\),100.00,.*/\2 \1/p' "$tmp/perf" |
		awk -v from=$FIRST -v to=$LAST \
			'NR >= from && NR <= to { print NR, $1 - $2 }' >> "$tmp/lost-$1"
}

# lost ENABLE - the mean over a tenth of a second of the medians of three runs
lost() {
	sort -n -k 1 -k 2 "$tmp/lost-$1" | awk -v tenths=$((LAST - FIRST + 1)) '
		NR % 3 == 2 { sum += $2 }
		END { if (NR == 3 * tenths) printf "%d", sum / tenths }
	'
}

check "n3_telemetry loads" load n3_telemetry enable=0
# what a kernel has left to do after booting, it does while idle
sleep 10
busy 0

for _ in 1 2 3; do
	sample 0
	sample 1
done
without=$(lost 0) with=$(lost 1)
if [ -z "$without" ] || [ -z "$with" ]; then
	bail "perf did not count all the time"
fi

within "1.45 s hold 71 slices" 67 "$taken" 73
diag "a tenth of a second of sampling: $with instructions lost; without: $without"
within "instructions a slice" 100 $(((with - without) / 5)) $LIMIT
same "no slice was dropped" 0 "$(word $N3T/cpu0/status dropped)"
