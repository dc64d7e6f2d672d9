#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# n3stat spe record where samples collide, the buffer's pages are not mapped now and then,
# and a full buffer loses the record that filled it: it goes on, and says so. Not the last
# on 6.12, whose driver leaves SPE on then: interrupts without end, see spe-recording.rst.
# machine: spe
# on: rotation
# timeout: 900

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_spe.sh"

of_check() { awk -v key="$1" '$1 == key { print $2 }' "$tmp/check"; }

case $(uname -r) in
6.12.*) lose=0 ;;
*) lose=4 ;;
esac
plan $((lose ? 11 : 9))

# what lib_spe.sh does at the end, and no more faults
cleanup() {
	idle_again
	unload arm_spe_pmu
	"$LOG" set 1 collide=0 fault=0 lose=0
}

load_driver
clear_logs
"$LOG" set 1 collide=50 fault=700 lose=$lose
busy 1
# The machine's log holds 2^18 samples, and how many there are in a second depends on the
# host: a quarter of them is enough.
holds() { [ "$(stat -c %s "$FILE" 2> /dev/null || echo 0)" -ge "$1" ]; }
# as nohup starts it
(
	trap '' HUP
	exec n3stat spe record -o "$FILE" -C 1 --period 1500000 -m 64k
) > "$tmp/said" 2>&1 &
recorder=$!
wait_until holds 1
kill -HUP $recorder
wait_until holds $((1 << 16 << 6))
verdict $? "it goes on at a SIGHUP that was ignored when it started"
kill -INT $recorder
wait $recorder
verdict $? "the recording comes to its end"
sed 's/^/# /' "$tmp/said"
"$LOG" fates 1 | sed 's/^/# /'
within "samples collided" 1 "$(fate 1 collision)" 10000000
within "the driver's flag is counted" 1 "$(of_end collisions)" 10000000
grep -q 'collisions flagged in' "$tmp/said"
verdict $? "and the summary tells"
within "the buffer faulted more than once: sampling went on each time" 3 \
	"$(fate 1 lost_fault)" 1000000
within "each time is a lost window" "$(fate 1 lost_fault)" \
	$(($(of_end lost_stalled) + $(of_end lost_truncated))) 1000000
if [ "$lose" -gt 0 ]; then
	within "full buffers lost records" 1 "$(fate 1 lost_full)" 1000000
	within "the driver's flag for that is counted" 1 "$(of_end partial)" 1000000
fi
"$LOG" raw 1 | "$CHUNKS" check "$FILE" 1 > "$tmp/check"
same "every record that was written is there or in a lost window" "0 0" \
	"$(of_check invented) $(of_check unexplained)"
sed 's/^/# /' "$tmp/check"
# how many are lost depends on when the host lets the reader run
within "many of them are there" $((1 << 14)) "$(of_check kept)" "$(of_check written)"
