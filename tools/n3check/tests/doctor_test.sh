# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat doctor, on synthetic machines of a few files.

# shellcheck source=doctor_machine.sh
. "$here/doctor_machine.sh"

machine
run doctor --machine "$box" && ! grep -Eqv '^ok ' "$tmp/out"
result $? "doctor: finds nothing on a healthy machine"
has_finding ok n3_cpus '2 CPUs are ' && has_finding ok cpus_sampled '2 of 2 CPUs are '
result $? "doctor: the plural is used for two CPUs"
sed -i 's/^state .*/state offline/' "$sysfs/cpu1/status"
sed -i 's/^budget .*/budget 1/' "$sysfs/cpu0/status"
echo 1 >"$sysfs/reserved_counters"
mkdir -p "$box/proc/11/fd"
echo perf >"$box/proc/11/comm"
ln -s 'anon_inode:[perf_event]' "$box/proc/11/fd/3"
rm -r "$box/sys/devices/system/cpu/cpu1"
run doctor --machine "$box"
has_finding ok n3_cpus '1 CPU is a ' &&
	has_finding note counters_reserved '1 counter of each CPU is ' &&
	has_finding warning few_counters '1 CPU has .* 1 programmable counter\>' &&
	has_finding note cpus_offline '1 CPU is ' && has_finding ok cpus_sampled '1 of 2 CPUs is ' &&
	has_finding warning process_holds_events '11 \(perf\) .* 1 perf event '
result $? "doctor: the singular is used for one of everything"
golden doctor.txt "doctor: the whole output, with six findings"

machine
for cpu in 0 1; do
	echo 0x00000000411fd490 >"$box/sys/devices/system/cpu/cpu$cpu/regs/identification/midr_el1"
done
rm -rf "$sysfs"
finds 7 error no_n3_cpu '' 'make demo' "a machine without an N3"
rm -r "$box/sys/devices/system/cpu/"cpu*/regs
finds 7 error not_arm '' 'make demo' "CPUs other than Arm, and no module" module_not_installed
machine
rm -rf "$sysfs"
finds 7 error module_not_installed 6.1.0-test 'modules_install' "a module that is not installed"
rm "$box/proc/sys/kernel/osrelease"
finds 7 error module_not_installed '' 'modules_install' \
	"a module that is not installed where the kernel's version is unknown"
echo 6.1.0-test >"$box/proc/sys/kernel/osrelease"
echo x >"$box/lib/modules/6.1.0-test/updates/n3_telemetry.ko"
finds 7 error module_not_loaded '' '^systemctl restart n3-telemetry .*modprobe' \
	"a module that is not loaded"
mkdir -p "$box/var/log"
printf '[ 1.0] n3_telemetry: %s\n' 'loading out-of-tree module taints kernel.' \
	'CPU 0 has no PMU (ID_AA64DFR0_EL1)' 'module verification failed' >"$box/var/log/dmesg"
finds 7 note kernel_log 'n3_telemetry: CPU 0 has no PMU \(ID_AA64DFR0_EL1\)' '^$' \
	"the kernel log's message about a module that is not loaded"
mkdir -p "$box/sys/firmware/efi/efivars"
printf '\006\000\000\000\001' \
	>"$box/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
finds 7 error module_unsigned n3_telemetry.ko \
	'mokutil --import' "an unsigned module under Secure Boot"
printf 'x~Module signature appended~\n' >"$box/lib/modules/6.1.0-test/updates/n3_telemetry.ko"
lacks 7 "module_unsigned|key_not_enrolled" "a signed module is not reported as unsigned"
# refused LINE FILE: the kernel log has the line, and this is the module's file
refused()
{
	echo "[ 9.0] $1" >"$box/var/log/dmesg"
	rm "$box/lib/modules/6.1.0-test/updates/"*
	printf 'x~Module signature appended~\n' >"$box/lib/modules/6.1.0-test/updates/$2"
}
refused 'Loading of module with unavailable key is rejected' n3_telemetry.ko
finds 7 error key_not_enrolled n3_telemetry.ko 'mokutil --import .*Enroll MOK' \
	"a key that the kernel does not know"
