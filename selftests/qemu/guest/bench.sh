#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# bench.sh - for tools/dev/bench.sh: cost of slices, rotations of perf, reads and intervals
# of perf, in instructions of the one CPU, into /results/bench.json. In turns; the median of
# $RUNS runs of each.

n3t=/sys/kernel/n3_telemetry
RUNS=5
SPAN_MS=1000
MUX_MS=4
INTERVAL_MS=100
tmp=/tmp/bench
mkdir -p $tmp
mkfifo $tmp/pipe

die() { echo "bench: $*"; exit 1; }

# median FILE - of its lines
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print NR ? v[int((NR + 1) / 2)] : "null" }'; }

# lost NAME TIMES - instructions used by others per operation, TIMES of which run in the
# span, in excess of a span without any (the last figure of "nothing"), into $tmp/NAME
lost() { awk -v nothing="$nothing" -v times="$2" -v got="$got" \
	'BEGIN { printf "%.0f\n", (got - nothing) / times }' >> "$tmp/$1"; }

measure() { got=$(/selftests/kernel/cost lost $SPAN_MS | awk '{ print $1 }'); }

slices() { awk '$1 == "slices" { print $2 }' $n3t/cpu0/status; }

insmod /modules/n3_telemetry.ko enable=0 max_cost=0 slice_ms=$MUX_MS || die "no module"
set -- /sys/bus/event_source/devices/armv8_pmuv3*
pmu=${1##*/}
echo 1 > $n3t/enable
sleep 3
budget=$(awk '$1 == "budget" { print $2 }' $n3t/cpu0/status)
echo $MUX_MS > "/sys/bus/event_source/devices/$pmu/perf_event_mux_interval_ms"

# the same sets for perf, each a group with the cycles
groups=$(awk -v pmu="$pmu" -v budget="$budget" '
$1 == "budget" { mine = $2 == budget; next }
mine && $1 == "set" {
	group = pmu "/cpu_cycles/"
	for (i = 4; i <= NF && $i != "metrics"; i++)
		group = group "," pmu "/" tolower($i) "/"
	print "-e {" group "}"
}' /sys/kernel/debug/n3_telemetry/plan)
sets=$(echo "$groups" | wc -l)
[ "$sets" -ge 2 ] || die "no plan for $budget counters"
first=$(echo "$groups" | head -n 1)
echo 0 > $n3t/enable
# the kernel finishes its work after booting while it is idle
sleep 10

# perf_in_background ARGUMENT... - until its program reads the end of a pipe
perf_in_background() {
	perf stat -o $tmp/perf "$@" cat $tmp/pipe > /dev/null &
	perf=$!
	sleep 1
}

end_perf() {
	: > $tmp/pipe
	wait $perf
}

for _ in $(seq $RUNS); do
	# with the same distance to the previous measurement as all others
	sleep 1
	measure
	nothing=$got
	echo "$nothing" >> $tmp/nothing

	echo 1 > $n3t/enable
	sleep 1
	before=$(slices)
	measure
	times=$(($(slices) - before))
	[ $times -gt 100 ] || die "only $times slices"
	lost slice $times
	echo 0 > $n3t/enable
	echo $times >> $tmp/slices

	# shellcheck disable=SC2086 # words
	perf_in_background -a $groups
	measure
	end_perf
	grep -q '%)' $tmp/perf || die "perf did not multiplex the sets"
	lost rotation $((SPAN_MS / MUX_MS))

	# shellcheck disable=SC2086
	perf_in_background -a -I $INTERVAL_MS $first
	measure
	end_perf
	lost interval $((SPAN_MS / INTERVAL_MS))
done
! grep -q '%)' $tmp/perf || die "perf multiplexed one group"

# n3stat with the same table, while slices go on
echo 1 > $n3t/enable
sleep 3
/selftests/kernel/cost read 2500 101 $n3t/slice_ms $n3t/cpu0/topdown_l1 $n3t/cpu0/moments \
	$n3t/system/topdown_l1 > $tmp/reads || die "no reads"
for _ in $(seq $RUNS); do
	measure
	nothing=$got
	n3stat -g topdown_l1 --per cpu 0.$((INTERVAL_MS / 100)) > /dev/null &
	n3stat=$!
	sleep 1
	measure
	kill $n3stat
	wait $n3stat 2> /dev/null
	lost n3stat $((SPAN_MS / INTERVAL_MS))
done
read_of() { awk -v file="$n3t/$1" '$1 == file { print $2 }' $tmp/reads; }

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.2f", a / b; else printf "null" }'; }

slice=$(median $tmp/slice) rotation=$(median $tmp/rotation) interval=$(median $tmp/interval)
read=$(read_of cpu0/topdown_l1) n3stat=$(median $tmp/n3stat)
cat > /results/bench.json << END
{
	"schema": "n3-bench-1",
	"kernel": "$(uname -r)",
	"counters": $budget,
	"sets": $sets,
	"slice_ms": $(cat $n3t/slice_ms),
	"switch": "$(awk '$1 == "switch" { print $2 }' $n3t/status)",
	"module_instructions_per_slice": $slice,
	"module_slices_in_span": $(median $tmp/slices),
	"perf_stat_all_sets_instructions_per_rotation": $rotation,
	"perf_rotation_ms": $MUX_MS,
	"perf_rotation_to_slice_ratio": $(ratio "$rotation" "$slice"),
	"module_instructions_per_read_of_topdown_l1": $read,
	"module_instructions_per_read_of_moments": $(read_of cpu0/moments),
	"module_instructions_per_read_of_system_topdown_l1": $(read_of system/topdown_l1),
	"n3stat_instructions_per_interval": $n3stat,
	"perf_stat_one_group_instructions_per_interval": $interval,
	"perf_interval_ms": $INTERVAL_MS,
	"perf_interval_to_read_ratio": $(ratio "$interval" "$read"),
	"perf_interval_to_n3stat_interval_ratio": $(ratio "$interval" "$n3stat"),
	"kernel_instructions_in_span": $(median $tmp/nothing),
	"span_ms": $SPAN_MS,
	"runs": $RUNS
}
END
cat /results/bench.json
