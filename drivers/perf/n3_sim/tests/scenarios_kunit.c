// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the scenarios: they include every event, with rates that are
 * possible on one core, by the rules that Arm's descriptions of the events
 * imply, unless a rule is marked as the simulator's own.
 */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>

#include "events.h"
#include "rates.h"
#include "scenarios.h"

#define E(mnemonic)	N3T_EVENT_##mnemonic
#define SLOTS_PER_CYCLE	5

/* The first 0, which is SW_INCR, ends the list of parts: no rule uses SW_INCR. */
struct sum_rule {
	enum n3t_event total;
	enum n3t_event parts[13];
};

static const struct sum_rule sum_rules[] = {
	{ E(STALL_SLOT), { E(STALL_SLOT_FRONTEND), E(STALL_SLOT_BACKEND) } },
	{ E(STALL), { E(STALL_FRONTEND), E(STALL_BACKEND) } },
	{ E(STALL_FRONTEND), { E(STALL_FRONTEND_MEMBOUND), E(STALL_FRONTEND_CPUBOUND) } },
	{ E(STALL_FRONTEND_MEMBOUND),
	  { E(STALL_FRONTEND_L1I), E(STALL_FRONTEND_MEM), E(STALL_FRONTEND_TLB) } },
	{ E(STALL_FRONTEND_CPUBOUND), { E(STALL_FRONTEND_FLOW), E(STALL_FRONTEND_FLUSH) } },
	{ E(STALL_BACKEND), { E(STALL_BACKEND_MEMBOUND), E(STALL_BACKEND_CPUBOUND) } },
	{ E(STALL_BACKEND_MEMBOUND),
	  { E(STALL_BACKEND_L1D), E(STALL_BACKEND_MEM), E(STALL_BACKEND_TLB),
	    E(STALL_BACKEND_ST) } },
	/* DSB_SPEC is part of DP_SPEC */
	{ E(INST_SPEC),
	  { E(LD_SPEC), E(ST_SPEC), E(DP_SPEC), E(ASE_SPEC), E(VFP_SPEC), E(PC_WRITE_SPEC),
	    E(CRYPTO_SPEC), E(SVE_INST_SPEC), E(ISB_SPEC), E(DMB_SPEC) } },
	{ E(SVE_PRED_SPEC),
	  { E(SVE_PRED_EMPTY_SPEC), E(SVE_PRED_PARTIAL_SPEC), E(SVE_PRED_FULL_SPEC) } },
	{ E(SVE_PRED_NOT_FULL_SPEC), { E(SVE_PRED_EMPTY_SPEC), E(SVE_PRED_PARTIAL_SPEC) } },
	{ E(BR_RETIRED), { E(BR_IMMED_RETIRED), E(BR_IND_RETIRED) } },
	{ E(BR_RETIRED), { E(BR_PRED_RETIRED), E(BR_MIS_PRED_RETIRED) } },
	{ E(BR_IMMED_RETIRED), { E(BR_IMMED_PRED_RETIRED), E(BR_IMMED_MIS_PRED_RETIRED) } },
	{ E(BR_IND_RETIRED), { E(BR_IND_PRED_RETIRED), E(BR_IND_MIS_PRED_RETIRED) } },
	{ E(BR_IND_RETIRED), { E(BR_RETURN_RETIRED), E(BR_INDNR_TAKEN_RETIRED) } },
	{ E(BR_RETURN_RETIRED), { E(BR_RETURN_PRED_RETIRED), E(BR_RETURN_MIS_PRED_RETIRED) } },
	{ E(BR_INDNR_TAKEN_RETIRED), { E(BR_INDNR_PRED_RETIRED), E(BR_INDNR_MIS_PRED_RETIRED) } },
	{ E(BR_MIS_PRED_RETIRED), { E(BR_IMMED_MIS_PRED_RETIRED), E(BR_IND_MIS_PRED_RETIRED) } },
	{ E(PC_WRITE_RETIRED), { E(BR_IMMED_TAKEN_RETIRED), E(BR_IND_RETIRED) } },
	{ E(EXC_TAKEN),
	  { E(EXC_UNDEF), E(EXC_SVC), E(EXC_PABORT), E(EXC_DABORT), E(EXC_IRQ), E(EXC_FIQ),
	    E(EXC_SMC), E(EXC_HVC), E(EXC_TRAP_PABORT), E(EXC_TRAP_DABORT), E(EXC_TRAP_OTHER),
	    E(EXC_TRAP_IRQ), E(EXC_TRAP_FIQ) } },
	{ E(MEM_ACCESS), { E(MEM_ACCESS_RD), E(MEM_ACCESS_WR) } },
	{ E(MEM_ACCESS), { E(L1D_CACHE) } },
	{ E(MEM_ACCESS), { E(L1D_TLB) } },
	{ E(MEM_ACCESS_CHECKED), { E(MEM_ACCESS_CHECKED_RD), E(MEM_ACCESS_CHECKED_WR) } },
	{ E(L1D_CACHE), { E(L1D_CACHE_RD), E(L1D_CACHE_WR) } },
	{ E(L1D_CACHE), { E(L1D_CACHE_RW), E(L1D_CACHE_HWPRF) } },
	{ E(L1D_CACHE_REFILL), { E(L1D_CACHE_REFILL_INNER), E(L1D_CACHE_REFILL_OUTER) } },
	{ E(L2D_CACHE_RW), { E(L2D_CACHE_RD), E(L2D_CACHE_WR) } },
	{ E(L2D_CACHE), { E(L2D_CACHE_RW), E(L2D_CACHE_PRF) } },
	{ E(L2D_CACHE_REFILL),
	  { E(L2D_CACHE_REFILL_RD), E(L2D_CACHE_REFILL_WR), E(L2D_CACHE_REFILL_PRF) } },
	{ E(L2D_CACHE_WB), { E(L2D_CACHE_WB_VICTIM), E(L2D_CACHE_WB_CLEAN) } },
	{ E(L2D_TLB), { E(L1D_TLB_REFILL), E(L1I_TLB_REFILL) } },
	{ E(L2D_TLB_REFILL), { E(DTLB_WALK), E(ITLB_WALK) } },
	{ E(DTLB_WALK), { E(DTLB_WALK_LARGE), E(DTLB_WALK_SMALL) } },
	{ E(ITLB_WALK), { E(ITLB_WALK_LARGE), E(ITLB_WALK_SMALL) } },
	{ E(BUS_ACCESS), { E(BUS_ACCESS_RD), E(BUS_ACCESS_WR) } },
	{ E(LDST_ALIGN_LAT), { E(LD_ALIGN_LAT), E(ST_ALIGN_LAT) } },
	{ E(SAMPLE_FEED),
	  { E(SAMPLE_FEED_BR), E(SAMPLE_FEED_LD), E(SAMPLE_FEED_ST), E(SAMPLE_FEED_OP) } },
	/* The simulator's own rule: Arm does not relate the flushes to mispredicted branches */
	{ E(IMP_CT_FLUSH),
	  { E(IMP_CT_FLUSH_MEM), E(IMP_CT_FLUSH_BAD_BRANCH), E(IMP_CT_FLUSH_ISB),
	    E(IMP_CT_FLUSH_OTHER), E(BR_MIS_PRED) } },
};