refused 'Loading of module with unavailable key is rejected' n3_telemetry.ko.xz
finds 7 error key_not_enrolled n3_telemetry.ko.xz 'mokutil' "the same of a compressed module"
refused 'Loading of unsigned module is rejected' n3_telemetry.ko.xz
finds 7 error module_unsigned n3_telemetry.ko.xz 'sign-file' \
	"an unsigned module that is compressed, and no key" key_not_enrolled
refused 'Loading of unsigned module is rejected' n3_telemetry.ko
lacks 7 "key_not_enrolled|module_unsigned" "another module may have been rejected"
rm "$box/sys/firmware/efi/efivars/"*
refused 'Lockdown: modprobe: unsigned module loading is restricted; see man kernel_lockdown.7' \
	n3_telemetry.ko
lacks 7 "key_not_enrolled|module_unsigned" \
	"no finding about signatures if the kernel does not require them"
mkdir -p "$box/sys/kernel/security"
echo 'none [integrity] confidentiality' >"$box/sys/kernel/security/lockdown"
finds 7 error key_not_enrolled n3_telemetry.ko 'mokutil' "an unknown key under lockdown"
echo x >"$box/lib/modules/6.1.0-test/updates/n3_telemetry.ko"
finds 7 error module_unsigned n3_telemetry.ko 'mokutil' "an unsigned module under lockdown"
rm "$box/sys/kernel/security/lockdown"
mkdir -p "$box/sys/module/module/parameters"
echo Y >"$box/sys/module/module/parameters/sig_enforce"
finds 7 error module_unsigned n3_telemetry.ko 'mokutil' \
	"an unsigned module where signatures are enforced"
mkdir "$box/lib/modules/5.10.0-old"
mv "$box/lib/modules/6.1.0-test/updates/n3_telemetry.ko" "$box/lib/modules/5.10.0-old/"
finds 7 error module_for_other_kernel '5.10.0-old.* 6.1.0-test' 'make' "a module for another kernel"
mkfifo "$box/lib/modules/6.1.0-test/updates/n3_telemetry.ko"
timeout 120 "$n3stat" doctor --machine "$box" >"$tmp/out" 2>"$tmp/err"
[ $? -eq 7 ] && has_finding error module_unsigned
result $? "doctor: does not wait for a fifo"
echo 'n3_telemetry 45056 0 - Live 0x0 (OE)' >"$box/proc/modules"
finds 7 error no_sysfs '' 'mount' "a module loaded without sysfs"

machine
# as later kernels call the PMU of a device tree's arm,neoverse-n3-pmu
mv "$box/sys/bus/event_source/devices/armv8_pmuv3_0" \
	"$box/sys/bus/event_source/devices/armv9_neoverse_n3"
lacks 0 no_pmu "a PMU with the name of the core"
rm -r "$box/sys/bus/event_source/devices/armv9_neoverse_n3"
finds 7 error no_pmu '' 'pmu=on' "a machine without a PMU"
mkdir -p "$box/sys/class/dmi/id" "$box/boot"
echo 'Google Compute Engine' >"$box/sys/class/dmi/id/product_name"
finds 7 error no_pmu '' \
	'gcloud .* --performance-monitoring-unit=standard .*N4A' "a guest of GCE without a PMU"
mkdir -p "$box/sys/firmware/devicetree/base/pmu"
finds 7 error pmu_driver_failed '' 'dmesg' "a PMU whose driver failed"
printf '#\nCONFIG_ARM64=y\n# CONFIG_HW_PERF_EVENTS is not set\n' >"$box/boot/config-6.1.0-test"
finds 7 error no_pmu_driver '' CONFIG_ARM_PMUV3 "a kernel without the driver"
for option in HW_PERF_EVENTS ARM_PMUV3; do
	printf '#\nCONFIG_ARM64=y\nCONFIG_%s=y\n' $option >"$box/boot/config-6.1.0-test"
	lacks 7 no_pmu_driver "a kernel with CONFIG_$option has the driver"
