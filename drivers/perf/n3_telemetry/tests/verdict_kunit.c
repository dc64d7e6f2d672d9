// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: conditions for a value, and the text reported otherwise. */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/spec.h"
#include "libn3t/verdict.h"

#define BUDGET		6
#define CYCLES		1000000
#define COUNT		1000

struct fixture {
	struct n3t_plan plan;
	struct n3t_window *window;
	struct n3t_ratio value;
};

static int verdict_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	test->priv = f;
	if (!f)
		return -ENOMEM;
	f->window = kunit_kzalloc(test, sizeof(*f->window) +
				  N3T_MAX_SETS * sizeof(struct n3t_set_sum), GFP_KERNEL);
	if (!f->window)
		return -ENOMEM;
	f->window->sum_words = sizeof(struct n3t_set_sum) / sizeof(u64);
	return 0;
}

/* Window of a busy CPU: some slices in every set, every event counted. */
static void fill_window(struct fixture *f)
{
	struct n3t_set_sum *sum;
	unsigned int i, k;

	f->window->nr_sets = f->plan.nr_sets;
	f->window->cycles = 0;
	for (i = 0; i < f->plan.nr_sets; i++) {
		sum = n3t_window_sum(f->window, i);
		memset(sum, 0, sizeof(*sum));
		sum->slices = 10;
		sum->cycles = CYCLES;
		for (k = 0; k < f->plan.set[i].nr; k++)
			sum->count[k] = COUNT;
		f->window->cycles += CYCLES;
	}
}

static struct fixture *set_up(struct kunit *test, unsigned int budget, int group)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	struct fixture *f = test->priv;

	bitmap_zero(groups, N3T_NR_GROUPS);
	if (group < 0)
		bitmap_fill(groups, N3T_NR_GROUPS);
	else
		__set_bit(group, groups);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(&f->plan, budget, groups, NULL, NULL), 0);
	fill_window(f);
	return f;
}

/* Set the count of an event in all its sets. */
static void set_count(struct fixture *f, u16 code, u64 count)
{
	unsigned int i, k;

	for (i = 0; i < f->plan.nr_sets; i++)
		for (k = 0; k < f->plan.set[i].nr; k++)
			if (f->plan.set[i].code[k] == code)
				n3t_window_sum(f->window, i)->count[k] = count;
}

static void set_all_counts(struct fixture *f, u64 count)
{
	unsigned int i, k;

	for (i = 0; i < f->plan.nr_sets; i++)
		for (k = 0; k < f->plan.set[i].nr; k++)
			n3t_window_sum(f->window, i)->count[k] = count;
}

/* All groups, without one event. */
static struct fixture *set_up_without(struct kunit *test, unsigned int budget,
				      enum n3t_event event)
{
	DECLARE_BITMAP(distrust, N3T_NR_EVENTS) = { 0 };
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	struct fixture *f = test->priv;

	bitmap_fill(groups, N3T_NR_GROUPS);
	__set_bit(event, distrust);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(&f->plan, budget, groups, NULL, distrust), 0);
	fill_window(f);
	return f;
}

static struct n3t_set_sum *sum_of(struct fixture *f, enum n3t_metric metric)
{
	return n3t_window_sum(f->window, f->plan.set_of[metric]);
}

static enum n3t_verdict verdict_of(struct fixture *f, enum n3t_metric metric,
				   enum n3t_cpu_state state)
{
	n3t_window_judge(f->window, &f->plan);
	return n3t_metric_value(metric, state, &f->plan, f->window, &f->value);
}

static enum n3t_verdict sampled(struct fixture *f, enum n3t_metric metric)
{
	return verdict_of(f, metric, N3T_CPU_SAMPLING);
}

static void verdict_words_are_those_of_the_abi(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, n3t_verdict_word(N3T_OFFLINE), "offline");
	KUNIT_EXPECT_STREQ(test, n3t_verdict_word(N3T_DISABLED), "disabled");
	KUNIT_EXPECT_STREQ(test, n3t_verdict_word(N3T_UNPLACED), "unplaced");
	KUNIT_EXPECT_STREQ(test, n3t_verdict_word(N3T_UNSUPPORTED), "unsupported");
	KUNIT_EXPECT_STREQ(test, n3t_verdict_word(N3T_CONTENDED), "contended");
	KUNIT_EXPECT_STREQ(test, n3t_verdict_word(N3T_IDLE), "idle");
	KUNIT_EXPECT_STREQ(test, n3t_verdict_word(N3T_STALE), "stale");
	KUNIT_EXPECT_STREQ(test, n3t_verdict_word(N3T_IMPLAUSIBLE), "implausible");
	KUNIT_EXPECT_STREQ(test, n3t_verdict_word(N3T_INCONSISTENT), "inconsistent");
	KUNIT_EXPECT_STREQ(test, n3t_verdict_word(N3T_UNDEF), "undef");
	KUNIT_EXPECT_TRUE(test, !n3t_verdict_word(N3T_VALUE));
}

