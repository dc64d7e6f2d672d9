/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Table of the documents that advice and values of metrics refer to.
 *
 * SOURCE_OF(<name>, <title>, <URL>)
 *
 * Sources of advice.def.h and of metrics begin with such a name. A path follows that of the URL.
 */
SOURCE_OF("Arm 109530", "Arm Neoverse N3 Core Telemetry Specification, issue 01",
	  "https://developer.arm.com/documentation/109530/")
SOURCE_OF("Arm DDI 0487", "Arm Architecture Reference Manual for A-profile",
	  "https://developer.arm.com/documentation/ddi0487/")
SOURCE_OF("Arm Learning Paths", "Optimize with BOLT, Identify programs for BOLT optimization",
	  "https://learn.arm.com/learning-paths/servers-and-cloud-computing/bolt-demo/good-candidates/")
SOURCE_OF("AWS Graviton Technical Guide", "aws-graviton-getting-started",
	  "https://github.com/aws/aws-graviton-getting-started/blob/main/")
SOURCE_OF("DKMS", "source of DKMS", "https://github.com/dkms-project/dkms/blob/main/")
SOURCE_OF("Drepper", "What Every Programmer Should Know About Memory, 2007",
	  "https://www.akkadia.org/drepper/cpumemory.pdf")
SOURCE_OF("GCC", "source of GCC", "https://github.com/gcc-mirror/gcc/blob/master/")
SOURCE_OF("GCC manual", "Using the GNU Compiler Collection",
	  "https://gcc.gnu.org/onlinedocs/gcc/Optimize-Options.html")
SOURCE_OF("Google Cloud", "Compute Engine, Enable the PMU in VMs; PMU overview is next to it",
	  "https://cloud.google.com/compute/docs/enable-pmu-in-vms")
SOURCE_OF("Gregg", "CPU Utilization is Wrong, 2017",
	  "https://www.brendangregg.com/blog/2017-05-09/cpu-utilization-is-wrong.html")
SOURCE_OF("libvirt", "Domain XML format",
	  "https://libvirt.org/formatdomain.html#hypervisor-features")
SOURCE_OF("Linux", "source of Linux",
	  "https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git/tree/")
SOURCE_OF("linux-arm-kernel", "ARM64 PMU Partitioning, the patch that adds the parameter",
	  "https://www.mail-archive.com/linux-kernel@vger.kernel.org/msg2636788.html")
SOURCE_OF("LLVM", "source of LLVM", "https://github.com/llvm/llvm-project/blob/main/")
SOURCE_OF("man-pages", "Linux manual page",
	  "https://man7.org/linux/man-pages/man2/perf_event_open.2.html")
SOURCE_OF("n3_telemetry", "this project", NULL)
SOURCE_OF("numactl", "Linux manual page", "https://man7.org/linux/man-pages/man8/numastat.8.html")
SOURCE_OF("pmu-tools", "toplev's ratios for Golden Cove, class of the name",
	  "https://github.com/andikleen/pmu-tools/blob/master/adl_glc_ratios.py")
SOURCE_OF("procps", "Linux manual page", "https://man7.org/linux/man-pages/man1/ps.1.html")
SOURCE_OF("QEMU", "documentation of QEMU",
	  "https://www.qemu.org/docs/master/system/arm/cpu-features.html")
SOURCE_OF("TF-A", "Trusted Firmware-A",
	  "https://github.com/ARM-software/arm-trusted-firmware/blob/master/")

#undef SOURCE_OF