done
machine
mkdir -p "$box/var/log"
# messages of kernels up to 6.11, and of later ones
for counters in '1 counters' '1 (0,80000000) counters'; do
	echo "[ 1.4] hw perfevents: enabled with armv8_pmuv3_0 PMU driver, $counters available" \
		>"$box/var/log/dmesg"
	finds 7 error no_programmable_counter '' 'larger guest' "a PMU with $counters"
done
for line in 'enabled with armv8_pmuv3_0 PMU driver, 7 (0,8000003f) counters available' \
	'enabled with armv8_pmuv3_0' 'enabled with arm_dsu_0 PMU driver, 1 counters available'; do
	echo "hw perfevents: $line" >"$box/var/log/dmesg"
	lacks 0 no_programmable_counter \
		"finds no PMU without counters where the kernel log has: $line"
done
machine
sed -i 's/^budget .*/budget 2/; s/^counters .*/counters 2/' "$sysfs/cpu0/status" \
	"$sysfs/cpu1/status"
finds 0 warning few_counters '2 CPUs .* 2 ' \
	'larger guest' "a guest with fewer counters than the core has"
mkdir -p "$box/sys/class/dmi/id"
echo 'Google Compute Engine' >"$box/sys/class/dmi/id/product_name"
finds 0 warning few_counters '' 'performance-monitoring-unit=standard' \
	"a guest of GCE with fewer counters than the core has"
sed -i 's/^counters .*/counters 6/' "$sysfs/cpu0/status" "$sysfs/cpu1/status"
echo 'root=/dev/vda arm_pmuv3.reserved_host_counters=-1' >"$box/proc/cmdline"
finds 0 warning few_counters ' 2 ' '^[^b]' "no partition if no counters are reserved for guests"
echo 'root=/dev/vda arm_pmuv3.reserved_host_counters=2' >"$box/proc/cmdline"
finds 0 warning few_counters '' 'boot without reserved_host_counters=' \
	"a host whose PMU is partitioned"
machine
echo 'pmceid_missing STALL_SLOT' >>"$sysfs/spec"
finds 0 note events_hidden ' 1 event .STALL_SLOT.' 'n3stat selftest' "a hidden event"
sed -i 's/^pmceid_missing .*/pmceid_missing STALL_SLOT L2D_CACHE A B C/' "$sysfs/spec"
finds 0 note events_hidden ' 5 events .STALL_SLOT, L2D_CACHE, A, B, \.\.\..' 'n3stat selftest' \
	"events that are hidden"
sed -i 's/^pmu .*/pmu n3_sim/; s/^simulated .*/simulated 1/' "$sysfs/spec"
lacks 0 events_hidden "PMCEID is ignored for the simulated PMU"
machine
sed -i 's/^slice_ms .*/slice_ms 180/; s/^slice_reason .*/slice_reason max_cost/
	s/^slice_cost_ns .*/slice_cost_ns 349061/' "$sysfs/cpu1/status"
finds 0 note long_slices ' 1 CPU .* 180 ms.* 349 us' max_cost \
	"slices that are long because accesses to the PMU trap"
sed -i 's/^slice_cost_ns .*/slice_cost_ns 9061/' "$sysfs/cpu1/status"
lacks 0 long_slices "long slices due to a small max_cost are not reported"
sed -i 's/^slice_ms .*/slice_ms 0/; s/^slice_reason .*/slice_reason none/
	s/^slice_cost_ns .*/slice_cost_ns 349061/' "$sysfs/cpu1/status"