static void values_come_from_the_counts_of_the_metrics_own_set(struct kunit *test)
{
	struct fixture *f = set_up(test, BUDGET, -1);
	struct n3t_set_sum *sum = sum_of(f, N3T_METRIC_ipc);
	char text[32];

	set_count(f, N3T_CODE_INST_RETIRED, 3333333);
	sum->cycles = 2000000;
	KUNIT_ASSERT_EQ(test, sampled(f, N3T_METRIC_ipc), N3T_VALUE);
	n3t_ratio_print(text, sizeof(text), &f->value, 6);
	KUNIT_EXPECT_STREQ(test, text, "1.666667");
}

static void verdicts_of_unsampled_cpus_need_no_window(struct kunit *test)
{
	struct fixture *f = set_up(test, BUDGET, -1);

	KUNIT_EXPECT_EQ(test, n3t_metric_value(N3T_METRIC_ipc, N3T_CPU_OFFLINE, NULL, NULL,
					       &f->value), N3T_OFFLINE);
	KUNIT_EXPECT_EQ(test, n3t_metric_value(N3T_METRIC_ipc, N3T_CPU_DISABLED, NULL, NULL,
					       &f->value), N3T_DISABLED);
	KUNIT_EXPECT_EQ(test, n3t_metric_value(N3T_METRIC_ipc, N3T_CPU_UNPLACED, NULL, NULL,
					       &f->value), N3T_UNPLACED);
	KUNIT_EXPECT_EQ(test, n3t_metric_value(N3T_METRIC_ipc, N3T_CPU_CONTENDED, &f->plan, NULL,
					       &f->value), N3T_CONTENDED);
}

/* All reasons hold at first; each step removes the strongest. */
static void the_first_verdict_in_order_is_reported(struct kunit *test)
{
	struct fixture *f = set_up(test, BUDGET, -1);
	enum n3t_metric metric = N3T_METRIC_branch_direct_ratio;
	struct n3t_set_sum *sum = sum_of(f, metric);
	s16 set = f->plan.set_of[metric];
	unsigned int i;

	f->plan.set_of[metric] = N3T_NO_SET;
	sum->slices = 0;
	sum->dropped = 3;
	f->window->cycles = 99999;
	set_all_counts(f, 0);
	KUNIT_EXPECT_EQ(test, verdict_of(f, metric, N3T_CPU_OFFLINE), N3T_OFFLINE);
	KUNIT_EXPECT_EQ(test, verdict_of(f, metric, N3T_CPU_DISABLED), N3T_DISABLED);
	KUNIT_EXPECT_EQ(test, verdict_of(f, metric, N3T_CPU_UNPLACED), N3T_UNPLACED);
	KUNIT_EXPECT_EQ(test, verdict_of(f, metric, N3T_CPU_CONTENDED), N3T_UNPLACED);
	KUNIT_EXPECT_EQ(test, sampled(f, metric), N3T_UNPLACED);
	f->plan.set_of[metric] = set;
	KUNIT_EXPECT_EQ(test, verdict_of(f, metric, N3T_CPU_CONTENDED), N3T_CONTENDED);
	KUNIT_EXPECT_EQ(test, sampled(f, metric), N3T_CONTENDED);
	sum->dropped = 0;
	KUNIT_EXPECT_EQ(test, sampled(f, metric), N3T_IDLE);
	f->window->starved = true;
	KUNIT_EXPECT_EQ(test, sampled(f, metric), N3T_STALE);
	f->window->starved = false;
	f->window->cycles = 100000;
	KUNIT_EXPECT_EQ(test, sampled(f, metric), N3T_STALE);
	/* One kept slice is enough for a value. */
	sum->slices = 1;
	sum->dropped = 99;
	KUNIT_EXPECT_EQ(test, sampled(f, metric), N3T_IMPLAUSIBLE);
	/* Too few cycles in any set to call a zero implausible. */
	fill_window(f);
	set_all_counts(f, 0);
	for (i = 0; i < f->plan.nr_sets; i++)
		n3t_window_sum(f->window, i)->cycles = N3T_IDLE_CYCLES - 1;
	KUNIT_EXPECT_EQ(test, sampled(f, metric), N3T_UNDEF);
	set_count(f, N3T_CODE_BR_RETIRED, 1);
	KUNIT_EXPECT_EQ(test, sampled(f, metric), N3T_VALUE);
}

