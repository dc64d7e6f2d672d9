/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Tables of the metric groups, their metrics and the decision tree.
 *
 * N3T_GROUP(<name>, <title>, <stage of the methodology, 0 if beyond its metrics>,
 *	     <section of the specification or "">, <purpose>)
 * N3T_MEMBER(<group>, <metric>)
 * N3T_TREE_METRIC(<metric>, <metric to look at next>)
 * N3T_TREE_GROUP(<metric>, <group to look at next>)
 * N3T_TREE_CAUSES(<metric>, <extra group that counts its causes>)
 *
 * The metric groups, their metrics in the order in which they are shown, and
 * the decision tree of the Topdown methodology: include it with the macros
 * that are needed defined; they are undefined again at its end. Source: Arm's
 * Neoverse N3 Core Telemetry Specification (109530, issue 01), section 5.
 * Sections are for metrics.rst, purposes also for n3stat explain.
 */
#ifndef N3T_GROUP
#define N3T_GROUP(name, ...)
#endif
#ifndef N3T_MEMBER
#define N3T_MEMBER(group, metric)
#endif
#ifndef N3T_TREE_METRIC
#define N3T_TREE_METRIC(node, metric)
#endif
#ifndef N3T_TREE_GROUP
#define N3T_TREE_GROUP(node, group)
#endif
#ifndef N3T_TREE_CAUSES
#define N3T_TREE_CAUSES(node, group)
#endif

N3T_GROUP(Topdown_L1, "Topdown Level 1", 1, "3.1.1",
	  "The starting point: how the slots that could hold an operation were used. The four add "
	  "up to 100.")
N3T_GROUP(Topdown_Frontend, "Topdown Frontend", 1, "3.1.2",
	  "Why the frontend delivered no operations. Each is a share of the level above, not of "
	  "all cycles.")
N3T_GROUP(Topdown_Backend, "Topdown Backend", 1, "3.1.3",
	  "Why the backend accepted no operations. Each is a share of the level above, not of all "
	  "cycles.")
N3T_GROUP(Cycle_Accounting, "Cycle Accounting", 2, "3.2",
	  "Stalled cycles as a share of all cycles: the base of the shares in the previous two "
	  "groups.")
N3T_GROUP(General, "General", 2, "3.2",
	  "Instructions per cycle.")
N3T_GROUP(MPKI, "Misses Per Kilo Instructions", 2, "3.2",
	  "Misses per thousand instructions: the cost of misses for the program, comparable "
	  "between machines. Outside the decision tree.")
N3T_GROUP(Miss_Ratio, "Miss Ratio", 2, "3.2",
	  "Misses per access: how well a structure works, regardless of its effect on the program. "
	  "Outside the decision tree.")
N3T_GROUP(SVE_Effectiveness, "SVE Effectiveness", 2, "3.2",
	  "How full the vectors of predicated SVE code are.")
N3T_GROUP(FP_Arithmetic_Intensity, "Floating Point Arithmetic Intensity", 2, "3.2",
	  "Floating-point operations per cycle.")
N3T_GROUP(FP_Precision_Mix, "Floating Point Precision", 2, "3.2",
	  "Precisions of the floating-point operations.")
N3T_GROUP(Branch_Effectiveness, "Branch Effectiveness", 2, "3.2",
	  "How well branches are predicted, and the mix of their kinds.")
N3T_GROUP(ITLB_Effectiveness, "Instruction TLB Effectiveness", 2, "3.2",
	  "How well the TLBs serve instruction fetch.")
N3T_GROUP(DTLB_Effectiveness, "Data TLB Effectiveness", 2, "3.2",
	  "How well the TLBs serve loads and stores.")
N3T_GROUP(L1I_Cache_Effectiveness, "L1 Instruction Cache Effectiveness", 2, "3.2",
	  "How well the first-level instruction cache serves instruction fetch.")
N3T_GROUP(L1D_Cache_Effectiveness, "L1 Data Cache Effectiveness", 2, "3.2",
	  "How well the first-level data cache serves loads and stores.")
N3T_GROUP(L2_Cache_Effectiveness, "L2 Unified Cache Effectiveness", 2, "3.2",
	  "How well the core's second-level cache serves code and data.")
