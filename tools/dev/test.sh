#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# test.sh - every test there is. A line for each part that has ended, and the verdict.
#
# RUN_MINUTES= and PART_MINUTES= are other limits: see supervise.sh, tally.sh.

# shellcheck source=../../selftests/qemu/lib.sh
. "$(dirname "$0")/../../selftests/qemu/lib.sh"
# shellcheck source=../../selftests/qemu/tally.sh
. "$QEMU_DIR/tally.sh"
# continuous integration takes 90
supervised 85 "$BUILD/test" "$@"
cd "$TOP"

# what runs on this machine, and the emulated ones, which leave it idle at times
here() {
	report supervise "$QEMU_DIR/supervise_test.sh"
	report check tools/dev/check.sh
	report user make --no-print-directory -j"$JOBS" -C selftests/user run
	report spe make --no-print-directory -C tools/spe O="$BUILD/tools" check
	report n3stat make --no-print-directory -j"$JOBS" -C tools/n3stat O="$BUILD/tools" check
}

emulated() {
	report demo "$QEMU_DIR/demo.sh"
	step kunit "$QEMU_DIR/kunit.sh"
	report spe_profile "$QEMU_DIR/spe_profile.sh"
	step kselftests "$QEMU_DIR/kselftest.sh" "debug,$STOCK_LIST"
}

# from Debian's archive; nothing when it is in the cache
downloads() {
	local kernel

	for kernel in "${STOCK[@]}"; do
		build "download: kernel $kernel" "$QEMU_DIR/stock.sh" "$kernel"
	done
	build "download: perf and busybox" "$QEMU_DIR/rootfs.sh"
	build "download: source of QEMU" "$QEMU_DIR/n3/qemu.sh" --source
}

# what tests wait for otherwise, likewise
builds() {
	build "debug kernel" "$QEMU_DIR/kernel.sh" debug
	build "QEMU with a PMU that counts" "$QEMU_DIR/n3/qemu.sh"
}

echo "ROTATION=$ROTATION repeats which kernels the tests in rotation run on"
downloads &
builds &
build tools make --no-print-directory -j"$JOBS" tools
here &
emulated &
wait
