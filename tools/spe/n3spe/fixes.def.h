/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Fixes of the findings of n3stat spe info.
 *
 * SPE_FIX(<id of a finding>, <the command or the change that mends it>, <source>)
 *
 * The source supports the text, as in reader/advice.def.h. advice.rst is generated from these
 * tables.
 */
#define LINUX(path)	"Linux, " path
#define SPE_DOC(section) LINUX("tools/perf/Documentation/perf-arm-spe.txt, ") section
#define KVM_HIDES_SPE	LINUX("arch/arm64/kvm/sys_regs.c, \"Hide SPE from guests\"")
#define OWN(path)	"n3_telemetry, " path

SPE_FIX(not_arm, "make demo, in the source of n3_telemetry: an emulated N3",
	OWN("README.md, Without hardware"))
SPE_FIX(spe_hidden_from_guest, "a machine without a hypervisor (bare metal), or its host",
	KVM_HIDES_SPE)
SPE_FIX(spe_hidden, "a machine without a hypervisor (bare metal), or its host",
	KVM_HIDES_SPE)
SPE_FIX(spe_owned, "firmware that leaves SPE to the kernel (MDCR_EL3.NSPB)",
	"TF-A, lib/extensions/spe/spe.c, MDCR_EL3.NSPB; "
	LINUX("drivers/perf/arm_spe_pmu.c, __arm_spe_pmu_dev_probe()"))
SPE_FIX(spe_driver_not_loaded, "modprobe arm_spe_pmu", SPE_DOC("Kernel Requirements"))
SPE_FIX(spe_driver_not_built, "a kernel with CONFIG_ARM_SPE_PMU", SPE_DOC("Kernel Requirements"))
SPE_FIX(no_spe_driver, "modprobe arm_spe_pmu, or a kernel with CONFIG_ARM_SPE_PMU",
	SPE_DOC("Kernel Requirements"))
SPE_FIX(kpti, "boot with kpti=off", SPE_DOC("Kernel Requirements"))
SPE_FIX(spe_driver_refused,
	"dmesg | grep arm_spe_pmu; if it says that the buffer is inaccessible, boot with kpti=off",
	SPE_DOC("Kernel Requirements"))
SPE_FIX(spe_not_described, "dmesg | grep -i spe; other firmware",
	SPE_DOC("Kernel Requirements: the interrupt is described by the firmware"))
SPE_FIX(cpus_offline, "echo 1 > /sys/devices/system/cpu/cpuN/online",
	LINUX("Documentation/core-api/cpu_hotplug.rst, Using CPU hotplug"))
SPE_FIX(module_not_loaded,
	"systemctl restart n3-telemetry (without the service: modprobe n3_telemetry); "
	"dmesg | grep n3_telemetry",
	OWN("Documentation/admin-guide/n3_telemetry.rst, Installation"))

#undef LINUX
#undef SPE_DOC
#undef KVM_HIDES_SPE
#undef OWN
#undef SPE_FIX
