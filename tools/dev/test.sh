#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# test.sh - every test there is, and a verdict as the last line.

# shellcheck source=../../selftests/qemu/lib.sh
. "$(dirname "$0")/../../selftests/qemu/lib.sh"
cd "$TOP"

logs=$BUILD/test
rm -rf "$logs"
mkdir -p "$logs"
export TALLY=$logs/tally TALLY_SHARED=1
# shellcheck source=../../selftests/qemu/tally.sh
. "$QEMU_DIR/tally.sh"

# step NAME COMMAND... - runs something that keeps the tally by itself
step() {
	local name=$1
	shift

	"$@" </dev/null || {
		echo "$name stops"
		echo "0 1 0 $name" >> "$TALLY"
	}
}

# what runs on this machine, and the emulated ones, which leave it idle at times
here() {
	report check tools/dev/check.sh
	report user make --no-print-directory -C selftests/user run
	report spe make --no-print-directory -C tools/spe O="$BUILD/tools" check
	report n3stat make --no-print-directory -C tools/n3stat O="$BUILD/tools" check
}

emulated() {
	report demo "$QEMU_DIR/demo.sh"
	step kunit "$QEMU_DIR/kunit.sh"
	report spe_profile "$QEMU_DIR/spe_profile.sh"
	step kselftests "$QEMU_DIR/kselftest.sh" "debug,$STOCK_LIST"
}

echo "ROTATION=$ROTATION repeats which kernels the tests in rotation run on"
step tools make --no-print-directory -j"$JOBS" tools > "$logs/tools"
export BESIDE=$logs/beside
touch "$BESIDE"
{
	here
	rm "$BESIDE"
} &
emulated &
wait

rc=0
tally_end | tee "$logs/verdict" || rc=1
exit $rc
