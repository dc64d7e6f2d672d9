# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Functions shared by all tests: TAP output, loading modules, keeping CPUs busy. To be
# sourced; for busybox's shell as well as others.
#
# plan announces the number of checks, apart from two at the end of each test. A test that exits
# early, for any reason, fails, and everything is restored in any case.
#
# The name of a check must state the expectation: it may be the only line shown for a
# failure.

# shellcheck disable=SC2034 # some variables are for the tests alone

# independent of the caller's environment
umask 022
export LC_ALL=C TZ=UTC

N3T=/sys/kernel/n3_telemetry
PMUS=/sys/bus/event_source/devices
CPU_DEVICES=/sys/devices/system/cpu

# directory of the test, which holds its own programs
HERE=$(cd "$(dirname "$0")" && pwd)
LIB=${HERE%/*}/lib
SPEC=${HERE%/*}/spec
# directory of the modules, or "" for modules that modprobe finds
MODULES=${MODULES-/modules}

# Seed for reproducing a run, from the environment, which in the guest includes words of the
# kernel's command line.
SEED=${SEED:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}

tmp=$(mktemp -d)
planned=0 made=0 failed=0 bailed='' spinners='' busy_cpus=''
log_mark="selftest $$ begins"
echo "$log_mark" > /dev/kmsg

plan() {
	planned=$(($1 + 2))
	echo "TAP version 13"
	echo "1..$planned"
}

diag() { echo "$*" | sed 's/^/# /'; }

pass() { made=$((made + 1)); echo "ok $made $*"; }
fail() { made=$((made + 1)); failed=$((failed + 1)); echo "not ok $made $*"; }

# verdict STATUS NAME - for a command that was run before
verdict() {
	if [ "$1" -eq 0 ]; then pass "$2"; else fail "$2"; fi
}

# check NAME COMMAND... - passes if the command succeeds; its output is shown
check() {
	what=$1
	shift
	"$@" > "$tmp/out" 2>&1
	verdict $? "$what"
	sed 's/^/# /' "$tmp/out"
}

# same NAME EXPECTED GOT
same() {
	[ "$2" = "$3" ]
	verdict $? "$1"
	[ "$2" = "$3" ] || diag "expected: $2
got: $3"
}

# within NAME LOW VALUE HIGH - numbers, fractions as well
within() {
	awk -v low="$2" -v value="$3" -v high="$4" \
		'BEGIN { exit !(value != "" && low + 0 <= value + 0 && value + 0 <= high + 0) }'
	verdict $? "$1"
	diag "$3, expected $2 to $4"
}

bail() { echo "Bail out! $*"; bailed=1; exit 1; }
skip_all() { echo "1..0 # SKIP $*"; exit 4; }

# Restores what a test has changed, except programs in the background and CPUs that were online;
# to be redefined.
cleanup() { :; }

finish() {
	# after the last check, the status is that of any command
	[ -z "$bailed" ] && [ "$made" -eq $((planned - 2)) ] && rc=0 || rc=$1
	trap - EXIT
	cleanup
	jobs -p > "$tmp/jobs"
	# shellcheck disable=SC2046 # one argument a word
	stop $(cat "$tmp/jobs")
	for cpu in $were_online; do
		[ "$(cat "$CPU_DEVICES/cpu$cpu/online" 2>/dev/null)" != 0 ] ||
			echo 1 > "$CPU_DEVICES/cpu$cpu/online"
	done
	unload n3_telemetry
	[ "$rc" -ne 0 ] || check "n3_telemetry is unloaded" eval '! is_loaded n3_telemetry'
	# counters taken by the simulation itself keep it loaded
	for file in /sys/kernel/debug/n3_sim/cpu*/taken; do
		[ ! -e "$file" ] || echo 0 > "$file"
	done
	unload n3_sim
	[ "$rc" -ne 0 ] || same "the kernel log has no warning" "" "$(kernel_warnings)"
	rm -rf "$tmp"
	[ "$rc" -eq 0 ] || exit "$rc"
	if [ "$made" -ne "$planned" ]; then
		echo "# $planned checks planned, $made made"
		exit 1
	fi
	[ "$failed" -eq 0 ] || exit 1
	exit 0
}
trap 'finish $?' EXIT
trap 'bailed=1; exit 1' INT TERM

