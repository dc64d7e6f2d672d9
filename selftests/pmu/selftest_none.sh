#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# n3stat selftest on a PMU with only the cycle counter: only cycles are tested, and no event
# is reported as dead. Its duration is bounded, and its report does not name the machine.
# machine: n3-none

. "$(dirname "$0")/../lib/lib.sh"

plan 6

hostname secret-name
start=$(awk '{ print int($1) }' /proc/uptime)
n3stat selftest -o "$tmp/report.json" > "$tmp/shown" 2>&1
same "n3stat selftest exits with 1, as nothing was tested" 1 $?
sed 's/^/# /' "$tmp/shown" | head -n 20
within "n3stat selftest takes no longer than announced" \
	0 $(($(awk '{ print int($1) }' /proc/uptime) - start)) 60
check "n3stat selftest finds no counter" grep -q '"cpu":0,.*"counters":0,' "$tmp/report.json"
check "cycles count, all events that a counter can count are not tested" \
	grep -q '"counts":1,"does_not_count":0,"nothing_moves":3,"not_tested":220,' "$tmp/report.json"
check "the report has the revision" grep -q '"midr":"0x410fd8e0"' "$tmp/report.json"
check "the report does not have the name of the machine" \
	sh -c "! grep -q secret-name '$tmp/report.json'"
