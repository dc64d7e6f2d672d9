/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * GROUP_WORDS(<metric group>, <section of the specification or "">, <purpose>)
 *
 * Descriptions of groups in metrics.rst; gen-docs.py refuses a group without one. Descriptions of
 * metrics are in tools/libn3telemetry/meanings.def.h.
 */
GROUP_WORDS(Topdown_L1, "3.1.1",
	    "The starting point: how the slots that could hold an operation were used. The "
	    "four add up to 100.")
GROUP_WORDS(Topdown_Frontend, "3.1.2",
	    "Why the frontend delivered no operations. Each is a share of the level above, "
	    "not of all cycles.")
GROUP_WORDS(Topdown_Backend, "3.1.3",
	    "Why the backend accepted no operations. Each is a share of the level above, "
	    "not of all cycles.")
GROUP_WORDS(Cycle_Accounting, "3.2",
	    "Stalled cycles as a share of all cycles: the base of the shares in the previous "
	    "two groups.")
GROUP_WORDS(General, "3.2", "Instructions per cycle.")
GROUP_WORDS(MPKI, "3.2",
	    "Misses per thousand instructions: the cost of misses for the program, comparable "
	    "between machines. Outside the decision tree.")
GROUP_WORDS(Miss_Ratio, "3.2",
	    "Misses per access: how well a structure works, regardless of its effect on the "
	    "program. Outside the decision tree.")
GROUP_WORDS(SVE_Effectiveness, "3.2",
	    "How full the vectors of predicated SVE code are.")
GROUP_WORDS(FP_Arithmetic_Intensity, "3.2",
	    "Floating-point operations per cycle.")
GROUP_WORDS(FP_Precision_Mix, "3.2",
	    "Precisions of the floating-point operations.")
GROUP_WORDS(Branch_Effectiveness, "3.2",
	    "How well branches are predicted, and the mix of their kinds.")
GROUP_WORDS(ITLB_Effectiveness, "3.2", "How well the TLBs serve instruction fetch.")
GROUP_WORDS(DTLB_Effectiveness, "3.2", "How well the TLBs serve loads and stores.")
GROUP_WORDS(L1I_Cache_Effectiveness, "3.2",
	    "How well the first-level instruction cache serves instruction fetch.")
GROUP_WORDS(L1D_Cache_Effectiveness, "3.2",
	    "How well the first-level data cache serves loads and stores.")
GROUP_WORDS(L2_Cache_Effectiveness, "3.2",
	    "How well the core's second-level cache serves code and data.")
GROUP_WORDS(LL_Cache_Effectiveness, "3.2",
	    "How well the cache behind the core's own serves reads: the system level cache, "
	    "if the interconnect has one and counts its accesses as such. Without reads, the "
	    "values are undef. No event counts writes: the cache takes what the core evicts, "
	    "and the interconnect completes writes early.")
GROUP_WORDS(Operation_Mix, "3.2",
	    "Kinds of executed operations, including those on wrong paths. They overlap: SVE "
	    "loads and stores are in two of them.")
GROUP_WORDS(Memory_Traffic, "3.3",
	    "Memory accesses by the load/store unit, including cache hits.")
GROUP_WORDS(Remote_Access, "3.4",
	    "Memory transactions completed by another chip: the cost of wrong placement.")
GROUP_WORDS(Backend_Resources, "",
	    "Queues and resources that were full while the backend stalled. They need not add "
	    "up to 100: several can be full at once.")
GROUP_WORDS(CHI_Busy, "",
	    "Load reported by the interconnect, from 0 to 3, each level as a share of all "
	    "responses with a report.")
GROUP_WORDS(SPE_Sampling, "",
	    "Operation sampling by SPE (Statistical Profiling Extension). The word is "
	    "\"idle\" if nothing is sampled. The events are counted only while SPE runs on "
	    "the CPU. Kinds of operations overlap. Its records use the core's bandwidth to L2.")

#undef GROUP_WORDS
