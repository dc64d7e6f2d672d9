/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Table of all advice.
 *
 * ADVICE_ROW(<id>, <subject>, <kind>, <condition>, <text>, <source>)
 *
 * The subject is a metric of the decision tree where a path ends, "perf" for notes on all commands,
 * the command that reports a finding of the same id, or "word". Kinds: MEANS, LOOK (several), FIND
 * (a command that finds the code; the first whose condition holds), NOTE, FIX. Conditions are in
 * advice.h. In a command, PMU stands for the name of the CPUs' PMU and WHERE for the measured CPUs.
 *
 * The source supports the text. Its parts, separated by "; ", begin with a document of
 * libn3telemetry/sources.def.h, or with "no published source" and the reason.
 * advice.rst is generated from these tables.
 */
#define SPEC(section)	"Arm 109530, " section
#define LINUX(path)	"Linux, " path
#define SPE_DOC(section) LINUX("tools/perf/Documentation/perf-arm-spe.txt, ") section
#define GCC_N3		"GCC, gcc/config/aarch64/tuning_models/neoversen3.h, "
#define GCC_OPTION(option) "GCC manual, Options That Control Optimization, " option
#define GRAVITON(section) "AWS Graviton Technical Guide, perfrunbook/" section
#define OPTIMIZING(topic) GRAVITON("optimization_recommendation.md, Optimizing for ") topic
#define FOOTPRINT(item)	OPTIMIZING("large instruction footprint, ") item
#define HIGH_TLB(item)	OPTIMIZING("high TLB miss rates, ") item
#define BACKEND_STALLS(item) GRAVITON("debug_hw_perf.md, Drill down back-end stalls, ") item
#define SHARING		GRAVITON("debug_hw_perf.md, Capturing cache coherence issues: needs SPE")
#define DREPPER(section) "Drepper, " section
#define ARM_BOLT	"Arm Learning Paths, bolt-demo, What makes a program a good BOLT candidate?"
#define OWN(path)	"n3_telemetry, " path
#define SPE_LINES	SHARING "; " OWN("tools/spe/man/n3stat-spe-report.1")
#define ADMIN(section)	OWN("Documentation/admin-guide/n3_telemetry.rst, ") section
#define ABI(file)	OWN("Documentation/ABI/testing/sysfs-kernel-n3_telemetry, ") file
#define UNPUBLISHED(reason) "no published source: " reason
#define LIBN3T(file)	OWN("drivers/perf/n3_telemetry/libn3t/" file)
#define SETTINGS	"/sys/kernel/n3_telemetry/"

#define SAMPLE(event)	"perf record -e PMU/" event "/ -g WHERE -- sleep 10 && perf report"
#define SPE(filter)	"n3stat spe record WHERE --seconds 5 " filter " && n3stat spe report"
#define EVENT(name)	SPEC("4.4, " name)
#define LATENCY		UNPUBLISHED("Arm gives no latencies of N3, the filter leaves out L1 hits")
#define SELFTEST_PAGE	OWN("tools/man/n3stat-selftest.1")
#define LOAD_IT		ADMIN("Installation")
/* A restart also loads the module if the service is active and rmmod removed it. */
#define RESTART		"systemctl restart n3-telemetry (without the service: modprobe n3_telemetry)"
/* It takes the access from open events, too: armv8pmu_proc_user_access_handler(). */
#define NO_USER_ACCESS	"sysctl kernel.perf_user_access=0 (also in /etc/sysctl.d)"
#define LIST_REALTIME	"ps -eLo psr,cls,rtprio,pid,comm | grep -E 'FF|RR|DLN'"
#define PS_MANUAL	"procps, ps(1), STANDARD FORMAT SPECIFIERS, cls and rtprio"
#define PARTITIONING	"linux-arm-kernel, ARM64 PMU Partitioning (patches, in no release)"
#define DKMS_SOURCE(function) "DKMS, dkms.in, " function
#define MODULE_SIGNING(section) LINUX("Documentation/admin-guide/module-signing.rst, ") section

/* frontend_bound and its branches */
ADVICE_ROW(fe_means, frontend_bound, MEANS, ALWAYS,
	   "The core waits for instructions: memory gives them late, or the frontend itself does.",
	   SPEC("3.1.2, frontend_mem_bound and frontend_core_bound"))
ADVICE_ROW(fe_layout, frontend_bound, LOOK, ALWAYS,
	   "Large code: a layout by profile (-fprofile-use, BOLT).", ARM_BOLT "; " FOOTPRINT("1"))
ADVICE_ROW(fe_branches, frontend_bound, LOOK, ALWAYS,
	   "Branches that are hard to predict.", SPEC("3.1.2, frontend_core_bound, Resteer"))
ADVICE_ROW(fe_find, frontend_bound, FIND, ALWAYS, SAMPLE("stall_frontend"), EVENT("STALL_FRONTEND"))

