/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Table of descriptions of the metrics.
 *
 * MEANING(<metric>, <description>)
 *
 * One for every metric of n3t_metrics.def.h; checked by a test.
 */

MEANING(backend_bound,
	"Share of the slots (five a cycle) that stayed empty although operations were ready: they "
	"waited for data, for a unit or for room.")
MEANING(backend_busy_bound,
	"Share of the cycles stalled by the backend in which the issue queues were full: there was "
	"work, but no place for more of it.")
MEANING(backend_cache_l1d_bound,
	"Of the stalls on data caches, the share that the L2 could end: data was not in the L1.")
MEANING(backend_cache_l2d_bound,
	"Of the stalls on data caches, the share that had to go beyond the L2: to the last level, "
	"another core or DRAM.")
MEANING(backend_core_bound,
	"Share of the cycles stalled by the backend that have nothing to do with memory.")
MEANING(backend_core_rename_bound,
	"Of the stalls inside the core, the share in which no physical register was free to rename "
	"an operation's result.")
MEANING(backend_mem_bound,
	"Share of the cycles stalled by the backend that waited for memory: caches, address "
	"translation or stores.")
MEANING(backend_mem_cache_bound,
	"Of the stalls on memory, the share that waited for data from a cache or from beyond it.")
MEANING(backend_mem_store_bound,
	"Of the stalls on memory, the share in which stores could not drain fast enough.")
MEANING(backend_mem_tlb_bound,
	"Of the stalls on memory, the share that waited for the translation of a data address.")
MEANING(backend_stalled_cycles,
	"Share of all cycles in which the backend kept new operations from being dispatched.")
MEANING(bad_speculation,
	"Share of the slots lost to work that was thrown away, and to refilling the pipeline after "
	"it: mostly mispredicted branches.")
MEANING(barrier_percentage, "Share of the operations that are barriers (ISB, DSB, DMB).")
MEANING(branch_direct_ratio,
	"Of the branches retired, the share whose target is in the instruction. The conditional "
	"ones need the predictor's history of branches taken.")
MEANING(branch_indirect_ratio,
	"Of the branches retired, the share whose target comes from a register, returns included. "
	"They need the branch target buffer.")
MEANING(branch_misprediction_ratio, "Of the branches retired, the share that was mispredicted.")
MEANING(branch_mpki, "Mispredicted branches per thousand instructions.")
MEANING(branch_percentage, "Share of the operations that change the program counter.")
MEANING(branch_return_ratio,
	"Of the branches retired, the share that returns from a function. They need the return "
	"address stack.")
MEANING(crypto_percentage,
	"Share of the operations that are cryptographic (AES, SHA and the like).")
MEANING(dtlb_mpki, "Walks of the page tables for data, per thousand instructions.")
MEANING(dtlb_walk_ratio,
	"Of the accesses to the L1 data TLB, the share that ended in a walk of the page tables.")
MEANING(fp16_percentage, "Share of the operations that compute with half precision.")
MEANING(fp32_percentage, "Share of the operations that compute with single precision.")
MEANING(fp64_percentage, "Share of the operations that compute with double precision.")
MEANING(fp_ops_per_cycle,
	"Floating point operations in each cycle, every element of a vector counted.")
MEANING(frontend_bound,
	"Share of the slots (five a cycle) that stayed empty because the frontend had no operation "
	"to rename, also in cycles in which the backend took none.")
MEANING(frontend_cache_l1i_bound,
	"Of the frontend's stalls on caches, the share that the L2 could end: code was not in the "
	"L1.")
MEANING(frontend_cache_l2i_bound,
	"Of the frontend's stalls on caches, the share in which code had to come from beyond the "
	"L2.")
MEANING(frontend_core_bound,
	"Share of the cycles stalled by the frontend that have nothing to do with memory. Flush "
	"and flow do not cover all of them: Arm names no event for the rest.")
