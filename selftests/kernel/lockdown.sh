#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Kernel lockdown for confidentiality while CPUs are sampled: open events keep counting, and
# no new ones can be opened. A CPU that has yielded its counters, or that comes online, is
# disabled and not tried again; sampling that was turned off cannot be turned on. An unsigned module
# is refused, as under Secure Boot.
#
# Lockdown cannot be undone: this is the last test on its machine.
# machine: isolated

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/load.sh"

SIM=/sys/kernel/debug/n3_sim

plan 14

security=/sys/kernel/security
[ -d $security ] || skip_all "this kernel cannot be locked down"
mount -t securityfs securityfs $security
cleanup() {
	exec 4>&-
	umount $security
}
[ -e $security/lockdown ] || skip_all "this kernel cannot be locked down"

check "n3_sim loads" load n3_sim
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
check "CPU 1 is sampled" wait_until cpu_is 1 sampling 6
# open files stay open
exec 4> $SIM/cpu0/taken
echo 6 >&4
check "CPU 0 has lost its counters" wait_until cpu_is 0 contended 0
echo confidentiality > $security/lockdown
check "the kernel is locked down" grep -F '[confidentiality]' $security/lockdown
echo 0 >&4
exec 4>&-
check "CPU 0 is disabled when its counters are free again" wait_until cpu_is 0 disabled 0
check "all values of CPU 0 are disabled" all_are disabled cpu0
check "CPU 1 is sampled as before" cpu_is 1 sampling 6
echo 0 > $CPU_DEVICES/cpu1/online
echo 1 > $CPU_DEVICES/cpu1/online
check "CPU 1 is disabled when it comes online again" cpu_is 1 disabled 0
within "the kernel log reports the restriction at most twice" \
	0 "$(dmesg | grep -c 'perf is restricted')" 2
put $N3T/enable 0
same "sampling cannot be turned on again" "Operation not permitted" \
	"$(put $N3T/enable 1 | sed 's/.*: //')"
unload n3_telemetry
same "an unsigned module is refused" "Operation not permitted" \
	"$(load n3_telemetry pmu=n3_sim 2>&1 | sed 's/.*: //')"
check "the kernel log has the reason" \
	sh -c 'dmesg | grep "unsigned module loading is restricted"'
mkdir -p "/lib/modules/$(uname -r)"
cp "$MODULES/n3_telemetry.ko" "/lib/modules/$(uname -r)/"
finds 7 error module_unsigned "n3_telemetry.ko is not signed" "sign-file"
