#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# n3stat, the arm64 build, on the module itself: it shows the values of the files, all commands have
# the same answer, and it reports the problem if the module is not loaded. Everything else is tested
# natively.
# machine: turns
# timeout: 240

. "$(dirname "$0")/../lib/sim.sh"

plan 36

check "without the module n3stat exits with 3" exits_with 3 n3stat
check "without the module n3stat doctor exits with 7" exits_with 7 n3stat doctor
check "without the module n3stat doctor reports Neoverse N3 CPUs" \
	grep -q '^ok .*\[n3_cpus\]$' "$tmp/shown"
check "without the module n3stat list exits with 0" exits_with 0 n3stat list
check "without the module n3stat explain exits with 0" \
	exits_with 0 n3stat explain backend_mem_bound

check "n3_sim loads" load n3_sim
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim

# explains STATUS TEXT COMMAND... - whether it exits with this status and prints the text
explains() {
	status=$1 text=$2
	shift 2
	exits_with "$status" "$@" && grep -q "$text" "$tmp/shown" && return
	cat "$tmp/shown"
	return 1
}
AS=$LIB/as_user
# CAP_SYS_ADMIN and CAP_PERFMON of linux/capability.h
check "n3stat of an ordinary user exits with 6 and names root" \
	explains 6 '\[permission_denied\]$' "$AS" 1000 1000 n3stat
check "n3stat of root without capabilities exits with 6 and names CAP_PERFMON" \
	explains 6 '\[capability_missing\]$' "$AS" -c 21,38 n3stat
check "n3stat doctor of an ordinary user exits with 7 and finds CAP_PERFMON" \
	explains 7 '^error .*\[no_cap_perfmon\]$' "$AS" 1000 1000 n3stat doctor
check "n3stat doctor of root without capabilities exits with 7 and finds CAP_PERFMON" \
	explains 7 '^error .*\[no_cap_perfmon\]$' "$AS" -c 21,38 n3stat doctor
for uid in 0 1000; do
	check "n3stat of root of user $uid's namespace exits with 6 and names the initial one" \
		explains 6 '\[user_namespace\]$' "$AS" -n $uid n3stat
	check "n3stat doctor of root of user $uid's namespace exits with 7 and finds what denies access" \
		explains 7 '^error .*\[no_cap_perfmon\]$' "$AS" -n $uid n3stat doctor
	check "n3stat doctor of root of user $uid's namespace names the initial one" \
		explains 7 '^note .*\[user_namespace\]$' "$AS" -n $uid n3stat doctor
done
check "n3stat selftest of root without capabilities exits with 6 and names CAP_PERFMON" \
	explains 6 '\[capability_missing\]$' "$AS" -c 21,38 n3stat selftest
check "n3stat of a user with CAP_PERFMON exits with 0" exits_with 0 "$AS" -a 1000:38 n3stat
check "n3stat selftest --apply of uid 0 without CAP_SYS_ADMIN exits with 6 before it tests" \
	explains 6 'distrust: .*CAP_SYS_ADMIN.*\[capability_missing\]$' \
	"$AS" -c 21 n3stat selftest --apply
check "n3stat selftest of root of a user namespace exits with 6 and names the initial one" \
	explains 6 '\[user_namespace\]$' "$AS" -n 0 n3stat selftest

cpu=0
for scenario in backend_memory_bound frontend_bound bad_speculation retiring; do
	[ ! -d "$N3T/cpu$cpu" ] || set_scenario $cpu $scenario
	cpu=$((cpu + 1))
done
awake
next_window

# Scenarios have constant rates, so values do not depend on when they are read.
shows_files() {
	n3stat --per cpu -g topdown_l1 --values > "$tmp/shown" || return 1
	for n in $(online); do
		# shellcheck disable=SC2046 # a word for each value
		set -- $(sed 's/.* //' "$N3T/cpu$n/topdown_l1")
		awk -v cpu="$n" -v a="$1" -v b="$2" -v c="$3" -v d="$4" '
			function far(x, y) { return x - y > 0.1 || y - x > 0.1 }
			NR > 2 && $1 == cpu {
				found = !far($2, a) && !far($3, b) && !far($4, c) && !far($5, d)
			}
			END { exit !found }' "$tmp/shown" || return 1
	done
}
check "n3stat shows topdown_l1 of every CPU as its file has it" shows_files

# The answer at level 1: the areas of the scenarios are far apart. Below it a slow machine may have
# too few slices at one moment and enough at the next. Both are products of the same estimates,
# read at different times.
same_area() {
	for n in $(online); do
		said="$(n3stat bottleneck "cpu$n" | sed -n 's/^area \([^ ]* [^ ]*\).*/\1/p') \
$(n3stat tree --cpu "$n" | sed -n 's/^\([a-z_]*\) ~*\([0-9]*\)%.*/\1 \2/p')"
		echo "cpu$n: $said"
		echo "$said" | awk '{
			exit NF != 4 || $1 != $3 || $2 - $4 > 2 || $4 - $2 > 2
		}' || return 1
	done
}
check "n3stat tree and n3stat bottleneck name the same area, with its share" wait_until same_area