N3T_GROUP(LL_Cache_Effectiveness, "Last Level Cache Effectiveness", 2, "3.2",
	  "How well the cache behind the core's own serves reads: the system level cache, if the "
	  "interconnect has one and counts its accesses as such. Without reads, the values are "
	  "undef. No event counts writes: the cache takes what the core evicts, and the "
	  "interconnect completes writes early.")
N3T_GROUP(Operation_Mix, "Speculative Operation Mix", 2, "3.2",
	  "Kinds of executed operations, including those on wrong paths. They overlap: SVE loads "
	  "and stores are in two of them.")
N3T_GROUP(Memory_Traffic, "Core Memory Traffic", 0, "3.3",
	  "Memory accesses by the load/store unit, including cache hits.")
N3T_GROUP(Remote_Access, "Remote Cache Access", 0, "3.4",
	  "Memory transactions completed by another chip: the cost of wrong placement.")
N3T_GROUP(Backend_Resources, "Backend Issue Queues and Resources", 0, "",
	  "Queues and resources that were full while the backend stalled. They need not add up to "
	  "100: several can be full at once.")
N3T_GROUP(CHI_Busy, "Interconnect Busy Levels", 0, "",
	  "Load reported by the interconnect, from 0 to 3, each level as a share of all responses "
	  "with a report.")
N3T_GROUP(SPE_Sampling, "SPE Sampling", 0, "",
	  "Operation sampling by SPE (Statistical Profiling Extension). The word is \"idle\" if "
	  "nothing is sampled. The events are counted only while SPE runs on the CPU. Kinds of "
	  "operations overlap. Its records use the core's bandwidth to L2.")
N3T_GROUP(Memory_Latency, "Memory Latency", 0, "",
	  "Average cycles of a read access and of a fetch, hits included: accesses in flight, added "
	  "up over all cycles, divided by accesses (Little's law).")
N3T_GROUP(Page_Walks, "Page Walks", 0, "",
	  "Cycles of a walk of the page tables, and sizes of the pages that walks find. Numbers and "
	  "sizes include walks of prefetch instructions and exclude those of hardware prefetches; "
	  "cycles may include both.")
N3T_GROUP(Speculation_Causes, "Causes of Bad Speculation", 0, "",
	  "Mispredicted branches by kind, and flushes by cause. n3stat tree shows them below "
	  "bad_speculation. Flushes are counted by debug events from Arm's later telemetry data, "
	  "which cores in production need not count.")
N3T_GROUP(Prefetch, "Prefetch Effectiveness", 0, "",
	  "Prefetches that found their line missing, and their share of the refills.")

N3T_MEMBER(Topdown_L1, frontend_bound)
N3T_MEMBER(Topdown_L1, backend_bound)
N3T_MEMBER(Topdown_L1, bad_speculation)
N3T_MEMBER(Topdown_L1, retiring)

N3T_MEMBER(Topdown_Frontend, frontend_mem_bound)
N3T_MEMBER(Topdown_Frontend, frontend_mem_cache_bound)
N3T_MEMBER(Topdown_Frontend, frontend_cache_l1i_bound)
N3T_MEMBER(Topdown_Frontend, frontend_cache_l2i_bound)
N3T_MEMBER(Topdown_Frontend, frontend_mem_tlb_bound)
N3T_MEMBER(Topdown_Frontend, frontend_core_bound)
N3T_MEMBER(Topdown_Frontend, frontend_core_flush_bound)
N3T_MEMBER(Topdown_Frontend, frontend_core_flow_bound)

N3T_MEMBER(Topdown_Backend, backend_mem_bound)
N3T_MEMBER(Topdown_Backend, backend_mem_cache_bound)
N3T_MEMBER(Topdown_Backend, backend_cache_l1d_bound)
N3T_MEMBER(Topdown_Backend, backend_cache_l2d_bound)
N3T_MEMBER(Topdown_Backend, backend_mem_tlb_bound)
N3T_MEMBER(Topdown_Backend, backend_mem_store_bound)
N3T_MEMBER(Topdown_Backend, backend_core_bound)
N3T_MEMBER(Topdown_Backend, backend_core_rename_bound)
N3T_MEMBER(Topdown_Backend, backend_busy_bound)

