#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# cpuN/spe if the CPUs have no SPE, as in a virtual machine: it reports that, no register is
# read that would trap, an offline CPU is reported as such, and a read interrupts no other
# CPU.
# machine: turns
# timeout: 300

. "$(dirname "$0")/../lib/lib.sh"

[ "$(online | wc -l)" -ge 2 ] || skip_all "one CPU only"

plan 8

# absent REASON - the whole file of a CPU of which no register of SPE was read
absent() {
	echo usable no
	echo "reason $1"
	for key in version min_interval max_record records counter_bits format alternate_clock \
		filters features align buffer_flags external_abort; do
		echo "$key none"
	done
	[ "$1" = offline ] && echo pmsver none || echo pmsver 0
	echo pmsidr none
	echo pmbidr none
}

# calls CPU - number of function calls requested by other CPUs
calls() {
	awk -v field="$(($1 + 2))" '/Function call interrupts/ { print $field }' /proc/interrupts
}

check "n3_telemetry loads" load n3_telemetry
for cpu in 0 1; do
	same "cpu$cpu/spe reports a Neoverse N3 with hidden SPE" "$(absent guest)" \
		"$(cat $N3T/cpu$cpu/spe)"
done
same "cpu0/spe has the mode and owner of status" "$(stat -c '%a %u %g' $N3T/cpu0/status)" \
	"$(stat -c '%a %u %g' $N3T/cpu0/spe)"
same "neither system nor node0 has a file spe" "" "$(ls $N3T/system/spe $N3T/node0/spe 2>/dev/null)"

before=$(calls 1)
# one process: starting others makes CPUs call each other
# shellcheck disable=SC2016 # another shell expands it
taskset -c 0 sh -c 'i=0; while [ $((i += 1)) -le 200 ]; do read -r line < "$1"; done' \
	- $N3T/cpu1/spe
within "200 reads of cpu1/spe on CPU 0 interrupt CPU 1 less than 100 times" 0 \
	$(($(calls 1) - before)) 99

echo 0 > $CPU_DEVICES/cpu1/online
same "spe of an offline CPU reports offline" "$(absent offline)" "$(cat $N3T/cpu1/spe)"
echo 1 > $CPU_DEVICES/cpu1/online
same "back online, spe is the same as before" "$(absent guest)" "$(cat $N3T/cpu1/spe)"
unload n3_telemetry