/* Machines without a last-level cache that counts have misses over 0 reads. */
static void misses_without_reads_are_undef(struct kunit *test)
{
	struct fixture *f = set_up(test, BUDGET, -1);

	set_count(f, N3T_CODE_LL_CACHE_RD, 0);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_ll_cache_read_hit_ratio), N3T_UNDEF);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_ll_cache_read_miss_ratio), N3T_UNDEF);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_ll_cache_read_mpki), N3T_UNDEF);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_l2_cache_mpki), N3T_VALUE);
	set_count(f, N3T_CODE_LL_CACHE_RD, 1);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_ll_cache_read_mpki), N3T_VALUE);
	/* This group does not count reads. */
	f = set_up(test, BUDGET, N3T_GROUP_MPKI);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_ll_cache_read_mpki), N3T_VALUE);
}

/* A metric that is not chosen is disabled; a chosen one that does not fit is unplaced. */
static void only_a_chosen_metric_can_be_unplaced(struct kunit *test)
{
	struct fixture *f = set_up(test, 1, N3T_GROUP_Branch_Effectiveness);
	unsigned int i;

	for (i = 0; i < N3T_NR_METRICS; i++) {
		bool member = i == N3T_METRIC_branch_direct_ratio ||
			      i == N3T_METRIC_branch_indirect_ratio ||
			      i == N3T_METRIC_branch_misprediction_ratio ||
			      i == N3T_METRIC_branch_mpki ||
			      i == N3T_METRIC_branch_return_ratio;

		KUNIT_EXPECT_EQ_MSG(test, sampled(f, i), member ? N3T_UNPLACED : N3T_DISABLED,
				    "metric %s", n3t_metrics[i].name);
		/* Takes precedence over verdicts on the counts. */
		KUNIT_EXPECT_EQ_MSG(test, verdict_of(f, i, N3T_CPU_CONTENDED),
				    member ? N3T_UNPLACED : N3T_DISABLED, "metric %s",
				    n3t_metrics[i].name);
	}
	f = set_up(test, 2, N3T_GROUP_Branch_Effectiveness);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_branch_mpki), N3T_VALUE);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_dtlb_mpki), N3T_DISABLED);
}

/* At every budget: a value for each metric in a set, a verdict for the others. */
static void placed_metrics_have_values_at_every_budget(struct kunit *test)
{
	unsigned int budget, i;

	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		struct fixture *f = set_up(test, budget, -1);

		for (i = 0; i < N3T_NR_METRICS; i++)
			KUNIT_EXPECT_EQ_MSG(test, sampled(f, i),
					    f->plan.set_of[i] == N3T_NO_SET ? N3T_UNPLACED
									    : N3T_VALUE,
					    "budget=%u metric %s", budget, n3t_metrics[i].name);
	}
}

static void the_verdict_of_a_cpu_follows_its_state_and_cycles(struct kunit *test)
{
	struct fixture *f = set_up(test, BUDGET, -1);

	KUNIT_EXPECT_EQ(test, n3t_cpu_verdict(N3T_CPU_OFFLINE, NULL), N3T_OFFLINE);
	KUNIT_EXPECT_EQ(test, n3t_cpu_verdict(N3T_CPU_DISABLED, NULL), N3T_DISABLED);
	KUNIT_EXPECT_EQ(test, n3t_cpu_verdict(N3T_CPU_UNPLACED, NULL), N3T_UNPLACED);
	KUNIT_EXPECT_EQ(test, n3t_cpu_verdict(N3T_CPU_UNSUPPORTED, NULL), N3T_UNSUPPORTED);
	KUNIT_EXPECT_EQ(test, n3t_cpu_verdict(N3T_CPU_CONTENDED, NULL), N3T_CONTENDED);
	KUNIT_EXPECT_EQ(test, n3t_cpu_verdict(N3T_CPU_SAMPLING, f->window), N3T_VALUE);
	f->window->cycles = 100000;
	KUNIT_EXPECT_EQ(test, n3t_cpu_verdict(N3T_CPU_SAMPLING, f->window), N3T_VALUE);
	f->window->cycles = 99999;
	KUNIT_EXPECT_EQ(test, n3t_cpu_verdict(N3T_CPU_SAMPLING, f->window), N3T_IDLE);
	f->window->starved = true;
	KUNIT_EXPECT_EQ(test, n3t_cpu_verdict(N3T_CPU_SAMPLING, f->window), N3T_STALE);
}

static enum n3t_verdict custom(struct fixture *f, enum n3t_cpu_state state)
{
	return n3t_custom_verdict(state, &f->plan, f->window);
}

