# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2034,SC2154 # set in or for other files
# Helpers of all tests; sourced by test.sh, which sets here, the folder of the test, and shared,
# that of this file.

n3stat=${N3STAT:-n3stat}
# a / separates the words of a command
commands="tree find top bottleneck containers list explain record report spe spe/info spe/record
	spe/report spe/profile doctor selftest"
tmp=$(mktemp -d) || exit 1
# for many small files: in memory, if a gigabyte is free
many=$tmp
if [ "$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)" -gt 1000000 ] 2>/dev/null; then
	many=$(mktemp -d -p /dev/shm) || exit 1
fi
# clean_up: ends processes that a failed test left running
clean_up()
{
	for socket in "$tmp"/tmux-*/*; do
		[ ! -S "$socket" ] || tmux -S "$socket" kill-server 2>/dev/null
	done
	# outside "$(...)", which has no jobs
	jobs -p >"$tmp/jobs"
	xargs -r kill -9 <"$tmp/jobs" 2>/dev/null
	rm -rf "$tmp" "$many"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$tmp" "$many"
export HOME="$tmp/home" TMPDIR="$tmp" TMUX_TMPDIR="$tmp"
mkdir "$HOME"
# the user nobody, who runs one of the tests, may lack access to the build directory
# programs: the directory of the programs and links next to n3stat
programs="n3stat n3top n3rec n3spe n3check n3stat-*"
built=$(dirname "$(command -v "$n3stat")")
for file in $(cd "$built" && echo $programs); do
	[ ! -e "$built/$file" ] || cp -P "$built/$file" "$tmp/" || exit 1
	# whatever the umask when they were built
	[ -L "$tmp/$file" ] || [ ! -e "$tmp/$file" ] || chmod 755 "$tmp/$file"
done
n3stat=$tmp/n3stat
# without sanitizers, which start slowly and take memory
plain_n3stat=${N3STAT_PLAIN:-$n3stat}
count=0
failed=0
skipped=0
: >"$tmp/out"
: >"$tmp/err"

# result STATUS NAME: one TAP line, with the last output below a failure
result()
{
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $count - $2"
	sed 's/^/# /' "$tmp/out" "$tmp/err" | head -n 40
}

# same NAME EXPECTED GOT
same()
{
	[ "$2" = "$3" ]
	result $? "$1"
	[ "$2" = "$3" ] || printf '%s, expected %s\n' "$3" "$2" | sed 's/^/# /'
}

skip()
{
	count=$((count + 1))
	skipped=$((skipped + 1))
	echo "ok $count - $1 # SKIP $2"
}

# within SECONDS WHAT COMMAND...: waits until it succeeds; reports a timeout
within()
{
	tries=$((10 * $1)) awaited=$2
	shift 2
	until "$@"; do
		if [ $((tries -= 1)) -le 0 ]; then
			echo "# waited in vain for $awaited"
			return 1
		fi
		sleep 0.1
	done
}

# has_lines FILE REGEX [N]: a line of the file matches, or N do
has_lines()
{
	[ -e "$1" ] && [ "$(grep -Ec -- "$2" "$1")" -ge "${3:-1}" ]
}

# pack: a recording on stdout of lines on stdin
pack()
{
	"$PACK_RECORDING"
}

# text FILE: a recording as lines of text
text()
{
	"$shared/recording_read.py" "$1"
}

# snapshots FILE: number of snapshots in a recording so far
snapshots()
{
	text "$1" 2>/dev/null | grep -c '^end$'
}

has_snapshots()
{
	[ "$(snapshots "$1")" -ge "$2" ]
}

has_ended()
{
	! grep -q '^State:[[:space:]]*[^Z]' "/proc/$1/status" 2>/dev/null
}

# ends PID [STATUS]: waits for the end of a background process with this status (0)
ends()
{
	within 120 "the end of $({ tr '\0' ' ' <"/proc/$1/cmdline"; } 2>/dev/null)" has_ended "$1" ||
		kill -9 "$1"
	wait "$1" 2>/dev/null
	[ $? -eq "${2:-0}" ]
}

# is_held PID: stops it while it sleeps, i.e. not in the middle of reading
is_held()
{
	grep -q '^State:[[:space:]]*S' "/proc/$1/status" && read -r call _ <"/proc/$1/syscall" || return 1
	kill -STOP "$1"
	within 60 "SIGSTOP" grep -q '^State:[[:space:]]*T' "/proc/$1/status" &&
		read -r held _ <"/proc/$1/syscall" && [ "$call" = "$held" ] && return
	kill -CONT "$1"
	return 1
}

# holds PID: stops it between two rounds, until kill -CONT
holds()
{
	within 60 "process $1 to sleep between its rounds" is_held "$1"
}

run()
{
	"$n3stat" "$@" >"$tmp/out" 2>"$tmp/err"
}

# begins ARGUMENT...: the same in the background, as $pid
begins()
{
	# created now, as it may be read before that shell opens it
	: >"$tmp/out"
	"$n3stat" "$@" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
}

# stops: ends it by SIGTERM, with any status
stops()
{
	kill "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
}

# five_windows TREE RECORDING OPTION...: enough for a verdict
five_windows()
{
	from=$1 to=$2
	shift 2
	run -r "$from" record -q "$@" -o "$to" 0.01 5 && run report --diff "$to" "$to" &&
		! grep -q 'too few windows' "$tmp/out"
}

# records_five TREE RECORDING OPTION...: five windows of 1 ms that do not overlap, with the report
# of their difference in $tmp/out; again if a late snapshot made two of them overlap
records_five()
{
	within 60 "five windows that do not overlap" five_windows "$@"
}

# prints NAME ARGUMENT...: exit 0, nothing on stderr, stdout as given on stdin
prints()
{
	name=$1
	shift
	cat >"$tmp/expected"
	run "$@" && [ ! -s "$tmp/err" ] && cmp -s "$tmp/out" "$tmp/expected"
	result $? "$name"
}

# golden FILE NAME: the last output is golden/FILE, whole. The numbers in these files follow
# from the input in golden/ or in the test; do not copy them from the program.
golden()
{
	diff "$shared/golden/$1" "$tmp/out" >"$tmp/golden" 2>&1
	status=$?
	[ $status -eq 0 ] || cp "$tmp/golden" "$tmp/out"
	result $status "$2"
}

# refuses CODE "ID [REGEX]" NAME ARGUMENT...: that exit status and one error with that id, REGEX
# in its message; with --json the same error as an object on standard output
refuses()
{
	code=$1 id=${2%% *} regex=${2#"${2%% *}"} name=$3
	shift 3
	run "$@"
	[ $? -eq "$code" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && has_message "$id" "${regex# }" &&
		if [ -s "$tmp/out" ]; then
			is_json_error "$id" && has_word --json "$@"
		else
			! has_word --json "$@"
		fi
	result $? "$name"
}

# has_message ID [REGEX [N]]: one line, or N, of the last standard error
has_message()
{
	[ "$(grep -Ec -- "^n3stat[a-z ]*: .*${2:-}.*\[$1\]\$" "$tmp/err")" -eq "${3:-1}" ]
}

# is_json_error ID: the last output is that error alone
is_json_error()
{
	[ "$(wc -l <"$tmp/out")" -eq 1 ] &&
		grep -Eq "^\{\"error\":\{\"id\":\"$1\",\"message\":\".*\"\}\}\$" "$tmp/out"
}

# has_word WORD ARGUMENT...
has_word()
{
	word=$1
	shift
	for argument; do
		[ "$argument" != "$word" ] || return 0
	done
	return 1
}

# one_group TEXT: a tree of one CPU with TEXT (for printf) as its topdown_l1
one_group()
{
	rm -rf "$tmp/one"
	mkdir -p "$tmp/one/cpu0"
	# shellcheck disable=SC2059
	printf "$1" >"$tmp/one/cpu0/topdown_l1"
}

# made NAME ARGUMENT...: $made is a new tree by make_tree.py
made()
{
	made=$many/$1
	shift
	"$shared/make_tree.py" "$made" "$@" || exit 1
}

# set_values PLACE METRIC:VALUE...: metrics of the tree, with errors of 0, in its directory
set_values()
{
	directory=$1
	shift
	for pair; do
		value=${pair#*:}
		values="value=$value low=$value high=$value coverage=50.00 slices=50"
		values="$values estimate=$value estimate_low=$value estimate_high=$value"
		sed -i "s/^${pair%:*} .*/${pair%:*} $values/" "$directory/quality"/topdown_*
	done
}

