#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# test-long.sh - the long versions of the tests that have one, with output as in test.sh.
# Limited to MINUTES (120): parts that have not ended by then have failed.

# shellcheck source=../../selftests/qemu/lib.sh
. "$(dirname "$0")/../../selftests/qemu/lib.sh"
export LONG=1
# shellcheck source=../../selftests/qemu/tally.sh
. "$QEMU_DIR/tally.sh"
export PART_MINUTES=${PART_MINUTES:-${MINUTES:-120}}
supervised "${MINUTES:-120}" "$BUILD/test-long" "$@"
cd "$TOP"

# Kernels with checkers, which are slow, and all others.
with_checkers() {
	step "faults and stress, debug" "$QEMU_DIR/kselftest.sh" debug faults_load.sh faults.sh \
		stress.sh containers_stress.sh
	LONG='' step "many CPUs and NMIs, debug" "$QEMU_DIR/kselftest.sh" debug many_cpus.sh nmi.sh
	LONG='' step races "$QEMU_DIR/kselftest.sh" kcsan stress.sh many_cpus.sh
}

# Debian's other flavours, and one with pages of 64 KB: a sysfs file is limited to one page.
other_kernels() {
	local kernel

	for kernel in 6.1-rt 6.1-cloud 6.12-rt 6.12-16k; do
		LONG='' step "Debian's $kernel" "$QEMU_DIR/kselftest.sh" "$kernel" load_errors.sh \
			n3_metrics.sh core.sh settings.sh groups.sh n3stat.sh
	done
	LONG='' step "PREEMPT_RT" "$QEMU_DIR/kselftest.sh" 6.1-rt,6.12-rt starved.sh \
		containers.sh containers_stress.sh
	step "KUnit, pages of 64 KB" "$QEMU_DIR/kunit.sh" 64k
	LONG='' step "pages of 64 KB" "$QEMU_DIR/kselftest.sh" 64k settings.sh groups.sh \
		n3_metrics.sh anchors.sh n3stat.sh aliases.sh
}

fuzz() {
	report "fuzz, seed $1" make --no-print-directory -C tools \
		O="$BUILD/tools" COUNT=200000 MOMENTS=5000000 SEED="$1" fuzz-long
}

fuzz_spe() {
	report "fuzz of SPE, seed $1" make --no-print-directory -C tools/spe \
		O="$BUILD/tools/spe" COUNT=5000000 SEED="$1" fuzz-long
}

without() {
	local kernel=${STOCK[ROTATION % ${#STOCK[@]}]}

	report check tools/dev/check.sh long
	report user make --no-print-directory -C selftests/user run
	report tools make --no-print-directory -C tools O="$BUILD/tools" check
	report packages tools/dev/deb_test.sh
	report spe make --no-print-directory -j"$JOBS" -C tools/spe O="$BUILD/tools/spe" check
	report demo-fleet "$QEMU_DIR/demo_fleet_test.py"
	report spe_profile selftests/spe/qemu/spe_profile.sh
	report "demo beside busy loops" "$QEMU_DIR/demo.sh" 3 4
	step values "$QEMU_DIR/kselftest.sh" "$kernel" contention_pmu.sh contention.sh \
		hogged.sh verdicts.sh fuzz.sh stress.sh n3_trap.sh totals.sh containers_truth.sh \
		containers_stress.sh
	LONG='' step "rare machines" "$QEMU_DIR/kselftest.sh" "$kernel" budgets.sh n3_few.sh \
		n3_listed.sh n3_idle_wait.sh secure_boot.sh load_no_pmu.sh spe_unusable.sh \
		silicon_machines.sh containers_perf.sh
	step "64 CPUs" "$QEMU_DIR/kselftest.sh" "$kernel" scale.sh exporter.sh
	LONG='' step "slow tests" "$QEMU_DIR/kselftest.sh" "$STOCK_LIST" many_cpus.sh distrust.sh \
		spe_branches.sh spe_filters.sh spe_events.sh two_pmus.sh kvm_host.sh \
		selftest_cpus.sh selftest_apply.sh selftest_boot.sh
	LONG='' step "recordings of SPE" "$QEMU_DIR/kselftest.sh" "$STOCK_LIST" spe_record.sh \
		spe_record_command.sh
	report "hidden events" "$QEMU_DIR/hidden.sh" "$kernel"
	report "cost of replicates" "$QEMU_DIR/replicates_cost.sh" "$kernel"
	report "cost of containers" "$QEMU_DIR/containers_cost.sh" "$kernel"
	report "samples in the documentation" "$QEMU_DIR/samples.sh"
	other_kernels
	LONG='' step "what make test leaves out" "$QEMU_DIR/kselftest.sh" "$STOCK_LIST" rest
	fuzz 1 &
	fuzz 2 &
	wait
	fuzz_spe 1 &
	fuzz_spe 25000001 &
	wait
}

echo "ROTATION=$ROTATION repeats which kernel the long versions run on"
build tools make --no-print-directory -j"$JOBS" tools
build fuzzers make --no-print-directory -j"$JOBS" -C tools O="$BUILD/tools" \
	"$BUILD/tools/tests/fuzz"
build "fuzzers of SPE" make --no-print-directory -j"$JOBS" -C tools/spe O="$BUILD/tools/spe" \
	"$BUILD/tools/spe/tests/fuzz" "$BUILD/tools/spe/tests/fuzz_lines"
build "kcsan kernel" "$QEMU_DIR/kernel.sh" kcsan
with_checkers &
without &
wait
