#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Counts of containers against the truth: n3_sim's rates follow the running cgroup, and it sums up
# the counts and times of each. Intervals contain the true shares in 92 % (85 % of the few windows
# of one load), the mean error of the windows is at most 0.3 points, and weighted cycles and times
# are within 2 %, or what is chance if that is more: see tolerated() in containers.awk.
#
# LONG=1: more loads, of 100 to 10,000 switches a second, windows that reach these limits, and the
# recommended number of pieces.
# machine: icount
# timeout: 2400

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/containers.sh"

SIM=/sys/kernel/debug/n3_sim
LONG=${LONG:-0}
cleanup() { leave_cgroups; }

# tried NAME NUMBER TIMES ARGUMENT... - samples a load in cgroups 1 to NUMBER; TIMES are lines of
# cgroup_rates, "pod" makes one of the first two cgroups; $backends are their stalls
tried() {
	name="$1, $pieces pieces a second" nr_cgroups=$2 times=$3
	shift 3
	# shellcheck disable=SC2086 # one argument a cgroup
	{ cgroup_rates "$nr_cgroups" $backends; echo "$times"; } > "$tmp/rates"
	same "$name: n3_sim accepts rates" "" "$(put_file $SIM/cgroup_rates "$tmp/rates")"
	begin_load "$@"
	sleep 1
	sample "$windows" "$window_ms"
	end_load
	# shellcheck disable=SC2086 # one argument a cgroup
	judge 50 $pod
	all_held=$((all_held + $(judged held 2)))
	all_intervals=$((all_intervals + $(judged held 3)))
	within "$name: true times add up to the uptime, in percent" 99.8 "$(judged elapsed 2)" 100.2
	within "$name: mean errors, in percent of the bound" 0 "$(judged error 3)" 100
	within "$name: cycles, in percent of the bound" 0 "$(judged cycles 3)" 100
	within "$name: times, in percent of the bound" 0 "$(judged time 3)" 100
	[ $pieces -eq 1000 ] || nr_cgroups=2
	within "$name: cgroups have pieces" "$nr_cgroups" "$(judged owners 2)" 40
	[ "$LONG" = 0 ] || within "$name: intervals contain the truth" 85 "$(judged held 4)" 100
}

# ring NUMBER... - arguments of cgroups that run once when the one before has, for microseconds
ring() {
	nr=0
	for us; do
		nr=$((nr + 1))
		echo "$nr:1:constant:$us:0:1:$((nr % $#))"
	done
}

# services NUMBER FIRST PROCESSES LAW RUN PAUSE - arguments of so many equal cgroups
services() {
	for nr in $(seq "$2" $(($2 + $1 - 1))); do
		echo "$nr:$3:$4:$5:$6:1:-"
	done
}

mix="1:4:exponential:50:5000:1:- 2:4:exponential:150:12000:1:- 3:4:pareto:500:40000:1:-
	4:2:exponential:2000:60000:1:- 5:2:exponential:6000:160000:1:- 6:1:exponential:50000:300000:1:-"
lengths='1:1:constant:20:60:500:1 2:1:constant:20000:40000:1:0'

# shellcheck disable=SC2046,SC2086 # one argument a cgroup
short_loads() {
	pieces=1000
	put $N3T/container_pieces $pieces
	pod='1 2' backends='0.6 0.2'
	tried "half of the time in runs of 20 us" 2 "" $lengths
	pod='' backends=''
	tried "runs of 50 us to 50 ms" 6 "cold 50
noise 200000 100000" $mix
	tried "two that alternate" 2 "" $(ring 100 100)
}

# shellcheck disable=SC2046,SC2086
long_loads() {
	for pieces in 1000 125; do
		put $N3T/container_pieces $pieces
		tried "CPU-bound" 3 "cold 50" $(services 3 1 1 constant 50000 0)
		tried "runs of 1 ms" 6 "cold 50" $(services 6 1 4 exponential 1000 30000)
		tried "call chain" 6 "cold 50" 1:8:exponential:300:20000:1:1 \
			$(for nr in 2 3 4 5; do echo $nr:4:exponential:300:0:1:$nr; done) \
			6:4:exponential:300:0:1:-
		tried "noisy neighbour" 6 "cold 50
noise 400000 200000" $(services 6 1 4 exponential 1000 30000)
		tried "heavy tails" 6 "cold 50" $(services 6 1 4 pareto 400 14000)
		tried "30 containers" 30 "cold 50" $(services 10 1 2 exponential 60 6000) \
			$(services 10 11 2 exponential 250 25000) \
			$(services 10 21 1 exponential 1000 30000)
		tried "10,000 switches a second" 4 "cold 20" $(services 4 1 2 exponential 60 1600)
	done
}

windows=4 window_ms=3000 all_held=0 all_intervals=0 checks=$((3 * 6))
[ "$LONG" = 0 ] || windows=20 window_ms=15000 checks=$((17 * 7))
plan $((checks + 4))
check "n3_sim loads" load n3_sim
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
# shellcheck disable=SC2046 # one argument a cgroup
mount_cgroups $(seq 30)
short_loads
[ "$LONG" = 0 ] || long_loads
within "intervals contain the truth, in percent" 92 \
	"$(awk -v held=$all_held -v all=$all_intervals 'BEGIN { print 100 * held / all }')" 100
echo off > $SIM/cgroup_rates
same "off ends the rates by cgroup" "off 0" \
	"$(cat $SIM/cgroup_rates) $(cat $SIM/cpu0/cgroups | wc -l)"
