#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Settings: defaults, modes, limits. A text that is not a number in the setting's range is
# refused and the old setting is kept. With enable 0 no counter is held and all values are
# disabled. After any change during sampling, every CPU is sampled and its values match the
# rates.
# machine: turns
# timeout: 300

. "$(dirname "$0")/../lib/sim.sh"

plan 37

# refuses SETTING TEXT... - EINVAL for each, and the old setting is kept
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

# logs SETTING TEXT PATTERN - whether the text is refused, and the log describes the
# accepted texts
logs() {
	lines=$(dmesg | wc -l)
	refuses "$1" "$2" || return
	dmesg | tail -n +$((lines + 1)) > "$tmp/log"
	grep -qE "n3_telemetry: $1: .*$3" "$tmp/log" || { echo "$1 <- '$2':"; cat "$tmp/log"; return 1; }
}

# each once: messages are rate limited
says_what_is_allowed() {
	for setting in slice_ms window_ms max_cost reserved_counters replicates enable; do
		logs $setting $(($(highest $setting) + 1)) \
			"from $(lowest $setting) to $(highest $setting)" || return
	done
	logs switch direct ': auto in-place perf' && logs contention bogus ': yield share' &&
		logs groups bogus bogus && logs groups , 'empty list' && logs custom ' ' 'empty list' &&
		logs custom bogus bogus && logs anchors , 'empty list' && logs distrust , 'empty list' &&
		logs cpus bogus bogus && logs enable "$(printf '%070000d' 1)" 'exceeds a page'
}

state() { echo "$(stat -c '%a %u:%g' "$N3T/$1") $(cat "$N3T/$1")"; }

# read_only FILE... - owned by root and not writable
read_only() { ! stat -c '%a %u:%g %n' "$@" | grep -v '^444 0:0 '; }

everywhere() {
	for cpu in $(online); do
		all_values_are "$cpu" "$1" || return 1
	done
}

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

check "the kernel log describes the accepted texts of each setting that refuses one" \
	says_what_is_allowed

# refused by all settings: nothing, not a number, more than one, too large, 2^32 + 20
for setting in enable slice_ms max_cost window_ms; do
	check "$setting refuses texts that are not one decimal number of 32 bits" refuses $setting \
		'\n' ' ' ' \n' 'garbage' '-1' '-20\n' '--20' '20x' '1x\n' '20 20' \
		'1\n1\n' '1,' '0x14' '1.0' '1e3' '\t1' '\001' 'y' 'on' '\377\376' \
		'4294967296' '4294967316' '4294967297' '99999999999999999999999' \
		'-99999999999999999999999' "$(printf '%070000d' 20)"
done
slice=$(default_of slice_ms)
low=$(lowest slice_ms) high=$(highest slice_ms)
check "enable refuses numbers above 1" refuses enable 2 3 4294967295
check "slice_ms refuses numbers below $low and above $high" \
	refuses slice_ms 0 $((low - 1)) $((high + 1)) 4294967295
check "slice_ms accepts $low, $high and $slice" takes slice_ms "$low" "$high" "$slice"
low=$(lowest max_cost) high=$(highest max_cost)
check "max_cost refuses numbers above $high" refuses max_cost $((high + 1)) 4294967295
check "max_cost accepts $high and $low" takes max_cost "$high" "$low"
window=$(default_of window_ms)
low=$(shortest_window 6 "$slice") high=$(highest window_ms)
check "window_ms refuses numbers below two rotations ($low) and above $high" \
	refuses window_ms 0 1 $((low - 1)) $((high + 1)) 4294967295
check "window_ms accepts $low, $high and $window" takes window_ms "$low" "$high" "$window"
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

diag "SEED=$SEED"
check "n3_sim accepts random rates on all CPUs" set_all_rates "$SEED"
put $N3T/enable 0
same "with enable 0 status has state disabled and cpus_sampled 0" "disabled 0" \
	"$(word $N3T/status state) $(word $N3T/status cpus_sampled)"
check "with enable 0 all values of all CPUs are disabled" everywhere disabled
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