lacks 0 long_slices "a CPU that is not sampled has no long slices"
sed -i 's/^slice_ms .*/slice_ms 180/; /^slice_reason /d' "$sysfs/cpu1/status"
lacks 0 long_slices "long slices are not reported without their reason"
machine
sed -i 's/ [0-9.-]*$/ stale/' "$sysfs/cpu1/topdown_l1"
run doctor --machine "$box" && has_finding ok cpus_sampled '2 of 2 CPUs '
result $? "doctor: a CPU with a new window counts as sampled"
# the module's own limit: four slices, of 4 ms
sed -i 's/^age_ms .*/age_ms 16/' "$sysfs/cpu1/status"
lacks 0 starved_slices "a slice that is late by four slices is not reported"
sed -i 's/^age_ms .*/age_ms 17/' "$sysfs/cpu0/status" "$sysfs/cpu1/status"
finds 0 warning starved_slices ' 1 CPU ' \
	'ps -eLo' "a busy CPU whose slices do not end, and no idle one"
has_finding ok cpus_sampled '1 of 2 CPUs '
result $? "doctor: does not count it as sampled"
machine
# the limit of the ABI
echo 'yield_due_ms 20' >>"$sysfs/cpu0/status"
lacks 0 yield_late "a yield that is due for 20 ms is not reported"
sed -i 's/^yield_due_ms .*/yield_due_ms 21/' "$sysfs/cpu0/status"
finds 0 warning yield_late ' 1 CPU .* 21 ms' 'ps -eLo' "a yield that is late"
echo 'yield_due_ms 20000' >>"$sysfs/cpu1/status"
finds 0 warning yield_late ' 2 CPUs .* 20000 ms' \
	'ps -eLo' "the yield that is due for the longest time"
machine
printf '%s\n' 'core Neoverse N3 (0xd8e)' 'slots 5' >>"$sysfs/spec"
run doctor --machine "$box" && ! grep -Eqv '^ok ' "$tmp/out"
result $? "doctor: no finding about the core of a Neoverse N3"
sed -i 's/^core .*/core Neoverse V2 (0xd4f): not a Neoverse N3/' "$sysfs/spec"
finds 0 warning other_core 'Neoverse V2 .0xd4f.' 'rmmod n3_telemetry' \
	"that the core is no Neoverse N3"
for cpu in 0 1; do
	echo 0x000000006d0fd490 >"$box/sys/devices/system/cpu/cpu$cpu/regs/identification/midr_el1"
done
sed -i 's/^core .*/core Neoverse N2 (0xd49): not a Neoverse N3, bad_speculation is a lower bound/' \
	"$sysfs/spec"
finds 0 warning other_core 'core= for Neoverse N2 .0xd49.\. .*, bad_speculation is a lower bound' \
	'rmmod n3_telemetry' "the core with what it cannot count"
lacks 0 no_n3_cpu "does not miss a Neoverse N3 if the module was loaded with core="
sed -i '/^core /d' "$sysfs/spec"
finds 0 note no_n3_cpu '' 'make demo' "a module without core= on another core"
machine
for pid in 100 200 300; do
	mkdir -p "$box/proc/$pid/fd"
done
ln -s 'anon_inode:kvm-vm' "$box/proc/100/fd/9"
ln -s 'anon_inode:kvm-vcpu:0' "$box/proc/100/fd/10"
ln -s 'anon_inode:kvm-vm' "$box/proc/300/fd/9"
ln -s /dev/kvm "$box/proc/200/fd/9"
finds 0 note guests_running '2 guests .*KVM' 'kernel/n3_telemetry/cpus' "running guests"
rm -r "$box/proc/300"
finds 0 note guests_running '1 guest ' 'cpus' "one running guest"
rm -r "$box/proc/100" "$box/proc/200"
sed -i '/^guest_counters/d' "$sysfs"/cpu?/status
echo 'guest_counters unknown' >>"$sysfs/cpu0/status"
echo 'guest_counters unknown' >>"$sysfs/cpu1/status"
run doctor --machine "$box" && ! grep -Eqv '^ok ' "$tmp/out"
result $? "doctor: no finding about guests without guests and their counters"
sed -i 's/^guest_counters .*/guest_counters 4/' "$sysfs/cpu1/status"
finds 0 warning pmu_partitioned ' 1 CPU .* 4 counters' 'more counters' \
	"a PMU that is partitioned for guests"
