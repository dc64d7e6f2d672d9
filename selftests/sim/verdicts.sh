#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Words reported instead of values. Each is provoked while the conditions of words of lower
# precedence hold as well: on a CPU, on its node and on the system, which report the word of
# the CPU that came nearest to a value. With the simulated PMU; for the CPUs' own see
# verdicts_pmu.sh.
# machine: turns
# timeout: 600

. "$(dirname "$0")/../lib/sim.sh"

[ "$(online | wc -l)" -ge 4 ] || skip_all "fewer than four CPUs"

plan 51

# start TOPIC [PARAMETER]... - loads both modules, n3_sim with the parameters. Each test
# below begins with it and ends with end_topic, so no state is left for the next one.
start() {
	topic=$1
	shift
	check "$topic: n3_sim loads" load n3_sim "$@"
	check "$topic: n3_telemetry loads on n3_sim" load n3_telemetry pmu=n3_sim
	awake 0 1 2 3
}

end_topic() {
	idle_again
	unload n3_telemetry
	echo 1 > $CPU_DEVICES/cpu3/online
	# counters taken by the simulation keep it loaded
	sim_all taken 0
	unload n3_sim
}

# sim_all FILE VALUE - written for each simulated CPU
sim_all() {
	for cpu in 0 1 2 3; do
		echo "$2" > "$SIM/cpu$cpu/$1" || return 1
	done
}

# set_memory_idle - rates of CPUs that run and never access memory
set_memory_idle() {
	cat > "$tmp/memory_idle.awk" << 'EOF'
!/^#/ && $5 ~ /PMU/ && $2 != "CHAIN" {
	rate[$2] = $2 ~ /^STALL_SLOT_/ ? 500000000 : \
		   $2 ~ /^(CPU_CYCLES|INST_|OP_|L1I_|BR_|STALL_SLOT)/ ? 1000000000 : 0
}
END {
	issue(rate, 5)
	for (event in rate)
		printf "%s %.0f\n", event, rate[event]
}
EOF
	awk -F '\t' -f "$LIB/issue.awk" -f "$tmp/memory_idle.awk" "$SPEC/events.tsv" \
		> "$tmp/rates"
	for cpu in 0 1 2 3; do
		said=$(put_file "$SIM/cpu$cpu/rates" "$tmp/rates")
		[ -z "$said" ] || diag "$said"
	done
}

# unplaced_with COUNTERS - number of values whose formula has more events
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

# two_words DIRECTORY WORD WORD - whether every value is one of the two, and both occur
two_words() {
	said=$(tally "$1")
	echo "$1: $said"
	echo "$said" | grep -Eq "^$2 [0-9]+ $3 [0-9]+\$"
}

# excluded DIRECTORY - "word CPUs" for each line of status about CPUs without values
excluded() {
	awk '$1 !~ /^(included|excluded|budget|withdrawals|withdrawn)$/ {
			printf "%s%s %s", n++ ? ", " : "", $1, $2
		}' \
		"$N3T/$1/status"
}

# before disabled
test_offline() {
	start offline
	put $N3T/enable 0
	check "offline: CPU 3 goes offline" sh -c "echo 0 > $CPU_DEVICES/cpu3/online"
	check "offline: with enable 0, values of the offline CPU are offline, not disabled" \
		all_are offline cpu3
	same "offline: so is its state" offline "$(word $N3T/cpu3/status state)"
	check "offline: with enable 0, values of CPU 0, its node and the system are disabled" \
		all_are disabled cpu0 node0 system
	same "offline: system/status has 1 CPU offline and 3 disabled" \
		"cpus 4, offline 1, disabled 3" "$(excluded system)"
	end_topic
}

# before unplaced: no counter is available either
test_disabled() {
	start disabled
	put $N3T/enable 0
	put $N3T/reserved_counters 31
	check "disabled: with all counters reserved, all values are disabled, not unplaced" \
		all_are disabled $everywhere
	put $N3T/groups topdown_l1
	put $N3T/enable 1
	same "disabled: with all counters reserved, a metric of a group not chosen is disabled" \
		disabled "$(word $N3T/cpu0/general ipc)"
	same "disabled: with all counters reserved, a metric of a chosen group is unplaced" \
		unplaced "$(word $N3T/cpu0/topdown_l1 retiring)"
	end_topic
}

