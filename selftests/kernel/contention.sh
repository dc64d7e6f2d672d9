#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# perf counts a group as large as the PMU, system-wide on one CPU, on a simulated PMU with
# few or many counters.
#
# Under "yield" the group runs for at least 95 % of three seconds, under "share" for at
# least 30 %. Its counts are the same as without the module. Meanwhile every published value
# is exact or replaced by a word, and all values are back within two seconds after perf
# exits.
#
# LONG=1 tries every number of counters in both modes.
# machine: turns
# timeout: 600

. "$(dirname "$0")/../lib/sim.sh"
. "$(dirname "$0")/../lib/perf.sh"

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

# events NUMBER - this number of events for perf, none with a fixed counter
events() {
	awk -F '\t' -v nr="$1" '
	!/^#/ && $5 ~ /PMU/ && $2 != "CHAIN" && $2 != "CPU_CYCLES" && n < nr {
		printf "%sn3_sim/event=%s/", n++ ? "," : "", $1
	}' "$SPEC/events.tsv"
}

# all_back UNTIL - waits until every value is reported again
all_back() {
	until compare_cpu 0 "counters=$counters" 'pass=' > "$tmp/values"; do
		[ "$(uptime_ms)" -lt "$1" ] || { cat "$tmp/values"; return 1; }
		usleep 100000
	done
	cat "$tmp/values"
}

# counts_match - whether each of perf's counts is within 2 % of its rate
counts_match() {
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
	check "$counters counters, $mode: n3_sim accepts random rates" set_rates 0 "$SEED"
	check "$counters counters, $mode: n3_telemetry loads" \
		load n3_telemetry pmu=n3_sim contention="$mode"
	awake 0
	check "$counters counters, $mode: values match the rates while perf does not count" \
		all_back $(($(uptime_ms) + 10000))

	checks=0 numbers=0 wrong=0
	stat_lines -C 0 -e "{$(events "$counters")}" sleep 3 &
	perf=$!
	while kill -0 $perf 2>/dev/null; do
		check_published "counters=$counters"
		usleep 200000
	done
	gone=$(uptime_ms)
	wait $perf
	case $mode in
	yield) min=95 ;;
	share) min=30 ;;
	esac
	within "$counters counters, $mode: perf's group runs at least $min % of the time" $min \
		"$(lowest_share)" 100
	check "$counters counters, $mode: perf's group counts the events' rates within 2 %" \
		counts_match
	same "$counters counters, $mode: no wrong value is published while perf counts" 0 $wrong
	diag "$checks checks, $numbers numbers"
	check "$counters counters, $mode: all values are reported again after perf" \
		all_back $((gone + 30000))
	back=$(($(uptime_ms) - gone))
	within "$counters counters, $mode: all values are back within $BACK_MS ms after perf" 0 \
		$back $BACK_MS
	diag "yielded_total_ms $(word $N3T/cpu0/status yielded_total_ms)," \
		"yields $(word $N3T/cpu0/status yields)," \
		"dropped $(word $N3T/cpu0/status dropped)"
	idle_again
	unload n3_telemetry
	unload n3_sim
done
