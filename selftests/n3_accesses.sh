#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# How often a slice accesses PMU registers, as the emulated N3 counts it. In a virtual
# machine each access may trap. While the module does not sample it accesses none.
# machine: n3-icount
# on: rotation
# timeout: 240

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"
. "$(dirname "$0")/lib_n3.sh"

# 6 event counters and cycles; the self-test and looking for counters add a little
LIMIT_TYPES=8
LIMIT_OTHERS=80

plan 8

slices() { word $N3T/cpu0/status slices; }

# a_slice CLASSES - of these, reads and writes in a slice; more classes as a|b
a_slice() {
	awk -v classes="^($1)\$" -v slices="$taken" '$1 ~ classes { n += $2 + $3 }
		END { printf "%.2f", n / slices }' "$tmp/between"
}

ALL='control 0 0
counter 0 0
enable 0 0
interrupt 0 0
other 0 0
type 0 0'

accesses_during sleep 1
same "nothing accesses PMU registers before the module is loaded" "$ALL" \
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
taken=$(slices)
accesses_during sleep 4
taken=$(($(slices) - taken))
diag "in $taken slices: $(tr '\n' ',' < "$tmp/between")"
within "4 s of sampling take about 200 slices of 20 ms" 190 "$taken" 210
within "a slice writes at most $LIMIT_TYPES event types, and at least one" 1 \
	"$(a_slice type)" $LIMIT_TYPES
within "a slice reads all 7 counters and accesses PMU registers at most $LIMIT_OTHERS times \
beside the event types" 7 "$(a_slice 'control|counter|enable|interrupt|other')" $LIMIT_OTHERS
same "the kernel log has no warning" "" "$(kernel_warnings)"
