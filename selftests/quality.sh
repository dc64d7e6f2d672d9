#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# How sure a number is, and where it leads: the files in quality/ and bottleneck.
# On CPUs that do the same all the time values lie in intervals that are next to
# nothing, Topdown_L1 is counted half of the time, and bottleneck says the same each
# time: the path that follows from the simulation's rates and the specification's
# tree. On a CPU with phases the intervals hold the mean of the phases.
#
# LONG=1: 200 windows in place of 8, 300 reads in place of 8.
# machine: turns
# on: 6.1
# timeout: 900

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"
. "$(dirname "$0")/lib_perf.sh"

[ "$(online | wc -l)" -ge 4 ] || skip_all "fewer than four CPUs"

if [ "$LONG" = 1 ]; then
	WINDOWS=${WINDOWS:-200} READS=${READS:-300} HELD=90
else
	# few windows say little: two of them may miss
	WINDOWS=${WINDOWS:-8} READS=${READS:-8} HELD=75
fi
scenarios='backend_memory_bound frontend_bound bad_speculation retiring'

plan 23

# path CPU - the path down the tree that follows from $tmp/expected.CPU
path() {
	awk -F '\t' '
	/^#/ { next }
	FILENAME ~ /expected/ { split($0, field, " "); value[field[1]] = field[2]; next }
	FILENAME ~ /groups/ { members[$1] = $6; next }
	{ next_of[$1] = $2; nodes[$1] = 1 }

	# the largest of those in a list that are nodes; for a group, those in it that
	# are no child of another
	function consider(item,    list, n, i) {
		if (item in members) {
			n = split(members[item], list, ",")
			for (i = 1; i <= n; i++)
				if (list[i] in nodes && !(list[i] in child))
					consider(list[i])
		} else if (item in nodes && (best == "" || value[item] > value[best])) {
			best = item
		}
	}
	END {
		for (node in next_of) {
			n = split(next_of[node], item, ",")
			for (i = 1; i <= n; i++)
				if (item[i] in nodes)
					child[item[i]] = 1
		}
		best = ""
		consider("Topdown_L1")
		while (best != "") {
			at = best
			print at
			best = ""
			n = split(next_of[at], item, ",")
			for (i = 1; i <= n; i++)
				if (item[i] != "Branch_Effectiveness")
					consider(item[i])
		}
	}' "$tmp/expected.$1" "$SPEC/groups.tsv" "$SPEC/tree.tsv" | xargs
}

# said FOLDER - the path in its bottleneck file, and how it ends
said() {
	awk '$1 == "path" { printf "%s ", $2 } $1 ~ /^(found|undetermined|verdict)$/ { print $1 }' \
		"$N3T/$1/bottleneck"
}

# the_same FOLDER PATH - READS times
the_same() {
	n=0 other=0
	while [ $n -lt "$READS" ]; do
		is=$(said "$1")
		[ "$is" = "$2 found" ] || { other=$((other + 1)); echo "$is"; }
		n=$((n + 1))
	done
	[ $other -eq 0 ]
}

# quality CPU GROUP METRIC KEY
quality() {
	awk -v metric="$3" -v key="$4" '$1 == metric {
		for (i = 2; i <= NF; i++)
			if (index($i, key "=") == 1)
				print substr($i, length(key) + 2)
	}' "$N3T/cpu$1/quality/$2"
}

# intervals CPU GROUP - what is expected lies in each, which is no wider than 0.1,
# and the line is as it should be
intervals() {
	cat "$N3T/cpu$1/quality/$2"
	awk '
	NR == FNR { expected[$1] = $2; next }
	!/^[a-z0-9_]+ value=-?[0-9.]+ low=-?[0-9.]+ high=-?[0-9.]+ coverage=[0-9]+[.][0-9][0-9] slices=[0-9]+$/ {
		print "not as it should be: " $0
		wrong = 1
		next
	}
	{
		split($3, low, "=")
		split($4, high, "=")
		# the last digit is rounded, whole counts are coarser than rates
		if (expected[$1] < low[2] - 0.02 || expected[$1] > high[2] + 0.02 ||
		    high[2] - low[2] > 0.1) {
			print "expected " expected[$1] ": " $0
			wrong = 1
		}
		seen++
	}
	END { exit wrong || !seen }' "$tmp/expected.$1" "$N3T/cpu$1/quality/$2"
}

# half CPU - Topdown_L1 is counted half of the time
half() {
	coverage=$(quality "$1" topdown_l1 retiring coverage)
	echo "$coverage"
	awk -v coverage="$coverage" 'BEGIN { exit !(coverage >= 40 && coverage <= 60) }'
}

# patiently COMMAND... - at most three times, a window apart: on an overloaded
# machine a CPU may just have begun anew
patiently() {
	for try in 1 2 3; do
		! "$@" || return 0
		next_window
	done
	return 1
}

# mix - two scenarios in turn, 50 and 30 ms, into what is expected of it
mix() {
	{
		sed 's/$/ 50/' "$tmp/rates.0"
		sed 's/$/ 30/' "$tmp/rates.1"
	} | awk '{ rate[$1] += $2 * $3 / 80 }
		END { for (event in rate) printf "%s %.3f\n", event, rate[event] }' \
		> "$tmp/rates.mix"
	expect mix
}

check "n3_sim loads" load n3_sim
cpu=0
for scenario in $scenarios; do
	check "CPU $cpu: $scenario" set_scenario $cpu "$scenario"
	cpu=$((cpu + 1))
done
# long enough for several slices of each set, on a machine that is itself
# overloaded as well
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim window_ms=8000
awake 0 1 2 3
next_window

for cpu in 0 1 2 3; do
	check "CPU $cpu: intervals hold what is right" patiently intervals $cpu topdown_l1
	check "CPU $cpu: Topdown_L1 is counted half of the time" patiently half $cpu
	check "CPU $cpu: bottleneck never flips" the_same cpu$cpu "$(path $cpu)"
	diag "$(path $cpu)"
done

# all CPUs alike, but for one that does nothing
for cpu in 0 1 2 3; do
	set_scenario $cpu bad_speculation
done
echo 1 > "$SIM/cpu3/idle"
next_window
for folder in node0 system; do
	check "$folder: bottleneck never flips" the_same $folder "$(path 0)"
done
echo 0 > "$SIM/cpu3/idle"

# phases
set_scenario 0 backend_memory_bound
set_scenario 1 frontend_bound
mix
printf 'backend_memory_bound 50000\nfrontend_bound 30000\n' > "$SIM/cpu2/program"
put $N3T/slice_ms 10
put $N3T/window_ms 1000
right=$(awk '$1 == "backend_bound" { print $2 }' "$tmp/expected.mix")
windows=0 held=0
while [ $windows -lt "$WINDOWS" ]; do
	sleep 1.2
	low=$(quality 2 topdown_l1 backend_bound low) high=$(quality 2 topdown_l1 backend_bound high)
	awk -v low="$low" -v right="$right" -v high="$high" \
		'BEGIN { exit !(low != "none" && low <= right && right <= high) }' &&
		held=$((held + 1))
	windows=$((windows + 1))
done
diag "backend_bound $right, the last interval $low to $high"
within "with phases, the interval holds the mean: percent of $WINDOWS windows" $HELD \
	$((held * 100 / windows)) 100
diag "bottleneck: $(said cpu2)"
within "and it is not wide open" 0 \
	"$(awk -v low="$low" -v high="$high" 'BEGIN { print high - low }')" 60
same "no warning" "" "$(complaints)"
