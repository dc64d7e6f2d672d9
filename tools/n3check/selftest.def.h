/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Table of the micro-kernels that move each event.
 *
 * SELFTEST_MOVES(<event>, <micro-kernels>)
 * SELFTEST_MOVES_WITH(<event>, <micro-kernels>, <need>)
 * SELFTEST_MAY_MOVE(<event>, <micro-kernels>, <reason>)
 *
 * Micro-kernels to run while an event is counted, for every event of n3t_events.def.h, in its
 * order. MOVES: an event that stays at 0 does not count. MOVES_WITH: the same if the need, one of
 * selftest_needs.def.h, is met, else 0 is inconclusive. MAY_MOVE: 0 is inconclusive, for the reason
 * given. Events of metrics must not be MAY_MOVE.
 */
#define K(kernel)	(UINT64_C(1) << SELFTEST_KERNEL_ ## kernel)

#define SELFTEST_MOVES(event, kernels)	SELFTEST_MOVES_WITH(event, kernels, NOTHING)
#define SELFTEST_UNDOCUMENTED(event)						\
	SELFTEST_MAY_MOVE(event, K(guesses) | K(registers) | K(divisions) |	\
			  K(chase_memory) | K(unaligned) | K(simd) | K(barriers), \
			  "implementation defined, and what moves it is not documented")
#define SELFTEST_OF_TRAPS(event)						\
	SELFTEST_MAY_MOVE(event, K(syscalls) | K(faults) | K(sleeps),		\
			  "it is taken to another exception level than the kernel runs at")
#define SELFTEST_OF_SPE(event)							\
	SELFTEST_MAY_MOVE(event, K(integers), "SPE has to sample at the same time")
#define SELFTEST_OF_TRACE(event)						\
	SELFTEST_MAY_MOVE(event, K(integers), "the trace unit has to run")

SELFTEST_MAY_MOVE(SW_INCR, K(syscalls),
		  "only a write to PMSWINC_EL0 does, which user space may not")
SELFTEST_MOVES(L1I_CACHE_REFILL, K(code_l2) | K(code_memory))
SELFTEST_MOVES(L1I_TLB_REFILL, K(code_l2) | K(code_memory))
SELFTEST_MOVES(L1D_CACHE_REFILL, K(chase_l2) | K(chase_memory) | K(sequence))
SELFTEST_MOVES(L1D_CACHE, K(sequence) | K(chase_l2))
SELFTEST_MOVES(L1D_TLB_REFILL, K(walks) | K(chase_memory))
SELFTEST_MOVES(INST_RETIRED, K(integers))
SELFTEST_MOVES(EXC_TAKEN, K(syscalls) | K(faults))
SELFTEST_MOVES(EXC_RETURN, K(syscalls) | K(faults))
SELFTEST_MAY_MOVE(CID_WRITE_RETIRED, K(switches),
		  "Linux writes CONTEXTIDR_EL1 with CONFIG_PID_IN_CONTEXTIDR only")
SELFTEST_MOVES(PC_WRITE_RETIRED, K(calls))
SELFTEST_MOVES(BR_IMMED_RETIRED, K(integers) | K(calls))
SELFTEST_MOVES(BR_RETURN_RETIRED, K(calls))
SELFTEST_MOVES(BR_MIS_PRED, K(guesses))
SELFTEST_MOVES(CPU_CYCLES, K(integers))
SELFTEST_MOVES(BR_PRED, K(integers) | K(calls))
SELFTEST_MOVES(MEM_ACCESS, K(sequence) | K(chase_l2))
SELFTEST_MOVES(L1I_CACHE, K(calls) | K(code_l2))
SELFTEST_MOVES(L1D_CACHE_WB, K(stores))
SELFTEST_MOVES(L2D_CACHE, K(chase_l2) | K(chase_memory) | K(stores) | K(sequence))
SELFTEST_MOVES(L2D_CACHE_REFILL, K(chase_memory))
SELFTEST_MOVES(L2D_CACHE_WB, K(stores) | K(chase_memory))
SELFTEST_MOVES(BUS_ACCESS, K(chase_memory) | K(code_memory))
SELFTEST_MOVES(INST_SPEC, K(integers))
SELFTEST_MOVES(TTBR_WRITE_RETIRED, K(switches))
SELFTEST_MOVES(BUS_CYCLES, K(integers) | K(chase_memory))
SELFTEST_MAY_MOVE(CHAIN, K(integers),
		  "it only widens the adjacent counter")
