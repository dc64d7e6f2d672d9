#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The words that stand in place of values. Each is provoked while what leads to
# words after it in the order of precedence is provoked as well: on a CPU, on its
# node and on the system, which say what the CPU says that came nearest to a value.
# With the simulated PMU; for the CPUs' own see verdicts_pmu.sh.
# machine: turns
# on: 6.1
# timeout: 600

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"
. "$(dirname "$0")/lib_verdicts.sh"

[ "$(online | wc -l)" -ge 4 ] || skip_all "fewer than four CPUs"

plan 35

cleanup() { echo 1 > $CPU_DEVICES/cpu3/online 2>/dev/null; }

# each CPU FILE VALUE - written for simulated CPUs
sim_all() {
	for cpu in 0 1 2 3; do
		echo "$2" > "$SIM/cpu$cpu/$1" || return 1
	done
}

# unplaced_with COUNTERS - values whose formula has more events
unplaced_with() {
	awk -F '\t' -v counters="$1" '
	/^#/ { next }
	FILENAME ~ /metrics/ {
		gsub(/[^A-Z0-9_]+/, " ", $3)
		nr = split($3, word, " ")
		for (i = 1; i <= nr; i++)
			if (word[i] ~ /^[A-Z]/ && word[i] != "CPU_CYCLES" &&
			    !(($1, word[i]) in have)) {
				have[$1, word[i]] = 1
				needs[$1]++
			}
		next
	}
	{
		nr = split($6, word, ",")
		for (i = 1; i <= nr; i++)
			unplaced += needs[word[i]] > counters
	}
	END { print unplaced }' "$SPEC/metrics.tsv" "$SPEC/groups.tsv"
}

# two_words FOLDER WORD WORD - every value is one of the two, both are there
two_words() {
	said=$(tally "$1")
	echo "$1: $said"
	echo "$said" | grep -Eq "^$2 [0-9]+ $3 [0-9]+\$"
}

# words_of STATUS - "word CPUs" for what is said of those left out
words_of() {
	awk '$1 !~ /^(held|left_out)$/ { printf "%s%s %s", n++ ? ", " : "", $1, $2 }' "$N3T/$1/status"
}

check "n3_sim loads" load n3_sim
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
awake 0 1 2 3

# offline: with enable 0 as well
put $N3T/enable 0
check "CPU 3 goes offline" sh -c "echo 0 > $CPU_DEVICES/cpu3/online"
check "offline goes before disabled" all_are offline cpu3
check "what has other CPUs says what those say" all_are disabled cpu0 node0 system
same "status counts them" "cpus 4, offline 1, disabled 3" "$(words_of system)"
echo 1 > $CPU_DEVICES/cpu3/online
awake 3

# disabled: with no counter for anything as well
put $N3T/reserved_counters 31
check "disabled goes before unplaced" all_are disabled $everywhere
put $N3T/groups topdown_l1
put $N3T/enable 1
same "of a group not chosen too" disabled "$(word $N3T/cpu0/general ipc)"
same "of one that is chosen, it is unplaced" unplaced "$(word $N3T/cpu0/topdown_l1 retiring)"
put $N3T/groups all

# unplaced: for lack of counters, on CPUs that do nothing
sim_all idle 1
check "unplaced goes before idle" all_are unplaced $everywhere
same "status says so" unplaced "$(word $N3T/cpu0/status state)"
same "and counts them" "cpus 4, unplaced 4" "$(words_of system)"
put $N3T/reserved_counters 0
unload n3_telemetry
unload n3_sim

# some metrics unplaced, the rest contended
check "n3_sim with two counters loads" load n3_sim counters=2
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
sim_all taken 2
unplaced=$(unplaced_with 2)
expected="contended $((values - unplaced)) unplaced $unplaced"
for folder in cpu0 node0 system; do
	retry_for 30 two_words $folder contended unplaced > /dev/null
	same "unplaced goes before contended: $folder" "$expected" "$(tally $folder)"
done
unload n3_telemetry
sim_all taken 0
unload n3_sim

# contended: on CPUs that do nothing
check "n3_sim loads" load n3_sim
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
sim_all idle 1
sim_all taken 6
check "contended goes before idle" retry_for 30 all_are contended $everywhere
same "status counts them" "cpus 4, contended 4" "$(words_of system)"
for cpu in 0 1 2; do
	echo 0 > "$SIM/cpu$cpu/taken"
done

# idle: the same counters back, no cycle
check "idle" retry_for 30 all_are idle cpu0 cpu1 cpu2
check "nearer to a value than contended" retry_for 30 all_are idle node0 system
echo 0 > "$SIM/cpu3/taken"
put $N3T/slice_ms 1000
check "idle goes before stale: just after a change" retry_for 30 all_are idle cpu0 cpu1 cpu2

# stale: one slice or two have ended, in which nothing but cycles was counted
sim_all only_cycles 1
sim_all idle 0
put $N3T/cpus 0
sleep 1
for folder in cpu0 node0 system; do
	check "stale goes before implausible: $folder" retry_for 30 two_words $folder implausible stale
done
put $N3T/slice_ms 20
put $N3T/cpus all
# a machine that is itself overloaded takes longer for a rotation
put $N3T/window_ms 5000

# implausible: where a denominator is 0 as well
check "implausible goes before undef" retry_for 60 all_are implausible $everywhere
same "these CPUs are held all the same" "4 0" \
	"$(word $N3T/system/status held) $(word $N3T/system/status left_out)"

# undef: the CPUs run, but nothing touches memory
sim_all only_cycles 0
awk -F '\t' '!/^#/ && $5 ~ /PMU/ && $2 != "CHAIN" {
	print $2, $2 ~ /^(CPU_CYCLES|INST_|OP_|L1I_|BR_|STALL_SLOT)/ ? 1000000000 : 0
}' "$SPEC/events.tsv" > "$tmp/rates"
for cpu in 0 1 2 3; do
	said=$(put_file "$SIM/cpu$cpu/rates" "$tmp/rates")
	[ -z "$said" ] || diag "$said"
done
# undefined FOLDER - three values without a denominator
undefined() {
	[ "$(grep -cE '^(l1d_cache_miss_ratio|l2_cache_miss_ratio|dtlb_walk_ratio) undef$' \
		"$N3T/$1/miss_ratio")" -eq 3 ] || { cat "$N3T/$1/miss_ratio"; return 1; }
}
next_window
for folder in cpu0 node0 system; do
	check "undef: $folder" retry_for 30 undefined $folder
done
same "where no denominator is 0, there are values" "1.000000 1.000000 1.000000" \
	"$(for d in cpu0 node0 system; do word $N3T/$d/general ipc; done | xargs)"

# all at once: three CPUs without a value, each for another reason
echo 0 > $CPU_DEVICES/cpu3/online
echo 6 > "$SIM/cpu2/taken"
echo 1 > "$SIM/cpu1/idle"
next_window
same "one CPU has values: status" "cpus 4, offline 1, contended 1, idle 1" "$(words_of system)"
same "and the system has that CPU's" "$(cat $N3T/cpu0/topdown_l1)" "$(cat $N3T/system/topdown_l1)"
echo 0 > "$SIM/cpu2/taken"
idle_again
unload n3_telemetry
unload n3_sim
echo 1 > $CPU_DEVICES/cpu3/online
