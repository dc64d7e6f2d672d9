/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Table of the metrics, and of their units.
 *
 * N3T_UNIT(<name>, <words>, <words in headers of tables>, <decimals shown>)
 * N3T_METRIC(<name>, <short name>, <unit>, <formula>, <meaning>, <usual value>, <large value>,
 *	      <source of these values>)
 * N3T_METRIC_BEYOND(<group>, <name>, ...)
 *
 * The only list of metrics: include it with the macros that are needed defined; they are
 * undefined again at its end. The module takes the first columns only.
 *
 * Names, units and formulas are spelt as in Arm's Neoverse N3 Core Telemetry Specification
 * (109530, issue 01), section 5. The one difference: slots per cycle, 5 in the specification, are
 * written SLOTS. formula.c parses the formulas; n3t_formula_text() gives the specification's text.
 *
 * Short names are the project's own. They are unique, also among groups, events and terms; those
 * of the decision tree are short enough for the texts of answer.c.
 *
 * Values that are not published are NULL; if both are, the source is the reason or names another
 * metric to look at. Otherwise its parts begin with a document of sources.def.h, as in
 * advice.def.h.
 *
 * N3T_METRIC_BEYOND() is for metrics that are not in the specification, and names their only
 * group, in which they are shown in this order. It is the same as N3T_METRIC() unless defined
 * otherwise.
 */
#ifndef N3T_UNIT
#define N3T_UNIT(name, words, brief, decimals)
#endif
#ifndef N3T_METRIC
#define N3T_METRIC(name, ...)
#endif
#ifndef N3T_METRIC_BEYOND
#define N3T_METRIC_BEYOND(group, ...) N3T_METRIC(__VA_ARGS__)
#endif

#define SPEC(section)	"Arm 109530, " section
#define TOPLEV(node)	"pmu-tools, toplev, " node
#define GRAVITON(name)	"AWS Graviton Technical Guide, perfrunbook/debug_hw_perf.md, " name
#define ARM_BOLT	"Arm Learning Paths, bolt-demo, What makes a program a good BOLT candidate?"
#define GCC_N3		"GCC, gcc/config/aarch64/tuning_models/neoversen3.h, "	\
			"general_ops_per_cycle is 2, sve_width is SVE_128"
#define FP_MAXIMUM	"8 of double, 16 of single, 32 of half precision is the maximum: two "	\
			"vector units of 128 bits, and a multiply-add counts twice"
#define OF_PARENT	"a share of its parent, large or small: the share of all slots counts"
#define RATIO(mpki)	"the cost of misses for the program is in " mpki
#define PROGRAM		"it depends on the program: compare with a recording of the same one"
#define FILTERS		"depends on the filters and the program"
#define INTERCONNECT	"levels are defined by the interconnect, not by the core"
#define PAGES		"it depends on the sizes of the program's pages: their cost is in "
#define DEBUG_EVENT	"the event is for debugging: compare with a recording of the same program"
#define OF_ALL_KINDS	"only that of all kinds together is: see branch_mpki"
#define LLVM_N3		"LLVM, llvm/lib/Target/AArch64/AArch64SchedNeoverseN3.td, "
#define SPE_GUIDE	"Linux, tools/perf/Documentation/perf-arm-spe.txt, "

N3T_UNIT(CYCLES, "cycles", "cycles", 6)
N3T_UNIT(MPKI, "MPKI", "MPKI", 4)
N3T_UNIT(OPERATIONS_PER_CYCLE, "operations per cycle", "ops/cycle", 6)
N3T_UNIT(OPERATIONS_PER_INSTRUCTION, "operations per instruction", "ops/inst", 6)
N3T_UNIT(OPERATIONS_PER_SAMPLE, "operations per sample", "ops/sample", 6)
N3T_UNIT(PERCENT_OF_CYCLES, "percent of cycles", "%cycles", 4)
N3T_UNIT(PERCENT_OF_OPERATIONS, "percent of operations", "%ops", 4)
N3T_UNIT(PERCENT_OF_SLOTS, "percent of slots", "%slots", 4)
N3T_UNIT(PERCENT_OF_REFILLS, "percent of refills", "%refills", 4)
N3T_UNIT(PERCENT_OF_RESPONSES, "percent of responses", "%responses", 4)
N3T_UNIT(PERCENT_OF_SAMPLES, "percent of samples", "%samples", 4)
N3T_UNIT(PER_BRANCH, "per branch", "/branch", 6)
N3T_UNIT(PER_CACHE_ACCESS, "per cache access", "/access", 6)
N3T_UNIT(PER_CYCLE, "per cycle", "/cycle", 6)
N3T_UNIT(PER_KILO_INSTRUCTION, "per kilo instruction", "/kinst", 4)
N3T_UNIT(PER_MEMORY_ACCESS, "per memory access", "/access", 6)
N3T_UNIT(PER_PREFETCH, "per prefetch", "/prefetch", 6)
N3T_UNIT(PER_TLB_ACCESS, "per TLB access", "/access", 6)
N3T_UNIT(PER_WALK, "per walk", "/walk", 6)

N3T_METRIC(backend_bound, B, PERCENT_OF_SLOTS,
	   "STALL_SLOT_BACKEND / (SLOTS * CPU_CYCLES) * 100",
	   "Share of the slots (five a cycle on an N3) that stayed empty although operations were "
	   "ready: they waited for data, for a unit or for room.",
	   NULL, "above 20 % on Intel's cores", TOPLEV("Backend_Bound"))
N3T_METRIC(backend_busy_bound, IQ, PERCENT_OF_CYCLES,
	   "STALL_BACKEND_BUSY / STALL_BACKEND * 100",
	   "Share of the cycles stalled by the backend in which the issue queues were full: there "
	   "was work, but no place for more of it.",
	   NULL, NULL, OF_PARENT)
N3T_METRIC(backend_cache_l1d_bound, L1D, PERCENT_OF_CYCLES,
	   "STALL_BACKEND_L1D / (STALL_BACKEND_L1D + STALL_BACKEND_MEM) * 100",
	   "Of the stalls on data caches, the share that the L2 could end: data was not in the L1.",
	   NULL, "above 5 % of all cycles on Intel's cores", TOPLEV("L2_Bound"))