machine
echo 0 >"$sysfs/enable"
sed -i 's/^state .*/state disabled/' "$sysfs"/cpu?/status
sed -i 's/^switch .*/switch perf/' "$sysfs/status"
finds 7 error sampling_disabled '' 'echo 1 > .*enable' "sampling switched off"
! grep -Eq '^(note|error).*CPUs' "$tmp/out" && lacks_finding no_direct_access
result $? "doctor: no finding about CPUs and their PMU while sampling is switched off"
machine
sed -i 's/^switch .*/switch perf/' "$sysfs/status"
finds 0 warning no_direct_access '' dmesg "that counters are switched through perf"
machine
sed -i 's/^budget .*/budget 4/' "$sysfs/cpu0/status"
finds 0 warning few_counters ' 4 ' "dmesg . grep 'counters available'" "too few counters"
sed -i 's/^pmu .*/pmu n3_sim/; s/^simulated .*/simulated 1/' "$sysfs/spec"
finds 0 warning few_counters ' 4 ' '^$' "too few counters of the simulated PMU"
sed -i 's/^pmu .*/pmu armv8_pmuv3_0/; s/^simulated .*/simulated 0/' "$sysfs/spec"
mkdir -p "$box/proc/4711/fd"
ln -s 'anon_inode:[perf_event]' "$box/proc/4711/fd/3"
finds 0 warning few_counters ' 4 ' 'free counters .see above.' \
	"too few counters where a process holds some"
line_of() { grep -n "$1.\$" "$tmp/out" | cut -d: -f1; }
[ "$(line_of process_holds_events)" -lt "$(line_of few_counters)" ]
result $? "doctor: the holder of counters precedes findings that refer to it"
rm -r "$box/proc/4711"
echo 2 >"$sysfs/reserved_counters"
finds 0 warning few_counters ' 4 ' 'echo 0 > .*reserved_counters' \
	"too few counters where reserved_counters leaves no more"
echo 0 >"$sysfs/reserved_counters"
sed -i 's/^state .*/state contended/' "$sysfs/cpu0/status"
finds 0 warning yielded_to_others ' 1 CPU ' contention "yielded counters"
echo share >"$sysfs/contention"
finds 0 warning yielded_to_others ' 1 CPU ' '^stop the other user$' "yielded, shared counters"
sed -i '/^reason /d' "$sysfs/cpu0/status"
echo 'reason user_access' >>"$sysfs/cpu0/status"
finds 0 warning user_access_seen '1 CPU ' \
	'perf_user_access=0.* /etc/sysctl\.d.*; echo 1 > .*/enable' \
	"a CPU that is not sampled as user space could read its counters" yielded_to_others
sed -i 's/^reason user_access/reason power/' "$sysfs/cpu0/status"
finds 0 warning yielded_for_power ' 1 CPU ' max_cost "a CPU that loses its power too often" \
	yielded_to_others
sed -i '/^reason /d' "$sysfs/cpu0/status"
echo 0 >"$box/proc/sys/kernel/perf_user_access"
lacks 0 "user_access_seen|user_access_allowed" "no finding about user access that is not allowed"
echo 1 >"$box/proc/sys/kernel/perf_user_access"
conf=$box/etc/n3-telemetry.conf
mkdir -p "${conf%/*}"
for lines in '' 'user_access = refuse' '#user_access = allow' 'user_access = allow it' \
	'user_access: allow' 'user_access = allowed' 'window_ms = 5000 # user_access = allow' \
	'user_access = allow\nuser_access = refuse'; do
	printf '%b\n' "$lines" >"$conf"
	finds 0 warning user_access_allowed 'perf_user_access' \
		'perf_user_access=0.* /etc/sysctl\.d.*user_access = allow' \
		"that user access is allowed: $(tr '\n' ';' <"$conf")"