SELFTEST_MOVES(L2D_CACHE_ALLOCATE, K(chase_memory) | K(stores))
SELFTEST_MOVES(BR_RETIRED, K(integers) | K(calls))
SELFTEST_MOVES(BR_MIS_PRED_RETIRED, K(guesses))
SELFTEST_MOVES(STALL_FRONTEND, K(code_memory) | K(code_l2) | K(guesses))
SELFTEST_MOVES(STALL_BACKEND, K(chase_memory) | K(divisions) | K(stores))
SELFTEST_MOVES(L1D_TLB, K(sequence) | K(chase_l2))
SELFTEST_MOVES(L1I_TLB, K(calls) | K(code_l2))
SELFTEST_MOVES(L2I_CACHE, K(code_l2) | K(code_memory))
SELFTEST_MOVES(L2I_CACHE_REFILL, K(code_memory))
SELFTEST_MAY_MOVE(L3D_CACHE_ALLOCATE, K(chase_memory) | K(stores),
		  "the cluster may have no L3 cache")
SELFTEST_MAY_MOVE(L3D_CACHE_REFILL, K(chase_memory) | K(stores),
		  "the cluster may have no L3 cache")
SELFTEST_MAY_MOVE(L3D_CACHE, K(chase_memory) | K(stores),
		  "the cluster may have no L3 cache")
SELFTEST_MOVES(L2D_TLB_REFILL, K(walks) | K(faults) | K(chase_memory))
SELFTEST_MOVES(L2D_TLB, K(walks) | K(chase_memory) | K(code_memory))
SELFTEST_MAY_MOVE(REMOTE_ACCESS, K(chase_memory),
		  "memory of another socket does, if there is one")
SELFTEST_MAY_MOVE(LL_CACHE, K(chase_memory) | K(stores),
		  "the platform defines the last-level cache")
SELFTEST_MAY_MOVE(LL_CACHE_MISS, K(chase_memory) | K(stores),
		  "the platform defines the last-level cache")
SELFTEST_MOVES(DTLB_WALK, K(walks) | K(faults) | K(chase_memory))
SELFTEST_MOVES(ITLB_WALK, K(code_memory) | K(code_l2) | K(faults))
SELFTEST_MOVES_WITH(LL_CACHE_RD, K(chase_memory) | K(sequence) | K(code_memory), MEMORY)
SELFTEST_MOVES_WITH(LL_CACHE_MISS_RD, K(chase_memory) | K(sequence) | K(code_memory) | K(stores),
		    MEMORY)
SELFTEST_MOVES(L1D_CACHE_LMISS_RD, K(chase_l2) | K(chase_memory) | K(sequence))
SELFTEST_MOVES(OP_RETIRED, K(integers))
SELFTEST_MOVES(OP_SPEC, K(integers))
SELFTEST_MOVES(STALL, K(chase_memory) | K(code_memory) | K(guesses))
SELFTEST_MOVES(STALL_SLOT_BACKEND, K(chase_memory) | K(divisions) | K(stores))
SELFTEST_MOVES(STALL_SLOT_FRONTEND, K(code_memory) | K(code_l2) | K(guesses))
SELFTEST_MOVES(STALL_SLOT, K(chase_memory) | K(code_memory) | K(guesses))
SELFTEST_MOVES(L1D_CACHE_RD, K(sequence) | K(chase_l2))
SELFTEST_MOVES(L1D_CACHE_WR, K(stores))
SELFTEST_MAY_MOVE(L1D_CACHE_REFILL_INNER, K(chase_l2) | K(chase_memory),
		  "where a refill comes from depends on the cluster's caches")
SELFTEST_MAY_MOVE(L1D_CACHE_REFILL_OUTER, K(chase_l2) | K(chase_memory),
		  "where a refill comes from depends on the cluster's caches")
SELFTEST_MAY_MOVE(L1D_CACHE_INVAL, K(stores) | K(switches),
		  "writes of another CPU do")