N3T_METRIC(backend_cache_l2d_bound, L2D, PERCENT_OF_CYCLES,
	   "STALL_BACKEND_MEM / (STALL_BACKEND_L1D + STALL_BACKEND_MEM) * 100",
	   "Of the stalls on data caches, the share that had to go beyond the L2: to the last "
	   "level, another core or DRAM.",
	   NULL, "above 5 % of all cycles for the last level, 10 % for DRAM, on Intel's cores",
	   TOPLEV("L3_Bound, DRAM_Bound"))
N3T_METRIC(backend_core_bound, CORE, PERCENT_OF_CYCLES,
	   "STALL_BACKEND_CPUBOUND / STALL_BACKEND * 100",
	   "Share of the cycles stalled by the backend that have nothing to do with memory.",
	   NULL, "above 10 % of all slots on Intel's cores", TOPLEV("Core_Bound"))
N3T_METRIC(backend_core_rename_bound, RENAME, PERCENT_OF_CYCLES,
	   "STALL_BACKEND_RENAME / STALL_BACKEND_CPUBOUND * 100",
	   "Of the stalls inside the core, the share in which no physical register was free to "
	   "rename an operation's result.",
	   NULL, NULL, OF_PARENT)
N3T_METRIC(backend_mem_bound, MEM, PERCENT_OF_CYCLES,
	   "STALL_BACKEND_MEMBOUND / STALL_BACKEND * 100",
	   "Share of the cycles stalled by the backend that waited for memory: caches, address "
	   "translation or stores.",
	   NULL, "above 20 % of all slots on Intel's cores", TOPLEV("Memory_Bound"))
N3T_METRIC(backend_mem_cache_bound, CACHE, PERCENT_OF_CYCLES,
	   "(STALL_BACKEND_L1D + STALL_BACKEND_MEM) / STALL_BACKEND_MEMBOUND * 100",
	   "Of the stalls on memory, the share that waited for data from a cache or from beyond "
	   "it.",
	   NULL, NULL, OF_PARENT)
N3T_METRIC(backend_mem_store_bound, STORE, PERCENT_OF_CYCLES,
	   "STALL_BACKEND_ST / STALL_BACKEND_MEMBOUND * 100",
	   "Of the stalls on memory, the share in which stores could not drain fast enough.",
	   NULL, "above 20 % of all cycles on Intel's cores", TOPLEV("Store_Bound"))
N3T_METRIC(backend_mem_tlb_bound, DTLB, PERCENT_OF_CYCLES,
	   "STALL_BACKEND_TLB / STALL_BACKEND_MEMBOUND * 100",
	   "Of the stalls on memory, the share that waited for the translation of a data address.",
	   NULL, "above 10 % of all cycles on Intel's cores", TOPLEV("DTLB_Load"))
N3T_METRIC(backend_stalled_cycles, BE_STALL, PERCENT_OF_CYCLES,
	   "STALL_BACKEND / CPU_CYCLES * 100",
	   "Share of all cycles in which the backend kept new operations from being dispatched.",
	   NULL, NULL, "backend_bound, a share of slots, has published values")
N3T_METRIC(bad_speculation, S, PERCENT_OF_SLOTS,
	   "(1 - STALL_SLOT / (SLOTS * CPU_CYCLES)) * (1 - OP_RETIRED / OP_SPEC) * 100 + STALL_FRONTEND_FLUSH / CPU_CYCLES * 100",
	   "Share of the slots lost to work that was thrown away, and to refilling the pipeline "
	   "after it: mostly mispredicted branches. A lower bound on cores without "
	   "STALL_FRONTEND_FLUSH, such as Neoverse N2.",
	   NULL, "above 15 % on Intel's cores", TOPLEV("Bad_Speculation"))
N3T_METRIC(barrier_percentage, BARRIER, PERCENT_OF_OPERATIONS,
	   "(ISB_SPEC + DSB_SPEC + DMB_SPEC) / INST_SPEC * 100",
	   "Share of the operations that are barriers (ISB, DSB, DMB).",
	   NULL, NULL, PROGRAM)
N3T_METRIC(branch_direct_ratio, BR_DIRECT, PER_BRANCH,
	   "BR_IMMED_RETIRED / BR_RETIRED",
	   "Of the branches retired, the share whose target is in the instruction. The conditional "
	   "ones need the predictor's history of branches taken.",
	   NULL, NULL, PROGRAM)
N3T_METRIC(branch_indirect_ratio, BR_INDIRECT, PER_BRANCH,
	   "BR_IND_RETIRED / BR_RETIRED",
	   "Of the branches retired, the share whose target comes from a register, returns "
	   "included. They need the branch target buffer.",
	   NULL, NULL, PROGRAM)
N3T_METRIC(branch_misprediction_ratio, BR_MISS, PER_BRANCH,
	   "BR_MIS_PRED_RETIRED / BR_RETIRED",
	   "Of the branches retired, the share that was mispredicted.",
	   NULL, NULL, RATIO("branch_mpki"))
N3T_METRIC(branch_mpki, BR_MPKI, MPKI,
	   "BR_MIS_PRED_RETIRED / INST_RETIRED * 1000",
	   "Mispredicted branches per thousand instructions.",
	   NULL, "above 10", GRAVITON("branch-mpki"))
N3T_METRIC(branch_percentage, BR, PERCENT_OF_OPERATIONS,
	   "PC_WRITE_SPEC / INST_SPEC * 100",
	   "Share of the operations that change the program counter.",
	   "about 17: one in six instructions", NULL, SPEC("3.2, Branch Effectiveness"))
N3T_METRIC(branch_return_ratio, BR_RETURN, PER_BRANCH,
	   "BR_RETURN_RETIRED / BR_RETIRED",
	   "Of the branches retired, the share that returns from a function. They need the return "
	   "address stack.",
	   NULL, NULL, PROGRAM)
N3T_METRIC(crypto_percentage, CRYPTO, PERCENT_OF_OPERATIONS,
	   "CRYPTO_SPEC / INST_SPEC * 100",
	   "Share of the operations that are cryptographic (AES, SHA and the like).",
	   NULL, NULL, PROGRAM)
