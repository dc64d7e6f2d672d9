#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Samples of the emulated SPE: every record written by the machine is in perf's file, byte
# for byte and in order, on all CPUs at once. The interval is exact: in a loop with a known
# number of instructions, each sample is at its expected place. Random intervals stay in
# bounds.
# machine: spe
# timeout: 900

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/spe.sh"

LENGTH=13	# of spe_loop
PERIOD=4096

plan 14

load_driver
clear_logs
# shellcheck disable=SC2046 # one argument a CPU
perf_spe "ts_enable=1,period=20000/" -a "$WORK" 2000000 $(online)
for cpu in $(online); do
	same_records "every record that CPU $cpu wrote is in perf's file" "$cpu"
done
same "no window was lost" 0 "$("$AUX" flags "$DATA" | awk '$1 == "truncated" { print $2 }')"
for cpu in $(online); do
	"$AUX" list "$DATA" "$cpu" | awk '$3 <= before { exit 1 } { before = $3 }' ||
		diag "CPU $cpu goes back in time"
done > "$tmp/back"
same "timestamps only increase" '' "$(cat "$tmp/back")"
same "a period of 20000 is 19968, 78 times 256, on each CPU" "19968 19968" \
	"$(for cpu in $(online); do "$LOG" interval "$cpu"; done | sort -u)"
"$AUX" list "$DATA" | awk '$1 == 0 && $2 ~ /^ffff/ || $1 == 1 && $2 !~ /^ffff/ { exit 1 }
	{ n[$1]++ } END { exit !(n[0] > 50 && n[1] > 5) }'
verdict $? "user space is at EL0, the kernel at EL1, and both are sampled"

clear_logs
perf_spe "period=$PERIOD,jitter=1/" -C 1 "$WORK" 1000000 1
within "jitter: no interval is shorter than the period" $PERIOD \
	"$("$LOG" interval 1 | cut -d ' ' -f 1)" $((PERIOD + 60))
within "jitter: no interval exceeds the period by more than 255" $((PERIOD + 195)) \
	"$("$LOG" interval 1 | cut -d ' ' -f 2)" $((PERIOD + 255))

# One task, interrupted by the kernel at arbitrary points: the machine counts only user
# space
clear_logs
perf_spe "ts_enable=1,period=$PERIOD/u" -- taskset -c 2 "$HERE/spe_loop" 4000000
start=$(taskset -c 2 "$HERE/spe_loop" 1)
"$AUX" list "$DATA" > "$tmp/list"
# busybox's awk knows 0x... as a number; the low bits of an address are enough
awk -v start="$start" -v length_="$LENGTH" -v period="$PERIOD" '
function low(pc) { return ("0x" substr(pc, length(pc) - 5)) + 0 }
function high(pc) { return substr(pc, 1, length(pc) - 6) }
function at(pc) { return (low(pc) - low(start)) / 4 }
{
	i = at($2)
	if (high($2) != high(start) || i < 0 || i >= length_) {
		before = -1
		next
	}
	inside++
	if (before >= 0 && inside > 1 && (i - before + length_) % length_ != period % length_)
		wrong++
	before = i
}
END { printf "%d %d\n", inside, wrong }' "$tmp/list" > "$tmp/loop"
read -r inside wrong < "$tmp/loop"
within "samples of the loop" $((4000000 * LENGTH / PERIOD - 2)) "$inside" \
	$((4000000 * LENGTH / PERIOD + 2))
same "each sample is one period after the previous one" 0 "$wrong"
same "no sample is of the kernel" 0 "$(grep -c '^1' "$tmp/list")"

clear_logs
perf_spe "period=512/" -C 1 "$WORK" 100000 1
case $(uname -r) in
6.*) least=1024 ;;
*) least=512 ;;
esac
same "a period below the minimum: the driver uses the minimum" "$least $least" \
	"$("$LOG" interval 1)"
