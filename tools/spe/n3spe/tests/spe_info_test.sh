# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat spe info, on synthetic machines of a few files.

[ -d "$tmp/with_spe" ] || "$shared/make_tree.py" "$tmp/with_spe" --cpus 4 --spe

# spe_machine: makes $box a machine with four N3, SPE, driver and module, and root
spe_machine()
{
	box=$tmp/box
	rm -rf "$box"
	for cpu in 0 1 2 3; do
		mkdir -p "$box/sys/devices/system/cpu/cpu$cpu/regs/identification"
		echo 0x00000000410fd8e1 >"$box/sys/devices/system/cpu/cpu$cpu/regs/identification/midr_el1"
	done
	device=$box/sys/bus/event_source/devices/arm_spe_0
	platform=$box/sys/bus/platform
	mkdir -p "$device/format" "$device/caps" "$platform/devices/spe-pmu" \
		"$platform/drivers/arm_spe_pmu" "$box/proc/sys/kernel" "$box/proc/self" \
		"$box/sys/kernel" "$box/lib/modules/6.1.0-test/kernel/drivers/perf"
	for name in branch_filter load_filter min_latency; do
		: >"$device/format/$name"
	done
	echo 0-3 >"$device/cpumask"
	echo 1024 >"$device/caps/min_interval"
	echo 12 >"$device/caps/count_size"
	echo 'of:Nspe-pmuT(null)Carm,statistical-profiling-extension-v1' \
		>"$platform/devices/spe-pmu/modalias"
	echo 6.1.0-test >"$box/proc/sys/kernel/osrelease"
	echo 'console=ttyAMA0' >"$box/proc/cmdline"
	printf 'Name:\tn3stat\nCapEff:\t000001ffffffffff\n' >"$box/proc/self/status"
	echo 3 >"$box/proc/sys/kernel/perf_event_paranoid"
	cp -r "$tmp/with_spe" "$box/sys/kernel/n3_telemetry"
	sysfs=$box/sys/kernel/n3_telemetry
}

# unusable REASON: the module reports it for all CPUs
unusable()
{
	sed -i "s/^usable .*/usable no/; s/^reason .*/reason $1/" "$sysfs"/cpu?/spe
	rm -rf "$device"
}

# info_finds CODE SEVERITY ID VALUES COMMAND NAME: exit code, finding (VALUES in its message), fix
info_finds()
{
	run spe info --machine "$box"
	[ $? -eq "$1" ] && has_finding "$2" "$3" "$4" && fix_of "$3" | grep -Eq "$5" && [ ! -s "$tmp/err" ]
	result $? "spe info: reports $6, with the fix"
}

spe_machine
rm "$sysfs/system/general"
prints "spe info: capabilities of a machine and the data rate" spe info --machine "$box" \
	<"$shared/golden/spe-info.txt"
# 2.5 GHz * 2 instructions * 1.2 operations / 8192 = 732,421.875 records, of 64 bytes
mkdir -p "$box/sys/devices/system/cpu/cpu0/cpufreq"
echo 2500000 >"$box/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"
echo 'ipc 2.000000' >"$sysfs/system/general"
echo 'spe_uops_per_instruction 1.200000' >"$sysfs/system/spe_sampling"
run spe info --machine "$box" && grep -q 'writes 46.9 MB/s .* 0.732 million records' "$tmp/out" &&
	grep -q '(2.5 GHz at most, 2.4 operations a cycle measured)' "$tmp/out"
result $? "spe info: the estimate uses the clock and the module's measurements"
run spe info --json --machine "$box" && "$here/spe_info_check.py" "$tmp/out" 2>"$tmp/err"
result $? "spe info: --json has the same, in numbers and lists"
echo 'ipc 0.040000' >"$sysfs/system/general"
run spe info --machine "$box" && grep -q '3 operations a cycle assumed' "$tmp/out"
result $? "spe info: values of an idle machine are not used for busy CPUs"
echo 16384 >"$device/caps/min_interval"
run spe info --machine "$box" && grep -q 'record --period 16384$' "$tmp/out"
result $? "spe info: no period below the core's minimum is recommended"
rm -rf "$sysfs"
echo 1024 >"$device/caps/min_interval"
info_finds 0 note module_not_loaded '' '^systemctl restart n3-telemetry ' "a missing module"
grep -q '^minimum interval  1024 operations$' "$tmp/out" &&
	grep -q '^latency counters  12 bits' "$tmp/out" &&
	grep -q 'record --period 8192' "$tmp/out"