# stop [PID]... - ends programs that this test has started
stop() { [ $# -eq 0 ] || { kill "$@"; wait "$@"; } 2> /dev/null; }

# load MODULE [PARAMETER=VALUE]... - with slices of the configured length, whatever they
# cost on an emulated machine, unless max_cost is given
load() {
	module=$1
	shift
	[ "$module" != n3_telemetry ] || set -- max_cost=0 "$@"
	if [ -n "$MODULES" ]; then
		insmod "$MODULES/$module.ko" "$@"
	else
		modprobe "$module" "$@"
	fi
}

# inferred PLACE GROUP - what a program infers from moments: lines of a group's metrics with their
# quality
inferred() { infer $N3T "$1" "$2"; }

# ends_of KEYS PLACE [OPTION]... - words and metrics of these lines of n3stat bottleneck
ends_of() {
	keys=$1
	shift
	n3stat bottleneck "$@" | sed -n "s/^\($keys\) \([^ ]*\).*/\1 \2/p" | xargs
}

is_loaded() { grep -q "^$1 " /proc/modules; }
unload() { is_loaded "$1" && rmmod "$1"; }

[ -s "$LIB/settings.tsv" ] || bail "no settings.tsv"
[ "$(id -u)" -eq 0 ] || skip_all "needs root"
! is_loaded n3_telemetry || skip_all "n3_telemetry is in use"

# busy CPU... - keeps them in user space until idle_again, at the lowest priority
busy() {
	[ -x "$LIB/spin" ] || bail "spin is not built"
	for cpu; do
		taskset -c "$cpu" "$LIB/spin" &
		spinners="$spinners $!" busy_cpus="$busy_cpus $cpu"
		renice -n 19 -p $! > /dev/null
	done
}

# awake [CPU]... - until idle_again, slices end on time there, or on all online CPUs. The timer
# that ends them does not wake an idle CPU, and does not have to if idle CPUs tick.
awake() {
	# shellcheck disable=SC2046 # one argument a CPU
	[ $# -gt 0 ] || set -- $(online)
	idle_cpus_tick || busy "$@"
}
idle_cpus_tick() { grep -qw nohz=off /proc/cmdline; }

idle_again() {
	# shellcheck disable=SC2086 # one argument a word
	stop $spinners
	spinners='' busy_cpus=''
}

# online - the numbers of the online CPUs
online() { sed -n 's/^processor[^0-9]*//p' /proc/cpuinfo; }
were_online=$(online)

# word FILE KEY - the value of a key in a flat keyed file
word() { awk -v key="$2" '$1 == key { print $2 }' "$1"; }

# samples_all - whether all online CPUs are sampled
samples_all() {
	said="$(word $N3T/status state) $(word $N3T/status cpus_sampled)"
	echo "$said"
	[ "$said" = "sampling $(online | wc -l)" ]
}

# cpu_is CPU STATE BUDGET - whether the CPU has this state and number of counters
cpu_is() {
	said="$(word "$N3T/cpu$1/status" state) $(word "$N3T/cpu$1/status" budget)"
	echo "$said"
	[ "$said" = "$2 $3" ]
}

# own_pmu - name of the CPUs' own PMU
own_pmu() { basename "$PMUS"/armv8_pmuv3*; }

# files of the specification's groups
GROUP_FILES=$(awk -F '\t' '!/^#/ { print tolower($1) }' "$SPEC/groups.tsv" | xargs)
everywhere='cpu0 cpu1 cpu2 cpu3 node0 system'

# nr_values - of all group files of a CPU
nr_values() { awk -F '\t' '!/^#/ { n += $4 } END { print n }' "$SPEC/groups.tsv"; }

# tally DIRECTORY - contents of its 18 group files: "word values", in alphabetical order
tally() {
	(cd "$N3T/$1" && cat $GROUP_FILES) |
		awk '{ n[$2 ~ /^-?[0-9]/ ? "number" : $2]++ } END { for (w in n) print w, n[w] }' |
		sort | xargs
}

# all_are WORD DIRECTORY... - whether WORD replaces every value there
all_are() {
	word=$1
	shift
	for dir; do
		said=$(tally "$dir")
		echo "$dir: $said"
		[ "$said" = "$word $(nr_values)" ] || return 1
	done
}

# slow_kernel - whether the kernel has checkers, which make it several times slower
slow_kernel() { [ -e /sys/kernel/debug/kmemleak ] || [ -e /sys/kernel/debug/kcsan ]; }

# checks_bounds - whether the kernel and the module check each index into an array
checks_bounds() { grep -q ' __ubsan_handle_out_of_bounds$' /proc/kallsyms; }

# uptime_ms - milliseconds since boot
uptime_ms() { awk '{ print int($1 * 1000) }' /proc/uptime; }

# wait_until COMMAND... - until it succeeds, tried ten times a second; prints the output of
# the last try. The limit exceeds anything that a slow host needs, and is below the limit of
# a test, so that the condition that never holds is named.
WAIT_S=100
wait_until() {
	give_up_ms=$(($(uptime_ms) + WAIT_S * 1000))
	until "$@" > "$tmp/tried"; do
		if [ "$(uptime_ms)" -ge $give_up_ms ]; then
			cat "$tmp/tried"
			echo "# not within $WAIT_S s: $*" >&2
			return 1
		fi
		sleep 0.1
	done
	cat "$tmp/tried"
}

# slices_taken - "FILE SLICES" of each sampled CPU whose slices end on time
slices_taken() {
	# shellcheck disable=SC2046,SC2086 # one argument a CPU
	set -- $(idle_cpus_tick && online || echo $busy_cpus)
	for cpu; do
		shift
		set -- "$@" "$N3T/cpu$cpu/status"
	done
	[ $# -eq 0 ] || awk '
	FNR == 1 { state = "" }
	$1 == "state" { state = $2 }
	$1 == "sets" && $2 == 0 { state = "none" }
	$1 == "slices" && state == "sampling" { print FILENAME, $2 }' "$@"
}

# slices_ended - whether each CPU has taken a slice since $tmp/slices_before
slices_ended() {
	slices_taken | sort - "$tmp/slices_before" | uniq -d | grep . && return 1
	return 0
}

# next_window - waits until the window holds only later data. A slice belongs to the window
# in which it ends, so the current slices have to end first.
next_window() {
	slices_taken > "$tmp/slices_before"
	wait_until slices_ended > /dev/null || bail "a CPU does not end its slice"
	sleep "$(awk '{ print $1 / 1000 + 0.5 }' "$N3T/window_ms")"
}

# kernel_warnings - lines of the kernel log that report a bug, since the test began; all lines if
# the log has lost its beginning
WARNINGS='WARNING|BUG:|Oops|Call trace|KASAN|possible circular|ODEBUG'
kernel_warnings() {
	dmesg | awk -v mark="$log_mark" -v warnings="$WARNINGS" '
		index($0, mark) { nr = 0; next }
		$0 ~ warnings { line[nr++] = $0 }
		END { for (i = 0; i < nr; i++) print line[i] }'
}

# exits_with STATUS COMMAND... - with its output in $tmp/shown
exits_with() {
	want=$1
	shift
	"$@" > "$tmp/shown" 2>&1
	[ $? -eq "$want" ]
}

# has_id ID - the last such command printed one error or warning with it
has_id() { [ "$(grep -c "\[$1\]\$" "$tmp/shown")" -eq 1 ]; }

# caps_but CAPABILITY... - numbers of all others, as a list for as_user
caps_but() {
	for cap in $(seq 0 "$(cat /proc/sys/kernel/cap_last_cap)"); do
		case " $* " in
		*" $cap "*) ;;
		*) echo "$cap" ;;
		esac
	done | xargs | tr ' ' ,
}

# put_file FILE SOURCE - one write() of a file's content; prints the error if it fails
put_file() {
	dd if="$2" of="$1" bs=64k 2> "$tmp/said" || head -n 1 "$tmp/said"
}

# put FILE TEXT - the same for a text, escapes as in printf's %b
put() {
	printf '%b' "$2" > "$tmp/text"
	put_file "$1" "$tmp/text"
}

# refuses SETTING TEXT NAME - EINVAL, the old setting is kept, the log contains the name
refuses() {
	old=$(cat "$N3T/$1")
	lines=$(dmesg | wc -l)
	said=$(put "$N3T/$1" "$2")
	echo "$said"
	[ "${said%Invalid argument}" != "$said" ] && [ "$(cat "$N3T/$1")" = "$old" ] || return 1
	[ -z "$3" ] || dmesg | tail -n +$((lines + 1)) | grep -F "n3_telemetry: $1: " | grep -F -e "$3"
}

# lines_of_refusals SETTING - number of kernel log lines added by 100 refused writes
lines_of_refusals() {
	lines=$(dmesg | wc -l)
	for i in $(seq 100); do
		put "$N3T/$1" "unknown_$i" > /dev/null
	done
	echo $(($(dmesg | wc -l) - lines))
}

# of_setting NAME COLUMN - from settings.tsv
of_setting() {
	awk -v name="$1" -v column="$2" '$1 == name { print $column }' "$LIB/settings.tsv"
}

default_of() { of_setting "$1" 2; }
lowest() { of_setting "$1" 3; }
highest() { of_setting "$1" 4; }

# default_settings - each in a separate write; prints the first that fails
default_settings() {
	grep -v '^#' "$LIB/settings.tsv" > "$tmp/settings"
	while read -r setting value _; do
		said=$(put "$N3T/$setting" "$value")
		[ -z "$said" ] || { echo "$setting: $said"; return 1; }
	done < "$tmp/settings"
}

# max_sets COUNTERS - maximum number of sets of a plan for all groups of the specification,
# with the default anchor
max_sets() {
	case $1 in
	5) echo 22 ;;
	6) echo 16 ;;
	7) echo 13 ;;
	20) echo 4 ;;
	esac
}

# Maximum of an automatically extended window, for two slow rotations; it exceeds the
# maximum of the setting.
LONGEST_WINDOW=60000

# shortest_window COUNTERS SLICE_MS - two rotations of such a plan in milliseconds:
# Topdown_L1 has half of the slices, each other set has one
shortest_window() { echo $((2 * 2 * ($(max_sets "$1") - 1) * $2)); }
