#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kselftest.sh TEST... - runs kselftests, given with their folders, one after another, and
# keeps the output (TAP) and exit status of each in /results.

cd /selftests || exit 1
# a test may inherit this elsewhere: lib.sh sets its own
umask 077
export LC_ALL=de_DE.UTF-8 TZ=NPT-5:45
for path; do
	t=${path##*/}
	limit=$(sed -n 's/^# timeout: //p' "$path")
	limit=${limit:-300}
	timeout -s KILL "$limit" "./$path" > "/results/$t.tap" 2>&1 </dev/null
	rc=$?
	[ $rc -ne 137 ] || echo "# killed: not finished within $limit s" >> "/results/$t.tap"
	if grep '^n3_' /proc/modules > /left; then
		sed 's/^/# left loaded: /' /left >> "/results/$t.tap"
		rc=1
	fi
	echo "$rc" > "/results/$t.rc"
	read -r up _ < /proc/uptime
	echo "# $t: exit $rc, $(grep -c '^ok' "/results/$t.tap") ok," \
		"$(grep -c '^not ok' "/results/$t.tap") not ok, at $up s"
	send "$t.tap" "$t.rc"
	# a test that died must not affect the next one
	rmmod n3_telemetry 2>/dev/null
	rmmod n3_sim 2>/dev/null
done
# Leaks are reported in the kernel log, which the host searches. Young objects are ignored.
leaks=/sys/kernel/debug/kmemleak
if [ -e $leaks ]; then
	sleep 6
	echo scan > $leaks
	echo scan > $leaks
	cat $leaks > /dev/kmsg
fi
exit 0