static void the_custom_set_has_verdicts_in_order(struct kunit *test)
{
	static const u16 codes[] = { N3T_CODE_BUS_ACCESS, 0xfffe };
	struct fixture *f = set_up(test, BUDGET, -1);
	struct n3t_set_sum *sum;

	KUNIT_EXPECT_EQ(test, n3t_custom_verdict(N3T_CPU_OFFLINE, NULL, NULL), N3T_OFFLINE);
	KUNIT_EXPECT_EQ(test, n3t_custom_verdict(N3T_CPU_DISABLED, NULL, NULL), N3T_DISABLED);
	KUNIT_EXPECT_EQ(test, n3t_custom_verdict(N3T_CPU_UNPLACED, NULL, NULL), N3T_UNPLACED);
	/* Disabled takes precedence over every verdict on a set. */
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_CONTENDED), N3T_DISABLED);
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_SAMPLING), N3T_DISABLED);

	n3t_plan_add_custom(&f->plan, codes, ARRAY_SIZE(codes));
	fill_window(f);
	sum = n3t_window_sum(f->window, f->plan.custom_set);
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_OFFLINE), N3T_OFFLINE);
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_DISABLED), N3T_DISABLED);
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_UNPLACED), N3T_UNPLACED);
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_CONTENDED), N3T_CONTENDED);
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_SAMPLING), N3T_VALUE);

	/* All reasons hold; each step removes the strongest. */
	sum->slices = 0;
	sum->dropped = 2;
	f->window->cycles = 99999;
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_SAMPLING), N3T_CONTENDED);
	sum->dropped = 0;
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_SAMPLING), N3T_IDLE);
	f->window->starved = true;
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_SAMPLING), N3T_STALE);
	f->window->starved = false;
	f->window->cycles = 100000;
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_SAMPLING), N3T_STALE);
	sum->slices = 1;
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_SAMPLING), N3T_VALUE);
	/* Dropped slices of other sets do not matter. */
	n3t_window_sum(f->window, 0)->slices = 0;
	n3t_window_sum(f->window, 0)->dropped = 5;
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_SAMPLING), N3T_VALUE);

	/* Two events, one counter. */
	f = set_up(test, 1, -1);
	n3t_plan_add_custom(&f->plan, codes, ARRAY_SIZE(codes));
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_CONTENDED), N3T_UNPLACED);
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_SAMPLING), N3T_UNPLACED);
}

/* An emulator that accepts every event and counts only two of them. */
static void zeros_of_an_emulator_are_implausible(struct kunit *test)
{
	struct fixture *f = set_up(test, BUDGET, -1);
	unsigned int i;

	set_all_counts(f, 0);
	set_count(f, N3T_CODE_INST_RETIRED, 2 * CYCLES);
	for (i = 0; i < N3T_NR_METRICS; i++)
		KUNIT_EXPECT_EQ_MSG(test, sampled(f, i),
				    i == N3T_METRIC_ipc ? N3T_VALUE : N3T_IMPLAUSIBLE,
				    "metric %s", n3t_metrics[i].name);
}

/*
 * The same with one group chosen: hardly any event that must advance is counted then. While
 * SPE does not sample, its events alone are 0 on a working PMU, too.
 */
static void zeros_of_an_emulator_are_implausible_in_any_group(struct kunit *test)
{
	const struct n3t_group_info *group;
	struct fixture *f;
	unsigned int i, k;

	for (i = 0; i < N3T_NR_GROUPS; i++) {
		if (i == N3T_GROUP_SPE_Sampling)
			continue;
		f = set_up(test, BUDGET, i);
		set_all_counts(f, 0);
		set_count(f, N3T_CODE_INST_RETIRED, 2 * CYCLES);
		group = &n3t_groups[i];
		for (k = 0; k < group->nr_members; k++)
			KUNIT_EXPECT_EQ_MSG(test, sampled(f, group->members[k]),
					    group->members[k] == N3T_METRIC_ipc ?
					    N3T_VALUE : N3T_IMPLAUSIBLE,
					    "group %s", group->name);
	}
}

/* Events that advance in any slice. */
static const u16 advancing[] = {
	N3T_CODE_INST_RETIRED, N3T_CODE_INST_SPEC, N3T_CODE_OP_RETIRED, N3T_CODE_OP_SPEC,
	N3T_CODE_L1I_CACHE, N3T_CODE_L1I_TLB, N3T_CODE_BR_RETIRED,
};

static void one_always_advancing_event_at_0_makes_zeros_implausible(struct kunit *test)
{
	struct fixture *f = set_up(test, BUDGET, -1);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(advancing); i++) {
		fill_window(f);
		set_count(f, N3T_CODE_SVE_PRED_EMPTY_SPEC, 0);
		KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_sve_predicate_empty_percentage),
				N3T_VALUE);
		set_count(f, advancing[i], 0);
		KUNIT_EXPECT_EQ_MSG(test, sampled(f, N3T_METRIC_sve_predicate_empty_percentage),
				    N3T_IMPLAUSIBLE, "code=%#x", advancing[i]);
		/* A value without zeros is accepted: the PMU has counted these events. */
		KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_sve_predicate_full_percentage),
				N3T_VALUE);
	}
}