# made_interval: a machine with four CPUs and short windows
made_interval()
{
	made interval --cpus 4 --seed 3
	echo 10 >"$made/window_ms"
}

# golden_tree: $made has the groups and values of golden/values.txt
golden_tree()
{
	made golden --cpus 2 --no-totals
	rm -r "$made/node0"
	sed -i 's/n3_sim/armv8_pmuv3_0/; s/^simulated 1/simulated 0/; s/^named 1/named 0/' "$made/spec"
	echo topdown_l1 topdown_frontend topdown_backend general >"$made/groups"
	awk -v made="$made" '
		BEGIN { split("cpu0 cpu1 system", place) }
		!/^#/ {
			for (i = 1; i <= 3; i++) {
				value = $(3 * i); half = $(3 * i + 1); estimate = $(3 * i + 2)
				printf "%s %.4f\n", $2, value >(made "/" place[i] "/" $1)
				printf "%s value=%.4f low=%.4f high=%.4f coverage=48.50 slices=48 estimate=%.4f " \
					"estimate_low=%.4f estimate_high=%.4f\n", $2, value, value - half, value + half,
					estimate, estimate - half / 2, estimate + half / 2 >(made "/" place[i] "/quality/" $1)
			}
		}' "$shared/golden/values.txt" || exit 1
}

