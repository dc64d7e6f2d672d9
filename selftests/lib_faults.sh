# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Allocations that fail. To be sourced behind lib.sh and lib_load.sh. Wants a kernel with
# fault injection, best with KASAN, lockdep and kmemleak as well:
# selftests/qemu/debug.config.

FAULTS=/sys/kernel/debug
LEAKS=/sys/kernel/debug/kmemleak

[ -e $FAULTS/failslab ] && [ -e /proc/self/fail-nth ] || skip_all "no fault injection"
[ -e "$MODULES/n3_telemetry.ko" ] || skip_all "wants the modules' folder in MODULES"

faults_begin() {
	[ ! -e $LEAKS ] || echo clear > $LEAKS
	for kind in failslab fail_page_alloc; do
		echo N > $FAULTS/$kind/ignore-gfp-wait
		echo 0 > $FAULTS/$kind/verbose
	done
	echo N > $FAULTS/fail_page_alloc/ignore-gfp-highmem
	echo 0 > $FAULTS/fail_page_alloc/min-order
}

# each_fails WHAT STEP ARGUMENT... - fail_nth from one of the first STEP allocations on;
# it must have come to the last one
each_fails() {
	what=$1 step=$2
	shift 2
	"$HERE/fail_nth" -b $((1 + SEED % step)) -s "$step" "$@" > "$tmp/out" 2>&1 &&
		grep -q 'the last' "$tmp/out"
	rc=$?
	sed "s/^/# $what: /" "$tmp/out"
	verdict $rc "$what"
}

# no_trace - three checks at the end
no_trace() {
	check "n3_sim unloads" unload n3_sim
	# vmalloc() that gets nothing shows who called it
	same "no complaint" "" "$(complaints | grep -v 'Call trace')"
	if [ -e $LEAKS ]; then
		sleep 6
		echo scan > $LEAKS
		sleep 1
		echo scan > $LEAKS
		same "nothing leaks" "" "$(cat $LEAKS)"
	else
		pass "nothing leaks # SKIP no kmemleak"
	fi
}