result $? "spe info: without the module, the driver's properties are shown"

spe_machine
printf 'Name:\tn3stat\nCapEff:\t0000000000000000\n' >"$box/proc/self/status"
info_finds 7 error may_not_sample '' '^sysctl kernel.perf_event_paranoid=0$' \
	"that nothing may be sampled"
echo 2 >"$box/proc/sys/kernel/perf_event_paranoid"
info_finds 0 note own_user_code_only --user '^sysctl kernel.perf_event_paranoid=0$' \
	"the permissions of level 2"
grep -q '^n3stat spe record --period 8192 --user -- COMMAND$' "$tmp/out"
result $? "spe info: the recommended command is permitted at level 2"
echo 1 >"$box/proc/sys/kernel/perf_event_paranoid"
info_finds 0 note own_processes_only '' '^sysctl kernel.perf_event_paranoid=0$' \
	"the permissions of level 1"
grep -q '^n3stat spe record --period 8192 -- COMMAND$' "$tmp/out"
result $? "spe info: the recommended command is permitted at level 1"
for level in 0 -1; do
	echo $level >"$box/proc/sys/kernel/perf_event_paranoid"
	run spe info --machine "$box" && has_finding ok may_sample_all
	result $? "spe info: level $level allows all"
done
# CAP_PERFMON is bit 38, CAP_SYS_ADMIN bit 21
echo 3 >"$box/proc/sys/kernel/perf_event_paranoid"
for mask in 4000000000 200000; do
	printf 'Name:\tn3stat\nCapEff:\t%016x\n' 0x$mask >"$box/proc/self/status"
	run spe info --machine "$box" && has_finding ok may_sample_all
	result $? "spe info: the capability 0x$mask allows all"
done

spe_machine
unusable guest
info_finds 7 error spe_hidden '4 CPUs ' 'bare metal' "CPUs that hide SPE"
! grep -Eq 'driver|kpti|period' "$tmp/out"
result $? "spe info: no period and no driver checks without SPE"
mkdir -p "$box/sys/class/dmi/id"
echo 'Amazon EC2' >"$box/sys/class/dmi/id/sys_vendor"
echo m8g.xlarge >"$box/sys/class/dmi/id/product_name"
info_finds 7 error spe_hidden_from_guest '4 CPUs .*Amazon EC2' 'bare metal' \
	"a virtual machine"
rm -rf "$sysfs"
run spe info --machine "$box"
lacks_finding spe_hidden_from_guest
result $? "spe info: a virtual machine whose firmware describes SPE is not the cause"
mv "$platform/devices/spe-pmu" "$tmp/"
info_finds 7 error spe_hidden_from_guest 'Amazon EC2' 'bare metal' \
	"a virtual machine whose firmware describes nothing"
echo m8g.metal-24xl >"$box/sys/class/dmi/id/product_name"
run spe info --machine "$box"
lacks_finding spe_hidden_from_guest
result $? "spe info: bare metal is not a virtual machine"
for reason in no_feature owned unknown_format unknown_size; do
	spe_machine
	unusable $reason
	case $reason in
	no_feature) id=no_spe ;;
	*) id=spe_$reason ;;
	esac
	run spe info --machine "$box"
	[ $? -eq 7 ] && has_finding error $id '4 CPUs ' && ! grep -q modprobe "$tmp/out"
	result $? "spe info: reports $reason"