N3T_MEMBER(Cycle_Accounting, frontend_stalled_cycles)
N3T_MEMBER(Cycle_Accounting, backend_stalled_cycles)

N3T_MEMBER(General, ipc)

N3T_MEMBER(MPKI, branch_mpki)
N3T_MEMBER(MPKI, dtlb_mpki)
N3T_MEMBER(MPKI, itlb_mpki)
N3T_MEMBER(MPKI, l1d_cache_mpki)
N3T_MEMBER(MPKI, l1d_tlb_mpki)
N3T_MEMBER(MPKI, l1i_cache_mpki)
N3T_MEMBER(MPKI, l1i_tlb_mpki)
N3T_MEMBER(MPKI, l2_cache_mpki)
N3T_MEMBER(MPKI, l2_tlb_mpki)
N3T_MEMBER(MPKI, ll_cache_read_mpki)

N3T_MEMBER(Miss_Ratio, branch_misprediction_ratio)
N3T_MEMBER(Miss_Ratio, dtlb_walk_ratio)
N3T_MEMBER(Miss_Ratio, itlb_walk_ratio)
N3T_MEMBER(Miss_Ratio, l1d_cache_miss_ratio)
N3T_MEMBER(Miss_Ratio, l1d_tlb_miss_ratio)
N3T_MEMBER(Miss_Ratio, l1i_cache_miss_ratio)
N3T_MEMBER(Miss_Ratio, l1i_tlb_miss_ratio)
N3T_MEMBER(Miss_Ratio, l2_cache_miss_ratio)
N3T_MEMBER(Miss_Ratio, l2_tlb_miss_ratio)
N3T_MEMBER(Miss_Ratio, ll_cache_read_miss_ratio)

N3T_MEMBER(SVE_Effectiveness, sve_predicate_empty_percentage)
N3T_MEMBER(SVE_Effectiveness, sve_predicate_full_percentage)
N3T_MEMBER(SVE_Effectiveness, sve_predicate_partial_percentage)
N3T_MEMBER(SVE_Effectiveness, sve_predicate_percentage)

N3T_MEMBER(FP_Arithmetic_Intensity, fp_ops_per_cycle)
N3T_MEMBER(FP_Arithmetic_Intensity, nonsve_fp_ops_per_cycle)
N3T_MEMBER(FP_Arithmetic_Intensity, sve_fp_ops_per_cycle)

N3T_MEMBER(FP_Precision_Mix, fp16_percentage)
N3T_MEMBER(FP_Precision_Mix, fp32_percentage)
N3T_MEMBER(FP_Precision_Mix, fp64_percentage)

N3T_MEMBER(Branch_Effectiveness, branch_direct_ratio)
N3T_MEMBER(Branch_Effectiveness, branch_indirect_ratio)
N3T_MEMBER(Branch_Effectiveness, branch_misprediction_ratio)
N3T_MEMBER(Branch_Effectiveness, branch_mpki)
N3T_MEMBER(Branch_Effectiveness, branch_return_ratio)

N3T_MEMBER(ITLB_Effectiveness, itlb_mpki)
N3T_MEMBER(ITLB_Effectiveness, itlb_walk_ratio)
N3T_MEMBER(ITLB_Effectiveness, l1i_tlb_miss_ratio)
N3T_MEMBER(ITLB_Effectiveness, l1i_tlb_mpki)
N3T_MEMBER(ITLB_Effectiveness, l2_tlb_miss_ratio)
N3T_MEMBER(ITLB_Effectiveness, l2_tlb_mpki)

N3T_MEMBER(DTLB_Effectiveness, dtlb_mpki)
N3T_MEMBER(DTLB_Effectiveness, dtlb_walk_ratio)
N3T_MEMBER(DTLB_Effectiveness, l1d_tlb_miss_ratio)
N3T_MEMBER(DTLB_Effectiveness, l1d_tlb_mpki)
N3T_MEMBER(DTLB_Effectiveness, l2_tlb_miss_ratio)
N3T_MEMBER(DTLB_Effectiveness, l2_tlb_mpki)

N3T_MEMBER(L1I_Cache_Effectiveness, l1i_cache_miss_ratio)
N3T_MEMBER(L1I_Cache_Effectiveness, l1i_cache_mpki)

