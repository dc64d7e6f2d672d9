#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# test-long.sh - the long versions of the tests that have one, and a verdict as the
# last line. Takes what MINUTES says (40) at most: what has not ended by then has
# failed.

# shellcheck source=../../selftests/qemu/lib.sh
. "$(dirname "$0")/../../selftests/qemu/lib.sh"
cd "$TOP"

export LONG=1
logs=$BUILD/test-long
rm -rf "$logs"
mkdir -p "$logs"
export TALLY=$logs/tally TALLY_SHARED=1
# shellcheck source=../../selftests/qemu/tally.sh
. "$QEMU_DIR/tally.sh"

end=$(($(date +%s) + ${MINUTES:-40} * 60))

# step NAME COMMAND... - for as long as there is time
step() {
	local name=$1 left=$((end - $(date +%s)))
	shift

	[ "$left" -gt 0 ] || left=1
	timeout "$left" "$@" </dev/null || {
		echo "$name stops"
		echo "0 1 0 $name" >> "$TALLY"
	}
}

# Machines whose CPUs run at the same time, and those whose CPUs run in turns: no two
# of a kind at once.
by_the_clock() {
	step faults "$QEMU_DIR/kselftest.sh" debug faults.sh
	step stress "$QEMU_DIR/kselftest.sh" 6.1 stress.sh
	step "stress, debug" "$QEMU_DIR/kselftest.sh" debug stress.sh
	LONG='' step races "$QEMU_DIR/kselftest.sh" kcsan stress.sh hotplug.sh
}

by_instructions() {
	local values="neighbour.sh verdicts.sh quality.sh who.sh n3stat.sh"

	report user make --no-print-directory -C selftests/user run
	step neighbours "$QEMU_DIR/kselftest.sh" 6.1 neighbour_pmu.sh
	# shellcheck disable=SC2086 # a list of names
	step values "$QEMU_DIR/kselftest.sh" 6.1 $values fuzz.sh
	# shellcheck disable=SC2086
	step "values, 6.12" "$QEMU_DIR/kselftest.sh" 6.12 $values groups.sh nodes.sh \
		budgets.sh neighbour_cut.sh
}

step tools make --no-print-directory tools > "$logs/tools"
"$QEMU_DIR/kernel.sh" kcsan > /dev/null
by_the_clock &
by_instructions &
wait

rc=0
tally_end | tee "$logs/verdict" || rc=1
exit $rc
