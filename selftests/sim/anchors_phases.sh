#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Estimates with default settings on CPUs whose work changes all the time. In 92 % of the
# windows, less three standard errors, the interval of each of the 67 estimates contains the
# true value of the metric in that window; a missing interval counts as a miss. Intervals of
# the estimates of backend_mem_bound are at most half as wide as those of its values.
#
# n3_sim reports its time when a file is read; the time at which a program began follows
# from counts before and after. The true counts of each window are therefore known to a
# fraction of a millisecond, sampled or not. Programs repeat at most 16 phases of four kinds
# with constant rates and no noise; quality_test.py covers others.
#
# LONG=1: a hundred windows, 25 of each CPU, instead of 20.
# machine: turns
# on: test-long
# timeout: 1200

SEED=${SEED:-20261123}

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/sim.sh"
. "$(dirname "$0")/../lib/perf.sh"

[ "$(online | wc -l)" -ge 4 ] || skip_all "fewer than four CPUs"

if [ "$LONG" = 1 ]; then
	WINDOWS=${WINDOWS:-25}
else
	WINDOWS=${WINDOWS:-5}
fi
# two rotations and the memory of a set
WARM_UP=10
# used to find the time at which a program begins
EVENT=STALL_SLOT_BACKEND
KINDS='backend_memory_bound frontend_bound bad_speculation retiring'
# busy CPUs with low numbers would take the time of all others
READER=3
# every metric is in one of these
FILES=$(awk -F '\t' '!/^#/ && $1 != "MPKI" && $1 != "Miss_Ratio" { print tolower($1) }' \
	"$SPEC/groups.tsv" | xargs)

plan 12

# phases SEED [MEAN_MS KIND]... - 16 phases of these kinds, each of a random length with
# this mean, in steps of a fiftieth of it; exponential, but busybox has no logarithm. The
# first phase is long enough for the measurements in begin.
phases() {
	seed=$1
	shift
	awk -v seed="$seed" -v kinds="$*" 'BEGIN {
		srand(seed)
		nr = split(kinds, word, " ")
		for (i = 0; i < 16; i++) {
			mean = word[1 + 2 * i % nr]
			us = i ? 0 : 40000
			do
				us += mean * 1000 / 50
			while (rand() > 0.02)
			print word[2 + 2 * i % nr], int(us)
		}
	}'
}

# counts CPU - "time_ns count" of one event now
counts() {
	awk -v event=$EVENT '$1 == "time_ns" { time = $2 } $1 == event { print time, $2; exit }' \
		"$SIM/cpu$1/counts"
}

# begin CPU KIND - starts $tmp/program.CPU on the CPU, which ran KIND before, and writes its
# start time into $tmp/began.CPU, derived from the change in the event count
begin() {
	first=$(awk '{ print $1; exit }' "$tmp/program.$1")
	echo "$2" > "$SIM/cpu$1/scenario"
	before=$(counts "$1")
	cat "$tmp/program.$1" > "$SIM/cpu$1/program" || return 1
	after=$(counts "$1")
	awk -v before="$before" -v after="$after" -v event=$EVENT -v length_us="$(awk \
		'{ print $2; exit }' "$tmp/program.$1")" '
	$2 == event { rate[FILENAME] = $3 }
	END {
		split(before, b, " ")
		split(after, a, " ")
		ns = a[1] - b[1]
		slow = rate[ARGV[1]] / 1e9
		fast = rate[ARGV[2]] / 1e9
		began = (a[2] - b[2] - fast * ns) / (slow - fast)
		printf "%.0f\n", b[1] + began
		exit !(began >= 0 && began <= ns && ns < length_us * 1000)
	}' "$tmp/kind.$2" "$tmp/kind.$first" > "$tmp/began.$1"
}