# Whole records of every CPU, as cp reads them.
copy_is_usable() {
	rm -rf "$tmp/copy"
	cp -r $N3T "$tmp/copy" || return 1
	for n in $(online); do
		size=$(wc -c < "$tmp/copy/cpu$n/moments")
		area=$(ends_of area -r "$tmp/copy" "cpu$n")
		echo "cpu$n: $size bytes, $area"
		[ $((size % 4096)) -eq 0 ] && [ "$size" -gt 4096 ] && [ -n "$area" ] &&
			[ "$area" = "$(ends_of area "cpu$n")" ] || return 1
	done
}
check "a copy of the directory by cp -r has the answer of every CPU" copy_is_usable

# bytes_at OFFSET SIZE - what one read() of moments returns, or EINVAL
bytes_at() {
	dd if=$N3T/cpu0/moments bs="$2" count=1 skip="$1" iflag=skip_bytes 2> "$tmp/dd" | wc -c |
		xargs
	grep -o 'Invalid argument' "$tmp/dd"
}
same "a read of moments returns one record" 4096 "$(bytes_at 4096 65536)"
same "nothing follows the last record" 0 "$(bytes_at 1048576 4096)"
same "other offsets: EINVAL" "0 Invalid argument" "$(bytes_at 2048 4096 | xargs)"
same "shorter buffers: EINVAL" "0 Invalid argument" "$(bytes_at 0 4095 | xargs)"

metrics() {
	n3stat --json -g all --per system | grep -o '"value":' | wc -l
}
# mixes - whether a row covers all of an interval in which CPU 0 gets another scenario, and not
# only the window at its end, by when this scenario is all that counts
mixes() {
	was=$(awk '$1 == "backend_bound" { print $2 }' "$tmp/expected.0")
	n3stat --csv -C 0 -m backend_bound 8 2 > "$tmp/rows" &
	pid=$!
	wait_until grep -q ',cpu0,' "$tmp/rows"
	sleep 3
	set_scenario 0 retiring
	wait $pid || return 1
	is=$(awk '$1 == "backend_bound" { print $2 }' "$tmp/expected.0")
	cat "$N3T/cpu0/topdown_l1" > "$tmp/window"
	cat "$tmp/rows" "$tmp/window"
	set_scenario 0 backend_memory_bound
	awk -F '[ ,]' -v was="$was" -v is="$is" '
		function between(low, x, high) { return low < x && x < high }
		NR == 2 { first = $3 " " $4 }
		NR == 3 { row = $3; of_window = $4 }
		$1 == "backend_bound" { window = $2 }
		END {
			exit !(between(is - 1, window, is + 1) && of_window == "" &&
			       first ~ /backend_bound/ && was - is > 40 &&
			       between(is + 5, row, was - 5))
		}' "$tmp/rows" "$tmp/window"
}
check "n3stat INTERVAL shows the mean of the interval, not of its last window" mixes

within "n3stat --json -g all --per system has all metrics" 90 "$(metrics)" 200
check "n3stat record exits with 0" n3stat record -q -o "$tmp/rec" 0.5 3

# instructions COMMAND... - executed, in user space and in the kernel
instructions() {
	perf stat -x , -o "$tmp/perf" -e instructions "$@" > /dev/null
	awk -F , '$3 == "instructions" { print $1 + 0 }' "$tmp/perf"
}

# opening a file is expensive with checkers
slower=1
! slow_kernel || slower=5
# Of 1 and of 6 snapshots: the difference excludes the start.
few=$(instructions n3stat record -q -o "$tmp/short" 0.5 1)
many=$(instructions n3stat record -q -o "$tmp/short" 0.5 6)
within "a recorded snapshot costs at most $((5 * slower)) million instructions for each CPU" 1 \
	$(((${many:-0} - ${few:-0}) / 5000000 / $(online | wc -l))) $((5 * slower))
once=$(instructions n3stat -g topdown_l1)
within "n3stat -g topdown_l1 costs at most $((4 * slower)) million instructions" 1 \
	$((${once:-0} / 1000000)) $((4 * slower))
diag "instructions: 1 snapshot $few, 6 snapshots $many, a group once $once"

check "n3stat report exits with 0" n3stat report -o "$tmp/page" "$tmp/rec"
check "the page of n3stat report is complete up to </html>" grep -q '</html>' "$tmp/page"
check "with the module loaded n3stat doctor exits with 0" exits_with 0 n3stat doctor