done
for lines in 'user_access = allow' '  user_access=allow # comment' 'user_access =\tallow \r' \
	'user_access = refuse\nuser_access = allow\nuser_access = maybe\nuser_access = "refuse"'; do
	printf '%b\n' "$lines" >"$conf"
	lacks 0 user_access_allowed \
		"no finding about user access that $(tr '\n\r\t' ';  ' <"$conf") permits"
done
rm "$conf"
mv "$sysfs" "$box/module"
finds 7 warning user_access_allowed '' 'perf_user_access=0' \
	"that user access is allowed where the service has not loaded the module"
mv "$box/module" "$sysfs"
echo 0 >"$box/proc/sys/kernel/perf_user_access"
sed -i 's/^state .*/state unplaced/; s/^budget .*/budget 0/' "$sysfs/cpu0/status" \
	"$sysfs/cpu1/status"
finds 7 error no_counter_available ' 2 CPUs ' 'dmesg' "CPUs without any counter"
echo 31 >"$sysfs/reserved_counters"
finds 7 error all_counters_reserved ' 2 CPUs .*31' 'echo 0 > .*reserved_counters' \
	"that reserved_counters leaves no counter" "processes_hidden|counters_reserved"
machine
for cpu in 2 3 4 5; do
	cp -r "$sysfs/cpu1" "$sysfs/cpu$cpu"
done
echo 0-3 >"$sysfs/cpus"
sed -i 's/^state .*/state disabled/' "$sysfs/cpu5/status"
finds 0 note cpus_not_chosen '1 CPU ' 'echo 0-3,5 > .*/cpus' "a CPU not chosen"
echo 4-5 >"$box/sys/devices/system/cpu/isolated"
finds 0 note cpus_isolated '1 CPU ' 'echo 0-3,5 > .*/cpus' "an isolated CPU"
echo '(null)' >"$box/sys/devices/system/cpu/nohz_full"
echo 5 >"$box/sys/devices/system/cpu/isolated"
sed -i 's/^state .*/state disabled/' "$sysfs/cpu4/status"
finds 0 note cpus_not_chosen '1 CPU ' 'echo 0-4 > .*/cpus' \
	"a CPU that was not chosen beside one that is isolated"
finds 0 note cpus_isolated '1 CPU ' 'echo 0-5 > .*/cpus' \
	"a CPU that is isolated beside one that was not chosen"
sed -i 's/^state .*/state sampling/' "$sysfs/cpu4/status"
sed -i 's/^state .*/state disabled/' "$sysfs/cpu2/status" "$sysfs/cpu3/status" "$sysfs/cpu5/status"
echo >"$box/sys/devices/system/cpu/isolated"
echo 5 >"$box/sys/devices/system/cpu/nohz_full"
finds 0 note cpus_isolated '1 CPU ' 'echo 0-3,5 > .*/cpus' "a CPU without a tick"
finds 0 note cpus_not_covered '2 CPUs ' '^$' "CPUs that are chosen but not covered"
machine
lacks 0 groups_not_chosen "no finding about groups if all are chosen"
sed -i 's/ mpki / /' "$sysfs/groups"
finds 0 note groups_not_chosen '1 group .*: mpki ' 'echo all > .*/groups' "a group not chosen"
echo general >"$sysfs/groups"
echo 'group memory_traffic extra metrics 4' >>"$sysfs/spec"
finds 0 note groups_not_chosen '17 groups .*: topdown_l1, .*, \.\.\. ' 'echo all > .*/groups' \
	"groups that were not chosen"
echo 'general memory_traffic' >"$sysfs/groups"
finds 0 note groups_not_chosen '17 groups ' '^echo all memory_traffic > .*/groups' \
	"groups of the specification, next to a chosen one that is not in it"