SELFTEST_MOVES(L2D_CACHE_RD, K(chase_l2) | K(chase_memory))
SELFTEST_MOVES(L2D_CACHE_WR, K(stores))
SELFTEST_MOVES(L2D_CACHE_REFILL_RD, K(chase_memory))
SELFTEST_MOVES(L2D_CACHE_REFILL_WR, K(stores))
SELFTEST_MOVES(L2D_CACHE_WB_VICTIM, K(stores) | K(chase_memory))
SELFTEST_MAY_MOVE(L2D_CACHE_WB_CLEAN, K(chase_memory) | K(stores),
		  "clean lines are written back if the interconnect asks for it")
SELFTEST_MAY_MOVE(L2D_CACHE_INVAL, K(stores) | K(switches),
		  "writes of another CPU do")
SELFTEST_MOVES(BUS_ACCESS_RD, K(chase_memory) | K(code_memory))
SELFTEST_MOVES(BUS_ACCESS_WR, K(stores))
SELFTEST_MOVES(MEM_ACCESS_RD, K(sequence) | K(chase_l2))
SELFTEST_MOVES(MEM_ACCESS_WR, K(stores))
SELFTEST_MOVES(STREX_FAIL_SPEC, K(exclusives))
SELFTEST_MOVES(STREX_SPEC, K(exclusives))
SELFTEST_MOVES(LD_SPEC, K(sequence) | K(chase_l2))
SELFTEST_MOVES(ST_SPEC, K(stores))
SELFTEST_MOVES(DP_SPEC, K(integers))
SELFTEST_MOVES(ASE_SPEC, K(simd))
SELFTEST_MOVES(VFP_SPEC, K(doubles) | K(simd))
SELFTEST_MOVES(PC_WRITE_SPEC, K(calls))
SELFTEST_MOVES(CRYPTO_SPEC, K(aes))
SELFTEST_MOVES(ISB_SPEC, K(barriers))
SELFTEST_MOVES(DSB_SPEC, K(barriers))
SELFTEST_MOVES(DMB_SPEC, K(barriers))
SELFTEST_MAY_MOVE(EXC_UNDEF, K(syscalls),
		  "no instruction is run that is undefined")
SELFTEST_MAY_MOVE(EXC_SVC, K(syscalls),
		  "where the kernel runs at EL2 (VHE) it may be one of EXC_TRAP_*")
SELFTEST_MAY_MOVE(EXC_PABORT, K(code_memory),
		  "no code is run from pages that are not there")
SELFTEST_MAY_MOVE(EXC_DABORT, K(faults),
		  "where the kernel runs at EL2 (VHE) it may be one of EXC_TRAP_*")
SELFTEST_MAY_MOVE(EXC_IRQ, K(sleeps),
		  "a hypervisor may take the interrupts")
SELFTEST_MAY_MOVE(EXC_FIQ, K(sleeps),
		  "Linux does not use FIQs here")
SELFTEST_MAY_MOVE(EXC_SMC, K(syscalls),
		  "requires a call of firmware or a hypervisor")
SELFTEST_MAY_MOVE(EXC_HVC, K(syscalls),
		  "requires a call of firmware or a hypervisor")
SELFTEST_OF_TRAPS(EXC_TRAP_PABORT)
SELFTEST_OF_TRAPS(EXC_TRAP_DABORT)
SELFTEST_OF_TRAPS(EXC_TRAP_OTHER)
SELFTEST_OF_TRAPS(EXC_TRAP_IRQ)
SELFTEST_OF_TRAPS(EXC_TRAP_FIQ)
SELFTEST_MOVES(RC_LD_SPEC, K(exclusives))
SELFTEST_MOVES(RC_ST_SPEC, K(exclusives))
SELFTEST_MAY_MOVE(L3D_CACHE_RD, K(chase_memory) | K(stores),
		  "the cluster may have no L3 cache")