N3T_METRIC(dtlb_mpki, DTLB_MPKI, MPKI,
	   "DTLB_WALK / INST_RETIRED * 1000",
	   "Walks of the page tables for data, per thousand instructions.",
	   "0", "anything above", GRAVITON("data-tlb-tw-pki"))
N3T_METRIC(dtlb_walk_ratio, DTLB_WALKS, PER_TLB_ACCESS,
	   "DTLB_WALK / L1D_TLB",
	   "Of the accesses to the L1 data TLB, the share that ended in a walk of the page tables.",
	   NULL, NULL, RATIO("dtlb_mpki"))
N3T_METRIC(fp16_percentage, FP16, PERCENT_OF_OPERATIONS,
	   "FP_HP_SPEC / INST_SPEC * 100",
	   "Share of the operations that compute with half precision.",
	   NULL, NULL, PROGRAM)
N3T_METRIC(fp32_percentage, FP32, PERCENT_OF_OPERATIONS,
	   "FP_SP_SPEC / INST_SPEC * 100",
	   "Share of the operations that compute with single precision.",
	   NULL, NULL, PROGRAM)
N3T_METRIC(fp64_percentage, FP64, PERCENT_OF_OPERATIONS,
	   "FP_DP_SPEC / INST_SPEC * 100",
	   "Share of the operations that compute with double precision.",
	   NULL, NULL, PROGRAM)
N3T_METRIC(fp_ops_per_cycle, FP_OPC, OPERATIONS_PER_CYCLE,
	   "(FP_SCALE_OPS_SPEC + FP_FIXED_OPS_SPEC) / CPU_CYCLES",
	   "Floating point operations in each cycle, every element of a vector counted.",
	   NULL, FP_MAXIMUM, GCC_N3)
N3T_METRIC(frontend_bound, F, PERCENT_OF_SLOTS,
	   "(STALL_SLOT_FRONTEND / (SLOTS * CPU_CYCLES) - STALL_FRONTEND_FLUSH / CPU_CYCLES) * 100",
	   "Share of the slots (five a cycle on an N3) that stayed empty because the frontend had no "
	   "operation to rename, also in cycles in which the backend took none. An upper bound on "
	   "cores without STALL_FRONTEND_FLUSH, such as Neoverse N2.",
	   NULL, "above 15 % on Intel's cores; from 10 % on a layout by profile may pay",
	   TOPLEV("Frontend_Bound") "; " ARM_BOLT)
N3T_METRIC(frontend_cache_l1i_bound, L1I, PERCENT_OF_CYCLES,
	   "STALL_FRONTEND_L1I / (STALL_FRONTEND_L1I + STALL_FRONTEND_MEM) * 100",
	   "Of the frontend's stalls on caches, the share that the L2 could end: code was not in "
	   "the L1.",
	   NULL, "above 5 % of all cycles on Intel's cores", TOPLEV("ICache_Misses"))
N3T_METRIC(frontend_cache_l2i_bound, L2I, PERCENT_OF_CYCLES,
	   "STALL_FRONTEND_MEM / (STALL_FRONTEND_L1I + STALL_FRONTEND_MEM) * 100",
	   "Of the frontend's stalls on caches, the share in which code had to come from beyond "
	   "the L2.",
	   NULL, NULL, OF_PARENT)
N3T_METRIC(frontend_core_bound, FCORE, PERCENT_OF_CYCLES,
	   "STALL_FRONTEND_CPUBOUND / STALL_FRONTEND * 100",
	   "Share of the cycles stalled by the frontend that are not attributed to memory: the "
	   "difference to frontend_mem_bound. Flush and flow are two reasons for them, others have "
	   "no metric.",
	   NULL, NULL, OF_PARENT)
N3T_METRIC(frontend_core_flow_bound, FLOW, PERCENT_OF_CYCLES,
	   "STALL_FRONTEND_FLOW / STALL_FRONTEND_CPUBOUND * 100",
	   "Of the frontend's stalls inside the core, the share in which the branch predictor was "
	   "the limit: it follows the code too slowly.",
	   NULL, NULL, OF_PARENT)
N3T_METRIC(frontend_core_flush_bound, FLUSH, PERCENT_OF_CYCLES,
	   "STALL_FRONTEND_FLUSH / STALL_FRONTEND_CPUBOUND * 100",
	   "Of the frontend's stalls inside the core, the share spent on recovery after a flush of "
	   "the pipeline.",
	   NULL, "above 5 % of all cycles on Intel's cores", TOPLEV("Branch_Resteers"))
N3T_METRIC(frontend_mem_bound, FMEM, PERCENT_OF_CYCLES,
	   "STALL_FRONTEND_MEMBOUND / STALL_FRONTEND * 100",
	   "Share of the cycles stalled by the frontend that waited for code from memory or for "
	   "its address.",
	   NULL, "above 10 % of all slots on Intel's cores", TOPLEV("Fetch_Latency"))
N3T_METRIC(frontend_mem_cache_bound, FC, PERCENT_OF_CYCLES,
	   "(STALL_FRONTEND_L1I + STALL_FRONTEND_MEM) / STALL_FRONTEND_MEMBOUND * 100",
	   "Of the frontend's stalls on memory, the share that waited for code from a cache or "
	   "from beyond it.",
	   NULL, "above 5 % of all cycles on Intel's cores", TOPLEV("ICache_Misses"))
N3T_METRIC(frontend_mem_tlb_bound, ITLB, PERCENT_OF_CYCLES,
	   "STALL_FRONTEND_TLB / STALL_FRONTEND_MEMBOUND * 100",
	   "Of the frontend's stalls on memory, the share that waited for the translation of a "
	   "code address.",
	   NULL, "above 5 % of all cycles on Intel's cores", TOPLEV("ITLB_Misses"))
N3T_METRIC(frontend_stalled_cycles, FE_STALL, PERCENT_OF_CYCLES,
	   "STALL_FRONTEND / CPU_CYCLES * 100",
	   "Share of all cycles in which the frontend had no operation to dispatch.",
	   NULL, NULL, "frontend_bound, a share of slots, has published values")