ADVICE_ROW(fe_mem_means, frontend_mem_bound, MEANS, ALWAYS,
	   "Code does not come from memory in time: from the caches, or past the TLBs.",
	   SPEC("3.1.2, frontend_mem_bound"))
ADVICE_ROW(fe_mem_size, frontend_mem_bound, LOOK, ALWAYS,
	   "The size of the hot code and how it is spread over pages.",
	   FOOTPRINT("1 and 2"))
ADVICE_ROW(fe_mem_find, frontend_mem_bound, FIND, ALWAYS, SAMPLE("stall_frontend_membound"),
	   EVENT("STALL_FRONTEND_MEMBOUND"))

ADVICE_ROW(fe_cache_means, frontend_mem_cache_bound, MEANS, ALWAYS,
	   "Hot code does not fit the caches (lscpu -C prints their sizes).",
	   SPEC("2, L1 and L2 caches, and 3.1.2, frontend_mem_bound"))
ADVICE_ROW(fe_cache_layout, frontend_mem_cache_bound, LOOK, ALWAYS,
	   "Layout of the hot functions: -fprofile-use, BOLT, less inlining.",
	   FOOTPRINT("1") "; " ARM_BOLT)
ADVICE_ROW(fe_cache_find, frontend_mem_cache_bound, FIND, ALWAYS, SAMPLE("stall_frontend_membound"),
	   EVENT("STALL_FRONTEND_MEMBOUND"))

ADVICE_ROW(fe_l1i_means, frontend_cache_l1i_bound, MEANS, ALWAYS,
	   "Hot code is larger than the L1 instruction cache but fits the L2.",
	   SPEC("3.1.2, frontend_mem_bound: L1I Bound counts an L1 miss without an L2 miss"))
ADVICE_ROW(fe_l1i_layout, frontend_cache_l1i_bound, LOOK, ALWAYS,
	   "Put hot functions side by side (-fprofile-use, BOLT, -ffunction-sections with an order "
	   "file); inline less.", ARM_BOLT "; " GCC_OPTION("-fprofile-use and -ffunction-sections"))
ADVICE_ROW(fe_l1i_find, frontend_cache_l1i_bound, FIND, ALWAYS, SAMPLE("l1i_cache_refill"),
	   EVENT("L1I_CACHE_REFILL"))

ADVICE_ROW(fe_l2i_means, frontend_cache_l2i_bound, MEANS, ALWAYS,
	   "Hot code does not even fit the L2, or data evicts it: the L2 holds both.",
	   SPEC("2, L1 and L2 caches: the L2 holds data and instructions"))
ADVICE_ROW(fe_l2i_size, frontend_cache_l2i_bound, LOOK, ALWAYS,
	   "The size of the whole program and its data; other programs on this CPU; just-in-time "
	   "code that is spread out.",
	   FOOTPRINT("2"))
ADVICE_ROW(fe_l2i_find, frontend_cache_l2i_bound, FIND, ALWAYS, SAMPLE("l2i_cache_refill"),
	   EVENT("L2I_CACHE_REFILL"))

ADVICE_ROW(fe_tlb_means, frontend_mem_tlb_bound, MEANS, ALWAYS,
	   "Hot code lies on more pages than the TLBs hold.", SPEC("3.1.2, frontend_mem_tlb_bound"))
ADVICE_ROW(fe_tlb_huge, frontend_mem_tlb_bound, LOOK, ALWAYS,
	   "Huge pages for code (hugetlbfs; CONFIG_READ_ONLY_THP_FOR_FS if the kernel has it).",
	   LINUX("Documentation/admin-guide/mm/hugetlbpage.rst") "; "
	   LINUX("mm/Kconfig, READ_ONLY_THP_FOR_FS"))
ADVICE_ROW(fe_tlb_folios, frontend_mem_tlb_bound, LOOK, ALWAYS,
	   "A file system with large folios (one TLB entry for 64 KB from Linux 6.9 on).",
	   LINUX("arch/arm64/include/asm/pgtable.h, exec_folio_order()") "; "
	   LINUX("arch/arm64/mm/contpte.c"))
ADVICE_ROW(fe_tlb_granule, frontend_mem_tlb_bound, LOOK, ALWAYS,
	   "A kernel with 64 KB pages, if it has 4 KB.",
	   LINUX("arch/arm64/Kconfig, ARM64_64K_PAGES: faster TLB look-up"))
ADVICE_ROW(fe_tlb_layout, frontend_mem_tlb_bound, LOOK, ALWAYS,
	   "A tighter layout of functions.", ARM_BOLT ": I-TLB misses")
ADVICE_ROW(fe_tlb_find, frontend_mem_tlb_bound, FIND, ALWAYS, SAMPLE("itlb_walk"),
	   EVENT("ITLB_WALK"))

ADVICE_ROW(fe_core_means, frontend_core_bound, MEANS, ALWAYS,
	   "The frontend itself is the limit, not memory.", SPEC("3.1.2, frontend_core_bound"))
