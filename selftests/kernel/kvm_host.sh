#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Host whose PMU is partitioned for guests: all counters of a CPU are repeatedly gone for
# some milliseconds while a guest runs. Published values are exact or contended, attempts to
# resume become rarer and stay so, other CPUs are not affected, and all values are back when
# the guest is gone.
# on: test-long
# machine: turns
# timeout: 240

. "$(dirname "$0")/../lib/sim.sh"

SECONDS_OF_GUEST=10
# One attempt after 0.2 s, one after 0.4 s, then one every 0.8 s, each lasting some slices;
# the limit is twice that
MAX_YIELDS=$((2 * (2 + SECONDS_OF_GUEST * 10 / 8)))

plan 12

yields() { word $N3T/cpu0/status yields; }

# guest - runs for up to 60 ms and pauses for up to 60 ms, until it is stopped
guest() {
	while [ ! -e "$tmp/end" ]; do
		number=$(od -An -N2 -tu2 /dev/urandom | tr -d ' ')
		echo 6 > $SIM/cpu0/taken
		usleep $((1000 * (5 + number % 56)))
		echo 0 > $SIM/cpu0/taken
		usleep $((1000 * (5 + number / 64 % 56)))
	done
}

begin_sim '0 1'
awake 0 1
next_window
COMPARE_CPUS='0 1'
check "values match the rates before a guest runs" compare_all
same "guest_counters is unknown for a simulated PMU" unknown \
	"$(word $N3T/cpu0/status guest_counters)"

checks=0 numbers=0 wrong=0 contended=0
before=$(yields)
guest &
guest=$!
until [ $checks -ge $((SECONDS_OF_GUEST * 5)) ]; do
	check_published
	! grep -q ' contended$' $N3T/cpu0/topdown_l1 || contended=$((contended + 1))
	usleep 200000
done
tries=$(($(yields) - before))
touch "$tmp/end"
wait $guest
same "no wrong value is published while guests take the counters" 0 $wrong
within "values are contended while guests take the counters" 1 $contended $checks
within "the counters are given back at most $MAX_YIELDS times in $SECONDS_OF_GUEST s" 1 \
	$tries $MAX_YIELDS
COMPARE_CPUS=1
check "values of another CPU match the rates meanwhile" compare_all

echo 6 > $SIM/cpu0/taken
sleep 3
before=$(yields)
sleep 5
same "the state is contended while a guest runs all the time" contended \
	"$(word $N3T/cpu0/status state)"
same "no yield is counted meanwhile, as no counter is held" "$before" "$(yields)"
echo 0 > $SIM/cpu0/taken
# an attempt, and a window
sleep 2
next_window
COMPARE_CPUS='0 1'
check "all values match the rates when the guest is gone" compare_all