N3T_METRIC(integer_dp_percentage, INT, PERCENT_OF_OPERATIONS,
	   "(DP_SPEC - DSB_SPEC) / INST_SPEC * 100",
	   "Share of the operations that compute with integers. DSB barriers are counted among "
	   "data processing and subtracted again, so it may fall below 0.",
	   NULL, NULL, PROGRAM)
N3T_METRIC(ipc, IPC, PER_CYCLE,
	   "INST_RETIRED / CPU_CYCLES",
	   "Instructions finished in each cycle; five is the most that an N3 can do.",
	   "above 1 where memory is not the limit (a rule of thumb)",
	   "5 is the maximum of an N3, which has five slots a cycle",
	   "Gregg, IPC below and above 1; " SPEC("4.3, frontend_bound: 5 slots a cycle"))
N3T_METRIC(itlb_mpki, ITLB_MPKI, MPKI,
	   "ITLB_WALK / INST_RETIRED * 1000",
	   "Walks of the page tables for code, per thousand instructions.",
	   "0", "anything above", GRAVITON("inst-tlb-tw-pki"))
N3T_METRIC(itlb_walk_ratio, ITLB_WALKS, PER_TLB_ACCESS,
	   "ITLB_WALK / L1I_TLB",
	   "Of the accesses to the L1 instruction TLB, the share that ended in a walk of the page "
	   "tables.",
	   NULL, NULL, RATIO("itlb_mpki"))
N3T_METRIC(l1d_cache_miss_ratio, L1D_MISS, PER_CACHE_ACCESS,
	   "L1D_CACHE_REFILL / L1D_CACHE",
	   "Of the accesses to the L1 data cache, the share that had to fill a line.",
	   NULL, NULL, RATIO("l1d_cache_mpki"))
N3T_METRIC(l1d_cache_mpki, L1D_MPKI, MPKI,
	   "L1D_CACHE_REFILL / INST_RETIRED * 1000",
	   "Lines filled into the L1 data cache, per thousand instructions.",
	   NULL, "above 20", GRAVITON("data-l1-mpki"))
N3T_METRIC(l1d_tlb_miss_ratio, L1DTLB_MISS, PER_TLB_ACCESS,
	   "L1D_TLB_REFILL / L1D_TLB",
	   "Of the accesses to the L1 data TLB, the share that had to fill an entry.",
	   NULL, NULL, RATIO("l1d_tlb_mpki"))
N3T_METRIC(l1d_tlb_mpki, L1DTLB_MPKI, MPKI,
	   "L1D_TLB_REFILL / INST_RETIRED * 1000",
	   "Entries filled into the L1 data TLB, per thousand instructions.",
	   "0", "anything above", GRAVITON("data-tlb-mpki"))
N3T_METRIC(l1i_cache_miss_ratio, L1I_MISS, PER_CACHE_ACCESS,
	   "L1I_CACHE_REFILL / L1I_CACHE",
	   "Of the accesses to the L1 instruction cache, the share that had to fill a line.",
	   NULL, NULL, RATIO("l1i_cache_mpki"))
N3T_METRIC(l1i_cache_mpki, L1I_MPKI, MPKI,
	   "L1I_CACHE_REFILL / INST_RETIRED * 1000",
	   "Lines filled into the L1 instruction cache, per thousand instructions.",
	   NULL, "above 20; above 30 a layout by profile may pay",
	   GRAVITON("inst-l1-mpki") "; " ARM_BOLT)
N3T_METRIC(l1i_tlb_miss_ratio, L1ITLB_MISS, PER_TLB_ACCESS,
	   "L1I_TLB_REFILL / L1I_TLB",
	   "Of the accesses to the L1 instruction TLB, the share that had to fill an entry.",
	   NULL, NULL, RATIO("l1i_tlb_mpki"))
N3T_METRIC(l1i_tlb_mpki, L1ITLB_MPKI, MPKI,
	   "L1I_TLB_REFILL / INST_RETIRED * 1000",
	   "Entries filled into the L1 instruction TLB, per thousand instructions.",
	   "0", "anything above", GRAVITON("inst-tlb-mpki"))
N3T_METRIC(l2_cache_miss_ratio, L2_MISS, PER_CACHE_ACCESS,
	   "L2D_CACHE_REFILL / L2D_CACHE",
	   "Of the accesses to the L2 cache, code and data alike, the share that had to fill a "
	   "line.",
	   NULL, NULL, RATIO("l2_cache_mpki"))
N3T_METRIC(l2_cache_mpki, L2_MPKI, MPKI,
	   "L2D_CACHE_REFILL / INST_RETIRED * 1000",
	   "Lines filled into the L2 cache, per thousand instructions.",
	   NULL, "above 10", GRAVITON("l2-mpki"))
N3T_METRIC(l2_tlb_miss_ratio, L2TLB_MISS, PER_TLB_ACCESS,
	   "L2D_TLB_REFILL / L2D_TLB",
	   "Of the accesses to the L2 TLB, the share that had to fill an entry.",
	   NULL, NULL, RATIO("dtlb_mpki and itlb_mpki"))
N3T_METRIC(l2_tlb_mpki, L2TLB_MPKI, MPKI,
	   "L2D_TLB_REFILL / INST_RETIRED * 1000",
	   "Entries filled into the L2 TLB, per thousand instructions.",
	   NULL, NULL, "dtlb_mpki and itlb_mpki, the walks that follow, have published values")
N3T_METRIC(ll_cache_read_hit_ratio, LL_HIT, PER_CACHE_ACCESS,
	   "(LL_CACHE_RD - LL_CACHE_MISS_RD) / LL_CACHE_RD",
	   "Of the reads that reached the last level cache, the share that found its data. It may "
	   "fall below 0 where misses and reads are counted at different places.",
	   NULL, NULL, RATIO("ll_cache_read_mpki"))
N3T_METRIC(ll_cache_read_miss_ratio, LL_MISS, PER_CACHE_ACCESS,
	   "LL_CACHE_MISS_RD / LL_CACHE_RD",
	   "Of the reads that reached the last level cache, the share that had to go to memory.",
	   NULL, NULL, RATIO("ll_cache_read_mpki"))
