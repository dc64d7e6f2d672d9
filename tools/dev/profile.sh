#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# profile.sh [KERNEL [FILE [SETTING]]] - kernel instructions by function: for a slice, for a
# read of FILE below /sys/kernel/n3_telemetry, such as cpu0/topdown_l1, or of a slice due to
# SETTING, such as replicates=1. QEMU counts them exactly, on one CPU whose time is counted
# in instructions, in two runs: with many and with few slices, with and without reads
# of the file or the setting. The difference is divided by the number of additional slices or
# reads, or of slices with the setting. Functions that share a name are added up.
#
# profile.sh KERNEL switch SETTINGS - of a context switch between two tasks, due to the settings.
#
# profile.sh KERNEL load - of loading and unloading the module on 64 CPUs with simulated PMUs, which
# QEMU executes in turns.

# shellcheck source=../../selftests/qemu/lib.sh
. "$(dirname "$0")/../../selftests/qemu/lib.sh"

kernel=${1:-6.1} file=${2:-} setting=${3:-}
READS=200
SWITCHES=100000
export LC_ALL=C
MACHINE=icount
ticks=nohz=off
SLICE_MS=4

out=$BUILD/profile
mkdir -p "$out"
cc -O2 -Wall -shared -fPIC -o "$out/plugin.so" "$TOP/tools/dev/profile_plugin.c"
"$QEMU_DIR/modules.sh" "$kernel" > "$out/modules.log" 2>&1 || die "see $out/modules.log"
guest_programs lib/spin kernel/reread

# run NAME ARGUMENT... - boots once; leaves $out/NAME/{blocks,results/...}
run() {
	local name=$1
	shift

	"$QEMU_DIR/run.sh" -k "$kernel" -m "$MACHINE" -a "nokaslr $ticks" -o "$out/$name" \
		-q "-plugin $out/plugin.so,out=$out/$name.blocks" profile "$@" \
		> "$out/$name.log" 2>&1 ||
		die "$(grep -m 1 '^/task: ' "$out/$name.log" || true) (see $out/$name.log)"
}

# by_function NAME - "INSTRUCTIONS FUNCTION" of that run
by_function() {
	sort "$out/$1.blocks" | awk '{ print $1, "b", $2 * $3 }' |
		sort -k 1,2 - <(awk '$2 ~ /[tTwW]/ { print $1, "a", $3 }' \
			"$out/$1/results/kallsyms") |
		awk '$2 == "a" { at = $3; next } { sum[at] += $3 }
			END { for (at in sum) print sum[at], at }'
}

if [ "$file" = load ]; then
	MACHINE=big ticks=
	run without load 2
	run with load 22
	times=20 what="loading and unloading on 64 CPUs"
elif [ "$file" = switch ]; then
	run without switch $SWITCHES
	run with switch $SWITCHES "$setting"
	times=$(cat "$out/with/results/switches")
	what="a context switch due to $setting"
elif [ -n "$file" ]; then
	run without $SLICE_MS "$file" 0
	run with $SLICE_MS "$file" $READS
	times=$READS what="a read of $file"
elif [ -n "$setting" ]; then
	run without $SLICE_MS
	run with $SLICE_MS status 0 "$setting"
	times=$(cat "$out/with/results/slices")
	what="a slice due to $setting"
else
	run without 1000
	run with $SLICE_MS
	times=$(($(cat "$out/with/results/slices") - $(cat "$out/without/results/slices")))
	what="a slice"
fi
[ "$times" -gt 0 ] || die "nothing was measured: see $out/with.log"
by_function without > "$out/without.functions"
by_function with > "$out/with.functions"
echo "Instructions of $what (the mean of $times), on $kernel"
awk -v times="$times" '
FNR == NR { before[$2] = $1; next }
{ print ($1 - before[$2]) / times, $2; delete before[$2] }
END { for (name in before) print -before[name] / times, name }' \
	"$out/without.functions" "$out/with.functions" |
	sort -k 1,1 -g -r | awk '
	{ all += $1 }
	$1 >= 0.5 || $1 <= -0.5 { lines[++n] = sprintf("%8.0f  %s", $1, $2) }
	END { printf "%8.0f  in total\n", all; for (i = 1; i <= n; i++) print lines[i] }'
