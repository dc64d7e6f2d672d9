#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Totals of rare counter sets stand for all slices: cycles that each set expands to, beside those
# that the simulated PMU counted in the same time, on CPUs that idle at random and whose slices
# max_cost lengthens. A set has one slice of each rotation at a random place, so the standard
# deviation of its error is v / sqrt(n) of the cycles, with n rotations, and at most
# sqrt((1 - p) / p) for v on a CPU that is busy for a share p of the time.
# machine: turns
# timeout: 600

. "$(dirname "$0")/../lib/sim.sh"

SECONDS_LONG=${SECONDS_LONG:-120}
MAX_COST=1000
SETS=16
ROTATION=30
# in standard deviations; of the two incomplete rotations a set has a slice or not
MAX_ERROR=4.5
EDGES=3

[ "$(online | wc -l)" -ge 4 ] || skip_all "needs four CPUs"

plan 9

# naps CPU BUSY_MS IDLE_MS - a program that idles at random, with these means
naps() {
	awk -v seed="$((SEED + $1))" -v busy="$2" -v idle="$3" 'BEGIN {
		srand(seed)
		for (i = 0; i < 8; i++) {
			print "retiring", int(busy * 2000 * rand()) + 1
			print "idle", int(idle * 2000 * rand()) + 1
		}
	}' > "$tmp/program.$1"
	put_file "$SIM/cpu$1/program" "$tmp/program.$1"
}

# snapshot CPU - "KEY NUMBER" of its totals, its slices and the simulated PMU's cycles
snapshot() {
	awk '$1 == "CPU_CYCLES" { print "true_cycles", $2; exit }' "$SIM/cpu$1/counts"
	cat "$N3T/cpu$1/counters/"*
	echo "slices $(word "$N3T/cpu$1/status" slices)"
}

# expands CPU - whether all cycles that sets expand to since $tmp/first.CPU are the true ones
expands() {
	snapshot "$1" > "$tmp/second.$1"
	awk -F '\t' -v rotation=$ROTATION -v max=$MAX_ERROR -v edges=$EDGES '
	FILENAME ~ /program/ {
		split($0, phase, " ")
		time[phase[1]] += phase[2]
		next
	}
	FILENAME ~ /metrics.tsv/ {
		if ($3 ~ /^[^(]* \/ CPU_CYCLES( |$)/ || $3 ~ /^\([A-Z_ +]*\) \/ CPU_CYCLES( |$)/)
			key[$1 "_denominator_total"] = 1
		next
	}
	{ split($0, field, " ") }
	FILENAME ~ /first/ { at[field[1]] = field[2]; next }
	{ now[field[1]] = field[2] - at[field[1]] }
	END {
		key["slots_total"] = 5
		n = now["slices"] / rotation
		variance = time["idle"] / time["retiring"] / n
		printf "%.0f rotations, variance %.6f\n", n, variance
		for (k in key) {
			nr++
			error = now[k] / key[k] / now["true_cycles"] - 1
			printf "%s: %.4f\n", k, error
			size = (error < 0 ? -error : error) - edges / n
			wrong += size > 0 && size * size > max * max * variance
		}
		exit wrong || nr < 5 || n < 100
	}' "$tmp/program.$1" "$SPEC/metrics.tsv" "$tmp/first.$1" "$tmp/second.$1"
}

check "n3_sim loads" load n3_sim
same "programs without idle time and with more and more are accepted" "" \
	"$(naps 0 50 0; naps 1 60 20; naps 2 20 20; naps 3 4 12)"
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim max_cost=$MAX_COST
awake 0 1 2 3
next_window
within "max_cost lengthens slices" 8 "$(word $N3T/cpu1/status slice_ms)" 100
same "there are $SETS sets" $SETS "$(word $N3T/cpu1/status sets)"
for cpu in 0 1 2 3; do
	snapshot $cpu > "$tmp/first.$cpu"
done
sleep "$SECONDS_LONG"
for cpu in 0 1 2 3; do
	check "cycles expanded from each set of CPU $cpu are those of the simulated PMU" \
		expands $cpu
done