/* The parts need not add up to the total. */
static const struct sum_rule part_rules[] = {
	{ E(CPU_CYCLES), { E(STALL) } },
	{ E(STALL_BACKEND), { E(STALL_BACKEND_BUSY) } },
	{ E(STALL_BACKEND_CPUBOUND), { E(STALL_BACKEND_RENAME) } },
	{ E(OP_SPEC), { E(OP_RETIRED) } },
	{ E(OP_SPEC), { E(INST_SPEC) } },
	{ E(INST_SPEC), { E(INST_RETIRED) } },
	{ E(OP_RETIRED), { E(INST_RETIRED) } },
	{ E(DP_SPEC), { E(DSB_SPEC) } },
	{ E(ASE_INST_SPEC), { E(ASE_SPEC) } },
	{ E(SVE_INST_SPEC), { E(SVE_PRED_SPEC) } },
	{ E(SVE_INST_SPEC), { E(SVE_LDFF_SPEC) } },
	{ E(SVE_LDFF_SPEC), { E(SVE_LDFF_FAULT_SPEC) } },
	{ E(ST_SPEC), { E(STREX_SPEC) } },
	{ E(STREX_SPEC), { E(STREX_FAIL_SPEC) } },
	{ E(LD_SPEC), { E(RC_LD_SPEC) } },
	{ E(ST_SPEC), { E(RC_ST_SPEC) } },
	{ E(CAS_NEAR_SPEC), { E(CAS_NEAR_PASS) } },
	{ E(INST_RETIRED), { E(BR_RETIRED) } },
	{ E(BR_IMMED_RETIRED), { E(BR_IMMED_TAKEN_RETIRED) } },
	{ E(PC_WRITE_SPEC), { E(BR_PRED) } },
	{ E(BR_PRED), { E(BR_MIS_PRED) } },
	{ E(BR_MIS_PRED), { E(BR_MIS_PRED_RETIRED) } },
	{ E(LD_SPEC), { E(MEM_ACCESS_RD) } },
	{ E(ST_SPEC), { E(MEM_ACCESS_WR) } },
	{ E(MEM_ACCESS), { E(MEM_ACCESS_CHECKED) } },
	{ E(MEM_ACCESS_RD_PERCYC), { E(MEM_ACCESS_RD) } },
	{ E(INST_FETCH_PERCYC), { E(INST_FETCH) } },
	{ E(L1D_CACHE), { E(L1D_CACHE_REFILL) } },
	{ E(L1D_CACHE_REFILL), { E(L1D_CACHE_LMISS_RD) } },
	{ E(L1D_CACHE_HWPRF), { E(L1D_CACHE_REFILL_HWPRF) } },
	{ E(L1I_CACHE), { E(L1I_CACHE_REFILL) } },
	{ E(L1I_CACHE_REFILL), { E(L1I_CACHE_LMISS) } },
	{ E(L1I_TLB), { E(L1I_TLB_REFILL) } },
	{ E(L1D_TLB), { E(L1D_TLB_REFILL) } },
	{ E(DTLB_STEP), { E(DTLB_WALK) } },
	{ E(ITLB_STEP), { E(ITLB_WALK) } },
	{ E(DTLB_WALK), { E(DTLB_HWUPD) } },
	{ E(ITLB_WALK), { E(ITLB_HWUPD) } },
	{ E(DTLB_WALK_PERCYC), { E(DTLB_STEP) } },
	{ E(ITLB_WALK_PERCYC), { E(ITLB_STEP) } },
	{ E(L2D_CACHE), { E(L1D_CACHE_REFILL) } },
	{ E(L2D_CACHE), { E(L2D_CACHE_REFILL) } },
	{ E(L2D_CACHE_PRF), { E(L2D_CACHE_REFILL_PRF) } },
	{ E(L2D_CACHE_REFILL_RD), { E(L2D_CACHE_LMISS_RD) } },
	{ E(L2D_CACHE_REFILL), { E(L2D_CACHE_ALLOCATE) } },
	{ E(L2I_CACHE), { E(L2I_CACHE_RD) } },
	{ E(L2I_CACHE), { E(L2I_CACHE_REFILL) } },
	{ E(L2I_CACHE_REFILL), { E(L2I_CACHE_LMISS) } },
	{ E(L3D_CACHE), { E(L2D_CACHE_REFILL) } },
	{ E(L3D_CACHE), { E(L3D_CACHE_RD) } },
	{ E(L3D_CACHE), { E(L3D_CACHE_MISS) } },
	{ E(L3D_CACHE_MISS), { E(L3D_CACHE_REFILL) } },
	{ E(L3D_CACHE_RD), { E(L3D_CACHE_LMISS_RD) } },
	{ E(LL_CACHE), { E(LL_CACHE_RD) } },
	{ E(LL_CACHE), { E(LL_CACHE_MISS) } },
	{ E(LL_CACHE_RD), { E(LL_CACHE_MISS_RD) } },
	{ E(LL_CACHE_MISS), { E(LL_CACHE_MISS_RD) } },
	{ E(LL_CACHE_MISS), { E(LL_CACHE_REFILL) } },
	{ E(LL_CACHE_MISS), { E(REMOTE_ACCESS) } },
	{ E(SAMPLE_POP), { E(SAMPLE_FEED) } },
	{ E(SAMPLE_FEED), { E(SAMPLE_FILTRATE) } },
	{ E(STALL_BACKEND_RENAME),
	  { E(IMP_STALL_BACKEND_RENAME_FRF), E(IMP_STALL_BACKEND_RENAME_GRF),
	    E(IMP_STALL_BACKEND_RENAME_VRF) } },
	{ E(STALL_BACKEND),
	  { E(IMP_STALL_BACKEND_IQ_SX), E(IMP_STALL_BACKEND_IQ_MX), E(IMP_STALL_BACKEND_IQ_LS),
	    E(IMP_STALL_BACKEND_IQ_VX), E(IMP_STALL_BACKEND_MCQ), E(IMP_STALL_BACKEND_PCRF),
	    E(IMP_STALL_BACKEND_RSTACK) } },
	{ E(INST_SPEC), { E(FP_HP_SPEC), E(FP_SP_SPEC), E(FP_DP_SPEC) } },
	{ E(INST_SPEC),
	  { E(ASE_SVE_INT8_SPEC), E(ASE_SVE_INT16_SPEC),
	    E(ASE_SVE_INT32_SPEC), E(ASE_SVE_INT64_SPEC) } },
};

