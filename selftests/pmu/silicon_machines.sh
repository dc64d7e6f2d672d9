#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# tools/dev/silicon.sh --minutes 2 on machines with several CPUs, two counters, registers that trap,
# no counter, or N2 cores: all values in its report are those of the rates, nothing fails but
# identities that these violate, and parts that a machine cannot run are "not run".
# machine: n3-turns n3-turns-2 n3-trap n3-none n3-n2
# on: test-long
# timeout: 900

. "$(dirname "$0")/../lib/n3.sh"
. "$(dirname "$0")/../lib/silicon.sh"

COMPARED=60 CORE='' LACKS=''
case $MACHINE in
n3-turns) LACKS='idle.residency' ;;
n3-turns-2)
	COMPARED=45
	LACKS='same_time.ipc coherence.topdown_l1 coherence.slots_error idle.residency'
	;;
n3-trap) LACKS='load_in_place.slice_ns idle.residency hotplug.transitions' ;;
n3-n2*) CORE='--core n2' LACKS='idle.residency' ;;
esac

if [ "$MACHINE" = n3-none ]; then
	plan 3
	silicon --minutes 2
	same "without a counter: a result, status 0" "not_run no_programmable_counter 0" \
		"$(state_of load_in_place.usable) $(result_of load_in_place.usable 3) $rc"
	same "nothing fails" "" "$(results_with fail)"
	check "the machine is as before" as_before
	exit
fi

plan 6
# shellcheck disable=SC2086 # one argument a word
silicon --minutes 2 $CORE
cp "$REPORT/report.json" "/results/silicon.$MACHINE.json"
check "metrics of the specification equal the rates, in turns with perf" turns_match $COMPARED
check "exactly those identities fail that the rates violate" identities_match
check "shares of stalls add up where the rates do" sums_match
same "nothing else fails" "" "$(other_failures)"
same "the parts that this machine lacks have not run, and no others" "$LACKS" \
	"$(results_with not_run | grep -vE '^(selftest|turns)\.' | xargs)"
check "the machine is as before" as_before
