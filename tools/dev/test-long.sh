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

# what finds most goes first
step faults "$QEMU_DIR/kselftest.sh" debug faults.sh
step stock "$QEMU_DIR/kselftest.sh" 6.1 neighbour.sh neighbour_pmu.sh verdicts.sh \
	who.sh quality.sh n3stat.sh stress.sh fuzz.sh
step debug "$QEMU_DIR/kselftest.sh" debug stress.sh

rc=0
tally_end | tee "$logs/verdict" || rc=1
exit $rc