/* Of a value that is not negative. */
static u64 scaled(const struct n3t_ratio *value, unsigned int decimals)
{
	u64 magnitude = U64_MAX;

	n3t_ratio_magnitude(value, decimals, &magnitude);
	return value->negative ? U64_MAX : magnitude;
}

/* Software need not use SVE, crypto or floating point, and it may stay in its caches. */
static void zeros_are_values_if_the_pmu_counts(struct kunit *test)
{
	struct fixture *f = set_up(test, BUDGET, -1);
	unsigned int i;

	set_all_counts(f, 0);
	for (i = 0; i < ARRAY_SIZE(advancing); i++)
		set_count(f, advancing[i], COUNT);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_crypto_percentage), N3T_VALUE);
	KUNIT_EXPECT_EQ(test, scaled(&f->value, 4), 0ULL);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_l1d_cache_mpki), N3T_VALUE);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_sve_predicate_full_percentage), N3T_UNDEF);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_sve_fp_ops_per_cycle), N3T_VALUE);
}

static const u16 sampling_codes[] = {
	N3T_CODE_SAMPLE_POP, N3T_CODE_SAMPLE_FEED, N3T_CODE_SAMPLE_FILTRATE,
	N3T_CODE_SAMPLE_COLLISION, N3T_CODE_SAMPLE_FEED_BR, N3T_CODE_SAMPLE_FEED_LD,
	N3T_CODE_SAMPLE_FEED_ST, N3T_CODE_SAMPLE_FEED_OP, N3T_CODE_SAMPLE_FEED_EVENT,
	N3T_CODE_SAMPLE_FEED_LAT,
};

static void set_sampling_counts(struct fixture *f, u64 count)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sampling_codes); i++)
		set_count(f, sampling_codes[i], count);
}

static void expect_sampling(struct kunit *test, enum n3t_verdict verdict)
{
	const struct n3t_group_info *group = &n3t_groups[N3T_GROUP_SPE_Sampling];
	unsigned int i;

	for (i = 0; i < group->nr_members; i++)
		KUNIT_EXPECT_EQ_MSG(test, sampled(test->priv, group->members[i]), verdict,
				    "metric %s", n3t_metrics[group->members[i]].name);
}

/* Also for a single group, with no other event to show that the PMU counts. */
static void metrics_of_samples_are_idle_without_samples(struct kunit *test)
{
	struct fixture *f = set_up(test, BUDGET, -1);

	expect_sampling(test, N3T_VALUE);
	set_sampling_counts(f, 0);
	expect_sampling(test, N3T_IDLE);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_ipc), N3T_VALUE);

	f = set_up(test, BUDGET, N3T_GROUP_SPE_Sampling);
	expect_sampling(test, N3T_VALUE);
	set_sampling_counts(f, 0);
	expect_sampling(test, N3T_IDLE);
	set_count(f, N3T_CODE_INST_RETIRED, 0);
	expect_sampling(test, N3T_IMPLAUSIBLE);
}

/* Sampling ran without collisions, or with filters that pass no operation. */
static void zeros_are_values_while_something_samples(struct kunit *test)
{
	struct fixture *f = set_up(test, BUDGET, -1);

	set_sampling_counts(f, 0);
	set_count(f, N3T_CODE_SAMPLE_POP, 1024 * 500);
	set_count(f, N3T_CODE_SAMPLE_FEED, 500);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_spe_interval), N3T_VALUE);
	KUNIT_EXPECT_EQ(test, scaled(&f->value, 6), 1024000000ULL);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_spe_collision_percentage), N3T_VALUE);
	KUNIT_EXPECT_EQ(test, scaled(&f->value, 4), 0ULL);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_spe_load_percentage), N3T_VALUE);
	/* Operations passed, but not enough for a sample. */
	set_count(f, N3T_CODE_SAMPLE_FEED, 0);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_spe_interval), N3T_UNDEF);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_spe_collision_percentage), N3T_IDLE);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_spe_uops_per_instruction), N3T_VALUE);
}

static void topdown_l1_has_values_with_five_counters(struct kunit *test)
{
	struct fixture *f = set_up(test, 5, N3T_GROUP_Topdown_L1);

	KUNIT_ASSERT_TRUE(test, f->plan.derives_stall_slot);
	set_count(f, N3T_CODE_STALL_SLOT_FRONTEND, 1500000);
	set_count(f, N3T_CODE_STALL_SLOT_BACKEND, 1000000);
	/* (1 - 2.5 million of 5 million slots) * 1000 / 1000 */
	KUNIT_ASSERT_EQ(test, sampled(f, N3T_METRIC_retiring), N3T_VALUE);
	KUNIT_EXPECT_EQ(test, scaled(&f->value, 4), 500000ULL);
}