static void scenario_desc(const struct n3_sim_scenario *scenario, char *desc)
{
	strscpy(desc, scenario->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(scenario, n3_sim_scenarios, scenario_desc);

static u64 sum_of(const struct n3_sim_scenario *scenario, const struct sum_rule *rule)
{
	unsigned int i;
	u64 sum = 0;

	for (i = 0; i < ARRAY_SIZE(rule->parts) && rule->parts[i]; i++)
		sum += scenario->rates[rule->parts[i]];
	return sum;
}

static void only_countable_events_have_a_rate(struct kunit *test)
{
	const struct n3_sim_scenario *scenario = test->param_value;
	unsigned int event;

	for (event = 0; event < N3T_NR_EVENTS; event++) {
		u64 rate = scenario->rates[event];

		KUNIT_EXPECT_EQ_MSG(test, rate > 0, n3_sim_events[event].countable, "%s",
				    n3_sim_events[event].name);
		KUNIT_EXPECT_LE(test, rate, N3_SIM_MAX_RATE);
	}
}

static void part_events_sum_to_their_total(struct kunit *test)
{
	const struct n3_sim_scenario *scenario = test->param_value;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sum_rules); i++) {
		enum n3t_event total = sum_rules[i].total;

		KUNIT_EXPECT_EQ_MSG(test, scenario->rates[total], sum_of(scenario, &sum_rules[i]),
				    "%s", n3_sim_events[total].name);
	}
}

