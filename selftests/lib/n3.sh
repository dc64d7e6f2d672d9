# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# The emulated N3 whose PMU counts every event, under the kernel's own driver: its rates,
# chosen by run.sh, and accesses to its registers. compare_cpu of sim.sh compares values with
# those expected from the rates.

. "$(dirname "$0")/../lib/sim.sh"

N3_RATES=${HERE%/*}/n3_rates

[ -s "$N3_RATES" ] || skip_all "needs the machine n3"
diag "$(sed -n "s/^# //p" "$N3_RATES")"

for cpu in $(online); do
	awk -v cpu="$cpu" '!/^#/ && $1 == cpu { print $4, $3 }' "$N3_RATES" > "$tmp/rates.$cpu"
	expect "$cpu"
done

# hidden_events - mnemonics of the events that read 0 on this machine
hidden_events() {
	awk '
	FNR == NR {
		for (i = 3; i <= NF && $2 == "hidden"; i++)
			hidden[$i]
		next
	}
	$1 in hidden { print $2 }' "$N3_RATES" "$SPEC/events.tsv"
}

# hidden_metrics - metrics that need one of them, as a|b
hidden_metrics() {
	hidden_events | awk -F '\t' '
	FNR == NR { hidden[$1]; next }
	$2 in hidden && $7 != "-" { n = split($7, name, ";"); for (i = 1; i <= n; i++) metrics[name[i]] }
	END { for (metric in metrics) { printf "%s%s", sep, metric; sep = "|" } }' - \
		"$SPEC/events.tsv"
}

# reads_zero EVENT... - whether perf stat on CPU 0 counts none of each while it counts
# cycles
reads_zero() {
	pmu=$(own_pmu)
	for event; do
		stat_lines -C 0 \
			-e "{$pmu/cpu_cycles/,$pmu/$(echo "$event" | tr 'A-Z' 'a-z')/}" sleep 0.2
		awk -v event="$event" '
		{ count[NR] = $2 }
		END {
			print event, count[2], "in", count[1], "cycles"
			exit !(NR == 2 && count[1] > 1000000 && count[2] == "0")
		}' "$tmp/lines" || return 1
	done
}

# rate CPU EVENT - occurrences per cycle
rate() {
	awk -v event="$2" '{ rate[$1] = $2 } END { print rate[event] / rate["CPU_CYCLES"] }' \
		"$tmp/rates.$1"
}

# accesses CPU [NUMBER] - "CLASS READS WRITES": accesses to PMU registers of each class
# there since the start, after NUMBER reads of one of class "other"
accesses() {
	[ -x "$LIB/pmu_accesses" ] || bail "pmu_accesses is not built"
	taskset -c "$1" "$LIB/pmu_accesses" "${2:-0}"
}

# accesses_during COMMAND... - the same while the command runs, on CPU 0, into $tmp/between
accesses_during() {
	accesses 0 > "$tmp/before"
	"$@"
	accesses 0 > "$tmp/after"
	awk '{ reads[$1] = $2 - reads[$1]; writes[$1] = $3 - writes[$1]; seen[$1] }
		END { for (class in seen) print class, reads[class], writes[class] }' \
		"$tmp/before" "$tmp/after" | sort > "$tmp/between"
}

# exact_slices CPU LEAST [STOPS [EVENT PERIOD]] - whether there are at least LEAST latest kept
# slices of a CPU, and each has counted every event at its rate in the slice's own cycles. A
# count may be off by one at either end, and each time that the PMU was stopped: STOPS times
# in a slice, and once in PERIOD of EVENT.
exact_slices() {
	awk -v least="$2" -v stops="${3:-0}" -v overflowing="${4:-}" -v period="${5:-0}" '
	FNR == NR { rate[$1] = $2; next }
	/^#/ || $8 != "kept" { next }
	{
		split($9, cycles, "=")
		allowed = 2 + stops
		if (period)
			allowed += cycles[2] * rate[overflowing] / rate["CPU_CYCLES"] / period
		for (i = 10; i <= NF; i++) {
			split($i, event, "=")
			expected = cycles[2] * rate[event[1]] / rate["CPU_CYCLES"]
			off = event[2] - expected
			if (off < 0)
				off = -off
			# the rates are rounded
			if (off > allowed + expected * 1e-6 && wrong++ < 5)
				printf "slice %s: %s, expected %.1f to within %.1f\n", $1, $i, expected, allowed
		}
		kept++
	}
	END {
		printf "%d slices kept, %d counts wrong\n", kept, wrong
		exit wrong > 0 || kept < least
	}' "$tmp/rates.$1" "/sys/kernel/debug/n3_telemetry/cpu$1/slices"
}
