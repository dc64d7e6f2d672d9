/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Table of usual and large values of the metrics.
 *
 * LEVEL_OF(<metric>, <usual value>, <large value>, <source>)
 *
 * One for every metric of n3t_metrics.def.h; checked by a test. Values that are not published are
 * NULL; if both are, the source is the reason or names another metric to look at. Otherwise its
 * parts begin with a document of sources.def.h, as in advice.def.h.
 */
#define SPEC(section)	"Arm 109530, " section
#define TOPLEV(node)	"pmu-tools, toplev, " node
#define GRAVITON(name)	"AWS Graviton Technical Guide, perfrunbook/debug_hw_perf.md, " name
#define ARM_BOLT	"Arm Learning Paths, bolt-demo, What makes a program a good BOLT candidate?"
#define GCC_N3		"GCC, gcc/config/aarch64/tuning_models/neoversen3.h, "
#define OF_PARENT	"a share of its parent, large or small: the share of all slots counts"
#define RATIO(mpki)	"the cost of misses for the program is in " mpki
#define PROGRAM		"it depends on the program: compare with a recording of the same one"

LEVEL_OF(backend_bound, NULL, "above 20 % on Intel's cores", TOPLEV("Backend_Bound"))
LEVEL_OF(backend_busy_bound, NULL, NULL, OF_PARENT)
LEVEL_OF(backend_cache_l1d_bound, NULL, "above 5 % of all cycles on Intel's cores",
	 TOPLEV("L2_Bound"))
LEVEL_OF(backend_cache_l2d_bound, NULL,
	 "above 5 % of all cycles for the last level, 10 % for DRAM, on Intel's cores",
	 TOPLEV("L3_Bound, DRAM_Bound"))
LEVEL_OF(backend_core_bound, NULL, "above 10 % of all slots on Intel's cores",
	 TOPLEV("Core_Bound"))
LEVEL_OF(backend_core_rename_bound, NULL, NULL, OF_PARENT)
LEVEL_OF(backend_mem_bound, NULL, "above 20 % of all slots on Intel's cores",
	 TOPLEV("Memory_Bound"))
LEVEL_OF(backend_mem_cache_bound, NULL, NULL, OF_PARENT)
LEVEL_OF(backend_mem_store_bound, NULL, "above 20 % of all cycles on Intel's cores",
	 TOPLEV("Store_Bound"))
LEVEL_OF(backend_mem_tlb_bound, NULL, "above 10 % of all cycles on Intel's cores",
	 TOPLEV("DTLB_Load"))
LEVEL_OF(backend_stalled_cycles, NULL, NULL, "backend_bound, a share of slots, has published values")
LEVEL_OF(bad_speculation, NULL, "above 15 % on Intel's cores", TOPLEV("Bad_Speculation"))
LEVEL_OF(barrier_percentage, NULL, NULL, PROGRAM)
LEVEL_OF(branch_direct_ratio, NULL, NULL, PROGRAM)
LEVEL_OF(branch_indirect_ratio, NULL, NULL, PROGRAM)
LEVEL_OF(branch_misprediction_ratio, NULL, NULL, RATIO("branch_mpki"))
LEVEL_OF(branch_mpki, NULL, "above 10", GRAVITON("branch-mpki"))
LEVEL_OF(branch_percentage, "about 17: one in six instructions", NULL,
	 SPEC("3.2, Branch Effectiveness"))
LEVEL_OF(branch_return_ratio, NULL, NULL, PROGRAM)
LEVEL_OF(crypto_percentage, NULL, NULL, PROGRAM)
LEVEL_OF(dtlb_mpki, "0", "anything above", GRAVITON("data-tlb-tw-pki"))
LEVEL_OF(dtlb_walk_ratio, NULL, NULL, RATIO("dtlb_mpki"))
LEVEL_OF(fp16_percentage, NULL, NULL, PROGRAM)
LEVEL_OF(fp32_percentage, NULL, NULL, PROGRAM)
LEVEL_OF(fp64_percentage, NULL, NULL, PROGRAM)
LEVEL_OF(fp_ops_per_cycle, NULL,
	 "8 of double, 16 of single, 32 of half precision is the maximum: two vector "
	 "units of 128 bits, and a multiply-add counts twice",
	 GCC_N3 "general_ops_per_cycle is 2, sve_width is SVE_128")
LEVEL_OF(frontend_bound, NULL,
	 "above 15 % on Intel's cores; from 10 % on a layout by profile may pay",
	 TOPLEV("Frontend_Bound") "; " ARM_BOLT)
