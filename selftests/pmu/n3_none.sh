#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# With the cycle counter only, as in some guests, loading fails with ENODEV: no metric can
# be computed. The kernel log and n3stat doctor report a PMU without counters, not one whose
# counters are in use. perf counts cycles. n3stat selftest tests only these, reports no event as
# dead, takes a bounded time, and its report does not name the machine.
# machine: n3-none

. "$(dirname "$0")/../lib/n3.sh"
. "$(dirname "$0")/../lib/load.sh"
. "$(dirname "$0")/../lib/perf.sh"

plan 12

check "the kernel's driver has only the cycle counter" \
	sh -c "dmesg | grep -E 'armv8_pmuv3.* PMU driver, 1 .*counters? available'"
stat_lines -C 0 -e cycles sleep 0.2
within "perf counts cycles" 1000000 "$(of_event cycles 2)" 1000000000000
remember
refused "no programmable counter" "No such device" "has no programmable counter"
finds 7 error no_programmable_counter '' "larger guest"

hostname secret-name
start=$(uptime_ms)
n3stat selftest -o "$tmp/report.json" > "$tmp/shown" 2>&1
same "n3stat selftest exits with 1, as nothing was tested" 1 $?
sed 's/^/# /' "$tmp/shown" | head -n 20
within "n3stat selftest takes no longer than announced, in ms" 0 $(($(uptime_ms) - start)) 60000
check "n3stat selftest finds no counter" grep -q '"cpu":0,.*"counters":0,' "$tmp/report.json"
check "cycles count, all events that a counter can count are not tested" \
	grep -q '"counts":1,"does_not_count":0,"nothing_moves":3,"not_tested":220,' "$tmp/report.json"
check "the report has the revision" grep -q '"midr":"0x410fd8e0"' "$tmp/report.json"
check "the report does not have the name of the machine" \
	sh -c "! grep -q secret-name '$tmp/report.json'"
