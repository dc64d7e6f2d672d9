#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Filters of the emulated SPE, each through the driver's terms: exactly the samples that
# should pass are written, and perf has each of them.
# machine: spe
# on: test-long
# timeout: 900
# shellcheck disable=SC2086 # lists of words

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/spe.sh"

FILTERS='branch_filter=1 load_filter=1 store_filter=1 load_filter=1,store_filter=1
event_filter=2 event_filter=0x80 event_filter=0x2a min_latency=100 min_latency=0xfff
load_filter=1,event_filter=8,min_latency=50'

load_driver
set -- $FILTERS
plan $((3 * $# + 3))

for filter; do
	clear_logs
	perf_spe "ts_enable=1,period=4096,$filter/" -C 1 "$WORK" 2000000 1 || cat "$tmp/perf.log"
	# spe_log's names of the filters
	words=$(echo "$filter" | sed 's/_filter=1\b//g; s/_filter=/=/g; y/,/ /')
	"$LOG" check 1 $words > "$tmp/check"
	verdict $? "$filter: exactly the matching samples pass"
	sed 's/^/# /' "$tmp/check"
	[ "$(word "$tmp/check" passed)" -gt 5 ] && [ "$(fate 1 filtered)" -gt 5 ]
	verdict $? "$filter: some pass, some do not"
	same_records "$filter: perf has the samples that pass" 1
done

if [ -e "$SPE/format/inv_event_filter" ]; then
	clear_logs
	busy 1
	"$HERE/spe_overrun" 1 50000 3 60 0x28 > "$tmp/kept1" 2> "$tmp/said1"
	idle_again
	"$LOG" check 1 inv_event=0x28 > "$tmp/check"
	verdict $? "inverse event filter: exactly the matching samples pass"
	sed 's/^/# /' "$tmp/said1" "$tmp/check"
	[ "$(word "$tmp/check" passed)" -gt 5 ] && [ "$(fate 1 filtered)" -gt 5 ]
	verdict $? "inverse event filter: some pass, some do not"
	check "inverse event filter: the samples that pass are read" all_read 1
else
	for what in 1 2 3; do pass "inverse event filter $what # SKIP none in this kernel"; done
fi
