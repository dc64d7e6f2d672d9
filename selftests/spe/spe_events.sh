#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The PMU events SAMPLE_* of the emulated N3 with SPE count the operation of its SPE
# exactly, while perf stat counts: samples, those that pass, by class and by filter.
# machine: spe
# on: test-long
# timeout: 900
# shellcheck disable=SC2046 # lists of words

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/spe.sh"

PERIOD=20224	# 79 times 256: what the driver makes of it as well

plan 16

ROUNDS=2000000
# the loop has 13 instructions
SAMPLES=$((ROUNDS * 13 / PERIOD))

# counted EVENTS COMMAND... - perf stat's counts on CPU 1 meanwhile: "EVENT NUMBER"
counted() {
	events=$1
	shift
	perf stat -x , -C 1 -e "$events" -o "$tmp/stat" -- "$@" > /dev/null 2>&1
	awk -F , '!/^#/ && NF > 2 { print $3, $1 }' "$tmp/stat" > "$tmp/counts"
}

# count EVENT
count() { word "$tmp/counts" "$1"; }

record() {
	echo "perf record -q -o $DATA -e arm_spe_0/ts_enable=1,period=$PERIOD$1/ -C 1" \
		"$WORK $ROUNDS 1"
}

load_driver
clear_logs
counted r4000,r4001,r4002,r4003 $(record)
sed 's/^/# /' "$tmp/counts"
samples=$(logged 1)
# all would be equal without samples
within "the loop alone has the expected number of samples" $SAMPLES "$samples" 10000000
same "SAMPLE_FEED: every sample" "$samples" "$(count r4001)"
same "SAMPLE_FILTRATE: all of them without a filter" "$samples" "$(count r4002)"
same "SAMPLE_COLLISION: none" 0 "$(count r4003)"
# after the last sample there may be operations of most of an interval
within "SAMPLE_POP: an interval for each sample, and the rest of one" \
	$((samples * PERIOD)) "$(count r4000)" $(((samples + 1) * PERIOD))

clear_logs
counted r4001,r4002,r812a,r812b,r812c,r812d $(record ,load_filter=1,min_latency=20)
sed 's/^/# /' "$tmp/counts"
"$LOG" check 1 load min_latency=20 > "$tmp/check"
within "with filters the loop has the expected number of samples" $SAMPLES \
	"$(word "$tmp/check" samples)" 10000000
same "SAMPLE_FILTRATE: samples that pass the filters" "$(word "$tmp/check" passed)" "$(count r4002)"
same "SAMPLE_FEED: all samples, filtered or not" "$(word "$tmp/check" samples)" "$(count r4001)"
for class in a:branch b:load c:store; do
	"$LOG" check 1 ${class#*:} > "$tmp/check"
	same "SAMPLE_FEED_ of class ${class#*:}" "$(word "$tmp/check" should)" \
		"$(count "r812${class%:*}")"
done
"$LOG" check 1 load > "$tmp/check"
same "SAMPLE_FEED_OP: samples of the chosen class" "$(word "$tmp/check" should)" \
	"$(count r812d)"

clear_logs
counted r4001,r4002,r812e,r812f $(record ,event_filter=2,min_latency=20)
sed 's/^/# /' "$tmp/counts"
"$LOG" check 1 event=2 > "$tmp/check"
within "some samples have the events, some do not" 1 "$(word "$tmp/check" should)" \
	$(($(word "$tmp/check" samples) - 1))
same "SAMPLE_FEED_EVENT: samples with the chosen events" "$(word "$tmp/check" should)" \
	"$(count r812e)"
"$LOG" check 1 min_latency=20 > "$tmp/check"
same "SAMPLE_FEED_LAT: samples with at least the minimum latency" "$(word "$tmp/check" should)" \
	"$(count r812f)"

counted r4000,r4001 "$WORK" 100000 1
same "nothing is counted without sampling" "0 0" "$(count r4000) $(count r4001)"
