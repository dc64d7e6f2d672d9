/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * ADVICE_FOR(<metric of the decision tree>, <meaning if the path ends here>,
 *	     <things to look at>, <command that finds the code>)
 * ADVICE_BY_SPE(<the same>, <command where SPE can be used>)
 *
 * In a command, PMU stands for the name of the CPUs' PMU and WHERE for the measured CPUs.
 * Every metric of the tree has one; a test checks it.
 */
#ifndef ADVICE_BY_SPE
#define ADVICE_BY_SPE(metric, means, look, command, spe) ADVICE_FOR(metric, means, look, command)
#endif

#define SAMPLE(event)	"perf record -e PMU/" event "/ -g WHERE -- sleep 10 && perf report"
#define SPE(filter)	"n3stat spe record WHERE-s 5 " filter " && n3stat spe report n3stat.spe"

ADVICE_FOR(frontend_bound,
	   "The core waits for instructions: memory gives them late, or the frontend itself does.",
	   "Both branches below: large code (profile-guided layout, fewer templates, huge "
	   "pages for code) and hard branches.",
	   SAMPLE("stall_frontend"))
ADVICE_FOR(frontend_mem_bound,
	   "Code does not come from memory in time: from the caches, or past the TLBs.",
	   "The size of the hot code and how it is spread over pages.",
	   SAMPLE("stall_frontend_membound"))
ADVICE_FOR(frontend_mem_cache_bound,
	   "Hot code does not fit the caches; the L1 holds 64 KB at most.",
	   "Layout of the hot functions: -fprofile-use, BOLT, less inlining.",
	   SAMPLE("stall_frontend_membound"))
ADVICE_FOR(frontend_cache_l1i_bound,
	   "Hot code is larger than the L1 instruction cache but fits the L2.",
	   "Put hot functions side by side (-fprofile-use, BOLT, -ffunction-sections with an "
	   "order file); inline less.",
	   SAMPLE("l1i_cache_refill"))
ADVICE_FOR(frontend_cache_l2i_bound,
	   "Hot code does not even fit the L2, or is thrown out of it by data.",
	   "The size of the whole program and its data; other programs on this CPU; "
	   "just-in-time code that is spread out.",
	   SAMPLE("l2i_cache_refill"))
ADVICE_FOR(frontend_mem_tlb_bound,
	   "Hot code lies on more pages than the TLBs hold.",
	   "Huge pages for code (transparent ones for text, hugetlbfs), a tighter layout of "
	   "functions.",
	   SAMPLE("itlb_walk"))
ADVICE_FOR(frontend_core_bound,
	   "The frontend itself is the limit, not memory.",
	   "How well branches are predicted, and how dense they are.",
	   SAMPLE("stall_frontend_cpubound"))
ADVICE_FOR(frontend_core_flush_bound,
	   "The pipeline is emptied often and must be filled again.",
	   "Mispredicted branches, exceptions and system calls, barriers (ISB), stores that "
	   "loads had overtaken.",
	   SAMPLE("stall_frontend_flush"))
ADVICE_FOR(frontend_core_flow_bound,
	   "The branch predictor cannot name the next code fast enough.",
	   "Many taken branches side by side, many targets: unroll, straighten the hot path, "
	   "inline small functions.",
	   SAMPLE("stall_frontend_flow"))
ADVICE_FOR(backend_bound,
	   "The core cannot take more work: it waits for memory, or its queues and units are full.",
	   "Memory, the queues and the units in turn: see the numbers below.",
	   SAMPLE("stall_backend"))
ADVICE_BY_SPE(backend_mem_bound,
	      "Operations wait for memory: for the caches, the TLBs, or room for stores.",
	      "Data structures of the hot loops: size, order of access, prefetching.",
	      SAMPLE("stall_backend_membound"),
	      SPE("--load --store --min-latency 60"))
ADVICE_BY_SPE(backend_mem_cache_bound,
	      "Loads wait for caches, near and far ones alike.",
	      "Loads of long latency: smaller or better ordered data, blocking, software "
	      "prefetch.",
	      SAMPLE("l1d_cache_refill"),
	      SPE("--load --min-latency 30"))
ADVICE_FOR(backend_cache_l1d_bound,
	   "Data is too large for the L1 (64 KB at most) but found in the L2.",
	   "Blocking of loops for the L1, smaller elements, strides that do not fall on the "
	   "same set.",
	   SAMPLE("l1d_cache_refill"))
ADVICE_BY_SPE(backend_cache_l2d_bound,
	      "Data comes from behind the L2: the last level, another core, DRAM.",
	      "Working set and order of access; lines that several CPUs write (perf c2c); memory "
	      "of another node (numactl).",
	      SAMPLE("l2d_cache_refill"),
	      SPE("--load --min-latency 100"))
ADVICE_FOR(backend_mem_tlb_bound,
	   "Data lies on more pages than the TLBs hold.",
	   "Huge pages (madvise, hugetlbfs), denser data, fewer jumps from page to page.",
	   SAMPLE("dtlb_walk"))
ADVICE_BY_SPE(backend_mem_store_bound,
	      "Stores come faster than they can be written.",
	      "Scattered stores, large memset and memcpy, lines shared with other CPUs.",
	      SAMPLE("stall_backend_st"),
	      SPE("--store --min-latency 30"))
ADVICE_FOR(backend_core_bound,
	   "The units of the core are the limit, not memory.",
	   "Long chains of dependent operations, divisions, barriers; then the groups "
	   "Operation_Mix and Backend_Resources.",
	   SAMPLE("stall_backend_cpubound"))
ADVICE_FOR(backend_core_rename_bound,
	   "No physical register is free: too much is in flight at a time.",
	   "Long-lived values in wide loops; see backend_rename_*_bound for the kind of "
	   "register, and unroll less.",
	   SAMPLE("stall_backend_rename"))
ADVICE_FOR(backend_busy_bound,
	   "The issue queues are full: work arrives faster than the units take it.",
	   "Which queue: group Backend_Resources (backend_iq_*_bound); then spread the work "
	   "over more kinds of units.",
	   SAMPLE("stall_backend_busy"))
ADVICE_BY_SPE(bad_speculation,
	      "Work is done and thrown away, mostly after mispredicted branches.",
	      "Branches that depend on data: sort, use conditional moves or tables; indirect "
	      "calls with many targets.",
	      SAMPLE("br_mis_pred_retired"),
	      SPE("--branch --event-filter mispredicted"))
ADVICE_FOR(retiring,
	   "The slots do useful work. To be faster, do less of it.",
	   "A better algorithm, vectors (SVE, Advanced SIMD) where scalars do the work, lower "
	   "precision.",
	   SAMPLE("inst_retired"))

#undef SAMPLE
#undef SPE
#undef ADVICE_FOR
#undef ADVICE_BY_SPE