static void part_events_sum_to_no_more_than_their_total(struct kunit *test)
{
	const struct n3_sim_scenario *scenario = test->param_value;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(part_rules); i++) {
		enum n3t_event total = part_rules[i].total;

		KUNIT_EXPECT_GE_MSG(test, scenario->rates[total], sum_of(scenario, &part_rules[i]),
				    "%s", n3_sim_events[total].name);
	}
}

static void every_slot_is_stalled_or_holds_an_operation(struct kunit *test)
{
	const struct n3_sim_scenario *scenario = test->param_value;
	const u64 *rates = scenario->rates;

	KUNIT_EXPECT_EQ(test, SLOTS_PER_CYCLE * rates[E(CPU_CYCLES)],
			rates[E(STALL_SLOT)] + rates[E(OP_SPEC)]);
	KUNIT_EXPECT_LE(test, SLOTS_PER_CYCLE * rates[E(STALL_FRONTEND)],
			rates[E(STALL_SLOT_FRONTEND)]);
	KUNIT_EXPECT_LE(test, SLOTS_PER_CYCLE * rates[E(STALL_BACKEND)],
			rates[E(STALL_SLOT_BACKEND)]);
}

struct topdown_case {
	const char *scenario;
	u32 frontend, backend, speculation, retiring;
};

/* Topdown_L1 in 1e-4 percent of slots */
static const struct topdown_case topdown_cases[] = {
	{ "backend_memory_bound", 41200, 713500, 20830, 224470 },
	{ "frontend_bound", 575300, 122450, 41900, 260350 },
	{ "bad_speculation", 140700, 158950, 420380, 279970 },
	{ "retiring", 37450, 78300, 26600, 857650 },
};

/*
 * Formulas of the specification, with STALL_SLOT = all slots - OP_SPEC, so that
 * the last two need only one division.
 */
static void topdown_l1_matches_the_name_of_the_scenario(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(topdown_cases); i++) {
		const struct topdown_case *c = &topdown_cases[i];
		const u64 *rates = n3_sim_scenario_by_name(c->scenario)->rates;
		u64 cycles = rates[E(CPU_CYCLES)];
		u64 unit = SLOTS_PER_CYCLE * cycles / 1000000;
		u64 flush = SLOTS_PER_CYCLE * rates[E(STALL_FRONTEND_FLUSH)];

		KUNIT_EXPECT_EQ(test, (u64)c->backend,
				div64_u64(rates[E(STALL_SLOT_BACKEND)], unit));
		KUNIT_EXPECT_EQ(test, (u64)c->frontend,
				div64_u64(rates[E(STALL_SLOT_FRONTEND)] - flush, unit));
		KUNIT_EXPECT_EQ(test, (u64)c->retiring, div64_u64(rates[E(OP_RETIRED)], unit));
		KUNIT_EXPECT_EQ(test, (u64)c->speculation,
				div64_u64(rates[E(OP_SPEC)] - rates[E(OP_RETIRED)] + flush, unit));
	}
}

static struct kunit_case scenarios_cases[] = {
	KUNIT_CASE_PARAM(only_countable_events_have_a_rate, scenario_gen_params),
	KUNIT_CASE_PARAM(part_events_sum_to_their_total, scenario_gen_params),
	KUNIT_CASE_PARAM(part_events_sum_to_no_more_than_their_total, scenario_gen_params),
	KUNIT_CASE_PARAM(every_slot_is_stalled_or_holds_an_operation, scenario_gen_params),
	KUNIT_CASE(topdown_l1_matches_the_name_of_the_scenario),
	{}
};

static struct kunit_suite scenarios_suite = {
	.name = "n3_sim_scenarios",
	.test_cases = scenarios_cases,
};

kunit_test_suite(scenarios_suite);
