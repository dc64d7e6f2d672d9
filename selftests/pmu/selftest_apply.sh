#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A PMU that accepts events and does not count them, as behind a hypervisor's filter: after
# n3stat selftest --apply no value that uses one of them is a number, and all others are
# right. n3_rates names these events; selftests/qemu/hidden.sh runs this with other ones.
# machine: n3-hidden
# on: test-long
# timeout: 300

. "$(dirname "$0")/../lib/n3.sh"
. "$(dirname "$0")/../lib/perf.sh"

plan 15

REPORT=/results/selftest.json

hidden=$(hidden_events | xargs)
diag "hidden: ${hidden:-none}"

# of_verdict VERDICT - distinct events with this verdict in the report
of_verdict() {
	tr '{' '\n' < $REPORT | sed -n "s/^\"name\":\"\\([A-Z0-9_]*\\)\".*\"verdict\":\"$1\".*/\\1/p" |
		xargs
}

check "n3_telemetry loads" load n3_telemetry
settings=$(cd $N3T && grep . -- * 2>/dev/null | grep -Ev '^(system|status|spec|version)')
awake

# random rates match no real machine: identities fail
check "n3stat selftest exits with 7 with the module loaded, as identities fail" \
	exits_with 7 n3stat selftest -o $REPORT
sed 's/^/# /' "$tmp/shown" | head -n 20
same "exactly the hidden events do not count" "$hidden" "$(of_verdict 'does not count')"
same "all other events count, except those that no counter can count" "CHAIN PMU_OVFS PMU_HOVFS " \
	"$(of_verdict 'nothing here moves it') $(of_verdict 'not tested')"
same "without --apply no setting is changed" "$settings" \
	"$(cd $N3T && grep . -- * 2>/dev/null | grep -Ev '^(system|status|spec|version)')"

check "n3stat selftest --apply exits with 7" exits_with 7 n3stat selftest --apply
sed -n '/^wrote/,$p' "$tmp/shown" | sed 's/^/# /'
same "distrust has exactly the hidden events" "${hidden:-none}" "$(cat $N3T/distrust)"
next_window
check "no value that uses a hidden event is a number, all others match the rates" \
	compare_all events="$(echo "$hidden" | tr ' ' '|')" word=unsupported

sed 's/"kernel":"/&another-/' $REPORT > "$tmp/another.json"
check "--apply of a report from another kernel fails" \
	exits_with 1 n3stat selftest -i "$tmp/another.json" --apply
check "it names the other kernel" has_id other_machine
sed 's/"guest":"/&another-/' $REPORT > "$tmp/another.json"
check "--apply of a report from another hypervisor fails" \
	exits_with 1 n3stat selftest -i "$tmp/another.json" --apply
check "it names the other hypervisor" has_id other_machine
echo 0 > $N3T/enable
hold_counters -a
check "n3stat selftest --apply fails when others hold all counters" \
	exits_with 1 n3stat selftest --apply
tail -n 2 "$tmp/shown" | sed 's/^/# /'
same "distrust still has exactly the hidden events" "${hidden:-none}" "$(cat $N3T/distrust)"
release_counters
echo 1 > $N3T/enable
echo "CPU_CYCLES ${hidden}" > $N3T/distrust
exits_with 7 n3stat selftest -i $REPORT --apply
same "--apply of the kept report removes events that count from distrust" \
	"${hidden:-none}" "$(cat $N3T/distrust)"
