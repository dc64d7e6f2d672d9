#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# n3stat selftest on a PMU with the cycle counter alone: nothing but cycles is tested, and
# nothing is called dead. It bounds its time, and tells no name of the machine.
# machine: n3-none
# on: rotation

. "$(dirname "$0")/lib.sh"

plan 6

hostname secret-name
start=$(awk '{ print int($1) }' /proc/uptime)
n3stat selftest -o "$tmp/report.json" > "$tmp/shown" 2>&1
same "n3stat selftest exits with 1, as nothing was tested" 1 $?
sed 's/^/# /' "$tmp/shown" | head -n 20
within "it takes no longer than it says" 0 $(($(awk '{ print int($1) }' /proc/uptime) - start)) 60
check "no counter is seen" grep -q '^CPU 0: .*, 0 counters$' "$tmp/shown"
check "cycles count, all others are not tested but what no counter can count" \
	grep -q '^  1 count, 0 do not, nothing here moves 3, 220 not tested$' "$tmp/shown"
check "the report has the revision" grep -q '"midr":"0x410fd8e0"' "$tmp/report.json"
check "the report does not have the name of the machine" \
	sh -c "! grep -q secret-name '$tmp/report.json'"
