# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Failing allocations. To be sourced after lib.sh. Needs a kernel with fault
# injection, best with KASAN, lockdep and kmemleak as well: selftests/qemu/debug.config.

. "$(dirname "$0")/../lib/load.sh"
. "$(dirname "$0")/../lib/perf.sh"

FAULTS=/sys/kernel/debug
LEAKS=/sys/kernel/debug/kmemleak

[ -e $FAULTS/failslab ] && [ -e /proc/self/fail-nth ] || skip_all "no fault injection"
[ -e "$MODULES/n3_telemetry.ko" ] || skip_all "MODULES is not the modules' directory"

faults_start() {
	[ ! -e $LEAKS ] || echo clear > $LEAKS
	for kind in failslab fail_page_alloc; do
		echo N > $FAULTS/$kind/ignore-gfp-wait
		echo 0 > $FAULTS/$kind/verbose
	done
	echo N > $FAULTS/fail_page_alloc/ignore-gfp-highmem
	echo 0 > $FAULTS/fail_page_alloc/min-order
}

# each_fails NAME STEP ARGUMENT... - fail_nth, starting with one of the first STEP
# allocations; it must have reached the last one
each_fails() {
	what=$1 step=$2
	shift 2
	"$LIB/fail_nth" -b $((1 + SEED % step)) -s "$step" "$@" > "$tmp/out" 2>&1 &&
		grep -q 'the last' "$tmp/out"
	rc=$?
	sed "s/^/# $what: /" "$tmp/out"
	verdict $rc "$what"
}

# a failed vmalloc() logs its call trace
WARNINGS=$(echo "$WARNINGS" | sed 's/|Call trace//')

# no_trace - two checks after everything else
no_trace() {
	check "n3_sim unloads" unload n3_sim
	if [ -e $LEAKS ]; then
		sleep 6
		echo scan > $LEAKS
		sleep 1
		echo scan > $LEAKS
		same "kmemleak finds no leaked memory" "" "$(cat $LEAKS)"
	else
		pass "kmemleak finds no leaked memory # SKIP no kmemleak"
	fi
}