SELFTEST_UNDOCUMENTED(IMP_CT_FLUSH)
SELFTEST_UNDOCUMENTED(IMP_CT_FLUSH_MEM)
SELFTEST_UNDOCUMENTED(IMP_CT_FLUSH_BAD_BRANCH)
SELFTEST_UNDOCUMENTED(IMP_CT_FLUSH_ISB)
SELFTEST_UNDOCUMENTED(IMP_CT_FLUSH_OTHER)
SELFTEST_UNDOCUMENTED(IMP_LS_RAR)
SELFTEST_UNDOCUMENTED(IMP_LS_RAW)
SELFTEST_UNDOCUMENTED(IMP_STALL_BACKEND_RENAME_FRF)
SELFTEST_UNDOCUMENTED(IMP_STALL_BACKEND_RENAME_GRF)
SELFTEST_UNDOCUMENTED(IMP_STALL_BACKEND_RENAME_VRF)
SELFTEST_UNDOCUMENTED(IMP_STALL_BACKEND_IQ_SX)
SELFTEST_UNDOCUMENTED(IMP_STALL_BACKEND_IQ_MX)
SELFTEST_UNDOCUMENTED(IMP_STALL_BACKEND_IQ_LS)
SELFTEST_UNDOCUMENTED(IMP_STALL_BACKEND_IQ_VX)
SELFTEST_UNDOCUMENTED(IMP_STALL_BACKEND_MCQ)
SELFTEST_MAY_MOVE(IMP_L2_CHI_CBUSY0, K(chase_memory) | K(stores) | K(sequence),
		  "not every interconnect reports how busy it is")
SELFTEST_MAY_MOVE(IMP_L2_CHI_CBUSY1, K(chase_memory) | K(stores) | K(sequence),
		  "not every interconnect reports how busy it is")
SELFTEST_MAY_MOVE(IMP_L2_CHI_CBUSY2, K(chase_memory) | K(stores) | K(sequence),
		  "not every interconnect reports how busy it is")
SELFTEST_MAY_MOVE(IMP_L2_CHI_CBUSY3, K(chase_memory) | K(stores) | K(sequence),
		  "not every interconnect reports how busy it is")
SELFTEST_MAY_MOVE(IMP_L2_CHI_CBUSY_MT, K(chase_memory) | K(stores) | K(sequence),
		  "not every interconnect reports how busy it is")
SELFTEST_UNDOCUMENTED(IMP_STALL_BACKEND_PCRF)
SELFTEST_UNDOCUMENTED(IMP_STALL_BACKEND_RSTACK)
SELFTEST_OF_SPE(SAMPLE_POP)
SELFTEST_OF_SPE(SAMPLE_FEED)
SELFTEST_OF_SPE(SAMPLE_FILTRATE)
SELFTEST_OF_SPE(SAMPLE_COLLISION)
SELFTEST_MOVES(CNT_CYCLES, K(integers))
SELFTEST_MOVES(STALL_BACKEND_MEM, K(chase_memory) | K(walks))
SELFTEST_MOVES(L1I_CACHE_LMISS, K(code_l2) | K(code_memory))
SELFTEST_MOVES(L2D_CACHE_LMISS_RD, K(chase_memory))
SELFTEST_MOVES(L2I_CACHE_LMISS, K(code_memory))
SELFTEST_MAY_MOVE(L3D_CACHE_LMISS_RD, K(chase_memory) | K(stores),
		  "the cluster may have no L3 cache")
SELFTEST_OF_TRACE(TRB_WRAP)
SELFTEST_MAY_MOVE(PMU_OVFS, K(integers),
		  "it is for the trace unit alone")
SELFTEST_OF_TRACE(TRB_TRIG)
SELFTEST_MAY_MOVE(PMU_HOVFS, K(integers),
		  "it is for the trace unit alone")
SELFTEST_OF_TRACE(TRCEXTOUT0)
SELFTEST_OF_TRACE(TRCEXTOUT1)
SELFTEST_OF_TRACE(TRCEXTOUT2)
SELFTEST_OF_TRACE(TRCEXTOUT3)
SELFTEST_OF_TRACE(CTI_TRIGOUT4)
SELFTEST_OF_TRACE(CTI_TRIGOUT5)
SELFTEST_OF_TRACE(CTI_TRIGOUT6)
SELFTEST_OF_TRACE(CTI_TRIGOUT7)
SELFTEST_MOVES(LDST_ALIGN_LAT, K(unaligned))
SELFTEST_MOVES(LD_ALIGN_LAT, K(unaligned))
SELFTEST_MOVES(ST_ALIGN_LAT, K(unaligned))
SELFTEST_MAY_MOVE(MEM_ACCESS_CHECKED, K(sequence) | K(stores),
		  "no memory here has tags (MTE)")
SELFTEST_MAY_MOVE(MEM_ACCESS_CHECKED_RD, K(sequence) | K(stores),
		  "no memory here has tags (MTE)")
