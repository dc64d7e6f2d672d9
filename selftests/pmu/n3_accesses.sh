#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# PMU register accesses per slice, as counted by the emulated N3. In a virtual machine each
# access may trap. The module accesses none while it does not sample. And the cost of judging
# windows for totals, the only work item meanwhile, compared with that of slices.
# machine: n3-icount
# timeout: 240

. "$(dirname "$0")/../lib/n3.sh"

LIMIT=16	# without the event types: 6 counters and cycles, stopping and starting the PMU

plan 12

SLICES=/sys/kernel/debug/n3_telemetry/cpu0/slices
slices() { word $N3T/cpu0/status slices; }

# a_slice CLASSES - reads and writes of these classes per slice; several classes as a|b
a_slice() {
	awk -v classes="^($1)\$" -v slices="$taken" '$1 ~ classes { n += $2 + $3 }
		END { printf "%.2f", n / slices }' "$tmp/between"
}

# new_events - mean number of events of the latest slices that the previous slice did not
# have; the latest come first
new_events() {
	awk '
	/^#/ { next }
	{
		fresh = 0
		if (NR > 2)
			for (event in after)
				fresh += index($0, " " event "=") == 0
		sum += fresh
		n += NR > 2
		delete after
		for (i = 10; i <= NF; i++) {
			sub("=.*", "", $i)
			after[$i]
		}
	}
	END { printf "%.2f", n ? sum / n : 0 }' $SLICES
}

# sample - accesses in four seconds, in $taken slices
sample() {
	taken=$(slices)
	accesses_during sleep 4
	taken=$(($(slices) - taken))
	diag "in $taken slices: $(tr '\n' ',' < "$tmp/between")"
}

# cost_of FIELD - a total of the module's own measurement: "ns" is that of slices
cost_of() { sed -n "s/^cpu0 .*\\<$1 \\([0-9]*\\).*/\\1/p" /sys/kernel/debug/n3_telemetry/cost; }

ALL='control 0 0
counter 0 0
enable 0 0
interrupt 0 0
other 0 0
type 0 0'

accesses_during sleep 1
same "no PMU register is accessed before the module is loaded" "$ALL" \
	"$(cat "$tmp/between")"
accesses_during accesses 0 1000 > /dev/null
same "1000 reads of PMUSERENR_EL0 by a program are counted as such" \
	"$(echo "$ALL" | sed 's/^other.*/other 1000 0/')" "$(cat "$tmp/between")"

check "n3_telemetry loads with enable 0" load n3_telemetry enable=0
sleep 1
accesses_during sleep 1
same "the module accesses no PMU register with enable 0" "$ALL" "$(cat "$tmp/between")"

put $N3T/enable 1
busy 0
sleep 1
of_slices=$(cost_of ns) of_all=$(cost_of total_ns)
sample
of_slices=$(($(cost_of ns) - of_slices)) of_all=$(($(cost_of total_ns) - of_all))
within "judging costs at most 1 % of slices, in hundredths of a percent" 10 \
	$(((of_all - of_slices) * 10000 / of_slices)) 100
within "4 s of sampling take about 1000 slices of 4 ms" 950 "$taken" 1030
expected=$(new_events)
within "a slice has events that the previous one did not have" 1 "$expected" 6
within "a slice writes the types of these events and no others ($expected)" 1 "$(a_slice type)" \
	"$(awk -v expected="$expected" 'BEGIN { print expected * 1.1 + 0.2 }')"
within "a slice reads all 7 counters and accesses PMU registers at most $LIMIT times besides the \
event types" 7 "$(a_slice 'control|counter|enable|interrupt|other')" $LIMIT

put $N3T/groups topdown_l1
next_window
sample
within "4 s of one set are about 1000 slices of 4 ms" 950 "$taken" 1030
same "consecutive slices of one set write no event type" 0.00 "$(a_slice type)"
within "a slice of one set accesses PMU registers at most $LIMIT times" 7 \
	"$(a_slice 'control|counter|enable|interrupt|other')" $LIMIT
