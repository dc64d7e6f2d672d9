#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Hypervisor that hides a dozen events, which are accepted and read 0: metrics that need
# none of them are right; spec, the kernel log and n3stat doctor report the hidden events
# that PMCEID covers.
# machine: n3-hidden
# timeout: 240

. "$(dirname "$0")/../lib/n3.sh"
. "$(dirname "$0")/../lib/load.sh"
. "$(dirname "$0")/../lib/perf.sh"

plan 7

# common_events - events on stdin that PMCEID covers
common_events() {
	awk 'FNR == NR { wanted[$1]; next } $2 in wanted && $1 ~ /^0x[04]0[0-3]/ { print $2 }' - \
		"$SPEC/events.tsv"
}
missing() { sed -n 's/^pmceid_missing //p' $N3T/spec | tr ' ' '\n' | sort; }

lines=$(dmesg | wc -l)
check "n3_telemetry loads" load n3_telemetry
hidden_events > "$tmp/hidden"
same "a dozen events are hidden" 12 "$(wc -l < "$tmp/hidden")"
# shellcheck disable=SC2046 # one argument an event
check "perf counts 0 of each hidden event" reads_zero $(cat "$tmp/hidden")
same "spec names the hidden events that PMCEID covers" "$(common_events < "$tmp/hidden" | sort)" \
	"$(missing)"
check "the kernel log has the number of hidden events" sh -c "dmesg | tail -n +$lines |
	grep ' hides $(missing | wc -l) events of the Neoverse N3'"
awake
next_window
diag "not compared: $(hidden_metrics)"
diag "$(cat $N3T/cpu0/topdown_l1 $N3T/cpu0/l2_cache_effectiveness)"
check "metrics that need no hidden event match the rates" \
	compare_all "skip=$(hidden_metrics)" pass=inconsistent
# each of these may make values inconsistent
if grep -qE '^(STALL_SLOT(_FRONTEND|_BACKEND)?|OP_SPEC)$' "$tmp/hidden" &&
	grep -q ' inconsistent$' $N3T/cpu[0-9]*/topdown_l1; then
	finds 7 note events_hidden " $(missing | wc -l) events" "n3stat selftest"
else
	finds 0 note events_hidden " $(missing | wc -l) events" "n3stat selftest"
fi