ADVICE_ROW(fe_core_branches, frontend_core_bound, LOOK, ALWAYS,
	   "How well branches are predicted, and how dense they are.",
	   SPEC("3.1.2, frontend_core_bound: next is Branch Effectiveness"))
ADVICE_ROW(fe_core_find, frontend_core_bound, FIND, ALWAYS, SAMPLE("stall_frontend_cpubound"),
	   EVENT("STALL_FRONTEND_CPUBOUND"))

ADVICE_ROW(fe_flush_means, frontend_core_flush_bound, MEANS, ALWAYS,
	   "The pipeline is flushed often and must be filled again.",
	   SPEC("3.1.2, frontend_core_bound, Resteer"))
ADVICE_ROW(fe_flush_causes, frontend_core_flush_bound, LOOK, ALWAYS,
	   "Mispredicted branches; exceptions and system calls; memory hazards, as of loads that "
	   "overtake stores to the same address.",
	   SPEC("3.1.2, frontend_core_bound, Resteer"))
ADVICE_ROW(fe_flush_find, frontend_core_flush_bound, FIND, ALWAYS, SAMPLE("stall_frontend_flush"),
	   EVENT("STALL_FRONTEND_FLUSH"))

ADVICE_ROW(fe_flow_means, frontend_core_flow_bound, MEANS, ALWAYS,
	   "The branch predictor does not deliver the next address in time.",
	   SPEC("3.1.2, frontend_core_bound, Flow"))
ADVICE_ROW(fe_flow_branches, frontend_core_flow_bound, LOOK, ALWAYS,
	   "Many taken branches close together, many targets: unroll, straighten the hot path, "
	   "inline small functions.",
	   UNPUBLISHED("the specification has the cause (3.1.2, Flow), no remedy"))
ADVICE_ROW(fe_flow_find, frontend_core_flow_bound, FIND, ALWAYS, SAMPLE("stall_frontend_flow"),
	   EVENT("STALL_FRONTEND_FLOW"))

/* backend_bound and its branches */
ADVICE_ROW(be_means, backend_bound, MEANS, ALWAYS,
	   "The core cannot take more work: it waits for memory, or its queues and units are full.",
	   SPEC("3.1.1, backend stall, and 3.1.3, backend_mem_bound and backend_core_bound"))
ADVICE_ROW(be_parts, backend_bound, LOOK, ALWAYS,
	   "Memory, the queues and the units in turn: see the numbers below.",
	   SPEC("3.1.3, backend_mem_bound and backend_core_bound"))
ADVICE_ROW(be_find, backend_bound, FIND, ALWAYS, SAMPLE("stall_backend"), EVENT("STALL_BACKEND"))

ADVICE_ROW(be_mem_means, backend_mem_bound, MEANS, ALWAYS,
	   "Operations wait for memory: for the caches, the TLBs, or room for stores.",
	   SPEC("3.1.3, backend_mem_bound"))
ADVICE_ROW(be_mem_data, backend_mem_bound, LOOK, ALWAYS,
	   "Data structures of the hot loops: size, order of access, prefetching.",
	   BACKEND_STALLS("6") "; " DREPPER("6.2.1 and 6.3"))
ADVICE_ROW(be_mem_find_spe, backend_mem_bound, FIND, SPE, SPE("--load --store --min-latency 60"),
	   LATENCY)
ADVICE_ROW(be_mem_find, backend_mem_bound, FIND, ALWAYS, SAMPLE("stall_backend_membound"),
	   EVENT("STALL_BACKEND_MEMBOUND"))

ADVICE_ROW(be_cache_means, backend_mem_cache_bound, MEANS, ALWAYS,
	   "Loads wait for caches, near and far ones alike.",
	   SPEC("3.1.3, backend_mem_cache_bound"))
ADVICE_ROW(be_cache_data, backend_mem_cache_bound, LOOK, ALWAYS,
	   "Loads of long latency: smaller or better ordered data, blocking, software prefetch.",
	   BACKEND_STALLS("6") "; " DREPPER("6.2.1 and 6.3"))
ADVICE_ROW(be_cache_find_spe, backend_mem_cache_bound, FIND, SPE, SPE("--load --min-latency 30"),
	   LATENCY)
ADVICE_ROW(be_cache_find, backend_mem_cache_bound, FIND, ALWAYS, SAMPLE("l1d_cache_refill"),
	   EVENT("L1D_CACHE_REFILL"))

ADVICE_ROW(be_l1d_means, backend_cache_l1d_bound, MEANS, ALWAYS,
	   "Data is too large for the L1 (lscpu -C prints its size) but found in the L2.",
	   SPEC("2, L1 and L2 caches, and 3.1.3, backend_mem_bound: an L1 miss without an L2 miss"))
