#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# perf record samples events of the emulated N3 whose PMU counts: each overflow occurs at
# the time given by the event's rate, except for the kernel's handling: it stops the PMU
# during an overflow for 1.6 us, here six times per millisecond.
# machine: n3-icount-20
# timeout: 240

. "$(dirname "$0")/../lib/n3.sh"

EVENTS='INST_RETIRED L1D_CACHE STALL_SLOT BR_MIS_PRED DTLB_WALK IMP_STALL_BACKEND_MCQ'

plan 8

# periods - "name period" of each: number of occurrences per millisecond
periods() {
	for event in $EVENTS; do
		echo "$(echo "$event" | tr 'A-Z' 'a-z')" \
			"$(rate 0 "$event" | awk '{ printf "%d", $1 * 1e6 }')"
	done
}

# right_times EVENT PERIOD - whether the samples of two seconds are PERIOD occurrences to 2
# % more apart on average, and any two of them 2 % less to 4 % more
right_times() {
	awk -v event="/$1," -v period="$2" -v rate="$(rate 0 "$(echo "$1" | tr 'a-z' 'A-Z')")" '
	index($0, event) {
		time = $1 + 0
		if (n++) {
			gap = (time - last) * 1e9 / (period / rate)
			if (gap < min || n == 2)
				min = gap
			if (gap > max)
				max = gap
		} else {
			first = time
		}
		last = time
	}
	END {
		mean = n > 1 ? (last - first) / (n - 1) * 1e9 / (period / rate) : 0
		printf "%d samples, time between them %.4f, %.4f to %.4f of what is expected\n",
			n, mean, min, max
		exit !(n >= 1950 && mean > 0.999 && mean < 1.02 && min > 0.98 && max < 1.04)
	}' "$tmp/samples"
}

pmu=$(own_pmu)
check "n3_telemetry loads" load n3_telemetry
same "CPU 0 is sampled with 20 counters" 20 "$(word $N3T/cpu0/status budget)"
put $N3T/enable 0
busy 0
periods > "$tmp/periods"
events=$(while read -r event period; do
	echo "$pmu/$event,period=$period/"
done < "$tmp/periods" | tr '\n' ',')
perf record -q -o "$tmp/data" -C 0 -e "${events%,}" sleep 2 2> "$tmp/said"
perf script -i "$tmp/data" -F time,event --ns > "$tmp/samples" 2> "$tmp/said"
while read -r event period; do
	check "perf record samples $event each millisecond" right_times "$event" "$period"
done < "$tmp/periods"