# before idle: the CPUs are idle as well
test_unplaced() {
	start unplaced
	put $N3T/enable 0
	put $N3T/reserved_counters 31
	put $N3T/enable 1
	sim_all idle 1
	check "unplaced: on idle CPUs without counters, all values are unplaced, not idle" \
		all_are unplaced $everywhere
	same "unplaced: cpu0/status has state unplaced" unplaced "$(word $N3T/cpu0/status state)"
	same "unplaced: system/status has 4 CPUs unplaced" "cpus 4, unplaced 4" \
		"$(excluded system)"
	end_topic
}

# before contended: the counters that some metrics would fit are taken
test_unplaced_or_contended() {
	start "2 counters taken" counters=2
	sim_all taken 2
	unplaced=$(unplaced_with 2)
	expected="contended $(($(nr_values) - unplaced)) unplaced $unplaced"
	for place in cpu0 node0 system; do
		wait_until two_words $place contended unplaced > /dev/null
		same "2 counters taken: $place is unplaced if 2 are too few, else contended" \
			"$expected" "$(tally $place)"
	done
	end_topic
}

# before idle
test_contended() {
	start contended
	sim_all idle 1
	sim_all taken 6
	check "contended: on idle CPUs with all counters taken, all values are contended, not idle" \
		wait_until all_are contended $everywhere
	same "contended: system/status has 4 CPUs contended" "cpus 4, contended 4" \
		"$(excluded system)"
	end_topic
}

# before stale: no slice has ended either
test_idle() {
	start idle
	sim_all idle 1
	echo 6 > "$SIM/cpu3/taken"
	check "idle: values of CPUs that count no cycle are idle" \
		wait_until all_are idle cpu0 cpu1 cpu2
	check "idle: values of a CPU that has all counters taken are contended" \
		wait_until all_are contended cpu3
	check "idle: with 3 CPUs idle and 1 contended, its node and the system are idle" \
		wait_until all_are idle node0 system
	echo 0 > "$SIM/cpu3/taken"
	put $N3T/slice_ms 1000
	# less than the 24 slices in which each set has had one: no value could be stale yet
	sleep 5
	check "idle: 5 s after slice_ms has changed, values of idle CPUs are idle, not stale" \
		all_are idle cpu0 cpu1 cpu2
	end_topic
}

# before implausible: the one or two slices that end count only cycles
test_stale() {
	start stale
	sim_all only_cycles 1
	put $N3T/slice_ms 1000
	put $N3T/cpus 0
	sleep 1
	for place in cpu0 node0 system; do
		check "stale: metrics of $place are stale if no slice has ended, else implausible" \
			wait_until two_words $place implausible stale
	done
	end_topic
}

# before undef: denominators are 0 as well
test_implausible() {
	start implausible
	sim_all only_cycles 1
	check "implausible: on CPUs that count cycles only, all values are implausible, not undef" \
		wait_until all_are implausible $everywhere
	same "implausible: system/status includes these 4 CPUs and excludes none" "4 0" \
		"$(word $N3T/system/status included) $(word $N3T/system/status excluded)"
	end_topic
}

# undefined DIRECTORY - whether three values without a denominator are undef
undefined() {
	[ "$(grep -cE '^(l1d_cache_miss_ratio|l2_cache_miss_ratio|dtlb_walk_ratio) undef$' \
		"$N3T/$1/miss_ratio")" -eq 3 ] || { cat "$N3T/$1/miss_ratio"; return 1; }
}

# before values: CPUs run, but do not access memory
test_undef() {
	start undef
	set_memory_idle
	put $N3T/window_ms 5000
	next_window
	for place in cpu0 node0 system; do
		check "undef: without memory accesses, data cache and TLB ratios of $place are undef" \
			wait_until undefined $place
	done
	same "undef: without memory accesses, ipc of CPU 0, its node and the system is 1" \
		"1.000000 1.000000 1.000000" \
		"$(for d in cpu0 node0 system; do word $N3T/$d/general ipc; done | xargs)"
	end_topic
}

# three CPUs without a value, each for a different reason
test_one_value() {
	start "one value"
	set_memory_idle
	put $N3T/window_ms 5000
	echo 0 > $CPU_DEVICES/cpu3/online
	echo 6 > "$SIM/cpu2/taken"
	echo 1 > "$SIM/cpu1/idle"
	next_window
	same "one value: system/status has 1 CPU offline, 1 contended and 1 idle" \
		"cpus 4, offline 1, contended 1, idle 1" "$(excluded system)"
	same "one value: the system's topdown_l1 is that of the one CPU that has values" \
		"$(cat $N3T/cpu0/topdown_l1)" "$(cat $N3T/system/topdown_l1)"
	end_topic
}

test_offline
test_disabled
test_unplaced
test_unplaced_or_contended
test_contended
test_idle
test_stale
test_implausible
test_undef
test_one_value
