#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The search for free counters takes none from others. It requests one too many, which
# starts perf's multiplexing timer; the timer gives the counter of another event to the
# waiting one. Sampling of CPU 0 is enabled from CPU 1, so that time passes between request
# and check, and the timer has its shortest period: a search that mistakes the timer's
# effect for a free counter is wrong about every tenth time.

. "$(dirname "$0")/../lib/lib.sh"

TIMES=100

plan 4

check "n3_telemetry loads with cpus=0" load n3_telemetry enable=0 cpus=0
yields=$(word $N3T/cpu0/status yields)

period=$(echo $PMUS/armv8_pmuv3*/perf_event_mux_interval_ms)
before=$(cat "$period")
cleanup() { echo "$before" > "$period"; }
echo 1 > "$period"
same "perf's multiplexing timer gets a period of 1 ms" 1 "$(cat "$period")"

cat > "$tmp/enable" <<-END
	for _ in \$(seq $TIMES); do
		echo 1 > $N3T/enable
		grep '^budget ' $N3T/cpu0/status
		echo 0 > $N3T/enable
	done
END
# perf has its counter before it runs its command
perf stat -x , -o "$tmp/perf" -C 0 -e r8 taskset -c 1 sh "$tmp/enable" > "$tmp/budgets"
same "perf holds 1 of 6 counters: CPU 0 gets 5, $TIMES times" "$TIMES budget 5" \
	"$(sort "$tmp/budgets" | uniq -c | sed 's/^ *//')"
same "perf holds 1 of 6 counters: CPU 0 does not yield the others, $TIMES times" \
	"${yields:-a number}" "$(word $N3T/cpu0/status yields)"
