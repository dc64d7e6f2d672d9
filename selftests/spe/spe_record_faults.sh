#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# n3stat spe record with colliding samples, with buffer pages that are occasionally not
# mapped, and with full buffers that lose the record that filled them: it continues and
# reports them. Not the last one on 6.12, whose driver then leaves SPE enabled: endless
# interrupts, see tools/spe/spe.rst.
# machine: spe
# timeout: 900

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/spe.sh"

of_check() { awk -v key="$1" '$1 == key { print $2 }' "$tmp/check"; }

case $(uname -r) in
6.12.*) lose=0 ;;
*) lose=4 ;;
esac
plan $((lose ? 11 : 9))

# as in lib/spe.sh, and removes the faults
cleanup() {
	idle_again
	unload arm_spe_pmu
	"$LOG" set 1 collide=0 fault=0 lose=0
}

load_driver
clear_logs
"$LOG" set 1 collide=50 fault=700 lose=$lose
busy 1
# The machine's log holds 2^18 samples, and the host determines their rate: a quarter of
# them is enough.
holds() { [ "$(stat -c %s "$FILE" 2> /dev/null || echo 0)" -ge "$1" ]; }
# as started by nohup
(
	trap '' HUP
	exec n3stat spe record -o "$FILE" -C 1 --period 1500000 --aux-size 64k
) > "$tmp/said" 2>&1 &
recorder=$!
wait_until holds 1
kill -HUP $recorder
wait_until holds $((1 << 16 << 6))
verdict $? "the recording continues after a SIGHUP that was ignored at its start"
kill -INT $recorder
wait $recorder
verdict $? "the recording completes"
sed 's/^/# /' "$tmp/said"
"$LOG" fates 1 | sed 's/^/# /'
within "samples collided" 1 "$(fate 1 collision)" 10000000
within "the driver's flag for collisions is counted" 1 "$(total collision)" 10000000
grep -q 'collisions flagged in' "$tmp/said"
verdict $? "the summary reports collisions"
within "the buffer faulted at least 3 times: sampling continued each time" 3 \
	"$(fate 1 lost_fault)" 1000000
within "each buffer fault is a lost window" "$(fate 1 lost_fault)" \
	$(($(total stalled) + $(total truncated))) 1000000
if [ "$lose" -gt 0 ]; then
	within "full buffers lost records" 1 "$(fate 1 lost_full)" 1000000
	within "the driver's flag for lost records is counted" 1 "$(total partial)" 1000000
fi
"$LOG" raw 1 | "$AUX" check "$FILE" 1 > "$tmp/check"
same "every written record is in the file or in a lost window" "0 0" \
	"$(of_check invented) $(of_check unexplained)"
sed 's/^/# /' "$tmp/check"
# the number of lost records depends on when the host schedules the reader
within "the file has many of the written records" \
	$((1 << 14)) "$(of_check kept)" "$(of_check written)"
