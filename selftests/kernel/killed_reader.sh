#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A reader that is killed in the middle of a file exits at once and does not block later
# readers.
#
# Time on this machine is counted in instructions. Everything runs on one CPU, as QEMU would
# make one of several busy CPUs wait for the others. The reader reads all the time and is
# killed where it is preempted, which is in the middle of a file often enough. On the newest
# kernel (PREEMPT_LAZY) it continues until it is back in user space.
# on: 6.1 6.12
# machine: turns

. "$(dirname "$0")/../lib/sim.sh"

plan 6

FILE=$N3T/system/topdown_l1
READERS=40 MOST=400 INSIDE=3

taskset -p -c 0 $$ > /dev/null
check "n3_sim loads" load n3_sim
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
next_window
lines=$(wc -l < "$FILE")

# The point at which a reader is killed is random: repeat until enough were inside a file.
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
within "many readers were killed in the middle of a file" $INSIDE $inside $nr
within "a killed reader exits, in ms" 0 $longest 30
within "the next reader reads the whole file" "$lines" "$(wc -l < "$FILE")" "$lines"
