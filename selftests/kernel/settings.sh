#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Settings: defaults, modes. A refused text is described in the kernel log and the old setting is
# kept; for each text that is refused see settings_kunit.c. With enable 0 no counter is held and
# all values are disabled. After any change during sampling, every CPU is sampled and its values
# match the rates.
# machine: turns
# timeout: 300

. "$(dirname "$0")/../lib/sim.sh"

plan 30

# each once: messages are rate limited
says_what_is_allowed() {
	for setting in slice_ms window_ms max_cost reserved_counters replicates enable; do
		refuses $setting $(($(highest $setting) + 1)) \
			"from $(lowest $setting) to $(highest $setting)" || return
	done
	for setting in groups custom cpus; do
		refuses $setting bogus bogus || return
	done
	for setting in groups custom anchors distrust; do
		refuses $setting , 'empty list' || return
	done
	refuses switch direct ': auto in-place perf' && refuses contention bogus ': yield share' &&
		refuses enable "$(printf '%070000d' 1)" 'exceeds a page'
}

state() { echo "$(stat -c '%a %u:%g' "$N3T/$1") $(cat "$N3T/$1")"; }

# read_only FILE... - owned by root and not writable
read_only() { ! stat -c '%a %u:%g %n' "$@" | grep -v '^444 0:0 '; }

# whole_group - whether six events and cycles run all the time as one group on every CPU
whole_group() {
	for cpu in $(online); do
		perf stat -x , -o "$tmp/perf" -C "$cpu" \
			-e '{r11,r1b,r3a,r3b,r3d,r3e,r3f}' sleep 0.3
		grep , "$tmp/perf"
		[ "$(grep -c ',100.00,' "$tmp/perf")" -eq 7 ] || return 1
	done
}

check "n3_sim loads" load n3_sim
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim max_cost="$(default_of max_cost)"
for setting in enable slice_ms max_cost window_ms; do
	same "$setting has mode 644, owner 0:0 and its default $(default_of $setting)" \
		"644 0:0 $(default_of $setting)" "$(state $setting)"
done
# shellcheck disable=SC2046 # one argument a file
check "files that are not settings have mode 444 and owner 0:0" read_only $N3T/spec \
	$N3T/status $(find $N3T/* -mindepth 1 -type f)

check "each setting that refuses a text keeps its value, and the kernel log describes it" \
	says_what_is_allowed

slice=$(default_of slice_ms)
window=$(default_of window_ms)
low=$(shortest_window 6 "$slice") high=$(highest window_ms)
check "window_ms refuses numbers below two rotations ($low)" \
	refuses window_ms $((low - 1)) ''
for number in "$low" "$high" "$window"; do
	same "window_ms accepts $number" "$number" "$(put $N3T/window_ms "$number\n"; cat $N3T/window_ms)"
done
for setting in enable slice_ms max_cost window_ms; do
	old=$(cat $N3T/$setting)
	: > $N3T/$setting
	same "a write of no bytes leaves $setting unchanged" "$old" "$(cat $N3T/$setting)"
done
put $N3T/slice_ms 100
same "slice_ms 100 lengthens window_ms to two rotations" "$(shortest_window 6 100)" \
	"$(cat $N3T/window_ms)"
put $N3T/slice_ms 1000
same "slice_ms 1000 lengthens window_ms to two rotations, but not beyond $LONGEST_WINDOW" \
	$LONGEST_WINDOW "$(cat $N3T/window_ms)"
put $N3T/slice_ms "$slice"
same "slice_ms $slice restores the configured window_ms" "$window" "$(cat $N3T/window_ms)"

# the following needs CPUs whose slices end on time
awake

# sampled WHEN
sampled() {
	same "all online CPUs are sampled $1" "sampling $(online | wc -l)" \
		"$(word $N3T/status state) $(word $N3T/status cpus_sampled)"
}

check "n3_sim accepts random rates on all CPUs" set_all_rates "$SEED"
put $N3T/enable 0
same "with enable 0 status has state disabled and cpus_sampled 0" "disabled 0" \
	"$(word $N3T/status state) $(word $N3T/status cpus_sampled)"
check "with enable 0 all values of all CPUs are disabled" all_are disabled $everywhere
for number in 4 50 10 1000 4; do
	put $N3T/slice_ms $number
	put $N3T/window_ms "$high"
	put $N3T/enable 0
	put $N3T/window_ms "$window" > /dev/null
	put $N3T/enable 1
	put $N3T/enable 1
done
sampled "after 30 changes in quick succession"
next_window
check "values match the rates after 30 changes in quick succession" compare_all
put $N3T/slice_ms "$slice"
next_window
sampled "when the settings have their defaults again"
check "values match the rates after the defaults are restored" compare_all
idle_again
unload n3_telemetry

check "n3_telemetry loads on the CPUs' own PMU" load n3_telemetry
! whole_group > "$tmp/out"
verdict $? "with enable 1 perf's group of six and cycles does not run all the time"
put $N3T/enable 0
check "with enable 0 perf's group of six and cycles runs all the time on every CPU" whole_group
put $N3T/enable 1
sampled "after enable 0 and 1"