ADVICE_ROW(be_l1d_data, backend_cache_l1d_bound, LOOK, ALWAYS,
	   "Blocking of loops for the L1, smaller elements, strides that do not fall on the same "
	   "set.", DREPPER("6.2.1") "; " SPEC("2: the caches are set-associative"))
ADVICE_ROW(be_l1d_find, backend_cache_l1d_bound, FIND, ALWAYS, SAMPLE("l1d_cache_refill"),
	   EVENT("L1D_CACHE_REFILL"))

ADVICE_ROW(be_l2d_means, backend_cache_l2d_bound, MEANS, ALWAYS,
	   "Data comes from behind the L2: the last level, another core, DRAM.",
	   SPEC("3.1.3, backend_mem_bound: next are the L2 and the last level cache"))
ADVICE_ROW(be_l2d_data, backend_cache_l2d_bound, LOOK, ALWAYS,
	   "Working set and order of access.", BACKEND_STALLS("2, 3 and 6") "; " DREPPER("6.2.3"))
ADVICE_ROW(be_l2d_c2c, backend_cache_l2d_bound, LOOK, SPE,
	   "Lines that several CPUs write (n3stat spe report lists them).",
	   SPE_LINES)
ADVICE_ROW(be_l2d_shared, backend_cache_l2d_bound, LOOK, NO_SPE,
	   "Lines that several CPUs write: no tool here finds them, as this needs SPE.",
	   SHARING)
ADVICE_ROW(be_l2d_nodes, backend_cache_l2d_bound, LOOK, SEVERAL_NODES,
	   "Memory of another node (numactl, numastat -p).",
	   "numactl, numastat(8) and numactl(8); " DREPPER("6.5"))
ADVICE_ROW(be_l2d_find_spe, backend_cache_l2d_bound, FIND, SPE, SPE("--load --min-latency 100"),
	   LATENCY)
ADVICE_ROW(be_l2d_find, backend_cache_l2d_bound, FIND, ALWAYS, SAMPLE("l2d_cache_refill"),
	   EVENT("L2D_CACHE_REFILL"))

ADVICE_ROW(be_tlb_means, backend_mem_tlb_bound, MEANS, ALWAYS,
	   "Data lies on more pages than the TLBs hold.", SPEC("3.1.3, backend_mem_tlb_bound"))
ADVICE_ROW(be_tlb_huge, backend_mem_tlb_bound, LOOK, ALWAYS,
	   "Huge pages (madvise, hugetlbfs).",
	   LINUX("Documentation/admin-guide/mm/transhuge.rst, Objective") "; " HIGH_TLB("1 and 3"))
ADVICE_ROW(be_tlb_mthp, backend_mem_tlb_bound, LOOK, ALWAYS,
	   "mTHP of 64 KB (one TLB entry from Linux 6.9 on; hugepages-64kB/enabled).",
	   LINUX("Documentation/admin-guide/mm/transhuge.rst, Global THP controls (6.8)") "; "
	   LINUX("arch/arm64/mm/contpte.c (6.9)") "; " HIGH_TLB("2"))
ADVICE_ROW(be_tlb_granule, backend_mem_tlb_bound, LOOK, ALWAYS,
	   "A kernel with 64 KB pages, if it has 4 KB.",
	   LINUX("arch/arm64/Kconfig, ARM64_64K_PAGES: faster TLB look-up"))
ADVICE_ROW(be_tlb_data, backend_mem_tlb_bound, LOOK, ALWAYS,
	   "Denser data, fewer jumps from page to page.", DREPPER("6.2.4"))
ADVICE_ROW(be_tlb_find, backend_mem_tlb_bound, FIND, ALWAYS, SAMPLE("dtlb_walk"),
	   EVENT("DTLB_WALK"))

ADVICE_ROW(be_store_means, backend_mem_store_bound, MEANS, ALWAYS,
	   "Stores come faster than they can be written.", SPEC("3.1.3, backend_mem_store_bound"))
ADVICE_ROW(be_store_data, backend_mem_store_bound, LOOK, ALWAYS,
	   "Scattered stores, large memset and memcpy.", DREPPER("6.1: order of stores, memset") "; "
	   UNPUBLISHED("memcpy stores as much as memset"))
ADVICE_ROW(be_store_c2c, backend_mem_store_bound, LOOK, SPE,
	   "Lines shared with other CPUs (n3stat spe report lists them).",
	   SPE_LINES)
ADVICE_ROW(be_store_shared, backend_mem_store_bound, LOOK, NO_SPE,
	   "Lines shared with other CPUs: no tool here finds them, as this needs SPE.",
	   SHARING)
ADVICE_ROW(be_store_find_spe, backend_mem_store_bound, FIND, SPE, SPE("--store --min-latency 30"),
	   LATENCY)
ADVICE_ROW(be_store_find, backend_mem_store_bound, FIND, ALWAYS, SAMPLE("stall_backend_st"),
	   EVENT("STALL_BACKEND_ST"))

