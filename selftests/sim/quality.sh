#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Quality and bottleneck, inferred from moments. With constant rates expected values lie in
# intervals no wider than 0.1, Topdown_L1 is counted half of the time, and each read of bottleneck
# gives the path to the largest loss by the simulation's rates and the specification's tree. On
# a CPU with phases the intervals contain the mean of the phases.
#
# LONG=1: 200 windows instead of 8, 300 reads instead of 8.
# machine: turns
# on: test-long
# timeout: 900

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/sim.sh"
. "$(dirname "$0")/../lib/perf.sh"

[ "$(online | wc -l)" -ge 4 ] || skip_all "fewer than four CPUs"

if [ "$LONG" = 1 ]; then
	WINDOWS=${WINDOWS:-200} READS=${READS:-300} MIN_PERCENT=90
else
	# with few windows chance matters more: two of them may miss
	WINDOWS=${WINDOWS:-8} READS=${READS:-8} MIN_PERCENT=75
fi
scenarios='backend_memory_bound frontend_bound bad_speculation retiring'

plan 23

# path CPU - path to the largest loss according to $tmp/expected.CPU
path() {
	tree_losses "$1" | sed -n '1s/^[^ ]* //p'
}

# bottleneck PLACE - its path, and the outcome
bottleneck() {
	inferred "$1" bottleneck |
		awk '$1 == "path" { printf "%s ", $2 } $1 ~ /^(found|mixed|verdict)$/ { print $1 }'
}

# is_stable DIRECTORY PATH - whether bottleneck finds it in each of READS reads
is_stable() {
	n=0 other=0
	while [ $n -lt "$READS" ]; do
		found=$(bottleneck "$1")
		[ "$found" = "$2 found" ] || { other=$((other + 1)); echo "$found"; }
		n=$((n + 1))
	done
	[ $other -eq 0 ]
}

# quality CPU GROUP METRIC KEY
quality() {
	inferred "cpu$1" "$2" | awk -v metric="$3" -v key="$4" '$1 == metric {
		for (i = 2; i <= NF; i++)
			if (index($i, key "=") == 1)
				print substr($i, length(key) + 2)
	}'
}

# intervals_match CPU GROUP - whether each contains the expected value and is no wider
# than 0.1, and each line has the documented format
intervals_match() {
	inferred "cpu$1" "$2" > "$tmp/intervals"
	cat "$tmp/intervals"
	awk '
	BEGIN {
		n = "=-?[0-9.]+"
		format = "^[a-z0-9_]+ value" n " low" n " high" n
		format = format " coverage=[0-9]+[.][0-9][0-9] slices=[0-9]+"
		format = format " estimate" n " estimate_low" n " estimate_high" n "$"
	}
	NR == FNR { expected[$1] = $2; next }
	$0 !~ format {
		print "wrong format: " $0
		wrong = 1
		next
	}
	{
		split($3, low, "=")
		split($4, high, "=")
		# the last digit is rounded, integer counts are coarser than rates
		if (expected[$1] < low[2] - 0.02 || expected[$1] > high[2] + 0.02 ||
		    high[2] - low[2] > 0.1) {
			print "expected " expected[$1] ": " $0
			wrong = 1
		}
		seen++
	}
	END { exit wrong || !seen }' "$tmp/expected.$1" "$tmp/intervals"
}

# covers_half CPU - whether Topdown_L1 is counted half of the time
covers_half() {
	coverage=$(quality "$1" topdown_l1 retiring coverage)
	echo "$coverage"
	awk -v coverage="$coverage" 'BEGIN { exit !(coverage >= 40 && coverage <= 60) }'
}

# expect_mix - two alternating scenarios, 50 and 30 ms: $tmp/expected.mix
expect_mix() {
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
	check "CPU $cpu: n3_sim accepts scenario $scenario" set_scenario $cpu "$scenario"
	cpu=$((cpu + 1))
done
# long enough for several slices of each set
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim window_ms=8000
awake 0 1 2 3
next_window

for cpu in 0 1 2 3; do
	check "CPU $cpu: the intervals of topdown_l1 contain the expected values" \
		intervals_match $cpu topdown_l1
	check "CPU $cpu: coverage of topdown_l1 is 40 to 60 %" covers_half $cpu
	check "CPU $cpu: bottleneck finds the expected path in each of $READS reads" \
		is_stable cpu$cpu "$(path $cpu)"
	diag "$(path $cpu)"
done

# all CPUs alike, except one that is idle
for cpu in 0 1 2 3; do
	set_scenario $cpu bad_speculation
done
echo 1 > "$SIM/cpu3/idle"
next_window
for place in node0 system; do
	check "$place: bottleneck finds the path of its CPUs in each of $READS reads" \
		is_stable $place "$(path 0)"
done
echo 0 > "$SIM/cpu3/idle"

# phases
set_scenario 0 backend_memory_bound
set_scenario 1 frontend_bound
expect_mix
printf 'backend_memory_bound 50000\nfrontend_bound 30000\n' > "$SIM/cpu2/program"
put $N3T/slice_ms 10
put $N3T/window_ms 1000
mean=$(awk '$1 == "backend_bound" { print $2 }' "$tmp/expected.mix")
windows=0 contained=0
while [ $windows -lt "$WINDOWS" ]; do
	sleep 1.2
	low=$(quality 2 topdown_l1 backend_bound low) high=$(quality 2 topdown_l1 backend_bound high)
	awk -v low="$low" -v mean="$mean" -v high="$high" \
		'BEGIN { exit !(low != "none" && low <= mean && mean <= high) }' &&
		contained=$((contained + 1))
	windows=$((windows + 1))
done
diag "backend_bound $mean, the last interval $low to $high"
within "phases: the interval contains the mean in $MIN_PERCENT % of $WINDOWS windows" \
	$MIN_PERCENT $((contained * 100 / windows)) 100
diag "bottleneck: $(bottleneck cpu2)"
within "phases: the last interval of backend_bound is at most 60 percentage points wide" 0 \
	"$(awk -v low="$low" -v high="$high" 'BEGIN { print high - low }')" 60
same "the kernel log has no warning" "" "$(kernel_warnings)"