static void expect_unsupported(struct kunit *test, enum n3t_metric metric)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, verdict_of(f, metric, N3T_CPU_OFFLINE), N3T_OFFLINE);
	KUNIT_EXPECT_EQ(test, verdict_of(f, metric, N3T_CPU_DISABLED), N3T_DISABLED);
	KUNIT_EXPECT_EQ(test, verdict_of(f, metric, N3T_CPU_UNPLACED), N3T_UNPLACED);
	KUNIT_EXPECT_EQ(test, verdict_of(f, metric, N3T_CPU_UNSUPPORTED), N3T_UNSUPPORTED);
	KUNIT_EXPECT_EQ(test, verdict_of(f, metric, N3T_CPU_CONTENDED), N3T_UNSUPPORTED);
	KUNIT_EXPECT_EQ(test, sampled(f, metric), N3T_UNSUPPORTED);
}

static void a_distrusted_event_makes_its_metrics_unsupported(struct kunit *test)
{
	struct fixture *f = set_up_without(test, BUDGET, N3T_EVENT_L1D_CACHE);
	unsigned int i, unsupported = 0;

	for (i = 0; i < N3T_NR_METRICS; i++) {
		const char *last = strstr(n3t_metrics[i].formula, "/ L1D_CACHE");
		bool needs = strstr(n3t_metrics[i].formula, "L1D_CACHE ") ||
			     (last && !strcmp(last, "/ L1D_CACHE"));

		KUNIT_EXPECT_EQ_MSG(test, sampled(f, i), needs ? N3T_UNSUPPORTED : N3T_VALUE,
				    "metric %s", n3t_metrics[i].name);
		unsupported += needs;
	}
	KUNIT_EXPECT_GT(test, unsupported, 0u);
	expect_unsupported(test, N3T_METRIC_l1d_cache_miss_ratio);
	/* During a change of settings a CPU that is not sampled yet has no window. */
	KUNIT_EXPECT_EQ(test, n3t_metric_value(N3T_METRIC_ipc, N3T_CPU_UNSUPPORTED, &f->plan, NULL,
					       &f->value), N3T_UNSUPPORTED);
}

/* l1d_cache_miss_ratio has two events. */
static void a_metric_that_does_not_fit_is_unplaced_before_unsupported(struct kunit *test)
{
	struct fixture *f = set_up_without(test, 1, N3T_EVENT_L1D_CACHE);

	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_l1d_cache_miss_ratio), N3T_UNPLACED);
	f = set_up_without(test, 1, N3T_EVENT_INST_RETIRED);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_ipc), N3T_UNSUPPORTED);
}

static void distrusted_cycles_leave_metrics_without_them(struct kunit *test)
{
	struct fixture *f = set_up_without(test, BUDGET, N3T_EVENT_CPU_CYCLES);

	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_ipc), N3T_UNSUPPORTED);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_retiring), N3T_UNSUPPORTED);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_l1d_cache_miss_ratio), N3T_VALUE);
}

static void distrusted_custom_events_have_a_verdict(struct kunit *test)
{
	static const u16 codes[] = { N3T_CODE_L1D_CACHE, 0xfffe };
	struct fixture *f = set_up_without(test, BUDGET, N3T_EVENT_L1D_CACHE);

	n3t_plan_add_custom(&f->plan, codes, ARRAY_SIZE(codes));
	fill_window(f);
	n3t_window_judge(f->window, &f->plan);
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_SAMPLING), N3T_VALUE);
	KUNIT_EXPECT_EQ(test, n3t_custom_event_verdict(codes[0], &f->plan, f->window),
			N3T_UNSUPPORTED);
	KUNIT_EXPECT_EQ(test, n3t_custom_event_verdict(codes[1], &f->plan, f->window), N3T_VALUE);
	set_count(f, N3T_CODE_INST_RETIRED, 0);
	set_count(f, 0xfffe, 0);
	n3t_window_judge(f->window, &f->plan);
	KUNIT_EXPECT_EQ(test, n3t_custom_event_verdict(codes[1], &f->plan, f->window),
			N3T_IMPLAUSIBLE);

	f = set_up_without(test, BUDGET, N3T_EVENT_L1D_CACHE);
	n3t_plan_add_custom(&f->plan, codes, 1);
	fill_window(f);
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_OFFLINE), N3T_OFFLINE);
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_DISABLED), N3T_DISABLED);
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_UNPLACED), N3T_UNPLACED);
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_UNSUPPORTED), N3T_UNSUPPORTED);
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_CONTENDED), N3T_UNSUPPORTED);
	KUNIT_EXPECT_EQ(test, custom(f, N3T_CPU_SAMPLING), N3T_UNSUPPORTED);
}