N3T_METRIC(ll_cache_read_mpki, LL_MPKI, MPKI,
	   "LL_CACHE_MISS_RD / INST_RETIRED * 1000",
	   "Reads that missed the last level cache, per thousand instructions; undef where no "
	   "reads of it are counted.",
	   NULL, "above 10", GRAVITON("l3-mpki"))
N3T_METRIC(load_percentage, LOAD, PERCENT_OF_OPERATIONS,
	   "LD_SPEC / INST_SPEC * 100",
	   "Share of the operations that load from memory.",
	   NULL, NULL, PROGRAM)
N3T_METRIC(nonsve_fp_ops_per_cycle, NONSVE_OPC, OPERATIONS_PER_CYCLE,
	   "FP_FIXED_OPS_SPEC / CPU_CYCLES",
	   "Floating point operations in each cycle by scalar and Advanced SIMD instructions.",
	   NULL, FP_MAXIMUM, GCC_N3)
N3T_METRIC(retiring, R, PERCENT_OF_SLOTS,
	   "(1 - STALL_SLOT / (CPU_CYCLES * SLOTS)) * (OP_RETIRED / OP_SPEC) * 100",
	   "Share of the slots that did useful work: operations that were kept.",
	   NULL, "above 70 % on Intel's cores: then the work itself is the limit",
	   TOPLEV("Retiring"))
N3T_METRIC(scalar_fp_percentage, SCALAR_FP, PERCENT_OF_OPERATIONS,
	   "VFP_SPEC / INST_SPEC * 100",
	   "Share of the operations that are scalar floating point.",
	   NULL, NULL, PROGRAM)
N3T_METRIC(simd_percentage, SIMD, PERCENT_OF_OPERATIONS,
	   "ASE_SPEC / INST_SPEC * 100",
	   "Share of the operations that are Advanced SIMD.",
	   NULL, NULL, PROGRAM)
N3T_METRIC(store_percentage, STORES, PERCENT_OF_OPERATIONS,
	   "ST_SPEC / INST_SPEC * 100",
	   "Share of the operations that store to memory.",
	   NULL, NULL, PROGRAM)
N3T_METRIC(sve_all_percentage, SVE, PERCENT_OF_OPERATIONS,
	   "SVE_INST_SPEC / INST_SPEC * 100",
	   "Share of the operations that are SVE, those without a vector included.",
	   NULL, NULL, PROGRAM)
N3T_METRIC(sve_fp_ops_per_cycle, SVE_OPC, OPERATIONS_PER_CYCLE,
	   "FP_SCALE_OPS_SPEC / CPU_CYCLES",
	   "Floating point operations in each cycle by SVE instructions.",
	   NULL, FP_MAXIMUM, GCC_N3)
N3T_METRIC(sve_predicate_empty_percentage, SVE_EMPTY, PERCENT_OF_OPERATIONS,
	   "SVE_PRED_EMPTY_SPEC / SVE_PRED_SPEC * 100",
	   "Of the SVE operations with a predicate, the share whose predicate had no element set: "
	   "no work done.",
	   "near 0", NULL, "no published source: such an operation does no work")
N3T_METRIC(sve_predicate_full_percentage, SVE_FULL, PERCENT_OF_OPERATIONS,
	   "SVE_PRED_FULL_SPEC / SVE_PRED_SPEC * 100",
	   "Of the SVE operations with a predicate, the share that used every element.",
	   "near 100 in a loop over long arrays", NULL,
	   "no published source: only the last iteration has a partial predicate")
N3T_METRIC(sve_predicate_partial_percentage, SVE_PART, PERCENT_OF_OPERATIONS,
	   "SVE_PRED_PARTIAL_SPEC / SVE_PRED_SPEC * 100",
	   "Of the SVE operations with a predicate, the share that used some of the elements.",
	   NULL, NULL, PROGRAM)
N3T_METRIC(sve_predicate_percentage, SVE_PRED, PERCENT_OF_OPERATIONS,
	   "SVE_PRED_SPEC / INST_SPEC * 100",
	   "Share of the operations that are SVE with a predicate.",
	   NULL, NULL, PROGRAM)

/* Section 3.3, core memory traffic */
N3T_METRIC_BEYOND(Memory_Traffic, memory_read_ratio, MEM_RD, PER_MEMORY_ACCESS,
		  "MEM_ACCESS_RD / MEM_ACCESS",
		  "Of the accesses to memory, the share that reads.",
		  NULL, NULL, PROGRAM)
N3T_METRIC_BEYOND(Memory_Traffic, memory_write_ratio, MEM_WR, PER_MEMORY_ACCESS,
		  "MEM_ACCESS_WR / MEM_ACCESS",
		  "Of the accesses to memory, the share that writes.",
		  NULL, NULL, PROGRAM)
N3T_METRIC_BEYOND(Memory_Traffic, memory_read_pki, MEM_RD_PKI, PER_KILO_INSTRUCTION,
		  "MEM_ACCESS_RD / INST_RETIRED * 1000",
		  "Reads of memory, per thousand instructions.",
		  NULL, NULL, PROGRAM)
N3T_METRIC_BEYOND(Memory_Traffic, memory_write_pki, MEM_WR_PKI, PER_KILO_INSTRUCTION,
		  "MEM_ACCESS_WR / INST_RETIRED * 1000",
		  "Writes of memory, per thousand instructions.",
		  NULL, NULL, PROGRAM)

/* Section 3.4, remote cache access */
N3T_METRIC_BEYOND(Remote_Access, remote_access_ratio, REMOTE, PER_MEMORY_ACCESS,
		  "REMOTE_ACCESS / MEM_ACCESS",
		  "Of the accesses to memory, the share that was answered by another chip or "
		  "socket.",
		  "0 on a machine with one socket and one chip", NULL,
		  "Arm DDI 0487, events REMOTE_ACCESS and MEM_ACCESS")
N3T_METRIC_BEYOND(Remote_Access, remote_access_pki, REMOTE_PKI, PER_KILO_INSTRUCTION,
		  "REMOTE_ACCESS / INST_RETIRED * 1000",
		  "Accesses answered by another chip or socket, per thousand instructions.",
		  "0 on a machine with one socket and one chip", NULL,
		  "Arm DDI 0487, events REMOTE_ACCESS and MEM_ACCESS")