ADVICE_ROW(be_core_means, backend_core_bound, MEANS, ALWAYS,
	   "The units of the core are the limit, not memory.", SPEC("3.1.3, backend_core_bound"))
ADVICE_ROW(be_core_units, backend_core_bound, LOOK, ALWAYS,
	   "Long chains of dependent operations, many operations of one kind; then the groups "
	   "Operation_Mix and, once it is in the setting groups, Backend_Resources.",
	   SPEC("3.1.3, backend_core_bound, Dispatch Busy: units, ports, dependencies"))
ADVICE_ROW(be_core_find, backend_core_bound, FIND, ALWAYS, SAMPLE("stall_backend_cpubound"),
	   EVENT("STALL_BACKEND_CPUBOUND"))

ADVICE_ROW(be_rename_means, backend_core_rename_bound, MEANS, ALWAYS,
	   "No physical register is free: too much is in flight at a time.",
	   SPEC("3.1.3, backend_core_bound, Rename"))
ADVICE_ROW(be_rename_loops, backend_core_rename_bound, LOOK, ALWAYS,
	   "Long-lived values in wide loops: unroll less. The kind of register: "
	   "backend_rename_*_bound, once Backend_Resources is in the setting groups.",
	   UNPUBLISHED("the specification has the cause (3.1.3, Rename), no remedy"))
ADVICE_ROW(be_rename_find, backend_core_rename_bound, FIND, ALWAYS, SAMPLE("stall_backend_rename"),
	   EVENT("STALL_BACKEND_RENAME"))

ADVICE_ROW(be_busy_means, backend_busy_bound, MEANS, ALWAYS,
	   "The issue queues are full: work arrives faster than the units take it.",
	   SPEC("3.1.3, backend_core_bound, Dispatch Busy"))
ADVICE_ROW(be_busy_queue, backend_busy_bound, LOOK, ALWAYS,
	   "Which queue: backend_iq_*_bound, once Backend_Resources is in the setting groups; then "
	   "spread the work over more kinds of units.",
	   SPEC("4.4, IMP_STALL_BACKEND_IQ_*") "; " UNPUBLISHED("the remedy follows from 3.1.3"))
ADVICE_ROW(be_busy_find, backend_busy_bound, FIND, ALWAYS, SAMPLE("stall_backend_busy"),
	   EVENT("STALL_BACKEND_BUSY"))

ADVICE_ROW(bad_means, bad_speculation, MEANS, ALWAYS,
	   "Work is done and thrown away, mostly after mispredicted branches.",
	   SPEC("3.1.1, bad_speculation"))
ADVICE_ROW(bad_branches, bad_speculation, LOOK, ALWAYS,
	   "Branches that depend on data: sort, use conditional selects or tables; indirect calls "
	   "with many targets.", SPEC("3.2, Branch Effectiveness: data dependent branches") "; "
	   GCC_OPTION("-fif-conversion: conditional moves"))
ADVICE_ROW(bad_find_spe, bad_speculation, FIND, SPE, SPE("--branch --event-filter mispredicted"),
	   EVENT("BR_MIS_PRED_RETIRED") "; "
	   SPE_DOC("Config parameters, event_filter bit 7"))
ADVICE_ROW(bad_find, bad_speculation, FIND, ALWAYS, SAMPLE("br_mis_pred_retired"),
	   EVENT("BR_MIS_PRED_RETIRED"))

ADVICE_ROW(ret_means, retiring, MEANS, ALWAYS,
	   "The slots do useful work. To be faster, do less of it.", SPEC("3.1.1, retiring"))
ADVICE_ROW(ret_work, retiring, LOOK, ALWAYS,
	   "A better algorithm; vectors where scalars do the work; lower precision.",
	   SPEC("3.1.1, retiring, and 3.2, Operation Mix, Floating Point Precision"))
ADVICE_ROW(ret_sve, retiring, LOOK, ALWAYS,
	   "N3's SVE vectors have 128 bits, as Advanced SIMD's: gains come from predication and "
	   "gather, not from width.",
	   GCC_N3 "sve_width is SVE_128; "
	   GRAVITON("debug_hw_perf.md, Drill down Vectorization"))
ADVICE_ROW(ret_find, retiring, FIND, ALWAYS, SAMPLE("inst_retired"), EVENT("INST_RETIRED"))

/* on the command */
ADVICE_ROW(real_n3, perf, NOTE, SIMULATED,
	   "The counts here are simulated: no code of this machine causes them.",
	   OWN("drivers/perf/n3_sim/rates.c"))
ADVICE_ROW(perf_rights, perf, NOTE, PERF,
	   "perf needs CAP_PERFMON or, for whole CPUs, kernel.perf_event_paranoid <= 0.",
	   LINUX("Documentation/admin-guide/perf-security.rst, Unprivileged users") "; "
	   LINUX("Documentation/admin-guide/sysctl/kernel.rst, perf_event_paranoid"))