/* 1 % of 5 slots per cycle is a twentieth of the cycles. */
static const struct slots_row {
	const char *name;
	u64 cycles;
	u64 all;
	u64 frontend;
	u64 backend;
	enum n3t_verdict verdict;
} slots_rows[] = {
	{ "the sum", 1000000, 3000000, 1000000, 2000000, N3T_VALUE },
	{ "1 % more", 1000000, 3050000, 1000000, 2000000, N3T_VALUE },
	{ "1 % less", 1000000, 2950000, 1000000, 2000000, N3T_VALUE },
	{ "one more than 1 % more", 1000000, 3050001, 1000000, 2000000, N3T_INCONSISTENT },
	{ "one more than 1 % less", 1000000, 2949999, 1000000, 2000000, N3T_INCONSISTENT },
	{ "1 % of 19 cycles more is none", 1000019, 3050000, 1000000, 2000000, N3T_VALUE },
	{ "1 % of 20 cycles more is one", 1000020, 3050001, 1000000, 2000000, N3T_VALUE },
	{ "by all cycles, as an erratum", 1000000, 4000000, 1000000, 2000000, N3T_INCONSISTENT },
	{ "a part that is hidden", 1000000, 3000000, 1, 2000000, N3T_INCONSISTENT },
	{ "a sum beyond 64 bits", 1000000, U64_MAX, U64_MAX, U64_MAX, N3T_INCONSISTENT },
	{ "nearly a sum beyond 64 bits", U64_MAX, U64_MAX, U64_MAX, U64_MAX / 20, N3T_VALUE },
	{ "one more than that", U64_MAX, U64_MAX, U64_MAX, U64_MAX / 20 + 1, N3T_INCONSISTENT },
	{ "one alone", U64_MAX, U64_MAX, 1, 1, N3T_INCONSISTENT },
};

static void describe_slots(const struct slots_row *row, char *text)
{
	snprintf(text, KUNIT_PARAM_DESC_SIZE, "%s", row->name);
}

KUNIT_ARRAY_PARAM(slots_row, slots_rows, describe_slots);

static void set_slots(struct fixture *f, const struct slots_row *row)
{
	unsigned int i;

	set_count(f, N3T_CODE_STALL_SLOT, row->all);
	set_count(f, N3T_CODE_STALL_SLOT_FRONTEND, row->frontend);
	set_count(f, N3T_CODE_STALL_SLOT_BACKEND, row->backend);
	for (i = 0; i < f->plan.nr_sets; i++)
		n3t_window_sum(f->window, i)->cycles = row->cycles;
}

/* Expect a verdict for metrics with stall slots, or for the others. Returns the number in set 0. */
static unsigned int expect_of_all(struct kunit *test, bool with_slots, enum n3t_verdict expected)
{
	struct fixture *f = test->priv;
	unsigned int i, seen = 0;
	struct n3t_counts counts;

	for (i = 0; i < N3T_NR_METRICS; i++) {
		if (!strstr(n3t_metrics[i].formula, "STALL_SLOT") == with_slots)
			continue;
		seen += !f->plan.set_of[i];
		KUNIT_EXPECT_EQ_MSG(test, n3t_metric_counts(i, N3T_CPU_SAMPLING, &f->plan,
							    f->window, &counts),
				    expected, "metric %s", n3t_metrics[i].name);
	}
	return seen;
}

/*
 * Only metrics in the set of Topdown_L1 that use stall slots are affected. The result for
 * one metric may be cached for others of a set, so either kind is tested first.
 */
static void contradicting_stall_slots_are_inconsistent(struct kunit *test)
{
	const struct slots_row *row = test->param_value;
	struct fixture *f;

	f = set_up(test, BUDGET, -1);
	set_slots(f, row);
	KUNIT_EXPECT_EQ(test, expect_of_all(test, true, row->verdict), 4u);
	expect_of_all(test, false, N3T_VALUE);

	/* others are counted in the same set */
	f = set_up(test, N3T_MAX_COUNTERS, -1);
	set_slots(f, row);
	KUNIT_EXPECT_GT(test, expect_of_all(test, false, N3T_VALUE), 0u);
	KUNIT_EXPECT_EQ(test, expect_of_all(test, true, row->verdict), 4u);
}

/* With one of the three missing, no contradiction is possible. */
static void two_stall_slots_cannot_contradict(struct kunit *test)
{
	const struct slots_row *row = test->param_value;
	struct fixture *f = set_up(test, 5, -1);
	struct n3t_counts counts;

	KUNIT_ASSERT_TRUE(test, f->plan.derives_stall_slot);
	set_slots(f, row);
	KUNIT_EXPECT_EQ(test, n3t_metric_counts(N3T_METRIC_backend_bound, N3T_CPU_SAMPLING,
						&f->plan, f->window, &counts), N3T_VALUE);
	f = set_up_without(test, 6, N3T_EVENT_STALL_SLOT_FRONTEND);
	set_slots(f, row);
	KUNIT_EXPECT_EQ(test, n3t_metric_counts(N3T_METRIC_retiring, N3T_CPU_SAMPLING,
						&f->plan, f->window, &counts), N3T_VALUE);
	f = set_up_without(test, 6, N3T_EVENT_STALL_SLOT);
	set_slots(f, row);
	KUNIT_EXPECT_EQ(test, n3t_metric_counts(N3T_METRIC_frontend_bound, N3T_CPU_SAMPLING,
						&f->plan, f->window, &counts), N3T_VALUE);
}

