#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The settings: defaults, modes, limits. What is not a number in its range is
# refused and the old setting stands. With enable 0 not a counter is held and
# values say so. Whatever is changed while it runs, every CPU is sampled
# afterwards and its values are right.
# machine: turns
# timeout: 300

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"

plan 30

# refuses SETTING TEXT... - EINVAL for each, and the old setting stands
refuses() {
	setting=$1
	shift
	old=$(cat "$N3T/$setting")
	rc=0
	for text; do
		said=$(put "$N3T/$setting" "$text")
		case $said in
		*"Invalid argument") ;;
		*) echo "$setting <- '$text': '$said'" | cut -c1-70; rc=1 ;;
		esac
		[ "$(cat "$N3T/$setting")" = "$old" ] ||
			{ echo "$setting is now $(cat "$N3T/$setting")"; rc=1; }
	done
	return $rc
}

# takes SETTING NUMBER... - each is in force afterwards
takes() {
	setting=$1
	shift
	for number; do
		put "$N3T/$setting" "$number\n"
		[ "$(cat "$N3T/$setting")" = "$number" ] ||
			{ echo "$setting <- $number: $(cat "$N3T/$setting")"; return 1; }
	done
}

state() { echo "$(stat -c '%a %u:%g' "$N3T/$1") $(cat "$N3T/$1")"; }

# read_only FILE... - root's, and for reading
read_only() { ! stat -c '%a %u:%g %n' "$@" | grep -v '^440 0:0 '; }

everywhere() {
	for cpu in $(online); do
		all_say "$cpu" "$1" || return 1
	done
}

# whole_group PMU - do six events and cycles run all the time as one group
whole_group() {
	for cpu in $(online); do
		perf stat -x , -o "$tmp/perf" -C "$cpu" \
			-e '{r11,r1b,r3a,r3b,r3d,r3e,r3f}' sleep 0.3
		grep , "$tmp/perf"
		[ "$(grep -c ',100.00,' "$tmp/perf")" -eq 7 ] || return 1
	done
}

check "n3_sim loads" load n3_sim
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
same "enable" "640 0:0 1" "$(state enable)"
same "slice_ms" "640 0:0 20" "$(state slice_ms)"
same "window_ms" "640 0:0 2000" "$(state window_ms)"
# shellcheck disable=SC2046 # one argument a file
check "what is no setting is 0440" read_only $N3T/spec $N3T/status \
	$(find $N3T/* -mindepth 1 -type f)

# what no setting takes: nothing, no number, more than one, too much, 2^32 + 20
for setting in enable slice_ms window_ms; do
	check "$setting refuses what is no number" refuses $setting \
		'\n' ' ' ' \n' 'garbage' '-1' '-20\n' '--20' '20x' '1x\n' '20 20' \
		'1\n1\n' '1,' '0x14' '1.0' '1e3' '\t1' '\001' 'y' 'on' '\377\376' \
		'4294967296' '4294967316' '4294967297' '99999999999999999999999' \
		'-99999999999999999999999' "$(printf '%05000d' 20)"
done
check "enable refuses all but 0 and 1" refuses enable 2 3 4294967295
check "slice_ms refuses all but 4 to 1000" refuses slice_ms 0 3 1001 4294967295
# 13 sets at six counters, Topdown_L1 in half of the slices: 24 slices a rotation
check "window_ms refuses all but two rotations to 60000" \
	refuses window_ms 0 1 959 60001 4294967295
for setting in enable slice_ms window_ms; do
	old=$(cat $N3T/$setting)
	: > $N3T/$setting
	same "an empty write leaves $setting alone" "$old" "$(cat $N3T/$setting)"
done
check "slice_ms takes its limits" takes slice_ms 4 1000 20
check "window_ms takes its limits" takes window_ms 960 60000 2000
put $N3T/slice_ms 100
same "the window is never shorter than two rotations" 4800 "$(cat $N3T/window_ms)"
put $N3T/slice_ms 20
same "and is as it was set when it can be" 2000 "$(cat $N3T/window_ms)"

# what follows wants CPUs that are busy
# shellcheck disable=SC2046 # one argument a CPU
awake $(online)

sampled() {
	same "all CPUs are sampled $1" "sampling $(online | wc -l)" \
		"$(word $N3T/status state) $(word $N3T/status cpus_sampled)"
}

diag "SEED=$SEED"
# shellcheck disable=SC2046 # one argument a CPU
check "rates are set" set_all_rates "$SEED" $(online)
put $N3T/enable 0
same "with enable 0 status says so" "disabled 0" \
	"$(word $N3T/status state) $(word $N3T/status cpus_sampled)"
check "and so do all values" everywhere disabled
for number in 4 50 10 1000 4; do
	put $N3T/slice_ms $number
	put $N3T/window_ms 60000
	put $N3T/enable 0
	put $N3T/window_ms 2000 > /dev/null
	put $N3T/enable 1
	put $N3T/enable 1
done
sampled "after changes one upon the other"
next_window
check "and values are right" compare_all
put $N3T/slice_ms 20
next_window
sampled "with the defaults again"
check "and values are right" compare_all
idle_again
unload n3_telemetry

check "n3_telemetry loads on the CPU's own PMU" load n3_telemetry
! whole_group > "$tmp/out"
verdict $? "while it samples no group of six and cycles runs all the time"
put $N3T/enable 0
check "with enable 0 every counter is free" whole_group
put $N3T/enable 1
sampled "when it is enabled again"