MEANING(frontend_core_flow_bound,
	"Of the frontend's stalls inside the core, the share in which the branch predictor was the "
	"limit: it follows the code too slowly.")
MEANING(frontend_core_flush_bound,
	"Of the frontend's stalls inside the core, the share spent on recovery after a flush of "
	"the pipeline.")
MEANING(frontend_mem_bound,
	"Share of the cycles stalled by the frontend that waited for code from memory or for its "
	"address.")
MEANING(frontend_mem_cache_bound,
	"Of the frontend's stalls on memory, the share that waited for code from a cache or from "
	"beyond it.")
MEANING(frontend_mem_tlb_bound,
	"Of the frontend's stalls on memory, the share that waited for the translation of a code "
	"address.")
MEANING(frontend_stalled_cycles,
	"Share of all cycles in which the frontend had no operation to dispatch.")
MEANING(integer_dp_percentage,
	"Share of the operations that compute with integers. DSB barriers are counted among data "
	"processing and subtracted again, so it may fall below 0.")
MEANING(ipc, "Instructions finished in each cycle; five is the most that the core can do.")
MEANING(itlb_mpki, "Walks of the page tables for code, per thousand instructions.")
MEANING(itlb_walk_ratio,
	"Of the accesses to the L1 instruction TLB, the share that ended in a walk of the page "
	"tables.")
MEANING(l1d_cache_miss_ratio,
	"Of the accesses to the L1 data cache, the share that had to fill a line.")
MEANING(l1d_cache_mpki, "Lines filled into the L1 data cache, per thousand instructions.")
MEANING(l1d_tlb_miss_ratio,
	"Of the accesses to the L1 data TLB, the share that had to fill an entry.")
MEANING(l1d_tlb_mpki, "Entries filled into the L1 data TLB, per thousand instructions.")
MEANING(l1i_cache_miss_ratio,
	"Of the accesses to the L1 instruction cache, the share that had to fill a line.")
MEANING(l1i_cache_mpki, "Lines filled into the L1 instruction cache, per thousand instructions.")
MEANING(l1i_tlb_miss_ratio,
	"Of the accesses to the L1 instruction TLB, the share that had to fill an entry.")
MEANING(l1i_tlb_mpki, "Entries filled into the L1 instruction TLB, per thousand instructions.")
MEANING(l2_cache_miss_ratio,
	"Of the accesses to the L2 cache, code and data alike, the share that had to fill a line.")
MEANING(l2_cache_mpki, "Lines filled into the L2 cache, per thousand instructions.")
MEANING(l2_tlb_miss_ratio, "Of the accesses to the L2 TLB, the share that had to fill an entry.")
MEANING(l2_tlb_mpki, "Entries filled into the L2 TLB, per thousand instructions.")
MEANING(ll_cache_read_hit_ratio,
	"Of the reads that reached the last level cache, the share that found its data. It may "
	"fall below 0 where misses and reads are counted at different places.")
MEANING(ll_cache_read_miss_ratio,
	"Of the reads that reached the last level cache, the share that had to go to memory.")
MEANING(ll_cache_read_mpki,
	"Reads that missed the last level cache, per thousand instructions; undef where no reads "
	"of it are counted.")
MEANING(load_percentage, "Share of the operations that load from memory.")
MEANING(nonsve_fp_ops_per_cycle,
	"Floating point operations in each cycle by scalar and Advanced SIMD instructions.")
MEANING(retiring, "Share of the slots that did useful work: operations that were kept.")
MEANING(scalar_fp_percentage, "Share of the operations that are scalar floating point.")
MEANING(simd_percentage, "Share of the operations that are Advanced SIMD.")
MEANING(store_percentage, "Share of the operations that store to memory.")
MEANING(sve_all_percentage,
	"Share of the operations that are SVE, those without a vector included.")
MEANING(sve_fp_ops_per_cycle, "Floating point operations in each cycle by SVE instructions.")
MEANING(sve_predicate_empty_percentage,
	"Of the SVE operations with a predicate, the share whose predicate had no element set: no "
	"work done.")
