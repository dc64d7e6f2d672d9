#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# CPUs and users of n3stat selftest: not isolated or nohz_full CPUs unless they are named,
# not offline ones, and only root. If others hold the counters it soon gives up, and reports
# no verdict on events.
# machine: n3
# on: test-long
# timeout: 240

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/perf.sh"

plan 17

cleanup() {
	umount $CPU_DEVICES/isolated
	umount $CPU_DEVICES/nohz_full 2> /dev/null
}

# the kernel isolates any CPU except the boot CPU
echo 0 > "$tmp/isolated"
mount --bind "$tmp/isolated" $CPU_DEVICES/isolated
same "CPU 0 is isolated" 0 "$(cat $CPU_DEVICES/isolated)"
# random rates match no real machine: identities fail
check "n3stat selftest completes" exits_with 7 n3stat selftest
check "n3stat selftest reports its duration and memory" has_id selftest_started
same "n3stat selftest uses the first CPU that is not isolated" \
	"CPU 1" "$(grep -o '^CPU [0-9]*' "$tmp/shown")"
check "n3stat selftest -C 0 completes" exits_with 7 n3stat selftest -C 0
same "n3stat selftest -C 0 uses the isolated CPU" "CPU 0" "$(grep -o '^CPU [0-9]*' "$tmp/shown")"
echo 0-3 > "$tmp/isolated"
check "n3stat selftest exits with 4 when all CPUs are isolated" exits_with 4 n3stat selftest
check "it names this reason" has_id no_cpu_left
echo 0 > "$tmp/isolated"
# CPU 0 is isolated
echo 1-2 > "$tmp/nohz_full"
mount --bind "$tmp/nohz_full" $CPU_DEVICES/nohz_full
check "n3stat selftest completes with nohz_full CPUs" exits_with 7 n3stat selftest
same "n3stat selftest uses the first CPU that is neither isolated nor nohz_full" "CPU 3" \
	"$(grep -o '^CPU [0-9]*' "$tmp/shown")"
umount $CPU_DEVICES/nohz_full
echo 0 > $CPU_DEVICES/cpu3/online
check "n3stat selftest -C 3 exits with 4 when CPU 3 is offline" exits_with 4 n3stat selftest -C 3
check "it names the offline CPU" has_id no_such_cpu
check "n3stat selftest exits with 6 for users other than root" \
	exits_with 6 "$LIB/as_user" 65534 65534 n3stat selftest

hold_counters -C 1
start=$(uptime_ms)
check "n3stat selftest exits with 1 when others hold all counters" \
	exits_with 1 n3stat selftest -C 1 -o "$tmp/held.json"
# it waits for ten seconds, and has 60 for all events
within "without counters it ends long before its time limit, in ms" \
	10000 $(($(uptime_ms) - start)) 50000
sed -n '/^CPU/,/identities/p' "$tmp/shown" | sed 's/^/# /'
check "without counters it reports no event as not counting" \
	grep -q '"counts":[0-9]*,"does_not_count":0,"nothing_moves":3,"not_tested":2[0-9]*,' \
	"$tmp/held.json"
check "without counters it reports the reason" grep -q '"enabled_ns":[1-9][0-9]*,"running_ns":0,' \
	"$tmp/held.json"
release_counters
