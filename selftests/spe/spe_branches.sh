#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Sampled branches of the emulated SPE if they are the guest's own: in a loop with one
# branch, this branch has its target, was taken, and the last taken branch before it was
# itself.
# machine: spe-real
# on: test-long
# timeout: 900

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/spe.sh"

LENGTH=13	# instructions of spe_loop, the last of which is the branch
PERIOD=1024

plan 7

load_driver
perf_spe "ts_enable=1,period=$PERIOD/u" -- taskset -c 2 "$HERE/spe_loop" 1000000
start=$("$HERE/spe_loop" 1)
"$AUX" list "$DATA" > "$tmp/list"
branch=$(printf %x $((0x$start + 4 * (LENGTH - 1))))
of_branch() {
	awk -v pc="$branch" -v key="$1" '$2 == pc { print $key }' "$tmp/list" | sort | uniq -c
}
n=$(awk -v pc="$branch" '$2 == pc' "$tmp/list" | wc -l)
diag "loop at $start, branch at $branch: $n samples of it"
within "one sample in $LENGTH is of the branch" $((1000000 / PERIOD - 30)) "$n" \
	$((1000000 / PERIOD + 30))
same "each sample of it is a branch" "$n 2" "$(of_branch 6 | sed 's/^ *//')"
same "each goes to the start of the loop" "$n $start" "$(of_branch 7 | sed 's/^ *//')"
# after an interrupt it is one of the kernel's
kernel=$(of_branch 8 | awk '$2 ~ /^ffff/ { n += $1 } END { print n + 0 }')
within "the previous taken branch is the kernel's in few samples" 0 "$kernel" $((n / 100))
same "in all others it went there as well" "$((n - kernel)) $start" \
	"$(of_branch 8 | awk '$2 !~ /^ffff/ { print $1, $2 }')"
same "no other instruction of the loop is a branch" '' \
	"$(awk -v pc="$branch" '$6 == 2 { print $2 }' "$tmp/list" | grep "^${start%??}" |
		grep -v "$branch")"
awk '$6 == 2 && $2 !~ /^ffff/ { n++; bad += $7 == "0" || $8 == "0" }
	END { exit !(n > 70 && bad < 2) }' \
	"$tmp/list"
verdict $? "every branch of user space has both targets"