# matches REGEX NAME: a line of the last output matches
matches()
{
	grep -Eq -- "$1" "$tmp/out"
	result $? "$2"
}

# has_finding SEVERITY ID [REGEX]: in the last output, with REGEX in its message
has_finding()
{
	grep -E "^$1 .*${3:-}.*\[$2\]\$" "$tmp/out" >/dev/null
}

# lacks_finding ID
lacks_finding()
{
	[ -s "$tmp/out" ] && ! grep -q "\[$1\]\$" "$tmp/out"
}

# fix_of ID: the command that the last output proposes, if any
fix_of()
{
	grep -A 1 "\[$1\]\$" "$tmp/out" | sed -n '2s/^ *try: //p'
}

# spans FROM TO FILE [FROM TO FILE]...: the page's document in a browser with this span, in
# $tmp/dom1, the next one in $tmp/dom2, and so on
spans()
{
	left=$#
	while [ $left -gt 0 ]; do
		set -- "$@" "$3" "n3stat.choose(about.places[about.main], $1, $2)"
		shift 3
		left=$((left - 3))
	done
	rm -f "$tmp"/dom[1-9]
	"$shared/browser.py" "$@" >"$tmp/doms" &&
		awk -v dom="$tmp/dom" 'BEGIN { RS = "\f\n" } { print >(dom NR) }' "$tmp/doms"
}

# stub_machine: $box is a machine with four N3, their SPE and the module, for stubbed
stub_machine()
{
	box=$tmp/stub
	gcc -Wall -Wextra -shared -fPIC -o "$tmp/refuse.so" "$shared/refuse.c" || exit 1
	made stub-module --cpus 4 --spe
	spe_pmu=$box/sys/bus/event_source/devices/arm_spe_0
	mkdir -p "$box/sys/kernel" "$box/proc/self/ns" "$box/proc/sys/kernel" "$spe_pmu/format" \
		"$spe_pmu/caps"
	cp -r "$made" "$box/sys/kernel/n3_telemetry"
	for cpu in 0 1 2 3; do
		mkdir -p "$box/sys/devices/system/cpu/cpu$cpu/regs/identification"
		echo 0x00000000410fd8e1 >"$box/sys/devices/system/cpu/cpu$cpu/regs/identification/midr_el1"
	done
	echo 0-3 | tee "$box/sys/devices/system/cpu/online" >"$spe_pmu/cpumask"
	echo 9 >"$spe_pmu/type"
	for bit in 0:ts_enable 1:pa_enable 2:pct_enable 16:jitter 32:branch_filter 33:load_filter \
		34:store_filter; do
		echo "config:${bit%:*}" >"$spe_pmu/format/${bit#*:}"
	done
	echo config1:0-63 >"$spe_pmu/format/event_filter"
	echo config2:0-11 >"$spe_pmu/format/min_latency"
	# where n3stat looks for its commands
	ln -s "$(readlink -f "$plain_n3stat")" "$box/proc/self/exe"
}

# stubbed ERRNO ARGUMENT...: n3stat on that machine, with this error of perf, or none if 0
stubbed()
{
	error=$1
	shift
	STUB_ROOT=$box STUB_ERROR=$error LD_PRELOAD=$tmp/refuse.so "$plain_n3stat" "$@" \
		>"$tmp/out" 2>"$tmp/err"
}
