#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A reader that is killed in the middle of a file is gone at once, not when the file has
# been computed, which takes long for a long window of short slices.
#
# Time on this machine is what instructions take. All of this runs on one CPU: of several
# busy ones QEMU would let one wait for the other.
# on: rotation
# machine: turns

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"

plan 6

FILE=$N3T/system/quality/topdown_l1

# now_ms - /proc/uptime has hundredths of a second
now_ms() { awk '{ printf "%d", $1 * 1000 }' /proc/uptime; }

taskset -p -c 0 $$ > /dev/null
check "n3_sim loads" load n3_sim
check "n3_telemetry loads with a window of 15,000 slices" \
	load n3_telemetry pmu=n3_sim slice_ms=4 window_ms=60000
next_window

started=$(now_ms)
cat "$FILE" > /dev/null
within "reading system/quality/topdown_l1 takes long, in ms" 200 $(($(now_ms) - started)) 60000

cat "$FILE" > "$tmp/read" &
sleep 0.05
started=$(now_ms)
kill -KILL $!
wait $!
same "the reader was killed while it read" 137 $?
within "a killed reader is gone, in ms" 0 $(($(now_ms) - started)) 30
same "the killed reader has read nothing" "" "$(cat "$tmp/read")"
