#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Others who count on a simulated PMU that has few counters or many: a group as
# large as the PMU on a whole CPU, from nothing to the end.
#
# Under "yield" it runs for at least 95 % of three seconds, under "share" for a
# good part of them. It counts what it counts alone. What is published meanwhile
# is exact or says that there is no value, and all values are back within two
# seconds of its end.
#
# LONG=1 tries every number of counters in both ways.
# machine: turns
# on: 6.1
# timeout: 600

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"
. "$(dirname "$0")/lib_perf.sh"

BACK_MS=2000

if [ "$LONG" = 1 ]; then
	trials='3-yield 3-share 4-yield 4-share 5-yield 5-share 6-yield 6-share
		20-yield 20-share'
else
	others='3 4 5 20'
	# shellcheck disable=SC2086 # one argument a word
	other=$(set -- $others; shift $((SEED % 4)); echo "$1")
	trials="6-yield 6-share $other-yield"
fi
# shellcheck disable=SC2086 # one argument a word
nr_trials=$(set -- $trials; echo $#)

plan $((nr_trials * 9))

# events NUMBER - that many for perf, of which a PMU has no fixed counter
events() {
	awk -F '\t' -v nr="$1" '
	!/^#/ && $5 ~ /PMU/ && $2 != "CHAIN" && $2 != "CPU_CYCLES" && n < nr {
		printf "%sn3_sim/event=%s/", n++ ? "," : "", $1
	}' "$SPEC/events.tsv"
}

# look - holds what is published against what is right; words that say that there
# is no value are fine
look() {
	compare_cpu 0 "counters=$counters" 'pass=contended|idle|stale|unplaced' > "$tmp/values"
	[ $? -ne 1 ] || { wrong=$((wrong + 1)); sed 's/^/# /' "$tmp/values"; }
	looks=$((looks + 1))
	numbers=$((numbers + $(sed -n 's/.*: \([0-9]*\) numbers.*/\1/p' "$tmp/values")))
}

# all_back UNTIL - waits until every value is there again
all_back() {
	until compare_cpu 0 "counters=$counters" 'pass=' > "$tmp/values"; do
		[ "$(uptime_ms)" -lt "$1" ] || { cat "$tmp/values"; return 1; }
		usleep 100000
	done
	cat "$tmp/values"
}

# counts_right - each event of perf's within 2 % of its rate
counts_right() {
	awk -F '\t' '
	FILENAME ~ /events/ { if (!/^#/) code["n3_sim/event=" $1 "/"] = $2; next }
	{ split($0, field, " ") }
	FILENAME ~ /rates/ { rate[field[1]] = field[2]; next }
	{
		seen++
		right = rate[code[field[1]]]
		off = field[4] / right - 1
		off = off < 0 ? -off : off
		worst = off > worst ? off : worst
		if (off > 0.02)
			print field[1] ": " field[4] " a second, not " right
	}
	END {
		printf "%d events, largest error %.4f %%\n", seen, worst * 100
		exit worst > 0.02 || seen != nr
	}' nr="$counters" "$SPEC/events.tsv" "$tmp/rates.0" "$tmp/lines"
}

diag "SEED=$SEED LONG=$LONG"
for trial in $trials; do
	counters=${trial%-*} mode=${trial#*-}
	check "$counters counters, $mode: n3_sim loads" load n3_sim "counters=$counters"
	check "rates are set" set_rates 0 "$SEED"
	check "n3_telemetry loads" load n3_telemetry pmu=n3_sim contention="$mode"
	awake 0
	check "values are right" all_back $(($(uptime_ms) + 10000))

	looks=0 numbers=0 wrong=0
	stat_lines -C 0 -e "{$(events "$counters")}" sleep 3 &
	perf=$!
	while kill -0 $perf 2>/dev/null; do
		look
		usleep 200000
	done
	gone=$(uptime_ms)
	wait $perf
	case $mode in
	yield) least=95 ;;
	share) least=30 ;;
	esac
	within "perf's group runs, in percent" $least "$(least_share)" 100
	check "it counts what it counts alone" counts_right
	same "no value is wrong meanwhile" 0 $wrong
	diag "$looks looks, $numbers numbers"
	check "values are back" all_back $((gone + 30000))
	back=$(($(uptime_ms) - gone))
	# on a machine that is itself overloaded it may take another try or two
	for try in 1 2; do
		[ $back -gt $BACK_MS ] || break
		diag "after $back ms: once more"
		perf stat -x , -o "$tmp/perf" -C 0 -e "{$(events "$counters")}" sleep 0.5
		gone=$(uptime_ms)
		all_back $((gone + 30000)) > /dev/null
		back=$(($(uptime_ms) - gone))
	done
	within "within two seconds, in ms" 0 $back $BACK_MS
	diag "away_total_ms $(word $N3T/cpu0/status away_total_ms)," \
		"away_times $(word $N3T/cpu0/status away_times)," \
		"dropped $(word $N3T/cpu0/status dropped)"
	idle_again
	unload n3_telemetry
	unload n3_sim
done
