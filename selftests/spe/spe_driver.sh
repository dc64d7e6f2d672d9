#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The stock driver on the emulated N3 with SPE: it probes, its sysfs files match PMSIDR_EL1,
# and perf samples with it on every CPU.
# machine: spe
# timeout: 900

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/spe.sh"

plan 12

cap() { cat "$SPE/caps/$1" 2>/dev/null; }

load_driver
pass "the driver loads"
same "the driver covers all CPUs" "$(cat /sys/devices/system/cpu/online)" "$(cat "$SPE/cpumask")"
same "the minimum interval is 1024 operations" 1024 "$(cap min_interval)"
same "counters have 12 bits" 12 "$(cap count_size)"
same "no architecturally known instruction" 0 "$(cap arch_inst)"
same "no separate counter for random intervals" 0 "$(cap ernd)"
for term in load_filter store_filter branch_filter event_filter min_latency ts_enable; do
	[ -e "$SPE/format/$term" ] || break
done
[ -e "$SPE/format/$term" ]
verdict $? "every filter has a term"

clear_logs
# shellcheck disable=SC2046 # one argument a CPU
perf_spe ts_enable=1,period=20000/ -a "$WORK" 1000000 $(online)
verdict $? "perf record samples all CPUs"
sampled=0
for cpu in $(online); do
	[ "$("$AUX" list "$DATA" "$cpu" | grep -vc ^bad)" -lt 20 ] || sampled=$((sampled + 1))
done
same "every CPU has records" "$(online | wc -l)" "$sampled"
! "$AUX" list "$DATA" | grep -q ^bad
verdict $? "each record has the documented format"

# its command starts when it samples, and ends when the second user is done
perf record -q -o "$tmp/first" -e arm_spe_0/period=200000/ -C 1 \
	sh -c "echo > '$tmp/samples'; until [ -e '$tmp/enough' ]; do sleep 0.1; done" \
	> /dev/null 2>&1 &
first=$!
wait_until [ -e "$tmp/samples" ]
! perf_spe period=200000/ -C 1 sleep 1 && grep -qi 'busy' "$tmp/perf.log"
verdict $? "a second user of a CPU is refused as busy"
sed 's/^/# /' "$tmp/perf.log"
echo > "$tmp/enough"
wait "$first"
verdict $? "the first user is not disturbed"