MEANING(sve_predicate_full_percentage,
	"Of the SVE operations with a predicate, the share that used every element.")
MEANING(sve_predicate_partial_percentage,
	"Of the SVE operations with a predicate, the share that used some of the elements.")
MEANING(sve_predicate_percentage, "Share of the operations that are SVE with a predicate.")
MEANING(memory_read_ratio, "Of the accesses to memory, the share that reads.")
MEANING(memory_write_ratio, "Of the accesses to memory, the share that writes.")
MEANING(memory_read_pki, "Reads of memory, per thousand instructions.")
MEANING(memory_write_pki, "Writes of memory, per thousand instructions.")
MEANING(remote_access_ratio,
	"Of the accesses to memory, the share that was answered by another chip or socket.")
MEANING(remote_access_pki,
	"Accesses answered by another chip or socket, per thousand instructions.")
MEANING(backend_iq_sx_bound,
	"Share of the backend's stalled cycles in which the issue queues for simple integer work "
	"were full.")
MEANING(backend_iq_mx_bound,
	"Share of the backend's stalled cycles in which the issue queue for integer work of "
	"several cycles was full.")
MEANING(backend_iq_ls_bound,
	"Share of the backend's stalled cycles in which the issue queues for loads and stores were "
	"full.")
MEANING(backend_iq_vx_bound,
	"Share of the backend's stalled cycles in which the issue queues for vectors and floating "
	"point were full.")
MEANING(backend_mcq_bound,
	"Share of the backend's stalled cycles in which the queue MCQ was full; Arm publishes no "
	"more about it than its name.")
MEANING(backend_pcrf_bound,
	"Share of the backend's stalled cycles in which the register file PCRF had no room; Arm "
	"publishes no more about it than its name.")
MEANING(backend_rstack_bound,
	"Share of the backend's stalled cycles in which the stack RSTACK had no room; Arm "
	"publishes no more about it than its name.")
MEANING(backend_rename_frf_bound,
	"Share of the backend's stalled cycles in which no register for the flags was free.")
MEANING(backend_rename_grf_bound,
	"Share of the backend's stalled cycles in which no general register was free.")
MEANING(backend_rename_vrf_bound,
	"Share of the backend's stalled cycles in which no vector register was free.")
MEANING(chi_busy_0_percentage, "Share of the interconnect's answers that called it hardly busy.")
MEANING(chi_busy_1_percentage, "Share of the interconnect's answers that called it a little busy.")
MEANING(chi_busy_2_percentage, "Share of the interconnect's answers that called it rather busy.")
MEANING(chi_busy_3_percentage,
	"Share of the interconnect's answers that called it very busy: requests should be held "
	"back.")
MEANING(spe_collision_percentage,
	"Share of the samples that came while the one before was still on its way and were lost: "
	"more than a few mean that the interval is too short.")
MEANING(spe_pass_percentage,
	"Share of the samples that the filters of the session let through: these become records.")
MEANING(spe_interval,
	"Operations between two samples, as counted: above the interval that was set, sampling was "
	"interrupted.")
MEANING(spe_uops_per_instruction,
	"Operations that could have been sampled for each retired instruction, wrong paths "
	"included; too low where sampling did not run all the time.")
MEANING(spe_branch_percentage, "Share of the samples that are branches.")
MEANING(spe_load_percentage,
	"Share of the samples that are loads; atomics that load are stores, too.")
MEANING(spe_store_percentage, "Share of the samples that are stores or atomics.")
MEANING(spe_op_match_percentage,
	"Share of the samples that the filter by kind of operation lets through.")
MEANING(spe_event_match_percentage, "Share of the samples that the filter by event lets through.")
MEANING(spe_latency_match_percentage,
	"Share of the samples that the filter by latency lets through.")

#undef MEANING
