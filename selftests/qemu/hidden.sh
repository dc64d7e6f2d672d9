#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# hidden.sh [KERNEL] - hides every event that metrics use once, in random disjoint subsets:
# each time selftest_apply.sh must find exactly these. Once more with none hidden. TAP;
# results are in build/hidden. SEED= repeats a run.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

kernel=${1:-6.1}
size=6
out=$BUILD/hidden
test=selftest_apply.sh
seed=${SEED:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}

# codes_of_metrics - of all events except CPU_CYCLES, in random order
codes_of_metrics() {
	awk -F '\t' -v seed="$1" '
	BEGIN { srand(seed) }
	!/^#/ && $7 != "-" && $2 != "CPU_CYCLES" { print rand(), $1 }' \
		"$TOP/selftests/spec/events.tsv" | sort -g | cut -d ' ' -f 2
}

mapfile -t codes < <(codes_of_metrics "$seed")
subsets=$(((${#codes[@]} + size - 1) / size))
echo "# SEED=$seed"
echo "1..$((subsets + 2))"
[ "${#codes[@]}" -eq 65 ] || echo -n 'not '
echo "ok 1 - metrics use 65 events besides CPU_CYCLES"

# run_hidden NUMBER OPTIONS - prints whether all checks of the test passed
run_hidden() {
	local number=$1 options=$2 dir=$out/$1 passed=''

	PMU_OPTIONS=$options "$QEMU_DIR/run.sh" -k "$kernel" -m n3 -t 720 -a "SEED=$seed" \
		-o "$dir" kselftest "$test" > "$dir.log" 2>&1 || passed='not '
	[ "$(cat "$dir/results/$test.rc" 2> /dev/null)" = 0 ] || passed='not '
	echo "${passed}ok $number - ${options:-nothing hidden}"
	[ -z "$passed" ] || sed 's/^/# /' "$dir/results/$test.tap" "$dir.log" | tail -n 60
}

guest_programs > /dev/null
"$QEMU_DIR/modules.sh" "$kernel" > /dev/null
rm -rf "$out"
mkdir -p "$out"
for ((i = 0; i < subsets; i++)); do
	subset=("${codes[@]:i * size:size}")
	listed=
	# hidden events may be listed as implemented
	[ $((i % 2)) -eq 0 ] || listed=,pmu-hidden-listed=on
	run_hidden $((i + 2)) "pmu-hidden=$(IFS=:; echo "${subset[*]}")$listed"
done
run_hidden $((subsets + 2)) ''
