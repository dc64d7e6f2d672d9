#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Cost of a slice on the measured CPU: instructions that a busy program loses per slice,
# sampling enabled minus disabled. QEMU counts instructions exactly, one per nanosecond, so
# the load of the host does not matter. Counting kernel instructions would not work, as the
# PMU is stopped while counters are switched.
#
# perf counts the program on one of the six counters, from before sampling starts; the
# module has five. perf prints a count each tenth of a second. Those in which sampling
# starts and stops are excluded, and the median of five runs is taken for each tenth, since
# the kernel's housekeeping is irregular. A run is shorter than 2^31 instructions, at which
# perf's counter overflows.
# machine: icount
# timeout: 300

. "$(dirname "$0")/../lib/lib.sh"

LIMIT=2500
# With checkers a slice costs some 60,000 instructions, and batched kernel frees millions.
! slow_kernel || LIMIT=1000000
FIRST=4
LAST=14

plan 4

slices() { word $N3T/cpu0/status slices; }

# sample ENABLE - instructions not spent in the program, per tenth of a second, into
# $tmp/lost-ENABLE; not in a subshell, as that would fork meanwhile
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

# lost ENABLE - the mean over a tenth of a second of the medians of five runs
lost() {
	sort -n -k 1 -k 2 "$tmp/lost-$1" | awk -v tenths=$((LAST - FIRST + 1)) '
		NR % 5 == 3 { sum += $2 }
		END { if (NR == 5 * tenths) printf "%d", sum / tenths }
	'
}

check "n3_telemetry loads" load n3_telemetry enable=0
# the kernel finishes its work after booting while it is idle
sleep 10
busy 0

for _ in 1 2 3 4 5; do
	sample 0
	sample 1
done
without=$(lost 0) with=$(lost 1)
if [ -z "$without" ] || [ -z "$with" ]; then
	bail "perf did not count all the time"
fi

within "sampling for 1.45 s takes about 360 slices of 4 ms" 340 "$taken" 367
diag "a tenth of a second of sampling: $with instructions lost; without: $without"
within "a slice costs at most $LIMIT instructions" 100 $(((with - without) / 25)) $LIMIT
same "no slice of the busy CPU is dropped" 0 "$(word $N3T/cpu0/status dropped)"