/* Causes of busy backend stalls: implementation-defined events */
N3T_METRIC_BEYOND(Backend_Resources, backend_iq_sx_bound, IQ_SX, PERCENT_OF_CYCLES,
		  "IMP_STALL_BACKEND_IQ_SX / STALL_BACKEND * 100",
		  "Share of the backend's stalled cycles in which the issue queues for simple "
		  "integer work were full.",
		  NULL, NULL, OF_PARENT)
N3T_METRIC_BEYOND(Backend_Resources, backend_iq_mx_bound, IQ_MX, PERCENT_OF_CYCLES,
		  "IMP_STALL_BACKEND_IQ_MX / STALL_BACKEND * 100",
		  "Share of the backend's stalled cycles in which the issue queue for integer work "
		  "of several cycles was full.",
		  NULL, NULL, OF_PARENT)
N3T_METRIC_BEYOND(Backend_Resources, backend_iq_ls_bound, IQ_LS, PERCENT_OF_CYCLES,
		  "IMP_STALL_BACKEND_IQ_LS / STALL_BACKEND * 100",
		  "Share of the backend's stalled cycles in which the issue queues for loads and "
		  "stores were full.",
		  NULL, NULL, OF_PARENT)
N3T_METRIC_BEYOND(Backend_Resources, backend_iq_vx_bound, IQ_VX, PERCENT_OF_CYCLES,
		  "IMP_STALL_BACKEND_IQ_VX / STALL_BACKEND * 100",
		  "Share of the backend's stalled cycles in which the issue queues for vectors and "
		  "floating point were full.",
		  NULL, NULL, OF_PARENT)
N3T_METRIC_BEYOND(Backend_Resources, backend_mcq_bound, MCQ, PERCENT_OF_CYCLES,
		  "IMP_STALL_BACKEND_MCQ / STALL_BACKEND * 100",
		  "Share of the backend's stalled cycles in which the queue MCQ was full; Arm "
		  "publishes no more about it than its name.",
		  NULL, NULL, OF_PARENT)
N3T_METRIC_BEYOND(Backend_Resources, backend_pcrf_bound, PCRF, PERCENT_OF_CYCLES,
		  "IMP_STALL_BACKEND_PCRF / STALL_BACKEND * 100",
		  "Share of the backend's stalled cycles in which the register file PCRF had no "
		  "room; Arm publishes no more about it than its name.",
		  NULL, NULL, OF_PARENT)
N3T_METRIC_BEYOND(Backend_Resources, backend_rstack_bound, RSTACK, PERCENT_OF_CYCLES,
		  "IMP_STALL_BACKEND_RSTACK / STALL_BACKEND * 100",
		  "Share of the backend's stalled cycles in which the stack RSTACK had no room; "
		  "Arm publishes no more about it than its name.",
		  NULL, NULL, OF_PARENT)
N3T_METRIC_BEYOND(Backend_Resources, backend_rename_frf_bound, FRF, PERCENT_OF_CYCLES,
		  "IMP_STALL_BACKEND_RENAME_FRF / STALL_BACKEND * 100",
		  "Share of the backend's stalled cycles in which no register for the flags was "
		  "free.",
		  NULL, NULL, OF_PARENT)
N3T_METRIC_BEYOND(Backend_Resources, backend_rename_grf_bound, GRF, PERCENT_OF_CYCLES,
		  "IMP_STALL_BACKEND_RENAME_GRF / STALL_BACKEND * 100",
		  "Share of the backend's stalled cycles in which no general register was free.",
		  NULL, NULL, OF_PARENT)
N3T_METRIC_BEYOND(Backend_Resources, backend_rename_vrf_bound, VRF, PERCENT_OF_CYCLES,
		  "IMP_STALL_BACKEND_RENAME_VRF / STALL_BACKEND * 100",
		  "Share of the backend's stalled cycles in which no vector register was free.",
		  NULL, NULL, OF_PARENT)

/* Load reported by the interconnect: implementation-defined events */
N3T_METRIC_BEYOND(CHI_Busy, chi_busy_0_percentage, CHI_0, PERCENT_OF_RESPONSES,
		  "IMP_L2_CHI_CBUSY0 / (IMP_L2_CHI_CBUSY0 + IMP_L2_CHI_CBUSY1 + IMP_L2_CHI_CBUSY2 + IMP_L2_CHI_CBUSY3) * 100",
		  "Share of the interconnect's answers that called it hardly busy.",
		  NULL, NULL, INTERCONNECT)
N3T_METRIC_BEYOND(CHI_Busy, chi_busy_1_percentage, CHI_1, PERCENT_OF_RESPONSES,
		  "IMP_L2_CHI_CBUSY1 / (IMP_L2_CHI_CBUSY0 + IMP_L2_CHI_CBUSY1 + IMP_L2_CHI_CBUSY2 + IMP_L2_CHI_CBUSY3) * 100",
		  "Share of the interconnect's answers that called it a little busy.",
		  NULL, NULL, INTERCONNECT)
N3T_METRIC_BEYOND(CHI_Busy, chi_busy_2_percentage, CHI_2, PERCENT_OF_RESPONSES,
		  "IMP_L2_CHI_CBUSY2 / (IMP_L2_CHI_CBUSY0 + IMP_L2_CHI_CBUSY1 + IMP_L2_CHI_CBUSY2 + IMP_L2_CHI_CBUSY3) * 100",
		  "Share of the interconnect's answers that called it rather busy.",
		  NULL, NULL, INTERCONNECT)
N3T_METRIC_BEYOND(CHI_Busy, chi_busy_3_percentage, CHI_3, PERCENT_OF_RESPONSES,
		  "IMP_L2_CHI_CBUSY3 / (IMP_L2_CHI_CBUSY0 + IMP_L2_CHI_CBUSY1 + IMP_L2_CHI_CBUSY2 + IMP_L2_CHI_CBUSY3) * 100",
		  "Share of the interconnect's answers that called it very busy: requests should "
		  "be held back.",
		  NULL, NULL, INTERCONNECT)