machine
sed -i 's/ .*/ implausible/' "$sysfs/cpu1/topdown_l1"
finds 7 error events_implausible '' 'selftest --apply' "a hypervisor without events"
machine
sed -i 's/ .*/ inconsistent/' "$sysfs/cpu1/topdown_l1"
finds 7 error stall_slots_inconsistent ' 1 CPU ' \
	'n3stat selftest' "stall slots that contradict each other"
machine
printf 'slots_identity held\nslots_error 14.2000\n' >>"$sysfs/cpu0/status"
printf 'slots_identity violated\nslots_error 12.3456\n' >>"$sysfs/cpu1/status"
finds 7 error slots_identity_violated ' 1 CPU .*12\.3 %' \
	'n3stat selftest' "operations and stalls that are not all slots"
for error in none nan -3 1e300 inf; do
	sed -i "s/^slots_identity .*/slots_identity violated/; s/^slots_error .*/slots_error $error/" \
		"$sysfs/cpu0/status" "$sysfs/cpu1/status"
	run doctor --machine "$box"
	has_finding error slots_identity_violated ' 2 CPUs ' &&
		! grep -q '[0-9fn] %.*violated.$' "$tmp/out"
	result $? "doctor: prints no slots_error that is $error"
done
sed -i 's/^slots_error .*/slots_error 12.3456/' "$sysfs/cpu1/status"
finds 7 error slots_identity_violated ' 2 CPUs .*12\.3 %' '' "the slots_error of one beside inf"
machine
printf 'corrected none other_fits\nslots_identity violated\n' >>"$sysfs/cpu0/status"
printf 'corrected STALL_SLOT STALL_SLOT_FRONTEND other_fits\nslots_identity violated\n' \
	>>"$sysfs/cpu1/status"
finds 7 error slots_uncorrected ' 1 CPU ' 'n3stat selftest' "an erratum that is not corrected"
finds 7 error slots_miscorrected ' 1 CPU ' 'n3stat selftest' "a correction without the erratum"
! grep -q slots_identity_violated "$tmp/out"
result $? "doctor: both replace the finding of slots without an explanation"
sed -i 's/^corrected .*/corrected none/' "$sysfs/cpu0/status"
finds 7 error slots_identity_violated ' 1 CPU ' '' "slots that neither choice explains"
machine
sed -i 's/^withdrawn .*/withdrawn 4\nwithdrawn_metric ipc/' "$sysfs/cpu1/status"
finds 0 warning metrics_withdrawn ' 1 CPU .* ipc ' 'n3stat selftest' "metrics without totals"
machine
sed -i 's/^state .*/state unsupported/' "$sysfs"/cpu?/status
finds 7 error all_events_distrusted ' 2 CPUs ' 'echo none > .*/distrust' \
	"CPUs all of whose events are distrusted"
machine
echo none >"$sysfs/distrust"
lacks 0 events_distrusted "no finding about an empty distrust"
echo "SW_INCR TTBR_WRITE_RETIRED" >"$sysfs/distrust"
finds 0 note events_distrusted 'SW_INCR TTBR_WRITE_RETIRED; 0 metrics ' 'selftest --apply' \
	"distrusted events that no metric needs"
echo "CPU_CYCLES_X CRYPTO_SPEC" >"$sysfs/distrust"
finds 0 note events_distrusted ' CRYPTO_SPEC; 1 metric .*: crypto_percentage ' \
	'selftest --apply' "a distrusted event that one metric needs"
echo "STALL_SLOT INST_RETIRED" >"$sysfs/distrust"
finds 0 note events_distrusted '; [0-9]* metrics .*: .*, \.\.\. ' 'selftest --apply' \
	"distrusted events that many metrics need"
