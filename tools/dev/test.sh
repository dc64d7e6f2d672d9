#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# test.sh - all tests, with a line for each finished part, and the verdict.
#
# RUN_MINUTES= and PART_MINUTES= change the limits: see supervise.sh, tally.sh.

# shellcheck source=../../selftests/qemu/lib.sh
. "$(dirname "$0")/../../selftests/qemu/lib.sh"
# shellcheck source=../../selftests/qemu/tally.sh
. "$QEMU_DIR/tally.sh"
# continuous integration allows 90
supervised 85 "$BUILD/test" "$@"
cd "$TOP"

# Tests that run on this machine. Most have one process, so several sequences run at a time; a long
# test at the end would leave a CPU idle.
sources() {
	report supervise "$QEMU_DIR/supervise_test.sh"
	report check tools/dev/check.sh
	report user make --no-print-directory -j"$JOBS" -C selftests/user run
}

make_tools=(make --no-print-directory -j"$JOBS" -C tools O="$BUILD/tools")

# programs FOLDER... - tests of these programs
programs() {
	local folder

	for folder; do
		report "tools, $folder" "${make_tools[@]}" TESTS="$folder" check
	done
}

readers() {
	programs n3stat n3top n3rec
}

others() {
	programs n3exporter n3check boot tests
	report spe make --no-print-directory -j"$JOBS" -C tools/spe O="$BUILD/tools/spe" check
}

# emulated machines, some of which sleep at times
emulated() {
	report demo "$QEMU_DIR/demo.sh"
	step kunit "$QEMU_DIR/kunit.sh"
	step kselftests "$QEMU_DIR/kselftest.sh" "debug,$STOCK_LIST"
}

# from Debian's archive; nothing if it is cached
downloads() {
	local kernel

	for kernel in "${STOCK[@]}"; do
		build "download: kernel $kernel" "$QEMU_DIR/stock.sh" "$kernel"
	done
	build "download: perf and busybox" "$QEMU_DIR/rootfs.sh"
	build "download: source of QEMU" "$QEMU_DIR/n3/qemu.sh" --source
}

# build steps that tests would otherwise wait for, likewise
builds() {
	build "debug kernel" "$QEMU_DIR/kernel.sh" debug
	build "QEMU with a PMU that counts" "$QEMU_DIR/n3/qemu.sh"
}

echo "ROTATION=$ROTATION repeats which kernels the tests in rotation run on"
downloads &
builds &
build tools make --no-print-directory -j"$JOBS" tools
build "programs for tests" "${make_tools[@]}" test-programs
sources &
readers &
others &
emulated &
wait