/* Efficiency of operation sampling while SPE runs: "idle" otherwise */
N3T_METRIC_BEYOND(SPE_Sampling, spe_collision_percentage, SPE_COLL, PERCENT_OF_SAMPLES,
		  "SAMPLE_COLLISION / SAMPLE_FEED * 100",
		  "Share of the samples that came while the one before was still on its way and "
		  "were lost: more than a few mean that the interval is too short.",
		  "0", "anything above: a longer interval avoids it",
		  SPE_GUIDE "Collisions")
N3T_METRIC_BEYOND(SPE_Sampling, spe_pass_percentage, SPE_PASS, PERCENT_OF_SAMPLES,
		  "SAMPLE_FILTRATE / SAMPLE_FEED * 100",
		  "Share of the samples that the filters of the session let through: these become "
		  "records.",
		  NULL, NULL, FILTERS)
N3T_METRIC_BEYOND(SPE_Sampling, spe_interval, SPE_EVERY, OPERATIONS_PER_SAMPLE,
		  "SAMPLE_POP / SAMPLE_FEED",
		  "Operations between two samples, as counted: above the interval that was set, "
		  "sampling was interrupted.",
		  "the interval that was set", NULL,
		  SPE_GUIDE "Choose an operation")
N3T_METRIC_BEYOND(SPE_Sampling, spe_uops_per_instruction, SPE_UOPS, OPERATIONS_PER_INSTRUCTION,
		  "SAMPLE_POP / INST_RETIRED",
		  "Operations that could have been sampled for each retired instruction, wrong "
		  "paths included; too low where sampling did not run all the time.",
		  "1 or more: micro-operations of wrong paths count, too", NULL,
		  SPE_GUIDE "The effect of microarchitectural sampling")
N3T_METRIC_BEYOND(SPE_Sampling, spe_branch_percentage, SPE_BR, PERCENT_OF_SAMPLES,
		  "SAMPLE_FEED_BR / SAMPLE_FEED * 100",
		  "Share of the samples that are branches.",
		  NULL, NULL, FILTERS)
N3T_METRIC_BEYOND(SPE_Sampling, spe_load_percentage, SPE_LOAD, PERCENT_OF_SAMPLES,
		  "SAMPLE_FEED_LD / SAMPLE_FEED * 100",
		  "Share of the samples that are loads; atomics that load are stores, too.",
		  NULL, NULL, FILTERS)
N3T_METRIC_BEYOND(SPE_Sampling, spe_store_percentage, SPE_STORE, PERCENT_OF_SAMPLES,
		  "SAMPLE_FEED_ST / SAMPLE_FEED * 100",
		  "Share of the samples that are stores or atomics.",
		  NULL, NULL, FILTERS)
N3T_METRIC_BEYOND(SPE_Sampling, spe_op_match_percentage, SPE_OP, PERCENT_OF_SAMPLES,
		  "SAMPLE_FEED_OP / SAMPLE_FEED * 100",
		  "Share of the samples that the filter by kind of operation lets through.",
		  NULL, NULL, FILTERS)
N3T_METRIC_BEYOND(SPE_Sampling, spe_event_match_percentage, SPE_EVENT, PERCENT_OF_SAMPLES,
		  "SAMPLE_FEED_EVENT / SAMPLE_FEED * 100",
		  "Share of the samples that the filter by event lets through.",
		  NULL, NULL, FILTERS)
N3T_METRIC_BEYOND(SPE_Sampling, spe_latency_match_percentage, SPE_LAT, PERCENT_OF_SAMPLES,
		  "SAMPLE_FEED_LAT / SAMPLE_FEED * 100",
		  "Share of the samples that the filter by latency lets through.",
		  NULL, NULL, FILTERS)

/* Accesses in flight, added up over all cycles, per access: average latency by Little's law */
N3T_METRIC_BEYOND(Memory_Latency, load_average_latency, LOAD_LAT, CYCLES,
		  "MEM_ACCESS_RD_PERCYC / MEM_ACCESS_RD",
		  "Average cycles of a read access, whether a cache or memory answers. A load across "
		  "lines is several, prefetch instructions are none, and loads on wrong paths count. "
		  "Accesses that overlap cost less than their latency. Arm's metric of this name for "
		  "other cores divides by reads and writes.",
		  "about 4 on a Neoverse N3 if all accesses hit the L1", NULL,
		  LLVM_N3 "LoadLatency")
N3T_METRIC_BEYOND(Memory_Latency, instruction_fetch_average_latency, FETCH_LAT, CYCLES,
		  "INST_FETCH_PERCYC / INST_FETCH",
		  "Average cycles of a fetch, whether a cache or memory answers. One fetch brings "
		  "several instructions, and those on wrong paths count.",
		  NULL, NULL, PROGRAM)

/*
 * Numbers and sizes are of walks that hardware prefetches did not cause, sizes of those that found
 * a page. Arm does not exclude any walk from the cycles.
 */
N3T_METRIC_BEYOND(Page_Walks, dtlb_walk_average_latency, DWALK_LAT, CYCLES,
		  "DTLB_WALK_PERCYC / DTLB_WALK",
		  "Average cycles of a walk of the page tables for data, too large if cycles of "
		  "walks for hardware prefetches count. Walks overlap, with each other and with other "
		  "work: they cost less than their latency.",
		  NULL, NULL, RATIO("dtlb_mpki"))
N3T_METRIC_BEYOND(Page_Walks, itlb_walk_average_latency, IWALK_LAT, CYCLES,
		  "ITLB_WALK_PERCYC / ITLB_WALK",
		  "Average cycles of a walk of the page tables for instructions. Walks overlap with "
		  "other work: they cost less than their latency.",
		  NULL, NULL, RATIO("itlb_mpki"))
N3T_METRIC_BEYOND(Page_Walks, dtlb_large_page_ratio, DWALK_LARGE, PER_WALK,
		  "DTLB_WALK_LARGE / (DTLB_WALK_LARGE + DTLB_WALK_SMALL)",
		  "Of the walks for data that found a page, the share that found one of 2 MB or "
		  "more. Walks that end in a fault do not count. In a virtual machine, a page may "
		  "count as small if the hypervisor maps it in small ones.",
		  NULL, NULL, PAGES "dtlb_mpki")