machine
echo 1 >"$box/proc/sys/kernel/nmi_watchdog"
finds 0 note nmi_watchdog_possible '' 'sysctl kernel.nmi_watchdog=0' \
	"that the NMI watchdog may hold a counter where the kernel's configuration is unknown"
mkdir -p "$box/boot" "$box/lib/modules/6.1.0-test/build"
for config in boot/config-6.1.0-test lib/modules/6.1.0-test/config \
	lib/modules/6.1.0-test/build/.config; do
	printf '#\nCONFIG_HARDLOCKUP_DETECTOR=y\n%s\n%s\n# end\n' 'CONFIG_HARDLOCKUP_DETECTOR_BUDDY=y' \
		'# CONFIG_HARDLOCKUP_DETECTOR_PERF is not set' >"$box/$config"
	lacks 0 "nmi_watchdog|nmi_watchdog_possible" \
		"the buddy detector holds no counter, by /${config%%/*}/.../${config##*/}"
	sed -i 's/.*_BUDDY.*/# CONFIG_HARDLOCKUP_DETECTOR_BUDDY is not set/
		s/.*_PERF.*/CONFIG_HARDLOCKUP_DETECTOR_PERF=y/' "$box/$config"
	finds 0 warning nmi_watchdog '' 'sysctl kernel.nmi_watchdog=0' \
		"the counter of the NMI watchdog, by /${config%%/*}/.../${config##*/}"
	mv "$box/$config" "$tmp/config"
done
mv "$tmp/config" "$box/boot/config-6.1.0-test"
echo 'root=/dev/vda irqchip.gicv3_pseudo_nmi=0 quiet' >"$box/proc/cmdline"
lacks 0 "nmi_watchdog|nmi_watchdog_possible" "the NMI watchdog holds no counter without pseudo-NMIs"
echo 'root=/dev/vda irqchip.gicv3_pseudo_nmi=1 quiet' >"$box/proc/cmdline"
finds 0 warning nmi_watchdog '' 'sysctl kernel.nmi_watchdog=0' \
	"the counter of the NMI watchdog with pseudo-NMIs"
echo 0 >"$box/proc/sys/kernel/nmi_watchdog"
lacks 0 "nmi_watchdog|nmi_watchdog_possible" "a disabled NMI watchdog holds no counter"
mkdir -p "$box/proc/4711/fd"
echo perf >"$box/proc/4711/comm"
ln -s 'anon_inode:[perf_event]' "$box/proc/4711/fd/3"
ln -s 'anon_inode:[perf_event]' "$box/proc/4711/fd/4"
ln -s /dev/null "$box/proc/4711/fd/5"
finds 0 warning process_holds_events '4711 .perf.* 2 ' 'kill 4711' "a process that holds counters"
mkdir -p "$box/sys/kernel/security"
echo 'none integrity [confidentiality]' >"$box/sys/kernel/security/lockdown"
finds 7 error kernel_lockdown '' lockdown "kernel lockdown"
machine
sed -i 's/^named .*/named 1/' "$sysfs/spec"
finds 0 note pmu_named 'pmu=armv8_pmuv3_0' '^rmmod n3_telemetry; systemctl restart n3-telemetry ' \
	"a PMU named at load, but no simulated counts" pmu_simulated
sed -i 's/^pmu .*/pmu n3_sim n3_sim_odd/; s/^simulated .*/simulated 1/' "$sysfs/spec"
finds 0 note pmu_simulated 'pmu=n3_sim' '^rmmod n3_telemetry; systemctl restart n3-telemetry ' \
	"simulated counts"
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	chmod -R go-rwx "$sysfs"
	chmod 755 "$sysfs"
	setpriv --reuid=65534 --regid=65534 --clear-groups "$n3stat" doctor --machine "$box" \
		>"$tmp/out" 2>"$tmp/err"
	[ $? -eq 7 ] && has_finding error module_unreadable
	result $? "doctor: reports missing read permission"
else
	skip "doctor: reports missing read permission" "needs root and setpriv(1)"
fi