SELFTEST_MAY_MOVE(MEM_ACCESS_CHECKED_WR, K(sequence) | K(stores),
		  "no memory here has tags (MTE)")
SELFTEST_MOVES(ASE_INST_SPEC, K(simd))
SELFTEST_MOVES(SVE_INST_SPEC, K(sve))
SELFTEST_MOVES(FP_HP_SPEC, K(halves))
SELFTEST_MOVES(FP_SP_SPEC, K(doubles) | K(simd))
SELFTEST_MOVES(FP_DP_SPEC, K(doubles) | K(simd))
SELFTEST_MOVES(SVE_PRED_SPEC, K(predicates) | K(sve))
SELFTEST_MOVES(SVE_PRED_EMPTY_SPEC, K(predicates))
SELFTEST_MOVES(SVE_PRED_FULL_SPEC, K(predicates) | K(sve))
SELFTEST_MOVES(SVE_PRED_PARTIAL_SPEC, K(predicates))
SELFTEST_MOVES(SVE_PRED_NOT_FULL_SPEC, K(predicates))
SELFTEST_MOVES(SVE_LDFF_SPEC, K(first_faults))
SELFTEST_MOVES(SVE_LDFF_FAULT_SPEC, K(first_faults))
SELFTEST_MOVES(FP_SCALE_OPS_SPEC, K(sve))
SELFTEST_MOVES(FP_FIXED_OPS_SPEC, K(doubles) | K(simd))
SELFTEST_MOVES(ASE_SVE_INT8_SPEC, K(simd))
SELFTEST_MOVES(ASE_SVE_INT16_SPEC, K(simd))
SELFTEST_MOVES(ASE_SVE_INT32_SPEC, K(simd))
SELFTEST_MOVES(ASE_SVE_INT64_SPEC, K(simd))
SELFTEST_MOVES(BR_IMMED_TAKEN_RETIRED, K(integers) | K(calls))
SELFTEST_MOVES(BR_INDNR_TAKEN_RETIRED, K(calls))
SELFTEST_MOVES(BR_IMMED_PRED_RETIRED, K(integers) | K(calls))
SELFTEST_MOVES(BR_IMMED_MIS_PRED_RETIRED, K(guesses))
SELFTEST_MOVES(BR_IND_PRED_RETIRED, K(calls))
SELFTEST_MOVES(BR_IND_MIS_PRED_RETIRED, K(guesses))
SELFTEST_MOVES(BR_RETURN_PRED_RETIRED, K(calls))
SELFTEST_MOVES(BR_RETURN_MIS_PRED_RETIRED, K(guesses))
SELFTEST_MOVES(BR_INDNR_PRED_RETIRED, K(calls))
SELFTEST_MOVES(BR_INDNR_MIS_PRED_RETIRED, K(guesses))
SELFTEST_MOVES(BR_PRED_RETIRED, K(integers) | K(calls))
SELFTEST_MOVES(BR_IND_RETIRED, K(calls))
SELFTEST_MOVES(INST_FETCH_PERCYC, K(code_l2) | K(code_memory))
SELFTEST_MOVES(MEM_ACCESS_RD_PERCYC, K(sequence) | K(chase_l2))
SELFTEST_MOVES(INST_FETCH, K(code_l2) | K(code_memory))
SELFTEST_MOVES(DTLB_WALK_PERCYC, K(walks) | K(faults) | K(chase_memory))
SELFTEST_MOVES(ITLB_WALK_PERCYC, K(code_memory))
SELFTEST_OF_SPE(SAMPLE_FEED_BR)
SELFTEST_OF_SPE(SAMPLE_FEED_LD)
SELFTEST_OF_SPE(SAMPLE_FEED_ST)
SELFTEST_OF_SPE(SAMPLE_FEED_OP)
SELFTEST_OF_SPE(SAMPLE_FEED_EVENT)
SELFTEST_OF_SPE(SAMPLE_FEED_LAT)
SELFTEST_MAY_MOVE(DTLB_HWUPD, K(faults) | K(code_memory),
		  "hardware has to update access flags, which Linux may not let it")
SELFTEST_MAY_MOVE(ITLB_HWUPD, K(faults) | K(code_memory),
		  "hardware has to update access flags, which Linux may not let it")