static void contradicting_custom_stall_slots_are_inconsistent(struct kunit *test)
{
	static const u16 codes[] = { N3T_CODE_STALL_SLOT, N3T_CODE_STALL_SLOT_FRONTEND,
				     N3T_CODE_STALL_SLOT_BACKEND, N3T_CODE_BUS_ACCESS };
	const struct slots_row *row = test->param_value;
	struct fixture *f = set_up(test, BUDGET, -1);
	unsigned int i;

	n3t_plan_add_custom(&f->plan, codes, ARRAY_SIZE(codes));
	fill_window(f);
	set_slots(f, row);
	n3t_window_judge(f->window, &f->plan);
	for (i = 0; i < ARRAY_SIZE(codes); i++)
		KUNIT_EXPECT_EQ(test, n3t_custom_event_verdict(codes[i], &f->plan, f->window),
				i < 3 ? row->verdict : N3T_VALUE);
}

/* Before a denominator of 0, after an implausible zero. */
static void inconsistent_comes_between_implausible_and_undef(struct kunit *test)
{
	struct fixture *f = set_up(test, BUDGET, -1);

	set_slots(f, &slots_rows[3]);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_retiring), N3T_INCONSISTENT);
	set_count(f, N3T_CODE_OP_SPEC, 0);
	KUNIT_EXPECT_EQ(test, sampled(f, N3T_METRIC_retiring), N3T_IMPLAUSIBLE);
	f->window->trust = N3T_TRUST_COUNTS;
	KUNIT_EXPECT_EQ(test, n3t_metric_value(N3T_METRIC_retiring, N3T_CPU_SAMPLING, &f->plan,
					       f->window, &f->value), N3T_INCONSISTENT);
	set_count(f, N3T_CODE_STALL_SLOT, 3000000);
	KUNIT_EXPECT_EQ(test, n3t_metric_value(N3T_METRIC_retiring, N3T_CPU_SAMPLING, &f->plan,
					       f->window, &f->value), N3T_UNDEF);
}

static struct kunit_case verdict_cases[] = {
	KUNIT_CASE(verdict_words_are_those_of_the_abi),
	KUNIT_CASE(values_come_from_the_counts_of_the_metrics_own_set),
	KUNIT_CASE(verdicts_of_unsampled_cpus_need_no_window),
	KUNIT_CASE(the_first_verdict_in_order_is_reported),
	KUNIT_CASE(misses_without_reads_are_undef),
	KUNIT_CASE(only_a_chosen_metric_can_be_unplaced),
	KUNIT_CASE(placed_metrics_have_values_at_every_budget),
	KUNIT_CASE(the_verdict_of_a_cpu_follows_its_state_and_cycles),
	KUNIT_CASE(the_custom_set_has_verdicts_in_order),
	KUNIT_CASE(zeros_of_an_emulator_are_implausible),
	KUNIT_CASE(zeros_of_an_emulator_are_implausible_in_any_group),
	KUNIT_CASE(one_always_advancing_event_at_0_makes_zeros_implausible),
	KUNIT_CASE(zeros_are_values_if_the_pmu_counts),
	KUNIT_CASE(metrics_of_samples_are_idle_without_samples),
	KUNIT_CASE(zeros_are_values_while_something_samples),
	KUNIT_CASE(topdown_l1_has_values_with_five_counters),
	KUNIT_CASE(a_distrusted_event_makes_its_metrics_unsupported),
	KUNIT_CASE(a_metric_that_does_not_fit_is_unplaced_before_unsupported),
	KUNIT_CASE(distrusted_cycles_leave_metrics_without_them),
	KUNIT_CASE(distrusted_custom_events_have_a_verdict),
	KUNIT_CASE_PARAM(contradicting_stall_slots_are_inconsistent, slots_row_gen_params),
	KUNIT_CASE_PARAM(two_stall_slots_cannot_contradict, slots_row_gen_params),
	KUNIT_CASE_PARAM(contradicting_custom_stall_slots_are_inconsistent,
			 slots_row_gen_params),
	KUNIT_CASE(inconsistent_comes_between_implausible_and_undef),
	{}
};

static struct kunit_suite verdict_suite = {
	.name = "n3_telemetry_verdict",
	.init = verdict_init,
	.test_cases = verdict_cases,
};

kunit_test_suite(verdict_suite);