ADVICE_ROW(perf_counters, perf, NOTE, PERF,
	   "It takes counters, so n3stat shows contended meanwhile.",
	   OWN("selftests/kernel/contention.sh"))
ADVICE_ROW(perf_skid, perf, NOTE, PERF,
	   "It blames an instruction after the one that caused the event (skid).",
	   "man-pages, perf_event_open(2), precise_ip; " SPE_DOC("DESCRIPTION and Why Sampling?"))
ADVICE_ROW(perf_irqs, perf, NOTE, PERF,
	   "Code with interrupts off is seen only with pseudo-NMIs (irqchip.gicv3_pseudo_nmi=1).",
	   LINUX("Documentation/admin-guide/kernel-parameters.txt, irqchip.gicv3_pseudo_nmi") "; "
	   LINUX("drivers/perf/arm_pmu.c, armpmu_request_irq()"))

/*
 * Findings of n3stat doctor: the command or the change that mends each. The condition is the
 * finding's own; commands with names of processes or lists of CPUs are made there.
 */
ADVICE_ROW(no_pmu_driver, doctor, FIX, ALWAYS,
	   "a kernel with CONFIG_ARM_PMUV3, before 6.5 CONFIG_HW_PERF_EVENTS",
	   LINUX("drivers/perf/Kconfig, ARM_PMUV3") "; " LINUX("arch/arm64/kernel/Makefile (6.1)"))
ADVICE_ROW(pmu_driver_failed, doctor, FIX, ALWAYS, "dmesg | grep -i pmu",
	   LINUX("drivers/perf/arm_pmu_platform.c and arm_pmu_acpi.c, pr_warn()"))
ADVICE_ROW(no_pmu, doctor, FIX, ALWAYS,
	   "turn the guest's PMU on (QEMU: -cpu host,pmu=on; libvirt: <pmu state='on'/>), or use the "
	   "host", "QEMU, docs/system/arm/cpu-features.rst, Arm CPU Features; "
	   "libvirt, Domain XML format, Hypervisor features, pmu")
ADVICE_ROW(no_pmu_gce, doctor, FIX, ALWAYS,
	   "gcloud compute instances create ... --performance-monitoring-unit=standard (documented for "
	   "C4A and C4; N4A was not seen to offer it)",
	   "Google Cloud, Compute Engine, Enable the PMU in VMs and PMU overview")
ADVICE_ROW(few_counters_vmm, doctor, FIX, ALWAYS, "use a larger guest, or the host",
	   GRAVITON("debug_hw_perf.md, How to Collect PMU counters"))
ADVICE_ROW(few_counters_partitioned, doctor, FIX, ALWAYS, "boot without reserved_host_counters=",
	   PARTITIONING)
ADVICE_ROW(few_counters_taken, doctor, FIX, ALWAYS,
	   "free counters (see above), then n3stat doctor again", ADMIN("Sharing the PMU"))
ADVICE_ROW(few_counters_unknown, doctor, FIX, ALWAYS,
	   "dmesg | grep 'counters available', for how many there are",
	   LINUX("drivers/perf/arm_pmu.c, armpmu_register(), pr_info()"))
ADVICE_ROW(events_hidden, doctor, FIX, ALWAYS, "n3stat selftest", SELFTEST_PAGE)
ADVICE_ROW(stall_slots_inconsistent, doctor, FIX, ALWAYS, "n3stat selftest",
	   SELFTEST_PAGE)
ADVICE_ROW(slots_identity_violated, doctor, FIX, ALWAYS, "n3stat selftest",
	   SELFTEST_PAGE)
ADVICE_ROW(slots_uncorrected, doctor, FIX, ALWAYS, "n3stat selftest -o report.json, and send it",
	   OWN("Documentation/silicon.rst, Send the report"))
ADVICE_ROW(slots_miscorrected, doctor, FIX, ALWAYS, "n3stat selftest -o report.json, and send it",
	   OWN("Documentation/silicon.rst, Send the report"))
ADVICE_ROW(metrics_withdrawn, doctor, FIX, ALWAYS,
	   "n3stat selftest; echo 1 > " SETTINGS "enable", SELFTEST_PAGE)
ADVICE_ROW(events_implausible, doctor, FIX, ALWAYS,
	   "n3stat selftest --apply, or ask for a guest with all PMU events",
	   SELFTEST_PAGE)
ADVICE_ROW(events_distrusted, doctor, FIX, ALWAYS,
	   "n3stat selftest --apply, if host or hypervisor is another now",
	   SELFTEST_PAGE)
ADVICE_ROW(all_events_distrusted, doctor, FIX, ALWAYS, "echo none > " SETTINGS "distrust",
	   ABI("distrust"))
ADVICE_ROW(all_counters_reserved, doctor, FIX, ALWAYS, "echo 0 > " SETTINGS "reserved_counters",
	   ABI("reserved_counters"))
