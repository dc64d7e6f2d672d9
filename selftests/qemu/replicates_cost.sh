#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# replicates_cost.sh [KERNEL] - instructions of the sampler that the setting "replicates"
# adds to a slice of Topdown_L1, which is every other one, as tools/dev/profile.sh counts
# them. TAP.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

kernel=${1:-6.1}
LIMIT=80
out=$BUILD/profile

echo 1..2
"$TOP/tools/dev/profile.sh" "$kernel" '' replicates=1
sampled=$(cat "$out/without/results/slices")
slices=$(cat "$out/with/results/slices")
# the same but for a slice at either end
[ "$slices" -gt 500 ] && [ $((slices - sampled)) -le 2 ] && [ $((sampled - slices)) -le 2 ] ||
	echo -n 'not '
echo "ok 1 - $slices slices with the setting, $sampled without"
# whichever of the sampler's functions contain it
cost=$(awk -v slices="$slices" -v sampled="$sampled" '
$2 ~ /^(write_slice|change_set|n3t_replicates_order)$/ {
	sum += FNR == NR ? -$1 / sampled : $1 / slices
}
END { printf "%.0f", 2 * sum }' "$out/without.functions" "$out/with.functions")
[ "$cost" -ge $((LIMIT / 2)) ] && [ "$cost" -le $LIMIT ] || echo -n 'not '
echo "ok 2 - replicates take at most $LIMIT instructions a slice of Topdown_L1 ($cost)"
