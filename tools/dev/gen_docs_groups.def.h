/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * GROUP_WORDS(<metric group>, <section of the specification or "">, <purpose>)
 *
 * Descriptions of groups in Documentation/metrics.rst; gen_docs.c refuses a
 * group without one. Descriptions of metrics are in
 * tools/n3stat/meanings.def.h.
 */
GROUP_WORDS(Topdown_L1, "3.1.1",
	    "Where to begin: how the slots in which operations could have moved on were "
	    "spent. The four add up to 100.")
GROUP_WORDS(Topdown_Frontend, "3.1.2",
	    "Why the frontend delivered nothing. Each is a share of the level above it, not "
	    "of all cycles.")
GROUP_WORDS(Topdown_Backend, "3.1.3",
	    "Why the backend took nothing. Each is a share of the level above it, not of "
	    "all cycles.")
GROUP_WORDS(Cycle_Accounting, "3.2",
	    "Stalled cycles over all cycles, to see how much a share in the two groups "
	    "before is a share of.")
GROUP_WORDS(General, "3.2", "Instructions per cycle.")
GROUP_WORDS(MPKI, "3.2",
	    "Misses for each thousand instructions: what a miss costs the program, and "
	    "comparable between machines. Outside the decision tree.")
GROUP_WORDS(Miss_Ratio, "3.2",
	    "Misses for each access: how well a part does its work, whatever that work is "
	    "worth. Outside the decision tree.")
GROUP_WORDS(SVE_Effectiveness, "3.2", "How full the vectors of predicated SVE code are.")
GROUP_WORDS(FP_Arithmetic_Intensity, "3.2", "Floating-point work done in a cycle.")
GROUP_WORDS(FP_Precision_Mix, "3.2", "Which precisions the floating-point work has.")
GROUP_WORDS(Branch_Effectiveness, "3.2",
	    "How well branches are predicted, and which kinds there are.")
GROUP_WORDS(ITLB_Effectiveness, "3.2", "How well the TLBs serve instruction fetch.")
GROUP_WORDS(DTLB_Effectiveness, "3.2", "How well the TLBs serve loads and stores.")
GROUP_WORDS(L1I_Cache_Effectiveness, "3.2",
	    "How well the first-level instruction cache serves instruction fetch.")
GROUP_WORDS(L1D_Cache_Effectiveness, "3.2",
	    "How well the first-level data cache serves loads and stores.")
GROUP_WORDS(L2_Cache_Effectiveness, "3.2",
	    "How well the core's second-level cache serves code and data.")
GROUP_WORDS(LL_Cache_Effectiveness, "3.2",
	    "How well the cache behind the core's own serves reads. That is the system "
	    "level cache if the interconnect has one and counts it so.")
GROUP_WORDS(Operation_Mix, "3.2",
	    "What kinds of operations were executed, wrong paths included. They overlap: "
	    "SVE loads and stores are in two of them.")
GROUP_WORDS(Memory_Traffic, "3.3",
	    "What the load/store unit asks of memory, cache hits included.")
GROUP_WORDS(Remote_Access, "3.4",
	    "Memory transactions that another chip completed: the price of wrong placement.")
GROUP_WORDS(Backend_Resources, "",
	    "Which queue or resource was full while the backend stalled. They need not add "
	    "up to 100: several can be full at once.")
GROUP_WORDS(CHI_Busy, "",
	    "How busy the interconnect said it was, from 0 to 3, each level as a share of "
	    "all answers that said so.")
GROUP_WORDS(SPE_Sampling, "",
	    "How the sampling of operations by SPE (Statistical Profiling Extension) does. The "
	    "word is \"idle\" where nothing samples. The events are counted only while SPE runs "
	    "on the CPU. Kinds of operations overlap.")

#undef GROUP_WORDS
