#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A reader that is killed in the middle of a file is gone at once, and what it leaves keeps
# nobody from reading.
#
# Time on this machine is what instructions take. All of this runs on one CPU: of several
# busy ones QEMU would let one wait for the other. So the reader, who reads all the time,
# is killed where it lets others run: in the middle of a file often enough. The
# newest kernel (PREEMPT_LAZY) lets it go on until it is back in user space.
# on: 6.1 6.12
# machine: turns

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"

plan 6

FILE=$N3T/system/quality/topdown_l1
READERS=40 MOST=160 INSIDE=10

taskset -p -c 0 $$ > /dev/null
check "n3_sim loads" load n3_sim
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
next_window

# where one of them is killed is chance: as many more as it takes
nr=0 killed=0 inside=0 longest=0
while [ $nr -lt $READERS ] || { [ $inside -lt $INSIDE ] && [ $nr -lt $MOST ]; }; do
	nr=$((nr + 1))
	"$HERE/reread" "$FILE" &
	sleep 0.02
	! grep -q n3t_ /proc/$!/stack || inside=$((inside + 1))
	started=$(uptime_ms)
	kill -KILL $!
	wait $!
	[ $? -ne 137 ] || killed=$((killed + 1))
	took=$(($(uptime_ms) - started))
	[ $took -le $longest ] || longest=$took
done
same "all of $nr readers were killed" $nr $killed
within "many of them in the middle of a file" $INSIDE $inside $nr
within "a killed reader is gone, in ms" 0 $longest 30
within "the next reads all of it" 4 "$(wc -l < "$FILE")" 4
