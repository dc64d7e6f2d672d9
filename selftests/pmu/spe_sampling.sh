#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The group spe_sampling while perf samples with SPE, on CPUs that count the operation of
# their SPE: idle before and after; the configured interval; no collisions; share that
# filters pass. All other groups are unaffected.
# machine: spe
# timeout: 900

. "$(dirname "$0")/../lib/sim.sh"
. "$(dirname "$0")/../lib/spe_info.sh"

DIR=$N3T/cpu0

plan 20

all=$(extra_members spe_sampling)

cleanup() {
	stop_recording
	unload arm_spe_pmu
}

# start_recording TERMS - samples CPU 0 until stop_recording, into a buffer that does not
# fill before: Linux 6.1 does not continue after that
start_recording() {
	perf record -q -m ,32M -o /dev/null -e "arm_spe_0/$1/" -C 0 > "$tmp/perf" 2>&1 &
	recorder=$!
	wait_until is_sampled
	next_window
	sed 's/^/# /' "$tmp/perf" "$DIR/spe_sampling"
}

stop_recording() {
	[ -z "$recorder" ] || { kill -INT "$recorder"; wait "$recorder"; } 2>/dev/null
	recorder=''
}

is_sampled() { case $(value interval) in [0-9]*) ;; *) return 1 ;; esac; }

value() { word "$DIR/spe_sampling" "spe_$1"; }

words() { awk '{ print $2 }' "$DIR/spe_sampling" | sort | uniq -c | xargs; }

check "the kernel's driver loads" load arm_spe_pmu
check "n3_telemetry loads with spe_sampling" load n3_telemetry groups=spe_sampling slice_ms=20
awake 0 1
next_window
same "spe_sampling is idle while nothing samples" "$all idle" "$(words)"

start_recording period=4096
within "while perf samples every 4096 operations, so does spe_interval" 3900 \
	"$(value interval)" 4300
within "no sample collides" 0 "$(value collision_percentage)" 0
within "without filters all samples pass" 100 "$(value pass_percentage)" 100
within "branches, loads and stores do not exceed all samples" 1 \
	"$(awk '/branch|load|store/ { sum += $2 } END { print sum }' "$DIR/spe_sampling")" 105
same "all have numbers" "$all" "$(grep -c ' [0-9.]*$' "$DIR/spe_sampling")"
same "CPU 1, which is not sampled, is idle" idle "$(word $N3T/cpu1/spe_sampling spe_interval)"
within "the system has the value of the sampled CPU" 3900 \
	"$(word $N3T/system/spe_sampling spe_interval)" 4300
stop_recording
next_window
next_window
same "spe_sampling is idle again after perf" "$all idle" "$(words)"

# The two sides of a quotient are counted in different slices: a slow host needs a longer
# window.
put $N3T/window_ms 8000
start_recording period=4096,load_filter=1
within "with load_filter a part passes" 0.5 "$(value pass_percentage)" 99
within "with load_filter the samples that pass match the kind, within a third" 0.75 \
	"$(awk '{ v[$1] = $2 } END { print v["spe_pass_percentage"] / v["spe_op_match_percentage"] }' \
		"$DIR/spe_sampling")" 1.33
within "with load_filter the samples that pass are the loads, within a third" 0.75 \
	"$(awk '{ v[$1] = $2 } END { print v["spe_pass_percentage"] / v["spe_load_percentage"] }' \
		"$DIR/spe_sampling")" 1.33
stop_recording

same "groups accepts all" "" "$(put $N3T/groups all)"
same "without spe_sampling there are still 16 sets" 16 "$(word "$DIR/status" sets)"
same "spe_sampling is disabled when it is not chosen" "$all disabled" "$(words)"
same "groups accepts all and spe_sampling" "" "$(put $N3T/groups "all spe_sampling")"
same "all groups and spe_sampling have 19 sets" 19 "$(word "$DIR/status" sets)"
unload n3_telemetry
unload arm_spe_pmu
same "both are unloaded" "" "$(grep -E '^(n3_telemetry|arm_spe_pmu) ' /proc/modules)"
