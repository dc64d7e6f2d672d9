# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Results, time, files of the module, and undoing. To be sourced by silicon.sh.

WARNINGS='WARNING|BUG:|Oops|Call trace|KASAN|possible circular|ODEBUG'
N3T=/sys/kernel/n3_telemetry
PMUS=/sys/bus/event_source/devices
CPU_DEVICES=/sys/devices/system/cpu

# --- results

# result ID STATE [VALUE [UNIT [DETAIL]]] - of the current part; STATE: pass, fail, not_run, info
result() {
	one_line "${5-}"
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$part" "$1" "$2" "${3-}" "${4-}" "$line" \
		>> "$work/results"
	[ "$2" != fail ] || say "$part.$1 fails${5:+: $line}"
}

# Programs are started sparingly here and below: in an emulated machine each takes 0.2 s.

# one_line TEXT - $line
one_line() {
	line=$1
	case $line in
	*[[:cntrl:]]*) line=$(printf %s "$line" | tr '[:cntrl:]' ' ') ;;
	esac
}

# judge ID STATUS [VALUE [UNIT [DETAIL]]] - pass if the status is 0, else fail
judge() {
	judged=$1 state=pass
	[ "$2" -eq 0 ] || state=fail
	shift 2
	result "$judged" $state "$@"
}

# holds CONDITION [NAME=VALUE]... - of awk, about numbers
holds() {
	condition=$1
	shift
	for assignment; do
		shift
		set -- "$@" -v "$assignment"
	done
	awk "$@" "BEGIN { exit !($condition) }"
}

# --- time: the clock of the machine under test

# now - $now_ms since boot, $elapsed_ms since this script has begun
now() {
	read -r up _ < /proc/uptime
	up=${up%.*}${up#*.}0
	now_ms=${up#"${up%%[!0]*}"}
	elapsed_ms=$((now_ms - begun))
}

# seconds MS - $seconds, with a point
seconds() {
	seconds=$(($1 % 1000 + 1000))
	seconds=$(($1 / 1000)).${seconds#1}
}

say() {
	now
	printf 'silicon.sh: %d:%02d of %d:00  %s\n' $((elapsed_ms / 60000)) \
		$((elapsed_ms / 1000 % 60)) "$MINUTES" "$*" >&2
}

# nap MS - ends with a signal
nap() {
	[ "$1" -gt 0 ] || return 0
	seconds "$1"
	interruptible sleep "$seconds"
}

# interruptible COMMAND... - a signal ends this script at once, whose end ends the command
interruptible() {
	"$@" &
	waited=$!
	wait $waited
	ended_with=$?
	waited=''
	return $ended_with
}

# wait_until MS COMMAND... - ten times a second, or until that time is over
wait_until() {
	now
	give_up=$((now_ms + $1))
	shift
	until "$@" > /dev/null 2>&1; do
		now
		[ "$now_ms" -lt "$give_up" ] || return 1
		nap 100
	done
}

# --- the module

# word FILE KEY - the value of a key
word() { awk -v key="$2" '$1 == key { print $2; exit }' "$1" 2>/dev/null; }
put() { echo "$2" > "$N3T/$1"; }
is_loaded() { grep -q '^n3_telemetry ' /proc/modules; }
online() { sed -n 's/^processor[^0-9]*//p' /proc/cpuinfo; }
is_sampled() { [ "$(word "$N3T/cpu$1/status" state)" = sampling ]; }
# sampled - CPUs that are sampled
sampled() { for nr in $(online); do is_sampled "$nr" && echo "$nr"; done; }
all_sampled() { [ "$(sampled | wc -l)" -eq "$1" ]; }

# load PARAMETER=VALUE...; its error is in $work/said
load() {
	undo module
	insmod "$MODULE" ${CORE:+core="$CORE"} "$@" > "$work/said" 2>&1
}

unload() {
	is_loaded || return 0
	rmmod n3_telemetry > "$work/said" 2>&1
}

# traces - files, names and states of the module in the system
traces() {
	ls -d $N3T 2>/dev/null
	ls $PMUS/*/events 2>/dev/null
	grep n3_telemetry $CPU_DEVICES/hotplug/states
	grep '^n3_telemetry ' /proc/modules
}

# log_end - the last line of the kernel log
log_end() { dmesg 2>/dev/null | tail -n 1; }
# log_since LINE - the lines after it, without their times and addresses; all, if the log has lost it
log_since() {
	dmesg 2>/dev/null | MARK=$1 awk '
	{ line[nr++] = $0 }
	$0 == ENVIRON["MARK"] { nr = 0 }
	END {
		for (i = 0; i < nr; i++) {
			sub(/^\[[^]]*\] */, "", line[i])
			print line[i]
		}
	}' | scrub ip4
}
log_of_module() { log_since "$1" | sed -n 's/^n3_telemetry: //p'; }

# --- programs in the background, and undoing

# A process is known by its number and start.
started_at() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | awk '{ print $20 }'; }
is_alive() { [ -n "$2" ] && [ "$(started_at "$1")" = "$2" ]; }

# undo WORD... - a line of the state file, which survives this script
undo() { echo "$*" >> "$STATE"; }

# spawn COMMAND... - in the background; its number is in $!
spawn() {
	"$@" &
	undo "process $! $(started_at $!)"
}

stop() { [ $# -eq 0 ] || { kill "$@"; wait "$@"; } 2>/dev/null; }

# busy CPU - a loop of arithmetic, branches and memory accesses, until idle_again
busy() {
	# shellcheck disable=SC2016 # of awk
	spawn taskset -c "$1" ${LOOP:-awk "$LOOP_PROGRAM"}
	spinner=$!
	renice -n 19 -p $! > /dev/null 2>&1
}
LOOP_PROGRAM='BEGIN {
	for (;;) {
		x = (x * 1103515245 + 12345) % 2147483648
		seen[x % 65536] += x * 0.5
		if (x % 3 == 1)
			odd++
	}
}'
idle_again() { stop "${spinner:-}"; spinner=''; }

# clean_up - restores the machine by the state file, of this run or an earlier one
clean_up() {
	[ -e "$STATE" ] || return 0
	while read -r kind first second; do
		case $kind in
		process) ! is_alive "$first" "$second" || kill -KILL "$first" 2>/dev/null ;;
		cpu) echo 1 > "$CPU_DEVICES/cpu$first/online" ;;
		work) rm -rf "$first" ;;
		esac
	done < "$STATE"
	if grep -q '^module$' "$STATE" && is_loaded; then
		# a killed perf may still be counting with one of its names
		wait_until 10000 unload || { echo "silicon.sh: cannot unload: $(cat "$work/said")" >&2; return 1; }
	fi
	rm -f "$STATE"
}