LEVEL_OF(frontend_cache_l1i_bound, NULL, "above 5 % of all cycles on Intel's cores",
	 TOPLEV("ICache_Misses"))
LEVEL_OF(frontend_cache_l2i_bound, NULL, NULL, OF_PARENT)
LEVEL_OF(frontend_core_bound, NULL, NULL, OF_PARENT)
LEVEL_OF(frontend_core_flow_bound, NULL, NULL, OF_PARENT)
LEVEL_OF(frontend_core_flush_bound, NULL, "above 5 % of all cycles on Intel's cores",
	 TOPLEV("Branch_Resteers"))
LEVEL_OF(frontend_mem_bound, NULL, "above 10 % of all slots on Intel's cores",
	 TOPLEV("Fetch_Latency"))
LEVEL_OF(frontend_mem_cache_bound, NULL, "above 5 % of all cycles on Intel's cores",
	 TOPLEV("ICache_Misses"))
LEVEL_OF(frontend_mem_tlb_bound, NULL, "above 5 % of all cycles on Intel's cores",
	 TOPLEV("ITLB_Misses"))
LEVEL_OF(frontend_stalled_cycles, NULL, NULL,
	 "frontend_bound, a share of slots, has published values")
LEVEL_OF(integer_dp_percentage, NULL, NULL, PROGRAM)
LEVEL_OF(ipc, "above 1 where memory is not the limit (a rule of thumb)",
	 "5 is the maximum: the core has five slots a cycle",
	 "Gregg, IPC below and above 1; " SPEC("4.3, frontend_bound: 5 slots a cycle"))
LEVEL_OF(itlb_mpki, "0", "anything above", GRAVITON("inst-tlb-tw-pki"))
LEVEL_OF(itlb_walk_ratio, NULL, NULL, RATIO("itlb_mpki"))
LEVEL_OF(l1d_cache_miss_ratio, NULL, NULL, RATIO("l1d_cache_mpki"))
LEVEL_OF(l1d_cache_mpki, NULL, "above 20", GRAVITON("data-l1-mpki"))
LEVEL_OF(l1d_tlb_miss_ratio, NULL, NULL, RATIO("l1d_tlb_mpki"))
LEVEL_OF(l1d_tlb_mpki, "0", "anything above", GRAVITON("data-tlb-mpki"))
LEVEL_OF(l1i_cache_miss_ratio, NULL, NULL, RATIO("l1i_cache_mpki"))
LEVEL_OF(l1i_cache_mpki, NULL, "above 20; above 30 a layout by profile may pay",
	 GRAVITON("inst-l1-mpki") "; " ARM_BOLT)
LEVEL_OF(l1i_tlb_miss_ratio, NULL, NULL, RATIO("l1i_tlb_mpki"))
LEVEL_OF(l1i_tlb_mpki, "0", "anything above", GRAVITON("inst-tlb-mpki"))
LEVEL_OF(l2_cache_miss_ratio, NULL, NULL, RATIO("l2_cache_mpki"))
LEVEL_OF(l2_cache_mpki, NULL, "above 10", GRAVITON("l2-mpki"))
LEVEL_OF(l2_tlb_miss_ratio, NULL, NULL, RATIO("dtlb_mpki and itlb_mpki"))
LEVEL_OF(l2_tlb_mpki, NULL, NULL,
	 "dtlb_mpki and itlb_mpki, the walks that follow, have published values")
LEVEL_OF(ll_cache_read_hit_ratio, NULL, NULL, RATIO("ll_cache_read_mpki"))
LEVEL_OF(ll_cache_read_miss_ratio, NULL, NULL, RATIO("ll_cache_read_mpki"))
LEVEL_OF(ll_cache_read_mpki, NULL, "above 10", GRAVITON("l3-mpki"))
LEVEL_OF(load_percentage, NULL, NULL, PROGRAM)
LEVEL_OF(nonsve_fp_ops_per_cycle, NULL,
	 "8 of double, 16 of single, 32 of half precision is the maximum: two vector "
	 "units of 128 bits, and a multiply-add counts twice",
	 GCC_N3 "general_ops_per_cycle is 2, sve_width is SVE_128")
LEVEL_OF(retiring, NULL, "above 70 % on Intel's cores: then the work itself is the limit",
	 TOPLEV("Retiring"))
