#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Totals of metrics whose counts cannot be right are withdrawn, however late the fault begins
# and although nothing reads: their keys are absent, also in sums with other CPUs, until 1 is
# written to enable. INST_RETIRED stays at 0 on CPU 0, on CPU 1 STALL_SLOT is not the sum of its
# parts, on CPU 2 operations and stalls are a fifth short of all slots. CPU 3 has one bad window.
# The hour after which metrics return is in judge_kunit.c, and here with LONG=1.
# machine: turns
# timeout: 300

. "$(dirname "$0")/../lib/sim.sh"

LONG=${LONG:+2}

[ "$(online | wc -l)" -eq 4 ] || skip_all "needs four CPUs"

plan $((26 + ${LONG:-0}))

# with_rate CPU EVENT SHARE - the random rates of the CPU, with SHARE per cycle added to that of
# the event, or with an absolute one that begins with =
with_rate() {
	awk -v event="$2" -v share="$3" '
	NR == FNR { rate[$1] = $2; next }
	$1 == event { $2 = sprintf("%.0f", share ~ /^=/ ? substr(share, 2) * rate["CPU_CYCLES"] :
				   $2 + share * rate["CPU_CYCLES"]) }
	{ print }' "$tmp/rates.$1" "$tmp/rates.$1" > "$tmp/changed"
	put_file "$SIM/cpu$1/rates" "$tmp/changed"
}

# faults - of three CPUs
faults() {
	with_rate 0 INST_RETIRED =0
	# random rates of its parts are at most 2
	with_rate 1 STALL_SLOT =4
	with_rate 2 OP_SPEC -1
}

# healthy CPU...
healthy() {
	for cpu; do
		put_file "$SIM/cpu$cpu/rates" "$tmp/rates.$cpu"
	done
}

# nr_keys FILE... - number of keys
nr_keys() { (cd $N3T && cat "$@") | wc -l; }

# key KEY - in the status of each CPU
key() { for cpu in 0 1 2 3; do word "$N3T/cpu$cpu/status" "$1"; done | xargs; }

# read_totals - until it is killed
read_totals() {
	while :; do
		cat $N3T/cpu?/counters/* $N3T/system/counters/* > /dev/null
		sleep 0.1
	done
}

# metrics that need an event
nr_with() { awk -F '\t' -v event="$1" '!/^#/ && $3 ~ event' "$SPEC/metrics.tsv" | wc -l; }
retired=$(nr_with INST_RETIRED) stalls=$(nr_with STALL_SLOT)
all=$((retired + 2 * stalls))

begin_sim ''
awake 0 1 2 3
sleep 10
same "ten healthy seconds withdraw nothing" "0 0 0 0" "$(key withdrawn)"

same "n3_sim accepts wrong rates" "" "$(faults)"
with_rate 3 INST_RETIRED =0
# one window, in which at most one window that is judged lies
sleep 2
healthy 3
sleep 4
same "topdown_l1 has the word on CPUs 1 and 2" "0 4 4 0" \
	"$(for cpu in 0 1 2 3; do grep -c inconsistent $N3T/cpu$cpu/topdown_l1; done | xargs)"
healthy 0 1 2
same "3 windows withdraw $retired metrics with INST_RETIRED, $stalls with STALL_SLOT, one none" \
	"$retired $stalls $stalls 0" "$(key withdrawn)"
same "each of them is counted" "$retired $stalls $stalls 0" "$(key withdrawals)"
same "status of the system has the sums" "$((retired + stalls)) $all" \
	"$(word $N3T/system/status withdrawn) $(word $N3T/system/status withdrawals)"
same "status names the first and when" "backend_bound yes" \
	"$(word $N3T/cpu1/status withdrawn_metric) $(awk -v now="$(uptime_ms)" '
	$1 == "withdrawn_ns" { print ($2 / 1e6 > now - 6000 && $2 / 1e6 < now + 20 ? "yes" : "no") }' \
		$N3T/cpu1/status)"
# whole windows of the fault have exactly a fifth
within "slots_error of CPU 2 is 20 %" 199900 \
	"$(word $N3T/cpu2/status slots_error | awk '{ print int($1 * 10000) }')" 200100
within "slots_error of CPU 3 is 0" 0 \
	"$(word $N3T/cpu3/status slots_error | awk '{ print int($1 * 10000) }')" 10
same "general is empty on CPU 0 and the system, and has two keys on CPU 3" "0 0 2" \
	"$(for place in cpu0 system cpu3; do nr_keys $place/counters/general; done | xargs)"
same "topdown_l1 is empty on CPUs 1 and 2 and the system, and has seven keys on CPU 0" "0 0 0 7" \
	"$(for place in cpu1 cpu2 system cpu0; do nr_keys $place/counters/topdown_l1; done | xargs)"
next_window
next_window
same "metrics stay withdrawn when the counts are right" "$retired $stalls $stalls 0" \
	"$(key withdrawn)"
same "the values are back" "0 0 0 0" \
	"$(for cpu in 0 1 2 3; do grep -c inconsistent $N3T/cpu$cpu/topdown_l1; done | xargs)"
put $N3T/enable 1
same "nothing is withdrawn after 1 was written to enable" "0 0 0 0" "$(key withdrawn)"
same "nor in the system" 0 "$(word $N3T/system/status withdrawn)"
same "withdrawals are not reset" "$retired $stalls $stalls 0" "$(key withdrawals)"
sleep 4
same "the system has the keys of both groups again" "2 7" \
	"$(nr_keys system/counters/general) $(nr_keys system/counters/topdown_l1)"

# comes and goes, while totals are read
read_totals &
reader=$!
for _ in 1 2; do
	faults
	sleep 6
	healthy 0 1 2
	sleep 3
done
kill $reader
same "a fault that comes and goes withdraws once more" \
	"$((2 * retired)) $((2 * stalls)) $((2 * stalls)) 0" "$(key withdrawals)"
same "the metrics stay withdrawn" "$retired $stalls $stalls 0" "$(key withdrawn)"
if [ -n "$LONG" ]; then
	put $N3T/slice_ms 1000
	sleep 3580
	same "metrics stay withdrawn for an hour" "$retired $stalls $stalls 0" "$(key withdrawn)"
	sleep 30
	same "and return then" "0 0 0 0" "$(key withdrawn)"
fi

# a fault from the beginning; the first ten windows decide whether slots add up
put $N3T/enable 1
faults
sleep 20
# CPU 0 does not count what it must, so nothing is compared there
same "CPUs 1 and 2 have never had the right slots" "undecided violated violated held" \
	"$(key slots_identity)"
same "totals are withdrawn" "$retired $stalls $stalls 0" "$(key withdrawn)"
same "the log has that once" 1 "$(dmesg | grep -c "OP_SPEC and STALL_SLOT")"

# runs that end before a window has passed
healthy 0 1 2 3
put $N3T/enable 1
faults
for ms in 8 4 8 4 8 4; do
	sleep 0.8
	put $N3T/slice_ms $ms
done
same "runs shorter than a window are judged, too" "$retired $stalls $stalls 0" "$(key withdrawn)"