done
spe_machine
sed -i 's/^usable .*/usable no/; s/^reason .*/reason unknown_format/' "$sysfs"/cpu?/spe
run spe info --machine "$box"
[ $? -eq 7 ] && has_finding error spe_unknown_format '4 CPUs ' &&
	! grep -q period "$tmp/out"
result $? "spe info: reports an unknown format even if the driver accepts it"
spe_machine
sed -i 's/^usable .*/usable no/; s/^reason .*/reason offline/' "$sysfs/cpu2/spe"
info_finds 0 note cpus_offline '1 CPU ' 'online' "an offline CPU"

spe_machine
rm -rf "$device" "$platform/drivers/arm_spe_pmu"
info_finds 7 error no_spe_driver arm_spe_pmu 'CONFIG_ARM_SPE_PMU' "a kernel without the driver"
mkdir -p "$box/boot"
printf '#\n# CONFIG_ARM_SPE_PMU is not set\n' >"$box/boot/config-6.1.0-test"
info_finds 7 error spe_driver_not_built '' 'CONFIG_ARM_SPE_PMU' \
	"a kernel whose configuration has no driver"
: >"$box/lib/modules/6.1.0-test/kernel/drivers/perf/arm_spe_pmu.ko.xz"
info_finds 7 error spe_driver_not_loaded '' 'modprobe arm_spe_pmu' "a driver not loaded"
echo 'of:Nrtc' >"$platform/devices/spe-pmu/modalias"
info_finds 7 error spe_not_described '' 'dmesg' "firmware without SPE"

spe_machine
rm -rf "$device"
info_finds 7 error spe_driver_refused '' 'dmesg . grep arm_spe_pmu' "a driver that refuses"
mkdir -p "$box/sys/devices/system/cpu/vulnerabilities"
echo 'Mitigation: PTI' >"$box/sys/devices/system/cpu/vulnerabilities/meltdown"
info_finds 7 error kpti '' 'boot with kpti=off' "page table isolation"
echo 'console=ttyAMA0 kpti=off' >"$box/proc/cmdline"
run spe info --machine "$box"
lacks_finding kpti
result $? "spe info: disabled page table isolation is not reported"
echo 'Not affected' >"$box/sys/devices/system/cpu/vulnerabilities/meltdown"
echo 'console=ttyAMA0 nokpti=on kpti=1' >"$box/proc/cmdline"
info_finds 7 error kpti '' 'boot with kpti=off' "page table isolation by option"

spe_machine
for cpu in 0 1 2 3; do
	echo 0x00000000410fd490 >"$box/sys/devices/system/cpu/cpu$cpu/regs/identification/midr_el1"
done
run spe info --machine "$box" && has_finding note no_n3_cpu
result $? "spe info: other Arm CPUs can be sampled"
lacks_finding data_sources_unknown
result $? "spe info: a Neoverse N2 has N3's data sources"
for cpu in 1 2; do
	echo 0x00000000c00fac40 >"$box/sys/devices/system/cpu/cpu$cpu/regs/identification/midr_el1"
done
run spe info --machine "$box" && has_finding note data_sources_unknown ' 2 CPUs'
result $? "spe info: reports CPUs with unnamed data sources"
rm -rf "$sysfs" "$box"/sys/devices/system/cpu/cpu?
info_finds 7 error not_arm '' 'make demo' "CPUs other than Arm"
run -r "$tmp/with_spe" spe info
[ $? -eq 2 ]
result $? "spe info: --root must follow the command"
run spe info -r "$tmp/with_spe" && has_finding ok spe_usable '4 CPUs ' &&
	! grep -q 'driver' "$tmp/out"
result $? "spe info: contents of a copy of the module's files"
refuses 3 no_directory "spe info: refuses a missing copy" spe info --machine "$tmp/nowhere"
refuses 2 too_many_arguments "spe info: refuses arguments" spe info nonsense
spe_machine
printf 'usable yes\nreason none\nversion \033[31m\n' >"$sysfs/cpu0/spe"
run spe info --machine "$box"
! grep -q "$(printf '\033')" "$tmp/out"
result $? "spe info: unprintable characters do not reach the terminal"