LEVEL_OF(scalar_fp_percentage, NULL, NULL, PROGRAM)
LEVEL_OF(simd_percentage, NULL, NULL, PROGRAM)
LEVEL_OF(store_percentage, NULL, NULL, PROGRAM)
LEVEL_OF(sve_all_percentage, NULL, NULL, PROGRAM)
LEVEL_OF(sve_fp_ops_per_cycle, NULL,
	 "8 of double, 16 of single, 32 of half precision is the maximum: two vector "
	 "units of 128 bits, and a multiply-add counts twice",
	 GCC_N3 "general_ops_per_cycle is 2, sve_width is SVE_128")
LEVEL_OF(sve_predicate_empty_percentage, "near 0", NULL,
	 "no published source: such an operation does no work")
LEVEL_OF(sve_predicate_full_percentage, "near 100 in a loop over long arrays", NULL,
	 "no published source: only the last iteration has a partial predicate")
LEVEL_OF(sve_predicate_partial_percentage, NULL, NULL, PROGRAM)
LEVEL_OF(sve_predicate_percentage, NULL, NULL, PROGRAM)
LEVEL_OF(memory_read_ratio, NULL, NULL, PROGRAM)
LEVEL_OF(memory_write_ratio, NULL, NULL, PROGRAM)
LEVEL_OF(memory_read_pki, NULL, NULL, PROGRAM)
LEVEL_OF(memory_write_pki, NULL, NULL, PROGRAM)
LEVEL_OF(remote_access_ratio, "0 on a machine with one socket and one chip", NULL,
	 "Arm DDI 0487, events REMOTE_ACCESS and MEM_ACCESS")
LEVEL_OF(remote_access_pki, "0 on a machine with one socket and one chip", NULL,
	 "Arm DDI 0487, events REMOTE_ACCESS and MEM_ACCESS")
LEVEL_OF(backend_iq_sx_bound, NULL, NULL, OF_PARENT)
LEVEL_OF(backend_iq_mx_bound, NULL, NULL, OF_PARENT)
LEVEL_OF(backend_iq_ls_bound, NULL, NULL, OF_PARENT)
LEVEL_OF(backend_iq_vx_bound, NULL, NULL, OF_PARENT)
LEVEL_OF(backend_mcq_bound, NULL, NULL, OF_PARENT)
LEVEL_OF(backend_pcrf_bound, NULL, NULL, OF_PARENT)
LEVEL_OF(backend_rstack_bound, NULL, NULL, OF_PARENT)
LEVEL_OF(backend_rename_frf_bound, NULL, NULL, OF_PARENT)
LEVEL_OF(backend_rename_grf_bound, NULL, NULL, OF_PARENT)
LEVEL_OF(backend_rename_vrf_bound, NULL, NULL, OF_PARENT)
LEVEL_OF(chi_busy_0_percentage, NULL, NULL,
	 "levels are defined by the interconnect, not by the core")
LEVEL_OF(chi_busy_1_percentage, NULL, NULL,
	 "levels are defined by the interconnect, not by the core")
LEVEL_OF(chi_busy_2_percentage, NULL, NULL,
	 "levels are defined by the interconnect, not by the core")
LEVEL_OF(chi_busy_3_percentage, NULL, NULL,
	 "levels are defined by the interconnect, not by the core")
LEVEL_OF(spe_collision_percentage, "0", "anything above: a longer interval avoids it",
	 "Linux, tools/perf/Documentation/perf-arm-spe.txt, Collisions")
LEVEL_OF(spe_pass_percentage, NULL, NULL, "depends on the filters and the program")
LEVEL_OF(spe_interval, "the interval that was set", NULL,
	 "Linux, tools/perf/Documentation/perf-arm-spe.txt, Choose an operation")
LEVEL_OF(spe_uops_per_instruction, "1 or more: micro-operations of wrong paths count, too", NULL,
	 "Linux, tools/perf/Documentation/perf-arm-spe.txt, "
	 "The effect of microarchitectural sampling")
LEVEL_OF(spe_branch_percentage, NULL, NULL, "depends on the filters and the program")
LEVEL_OF(spe_load_percentage, NULL, NULL, "depends on the filters and the program")
LEVEL_OF(spe_store_percentage, NULL, NULL, "depends on the filters and the program")
LEVEL_OF(spe_op_match_percentage, NULL, NULL, "depends on the filters and the program")
LEVEL_OF(spe_event_match_percentage, NULL, NULL, "depends on the filters and the program")
LEVEL_OF(spe_latency_match_percentage, NULL, NULL, "depends on the filters and the program")

#undef SPEC
#undef TOPLEV
#undef GRAVITON
#undef ARM_BOLT
#undef GCC_N3
#undef OF_PARENT
#undef RATIO
#undef PROGRAM
#undef LEVEL_OF
