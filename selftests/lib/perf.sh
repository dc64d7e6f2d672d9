# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Counts by perf, and their running time. To be sourced after lib.sh.

# 1 asks for the long version: from the environment, that is the kernel's command line
LONG=${LONG:-0}

# stat_lines ARGUMENT... - perf stat; then $tmp/lines has for each event "name count
# running-share-in-percent counts-a-second", scaled by perf. Only -v prints the enabled and
# running times of an event.
stat_lines() {
	perf stat -v -x , -o "$tmp/perf" "$@" 2> "$tmp/said"
	sed -n 's/^\([^ ]*\): \([0-9]*\) \([0-9]*\) \([0-9]*\)$/\1 \2 \3 \4/p' "$tmp/perf" |
		awk '{ printf "%s %.0f %.2f %.0f\n", $1, $2, ($3 ? $4 * 100 / $3 : 0),
			($3 ? $2 / $3 * 1e9 : 0) }' > "$tmp/lines"
}

# lowest_share - the smallest running share of all events in $tmp/lines
lowest_share() {
	awk 'NR == 1 || $3 < min { min = $3 } END { print NR ? min : "none" }' \
		"$tmp/lines"
}

# of_event NAME COLUMN - from $tmp/lines
of_event() { awk -v name="$1" -v column="$2" '$1 == name { print $column }' "$tmp/lines"; }

# percent PART WHOLE
percent() { awk -v p="$1" -v w="$2" 'BEGIN { if (w > 0) print p * 100 / w }'; }

# hold_counters OPTION... - perf holds all six of the CPUs of its options (-a, -C CPU) until
# release_counters
hold_counters() {
	pmu=$(own_pmu)
	held=$pmu/event=0x8/D
	for code in 0x3 0x4 0x5 0x10 0x12; do
		held=$held,$pmu/event=$code/D
	done
	# perf runs its command once it counts
	rm -f "$tmp/held"
	perf stat "$@" -o "$tmp/perf" -e "$held" sh -c "> $tmp/held; exec sleep 1000" &
	holder=$!
	wait_until [ -e "$tmp/held" ]
}

release_counters() { stop $holder; }
