#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# As n3_hidden.sh, but PMCEID claims that the hidden events are implemented: only counting
# reveals them. Metrics that need none of them are right.
# machine: n3-listed
# on: test-long
# timeout: 240

. "$(dirname "$0")/../lib/n3.sh"
. "$(dirname "$0")/../lib/perf.sh"

plan 4

check "n3_telemetry loads" load n3_telemetry
# shellcheck disable=SC2046 # one argument an event
check "perf counts 0 of each of the hidden events" reads_zero $(hidden_events)
same "spec names no hidden event" "pmceid_missing none" "$(grep ^pmceid_missing $N3T/spec)"
awake
next_window
check "metrics that need no hidden event match the rates" \
	compare_all "skip=$(hidden_metrics)" pass=inconsistent