N3T_MEMBER(L1D_Cache_Effectiveness, l1d_cache_miss_ratio)
N3T_MEMBER(L1D_Cache_Effectiveness, l1d_cache_mpki)

N3T_MEMBER(L2_Cache_Effectiveness, l2_cache_miss_ratio)
N3T_MEMBER(L2_Cache_Effectiveness, l2_cache_mpki)

N3T_MEMBER(LL_Cache_Effectiveness, ll_cache_read_hit_ratio)
N3T_MEMBER(LL_Cache_Effectiveness, ll_cache_read_miss_ratio)
N3T_MEMBER(LL_Cache_Effectiveness, ll_cache_read_mpki)

N3T_MEMBER(Operation_Mix, barrier_percentage)
N3T_MEMBER(Operation_Mix, branch_percentage)
N3T_MEMBER(Operation_Mix, crypto_percentage)
N3T_MEMBER(Operation_Mix, integer_dp_percentage)
N3T_MEMBER(Operation_Mix, load_percentage)
N3T_MEMBER(Operation_Mix, scalar_fp_percentage)
N3T_MEMBER(Operation_Mix, simd_percentage)
N3T_MEMBER(Operation_Mix, store_percentage)
N3T_MEMBER(Operation_Mix, sve_all_percentage)

/* An extra metric's row names its group. */
#define N3T_METRIC(name, ...)
#define N3T_METRIC_BEYOND(group, name, ...) N3T_MEMBER(group, name)
#include "libn3t/n3t_metrics.def.h"

N3T_TREE_GROUP(frontend_bound, Topdown_Frontend)
N3T_TREE_GROUP(backend_bound, Topdown_Backend)
N3T_TREE_GROUP(bad_speculation, Branch_Effectiveness)
N3T_TREE_GROUP(retiring, Operation_Mix)
N3T_TREE_GROUP(retiring, FP_Arithmetic_Intensity)
N3T_TREE_GROUP(retiring, FP_Precision_Mix)
N3T_TREE_GROUP(retiring, SVE_Effectiveness)
N3T_TREE_METRIC(frontend_mem_bound, frontend_mem_cache_bound)
N3T_TREE_METRIC(frontend_mem_bound, frontend_mem_tlb_bound)
N3T_TREE_METRIC(frontend_mem_cache_bound, frontend_cache_l1i_bound)
N3T_TREE_METRIC(frontend_mem_cache_bound, frontend_cache_l2i_bound)
N3T_TREE_GROUP(frontend_cache_l1i_bound, L1I_Cache_Effectiveness)
N3T_TREE_GROUP(frontend_cache_l2i_bound, L2_Cache_Effectiveness)
N3T_TREE_GROUP(frontend_cache_l2i_bound, LL_Cache_Effectiveness)
N3T_TREE_GROUP(frontend_mem_tlb_bound, ITLB_Effectiveness)
N3T_TREE_METRIC(frontend_core_bound, frontend_core_flush_bound)
N3T_TREE_METRIC(frontend_core_bound, frontend_core_flow_bound)
N3T_TREE_GROUP(frontend_core_bound, Branch_Effectiveness)
N3T_TREE_METRIC(backend_mem_bound, backend_mem_cache_bound)
N3T_TREE_METRIC(backend_mem_bound, backend_mem_tlb_bound)
N3T_TREE_METRIC(backend_mem_bound, backend_mem_store_bound)
N3T_TREE_METRIC(backend_mem_cache_bound, backend_cache_l1d_bound)
N3T_TREE_METRIC(backend_mem_cache_bound, backend_cache_l2d_bound)
N3T_TREE_GROUP(backend_cache_l1d_bound, L1D_Cache_Effectiveness)
N3T_TREE_GROUP(backend_cache_l2d_bound, L2_Cache_Effectiveness)
N3T_TREE_GROUP(backend_cache_l2d_bound, LL_Cache_Effectiveness)
N3T_TREE_GROUP(backend_mem_tlb_bound, DTLB_Effectiveness)
N3T_TREE_METRIC(backend_core_bound, backend_core_rename_bound)

N3T_TREE_CAUSES(bad_speculation, Speculation_Causes)

#undef N3T_GROUP
#undef N3T_MEMBER
#undef N3T_TREE_METRIC
#undef N3T_TREE_GROUP
#undef N3T_TREE_CAUSES