ADVICE_ROW(counters_reserved, doctor, FIX, ALWAYS, "echo 0 > " SETTINGS "reserved_counters",
	   ABI("reserved_counters"))
ADVICE_ROW(no_counter_available, doctor, FIX, ALWAYS, "dmesg | grep n3_telemetry",
	   ADMIN("Kernel log messages"))
ADVICE_ROW(no_direct_access, doctor, FIX, ALWAYS, "dmesg | grep n3_telemetry",
	   ADMIN("Kernel log messages"))
ADVICE_ROW(user_access_seen, doctor, FIX, ALWAYS,
	   NO_USER_ACCESS "; echo 1 > " SETTINGS "enable",
	   LINUX("Documentation/admin-guide/sysctl/kernel.rst, perf_user_access"))
ADVICE_ROW(user_access_allowed, doctor, FIX, ALWAYS,
	   NO_USER_ACCESS ", or user_access = allow in /etc/n3-telemetry.conf",
	   LINUX("Documentation/admin-guide/sysctl/kernel.rst, perf_user_access"))
ADVICE_ROW(yielded_for_power, doctor, FIX, ALWAYS,
	   "allow more (max_cost), or do without idle states that take a CPU's power",
	   ABI("max_cost"))
ADVICE_ROW(yielded_to_others, doctor, FIX, ALWAYS,
	   "stop the other user, or: echo share > " SETTINGS "contention", ABI("contention"))
ADVICE_ROW(shared_with_others, doctor, FIX, ALWAYS, "stop the other user", ABI("contention"))
ADVICE_ROW(long_slices, doctor, FIX, ALWAYS, "sample fewer metrics (groups), or allow more (max_cost)",
	   ABI("max_cost"))
ADVICE_ROW(starved_slices, doctor, FIX, ALWAYS, LIST_REALTIME, PS_MANUAL)
ADVICE_ROW(yield_late, doctor, FIX, ALWAYS, LIST_REALTIME, PS_MANUAL)
ADVICE_ROW(cpus_offline, doctor, FIX, ALWAYS, "echo 1 > /sys/devices/system/cpu/cpuN/online",
	   LINUX("Documentation/core-api/cpu_hotplug.rst, Using CPU hotplug"))
ADVICE_ROW(no_cpu_sampled, doctor, FIX, ALWAYS, "cat " SETTINGS "cpu0/status", ABI("cpuN/status"))
ADVICE_ROW(pmu_partitioned, doctor, FIX, ALWAYS,
	   "leave the host more counters, by the PMU driver's parameters",
	   PARTITIONING)
ADVICE_ROW(guests_running, doctor, FIX, ALWAYS, "echo CPUS > " SETTINGS "cpus, for CPUs without guests",
	   ABI("cpus"))
ADVICE_ROW(module_unsigned, doctor, FIX, ALWAYS,
	   "scripts/sign-file sha256 MOK.priv MOK.der n3_telemetry.ko, from the kernel's headers, "
	   "after mokutil --import MOK.der",
	   MODULE_SIGNING("Manually signing modules"))
ADVICE_ROW(key_not_enrolled, doctor, FIX, ALWAYS,
	   "mokutil --import /var/lib/dkms/mok.pub (or the certificate of your key), then reboot and "
	   "choose Enroll MOK", "DKMS, README.md, Secure Boot; "
	   MODULE_SIGNING("Non-valid signatures and unsigned modules"))
ADVICE_ROW(kernel_config_missing, doctor, FIX, ALWAYS,
	   "apt install --reinstall linux-headers-$(uname -r)",
	   DKMS_SOURCE("prepare_signing()"))
ADVICE_ROW(dkms_build_failed, doctor, FIX, ALWAYS,
	   "cat /var/lib/dkms/n3-telemetry/*/build/make.log", DKMS_SOURCE("actual_build()"))
ADVICE_ROW(dkms_source_missing, doctor, FIX, ALWAYS,
	   "apt install --reinstall n3-telemetry-dkms", DKMS_SOURCE("is_module_broken()"))
ADVICE_ROW(module_not_loaded, doctor, FIX, ALWAYS, RESTART "; dmesg | grep n3_telemetry", LOAD_IT)
ADVICE_ROW(module_for_other_kernel, doctor, FIX, ALWAYS,
	   "make && make modules_install && depmod, in its source", LOAD_IT)
ADVICE_ROW(module_not_installed, doctor, FIX, ALWAYS,
	   "apt install n3-telemetry-dkms, or make && make modules_install && depmod in its source",
	   LOAD_IT)
ADVICE_ROW(no_sysfs, doctor, FIX, ALWAYS, "mount -t sysfs none /sys",
	   LINUX("Documentation/filesystems/sysfs.rst, Using sysfs"))
ADVICE_ROW(nmi_watchdog_possible, doctor, FIX, ALWAYS, "sysctl kernel.nmi_watchdog=0",
	   LINUX("Documentation/admin-guide/sysctl/kernel.rst, nmi_watchdog"))