# read_windows - "CPU TIME_NS METRIC MEASURED LOW HIGH ESTIMATE LOW HIGH" for all metrics of
# all CPUs now, each with the time at which its file was read
read_windows() {
	taskset -c $READER awk -v sim="$SIM/cpu$READER/counts" -v n3t="$N3T" -v files="$FILES" '
	function now(    line, word) {
		getline line < sim
		close(sim)
		split(line, word, " ")
		return word[2]
	}
	BEGIN {
		nr = split(files, file, " ")
		after = now()
		for (cpu = 0; cpu < 4; cpu++)
			for (i = 1; i <= nr; i++) {
				path = "infer " n3t " cpu" cpu " " file[i]
				n = 0
				while ((path | getline line) > 0)
					lines[++n] = line
				close(path)
				before = after
				after = now()
				for (k = 1; k <= n; k++) {
					m = split(lines[k], word, " ")
					for (j = 2; j <= m; j++) {
						split(word[j], pair, "=")
						of[pair[1]] = pair[2]
					}
					printf "%d %.0f %s %s %s %s %s %s %s\n", cpu,
						(before + after) / 2, word[1], of["value"],
						of["low"], of["high"], of["estimate"],
						of["estimate_low"], of["estimate_high"]
				}
			}
	}'
}

# Readings with the true value: "CPU METRIC TRUTH MEASURED LOW HIGH ESTIMATE LOW HIGH"
cat > "$tmp/beside.awk" << 'END'
function least(a, b) { return a < b ? a : b }
# times(CPU, NS) - time spent in each kind of work until then, into spent[]
function times(cpu, ns,    turns, i) {
	ns -= began[cpu]
	turns = int(ns / period[cpu])
	ns -= turns * period[cpu]
	for (i = 1; i <= nr[cpu]; i++) {
		spent[kind[cpu, i]] += sign * turns * length_ns[cpu, i]
		if (ns > 0)
			spent[kind[cpu, i]] += sign * least(ns, length_ns[cpu, i])
		ns -= length_ns[cpu, i]
	}
}
$1 == "kind" { rate[$2, $3] = $4; kinds[$2]; next }
$1 == "began" { began[$2] = $3; next }
$1 == "phase" {
	kind[$2, ++nr[$2]] = $3
	length_ns[$2, nr[$2]] = $4 * 1000
	period[$2] += $4 * 1000
	next
}
$1 == "needs" {
	events[$2] = $3
	for (i = 4; i <= NF; i++)
		events[$2] = events[$2] " " $i
	next
}
{
	if ($1 != of_cpu || $2 != at_ns) {
		for (k in kinds)
			spent[k] = 0
		sign = 1
		times($1, $2)
		sign = -1
		times($1, $2 - window_ms * 1e6)
		of_cpu = $1
		at_ns = $2
	}
	n = split(events[$3], event, " ")
	for (i = 1; i <= n; i++) {
		count[event[i]] = 0
		for (k in kinds)
			count[event[i]] += spent[k] * rate[k, event[i]] / 1e9
	}
	printf "%d %s %.10g %s %s %s %s %s %s\n", $1, $3, value_of($3, count), $4, $5, $6, $7, $8, $9
}
END

# known - readings, with the true values
known() {
	{
		for kind in $KINDS; do
			cat "$tmp/kind.$kind"
		done | sed 's/^/kind /'
		for cpu in 0 1 2 3; do
			echo "began $cpu $(cat "$tmp/began.$cpu")"
			sed "s/^/phase $cpu /" "$tmp/program.$cpu"
		done
		awk -F '\t' '!/^#/ { gsub(/[^A-Z0-9_]+/, " ", $3)
			print "needs", $1, $3 }' "$SPEC/metrics.tsv"
		cat "$tmp/read"
	} | awk -v window_ms="$(cat $N3T/window_ms)" -f "$tmp/formulas.awk" -f "$tmp/beside.awk"
}