SELFTEST_MOVES(DTLB_STEP, K(walks) | K(faults) | K(chase_memory))
SELFTEST_MOVES(ITLB_STEP, K(code_memory) | K(code_l2) | K(faults))
SELFTEST_MAY_MOVE(DTLB_WALK_LARGE, K(walks) | K(chase_memory),
		  "requires large pages")
SELFTEST_MAY_MOVE(ITLB_WALK_LARGE, K(code_memory),
		  "requires large pages of code")
SELFTEST_MOVES(DTLB_WALK_SMALL, K(walks) | K(faults) | K(chase_memory))
SELFTEST_MOVES(ITLB_WALK_SMALL, K(code_memory))
SELFTEST_MOVES(L1D_CACHE_RW, K(sequence) | K(chase_l2))
SELFTEST_MOVES(L2D_CACHE_RW, K(chase_l2) | K(chase_memory))
SELFTEST_MOVES(L2I_CACHE_RD, K(code_l2) | K(code_memory))
SELFTEST_MAY_MOVE(L3D_CACHE_MISS, K(chase_memory) | K(stores),
		  "the cluster may have no L3 cache")
SELFTEST_MAY_MOVE(L1D_CACHE_HWPRF, K(sequence) | K(stores),
		  "prefetchers may be off")
SELFTEST_MOVES(STALL_FRONTEND_MEMBOUND, K(code_memory) | K(code_l2))
SELFTEST_MOVES(STALL_FRONTEND_L1I, K(code_l2) | K(code_memory))
SELFTEST_MOVES(STALL_FRONTEND_MEM, K(code_memory))
SELFTEST_MOVES(STALL_FRONTEND_TLB, K(code_memory) | K(code_l2))
SELFTEST_MOVES(STALL_FRONTEND_CPUBOUND, K(guesses) | K(calls) | K(barriers) | K(code_l2))
SELFTEST_MOVES(STALL_FRONTEND_FLOW, K(guesses) | K(calls) | K(code_l2) | K(code_memory))
SELFTEST_MOVES(STALL_FRONTEND_FLUSH, K(guesses) | K(barriers))
SELFTEST_MOVES(STALL_BACKEND_MEMBOUND, K(chase_memory) | K(chase_l2) | K(walks) | K(stores))
SELFTEST_MOVES(STALL_BACKEND_L1D, K(chase_l2) | K(sequence) | K(chase_memory))
SELFTEST_MOVES(STALL_BACKEND_TLB, K(walks) | K(chase_memory) | K(unaligned))
SELFTEST_MOVES(STALL_BACKEND_ST, K(stores) | K(unaligned) | K(barriers))
SELFTEST_MOVES(STALL_BACKEND_CPUBOUND, K(divisions) | K(registers) | K(barriers))
SELFTEST_MOVES(STALL_BACKEND_BUSY, K(divisions) | K(registers) | K(simd))
SELFTEST_MOVES(STALL_BACKEND_RENAME, K(registers) | K(divisions))
SELFTEST_MAY_MOVE(CAS_NEAR_PASS, K(atomics),
		  "a CAS is far if the interconnect wants it")
SELFTEST_MOVES(CAS_NEAR_SPEC, K(atomics))
SELFTEST_MAY_MOVE(CAS_FAR_SPEC, K(atomics),
		  "a CAS is far if the interconnect wants it")
SELFTEST_MAY_MOVE(L1D_CACHE_REFILL_HWPRF, K(sequence) | K(stores),
		  "prefetchers may be off")
SELFTEST_MAY_MOVE(L2D_CACHE_PRF, K(sequence) | K(stores),
		  "prefetchers may be off")
SELFTEST_MAY_MOVE(L2D_CACHE_REFILL_PRF, K(sequence) | K(stores),
		  "prefetchers may be off")
SELFTEST_MAY_MOVE(LL_CACHE_REFILL, K(chase_memory) | K(stores),
		  "the platform defines the last-level cache")

#undef K
#undef SELFTEST_MOVES
#undef SELFTEST_MOVES_WITH
#undef SELFTEST_UNDOCUMENTED
#undef SELFTEST_OF_TRAPS
#undef SELFTEST_OF_SPE
#undef SELFTEST_OF_TRACE
#undef SELFTEST_MAY_MOVE