ADVICE_ROW(nmi_watchdog, doctor, FIX, ALWAYS, "sysctl kernel.nmi_watchdog=0",
	   LINUX("Documentation/admin-guide/sysctl/kernel.rst, nmi_watchdog"))
ADVICE_ROW(kernel_lockdown, doctor, FIX, ALWAYS, "boot without lockdown=confidentiality",
	   LINUX("include/linux/security.h, enum lockdown_reason: LOCKDOWN_PERF"))
ADVICE_ROW(pmu_simulated, doctor, FIX, ALWAYS, "rmmod n3_telemetry; " RESTART, ABI("pmu"))
ADVICE_ROW(pmu_named, doctor, FIX, ALWAYS, "rmmod n3_telemetry; " RESTART, ABI("pmu"))
ADVICE_ROW(other_core, doctor, FIX, ALWAYS, "rmmod n3_telemetry, when the rehearsal is over",
	   OWN("Documentation/silicon.rst, Rehearse on another core"))
ADVICE_ROW(groups_not_chosen, doctor, FIX, ALWAYS, "echo all > " SETTINGS "groups", ABI("groups"))
ADVICE_ROW(sampling_disabled, doctor, FIX, ALWAYS, "echo 1 > " SETTINGS "enable", ABI("enable"))

/* Remedies for words that are reported instead of numbers. */
ADVICE_ROW(word_offline, word, FIX, ALWAYS,
	   "echo 1 > /sys/devices/system/cpu/cpuN/online",
	   LINUX("Documentation/core-api/cpu_hotplug.rst, Using CPU hotplug"))
ADVICE_ROW(word_disabled, word, FIX, ALWAYS,
	   "The settings in /sys/kernel/n3_telemetry; n3stat doctor.",
	   ABI("enable, cpus, groups"))
ADVICE_ROW(word_unplaced, word, FIX, ALWAYS,
	   "budget in cpuN/status, the setting reserved_counters; n3stat doctor.",
	   ABI("cpuN/status and reserved_counters"))
ADVICE_ROW(word_unsupported, word, FIX, ALWAYS,
	   "n3stat selftest --apply, if the host or the hypervisor is another now.",
	   SELFTEST_PAGE)
ADVICE_ROW(word_contended, word, FIX, ALWAYS,
	   "n3stat doctor reports the reason and who holds counters; the setting contention.",
	   ADMIN("Sharing the PMU"))
ADVICE_ROW(word_idle, word, FIX, ALWAYS,
	   "Nothing is wrong: the CPU sleeps.",
	   LIBN3T("verdict.c"))
ADVICE_ROW(word_stale, word, FIX, ALWAYS,
	   "A longer window (window_ms), or fewer groups; n3stat doctor.",
	   LIBN3T("verdict.c"))
ADVICE_ROW(word_implausible, word, FIX, ALWAYS,
	   "n3stat selftest --apply, or another host.",
	   SELFTEST_PAGE)
ADVICE_ROW(word_inconsistent, word, FIX, ALWAYS,
	   "n3stat selftest reports which of the events counts wrongly.",
	   SPEC("4.3: Topdown_L1 assumes the sum"))
ADVICE_ROW(word_undef, word, FIX, ALWAYS,
	   "Nothing is wrong: there was nothing to divide by.",
	   LIBN3T("formula.c: division by 0"))
ADVICE_ROW(word_none, word, FIX, ALWAYS,
	   "A longer window_ms, fewer groups, or another anchor.",
	   OWN("tools/libn3telemetry/stats/quality.c"))
ADVICE_ROW(word_mixed, word, FIX, ALWAYS,
	   "Look at all of them, or wait; a longer window_ms or fewer groups.",
	   OWN("tools/libn3telemetry/answer.c"))
ADVICE_ROW(word_spread, word, FIX, ALWAYS,
	   "Look at the causes that n3stat tree lists, the largest first.",
	   OWN("tools/libn3telemetry/answer.c"))

#undef SPEC
#undef LINUX
#undef SPE_DOC
#undef GCC_N3
#undef GCC_OPTION
#undef GRAVITON
#undef OPTIMIZING
#undef FOOTPRINT
#undef HIGH_TLB
#undef BACKEND_STALLS
#undef C2C
#undef DREPPER
#undef ARM_BOLT
#undef OWN
#undef ADMIN
#undef ABI
#undef UNPUBLISHED
#undef LIBN3T
#undef SETTINGS
#undef SAMPLE
#undef SPE
#undef EVENT
#undef LATENCY
#undef SELFTEST_PAGE
#undef LOAD_IT
#undef RESTART
#undef NO_USER_ACCESS
#undef LIST_REALTIME
#undef PS_MANUAL
#undef PARTITIONING
#undef DKMS_SOURCE
#undef MODULE_SIGNING
#undef ADVICE_ROW