# hold CPUS - whether the intervals of each metric on these CPUs contain the true value in
# enough windows, with an allowance for counts being integers.
hold() {
	grep "^[$1] " "$tmp/known" | awk '
	function within(value, low, high,    slack) {
		slack = 0.0002 * (value < 0 ? -value : value)
		return low != "none" && low - slack <= value && value <= high + slack
	}
	# Newton iteration: busybox may have no square root
	function root(x,    y, i) {
		y = 1
		for (i = 0; i < 30; i++)
			y = (y + x / y) / 2
		return y
	}
	function bar(share, n) { return share - 3 * root(share * (1 - share) / n) }
	{
		windows[$2]++
		exist[$2] += $8 != "none"
		holds[$2] += within($3, $8, $9)
		measured[$2] += within($3, $5, $6)
	}
	END {
		for (metric in windows) {
			n = windows[metric]
			metrics++
			all += n
			all_hold += holds[metric]
			all_measured += measured[metric]
			if (holds[metric] < bar(0.92, n) * n) {
				printf "%s: holds in %d, exists in %d of %d windows\n", metric,
					holds[metric], exist[metric], n
				wrong++
			}
		}
		printf "%d metrics, %d below the bar; %.2f %% of %d hold, ", metrics, wrong,
			all_hold * 100 / all, all
		printf "%.2f %% of what was measured\n", all_measured * 100 / all
		exit wrong || metrics != 67
	}'
}

# half_width COLUMN CPUS - median half width of the interval of backend_mem_bound
half_width() {
	grep "^[$2] backend_mem_bound " "$tmp/known" | awk -v column="$1" '
		$column != "none" { print ($(column + 1) - $column) / 2 }' | sort -n |
		awk '{ width[NR] = $1 } END { if (NR) print width[int((NR + 1) / 2)] }'
}

diag "SEED=$SEED LONG=$LONG: $WINDOWS windows of each CPU"
check "n3_sim loads" load n3_sim
for kind in $KINDS; do
	echo "$kind" > "$SIM/cpu0/scenario"
	sed "s/^/$kind /" "$SIM/cpu0/rates" > "$tmp/kind.$kind"
done
phases "$SEED" 30 backend_memory_bound 30 retiring > "$tmp/program.0"
phases $((SEED + 1)) 100 backend_memory_bound 100 retiring > "$tmp/program.1"
phases $((SEED + 2)) 60 retiring 60 backend_memory_bound 60 frontend_bound \
	60 bad_speculation > "$tmp/program.2"
phases $((SEED + 3)) 200 retiring 30 backend_memory_bound > "$tmp/program.3"
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
awake 0 1 2 3
for cpu in 0 1 2 3; do
	check "CPU $cpu: the program begins at a known time" begin $cpu bad_speculation
done
sleep $WARM_UP
windows=0
while [ $windows -lt "$WINDOWS" ]; do
	# every window begins at a different point of the programs
	sleep 2.$((windows % 10))
	read_windows >> "$tmp/read"
	windows=$((windows + 1))
done
# two metrics are in two of the files
same "all metrics of all CPUs were read in each window" $((WINDOWS * 4 * 69)) \
	"$(cut -d ' ' -f 1-3 "$tmp/read" | sort -u | wc -l)"
known > "$tmp/known"
same "all metrics have values" 0 \
	"$(awk '$4 !~ /^-?[0-9]/ || $7 !~ /^-?[0-9]/' "$tmp/known" | wc -l)"
check "intervals of all estimates contain the true values" hold 0-3
for cpu in 0 1 2 3; do
	diag "CPU $cpu: half widths of backend_mem_bound are $(half_width 8 $cpu), of values" \
		"$(half_width 5 $cpu)"
	diag "CPU $cpu alone: $(hold $cpu)"
done
within "intervals of estimates of backend_mem_bound are at most half as wide as those of values" 0 \
	"$(half_width 8 0-3)" "$(half_width 5 0-3 | awk '{ print $1 / 2 }')"
same "windows have the configured length" "$(default_of window_ms)" "$(cat $N3T/window_ms)"
same "the kernel log has no warning" "" "$(kernel_warnings)"