N3T_METRIC_BEYOND(Page_Walks, itlb_large_page_ratio, IWALK_LARGE, PER_WALK,
		  "ITLB_WALK_LARGE / (ITLB_WALK_LARGE + ITLB_WALK_SMALL)",
		  "Of the walks for instructions that found a page, the share that found one of "
		  "2 MB or more. Walks that end in a fault do not count. In a virtual machine, a "
		  "page may count as small if the hypervisor maps it in small ones.",
		  NULL, NULL, PAGES "itlb_mpki")

/* Causes of bad_speculation as counts; flushes are of debug events */
N3T_METRIC_BEYOND(Speculation_Causes, branch_direct_mpki, DIRECT_MPKI, MPKI,
		  "BR_IMMED_MIS_PRED_RETIRED / INST_RETIRED * 1000",
		  "Mispredicted branches whose target is in the instruction, mostly conditions, "
		  "per thousand instructions. The three kinds add up to branch_mpki.",
		  NULL, NULL, OF_ALL_KINDS)
N3T_METRIC_BEYOND(Speculation_Causes, branch_indnr_mpki, INDNR_MPKI, MPKI,
		  "BR_INDNR_MIS_PRED_RETIRED / INST_RETIRED * 1000",
		  "Mispredicted branches to a register, returns excluded, per thousand "
		  "instructions: calls through pointers, tables of jumps.",
		  NULL, NULL, OF_ALL_KINDS)
N3T_METRIC_BEYOND(Speculation_Causes, branch_return_mpki, RETURN_MPKI, MPKI,
		  "BR_RETURN_MIS_PRED_RETIRED / INST_RETIRED * 1000",
		  "Mispredicted returns per thousand instructions: the predictor's stack did not "
		  "match the calls, as after a switch of stacks.",
		  NULL, NULL, OF_ALL_KINDS)
N3T_METRIC_BEYOND(Speculation_Causes, flush_pki, FLUSHES, PER_KILO_INSTRUCTION,
		  "IMP_CT_FLUSH / INST_RETIRED * 1000",
		  "Flushes of the pipeline for any reason, mispredicted branches included, per "
		  "thousand instructions. Debug event, not in the specification.",
		  NULL, NULL, DEBUG_EVENT)
N3T_METRIC_BEYOND(Speculation_Causes, flush_mem_pki, FLUSH_MEM, PER_KILO_INSTRUCTION,
		  "IMP_CT_FLUSH_MEM / INST_RETIRED * 1000",
		  "Flushes because of a memory hazard, such as a load that overtook a store to its "
		  "address, per thousand instructions. Debug event, not in the specification.",
		  NULL, NULL, DEBUG_EVENT)
N3T_METRIC_BEYOND(Speculation_Causes, flush_bad_branch_pki, FLUSH_BR, PER_KILO_INSTRUCTION,
		  "IMP_CT_FLUSH_BAD_BRANCH / INST_RETIRED * 1000",
		  "Flushes because another instruction was predicted as a branch, per thousand "
		  "instructions; mispredicted branches are in flush_pki only. Debug event, not in "
		  "the specification.",
		  NULL, NULL, DEBUG_EVENT)
N3T_METRIC_BEYOND(Speculation_Causes, flush_isb_pki, FLUSH_ISB, PER_KILO_INSTRUCTION,
		  "IMP_CT_FLUSH_ISB / INST_RETIRED * 1000",
		  "Flushes by ISB and instructions with the same side effect, per thousand "
		  "instructions. Debug event, not in the specification.",
		  NULL, NULL, DEBUG_EVENT)
N3T_METRIC_BEYOND(Speculation_Causes, flush_other_pki, FLUSH_OTHER, PER_KILO_INSTRUCTION,
		  "IMP_CT_FLUSH_OTHER / INST_RETIRED * 1000",
		  "Flushes because of other hazards, per thousand instructions. Debug event, not in "
		  "the specification.",
		  NULL, NULL, DEBUG_EVENT)

/* L1D_CACHE_REFILL is of loads and stores only, L2D_CACHE_REFILL includes prefetches */
N3T_METRIC_BEYOND(Prefetch, l1d_prefetch_miss_ratio, L1D_PF_MISS, PER_PREFETCH,
		  "L1D_CACHE_REFILL_HWPRF / L1D_CACHE_HWPRF",
		  "Of the hardware prefetches into the L1 data cache, the share whose line was not "
		  "in it: the others were redundant. No event counts whether a line was used.",
		  NULL, NULL, PROGRAM)
N3T_METRIC_BEYOND(Prefetch, l1d_prefetch_percentage, L1D_PF, PERCENT_OF_REFILLS,
		  "L1D_CACHE_REFILL_HWPRF / (L1D_CACHE_REFILL + L1D_CACHE_REFILL_HWPRF) * 100",
		  "Share of the refills of the L1 data cache that hardware prefetches requested, "
		  "not loads and stores.",
		  NULL, NULL, PROGRAM)
N3T_METRIC_BEYOND(Prefetch, l2_prefetch_miss_ratio, L2_PF_MISS, PER_PREFETCH,
		  "L2D_CACHE_REFILL_PRF / L2D_CACHE_PRF",
		  "Of the accesses to the L2 cache by prefetches, by hardware or instructions, the "
		  "share whose line was not in it. Others found it there, which is useful for a "
		  "prefetch into the L1. No event counts whether a line was used.",
		  NULL, NULL, PROGRAM)
N3T_METRIC_BEYOND(Prefetch, l2_prefetch_percentage, L2_PF, PERCENT_OF_REFILLS,
		  "L2D_CACHE_REFILL_PRF / L2D_CACHE_REFILL * 100",
		  "Share of the refills of the L2 cache that prefetches requested, by hardware or "
		  "instructions.",
		  NULL, NULL, PROGRAM)

#undef SPEC
#undef TOPLEV
#undef GRAVITON
#undef ARM_BOLT
#undef GCC_N3
#undef FP_MAXIMUM
#undef OF_PARENT
#undef RATIO
#undef PROGRAM
#undef FILTERS
#undef INTERCONNECT
#undef PAGES
#undef DEBUG_EVENT
#undef OF_ALL_KINDS
#undef LLVM_N3
#undef SPE_GUIDE
#undef N3T_UNIT
#undef N3T_METRIC
#undef N3T_METRIC_BEYOND
