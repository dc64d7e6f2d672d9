// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: the decision tree, its largest losses, and the path to the bottleneck. */
#include <linux/limits.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3telemetry/stats/bottleneck.h"
#include "libn3t/spec.h"
#include "libn3telemetry/stats/spec_words.h"
#include "libn3telemetry/stats/tree.h"

#define PERCENT	10000	/* values have 4 decimals */

struct fixture {
	struct n3t_estimate estimates[N3T_NR_METRICS];
	struct n3t_bottleneck bottleneck;
	DECLARE_BITMAP(metrics, N3T_NR_METRICS);
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	char text[4096];
};

static void set(struct fixture *f, enum n3t_metric metric, unsigned int percent,
		unsigned int error)
{
	f->estimates[metric].verdict = N3T_VALUE;
	f->estimates[metric].value = (s64)percent * PERCENT;
	f->estimates[metric].error = (s64)error * PERCENT;
}

/* 43 % backend bound, 60 % of that memory, half of that the TLB; errors of 1. */
static int bottleneck_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	test->priv = f;
	if (!f)
		return -ENOMEM;
	set(f, N3T_METRIC_frontend_bound, 21, 1);
	set(f, N3T_METRIC_backend_bound, 43, 1);
	set(f, N3T_METRIC_bad_speculation, 4, 1);
	set(f, N3T_METRIC_retiring, 32, 1);
	set(f, N3T_METRIC_backend_mem_bound, 60, 1);
	set(f, N3T_METRIC_backend_core_bound, 30, 1);
	set(f, N3T_METRIC_backend_busy_bound, 10, 1);
	set(f, N3T_METRIC_backend_mem_cache_bound, 30, 1);
	set(f, N3T_METRIC_backend_mem_tlb_bound, 50, 1);
	set(f, N3T_METRIC_backend_mem_store_bound, 20, 1);
	set(f, N3T_METRIC_backend_cache_l1d_bound, 70, 1);
	set(f, N3T_METRIC_backend_cache_l2d_bound, 30, 1);
	set(f, N3T_METRIC_backend_core_rename_bound, 12, 1);
	set(f, N3T_METRIC_frontend_mem_bound, 80, 1);
	set(f, N3T_METRIC_frontend_core_bound, 20, 1);
	set(f, N3T_METRIC_frontend_mem_cache_bound, 60, 1);
	set(f, N3T_METRIC_frontend_mem_tlb_bound, 40, 1);
	set(f, N3T_METRIC_frontend_cache_l1i_bound, 10, 1);
	set(f, N3T_METRIC_frontend_cache_l2i_bound, 90, 1);
	set(f, N3T_METRIC_frontend_core_flush_bound, 55, 1);
	set(f, N3T_METRIC_frontend_core_flow_bound, 45, 1);
	return 0;
}

/* Find the losses; all estimates are known from the start. */
static void find(struct fixture *f)
{
	n3t_bottleneck_begin(&f->bottleneck);
	while (n3t_bottleneck_step(&f->bottleneck, f->estimates))
		;
}

static void expect_text(struct kunit *test, const char *text)
{
	struct fixture *f = test->priv;
	size_t len;

	find(f);
	len = n3t_bottleneck_print(f->text, sizeof(f->text), &f->bottleneck, f->estimates, NULL);
	KUNIT_EXPECT_STREQ(test, f->text, text);
	KUNIT_EXPECT_EQ(test, len, strlen(text));
}

static void expect_metrics(struct kunit *test, const u8 *expected, unsigned int nr)
{
	struct fixture *f = test->priv;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, (unsigned int)bitmap_weight(f->metrics, N3T_NR_METRICS), nr);
	for (i = 0; i < nr; i++)
		KUNIT_EXPECT_TRUE_MSG(test, test_bit(expected[i], f->metrics), "%s",
				      n3t_metrics[expected[i]].name);
	bitmap_zero(f->metrics, N3T_NR_METRICS);
}

static void tree_roots_of_stage_1_groups_are_found(struct kunit *test)
{
	static const u8 backend[] = { N3T_METRIC_backend_mem_bound, N3T_METRIC_backend_core_bound,
				      N3T_METRIC_backend_busy_bound };
	static const u8 frontend[] = { N3T_METRIC_frontend_mem_bound,
				       N3T_METRIC_frontend_core_bound };
	static const u8 l1[] = { N3T_METRIC_frontend_bound, N3T_METRIC_backend_bound,
				 N3T_METRIC_bad_speculation, N3T_METRIC_retiring };
	struct fixture *f = test->priv;

	n3t_tree_roots(N3T_GROUP_Topdown_Backend, f->metrics);
	expect_metrics(test, backend, ARRAY_SIZE(backend));
	n3t_tree_roots(N3T_GROUP_Topdown_Frontend, f->metrics);
	expect_metrics(test, frontend, ARRAY_SIZE(frontend));
	n3t_tree_roots(N3T_GROUP_Topdown_L1, f->metrics);
	expect_metrics(test, l1, ARRAY_SIZE(l1));
	n3t_tree_roots(N3T_GROUP_Operation_Mix, f->metrics);
	expect_metrics(test, NULL, 0);
}

static void children_of_a_metric_are_found(struct kunit *test)
{
	static const u8 backend[] = { N3T_METRIC_backend_mem_bound, N3T_METRIC_backend_core_bound,
				      N3T_METRIC_backend_busy_bound };
	static const u8 core[] = { N3T_METRIC_frontend_core_flush_bound,
				   N3T_METRIC_frontend_core_flow_bound };
	struct fixture *f = test->priv;

	n3t_tree_children(N3T_METRIC_backend_bound, f->metrics);
	expect_metrics(test, backend, ARRAY_SIZE(backend));
	n3t_tree_children(N3T_METRIC_frontend_core_bound, f->metrics);
	expect_metrics(test, core, ARRAY_SIZE(core));
	n3t_tree_children(N3T_METRIC_retiring, f->metrics);
	expect_metrics(test, NULL, 0);
	n3t_tree_children(N3T_METRIC_ipc, f->metrics);
	expect_metrics(test, NULL, 0);
}

/* Percentages with 4 decimals are comparable; tree.tsv has 21. */
static void all_tree_nodes_are_percentages(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i, nr;

	for (i = 0; i < N3T_NR_GROUPS; i++)
		if (n3t_groups[i].stage == 1)
			n3t_tree_roots(i, f->metrics);
	do {
		nr = bitmap_weight(f->metrics, N3T_NR_METRICS);
		for_each_set_bit(i, f->metrics, N3T_NR_METRICS)
			n3t_tree_children(i, f->metrics);
	} while (nr != bitmap_weight(f->metrics, N3T_NR_METRICS));

	KUNIT_EXPECT_EQ(test, nr, 21u);
	for_each_set_bit(i, f->metrics, N3T_NR_METRICS) {
		KUNIT_EXPECT_EQ_MSG(test, strncmp(n3t_metric_units[i], "percent", 7), 0, "%s",
				    n3t_metrics[i].name);
		KUNIT_EXPECT_EQ(test, n3t_metrics[i].decimals, 4u);
	}
}

static void a_leaf_names_the_groups_to_look_at_next(struct kunit *test)
{
	struct fixture *f = test->priv;

	n3t_tree_next(N3T_METRIC_backend_cache_l2d_bound, f->groups);
	KUNIT_EXPECT_EQ(test, (unsigned int)bitmap_weight(f->groups, N3T_NR_GROUPS), 2u);
	KUNIT_EXPECT_TRUE(test, test_bit(N3T_GROUP_L2_Cache_Effectiveness, f->groups));
	KUNIT_EXPECT_TRUE(test, test_bit(N3T_GROUP_LL_Cache_Effectiveness, f->groups));
}

static void parents_are_found(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, n3t_tree_parent(N3T_METRIC_backend_cache_l1d_bound),
			(int)N3T_METRIC_backend_mem_cache_bound);
	KUNIT_EXPECT_EQ(test, n3t_tree_parent(N3T_METRIC_frontend_mem_bound),
			(int)N3T_METRIC_frontend_bound);
	KUNIT_EXPECT_EQ(test, n3t_tree_parent(N3T_METRIC_frontend_bound), -1);
	KUNIT_EXPECT_EQ(test, n3t_tree_parent(N3T_METRIC_branch_mpki), -1);
}

/* Loss number @nr, its share in ten-thousandths of a percent. */
static void expect_loss(struct kunit *test, unsigned int nr, enum n3t_metric metric, s64 share)
{
	struct fixture *f = test->priv;

	KUNIT_ASSERT_GT(test, f->bottleneck.nr_losses, nr);
	KUNIT_EXPECT_STREQ(test, n3t_metrics[f->bottleneck.loss[nr].metric].name,
			   n3t_metrics[metric].name);
	KUNIT_EXPECT_EQ(test, f->bottleneck.loss[nr].share.value, share);
}

/*
 * The TLB: 50 % of 60 % of 43 %. The core: 30 % of 43 %, less the 12 % of it that are
 * renaming. Instructions from the L2: 90 % of 60 % of 80 % of 21 %.
 */
static void three_largest_losses_are_listed(struct kunit *test)
{
	expect_text(test,
		    "path backend_bound 43.0000 1.0000\n"
		    "path backend_mem_bound 60.0000 1.0000\n"
		    "path backend_mem_tlb_bound 50.0000 1.0000\n"
		    "share 12.9000\n"
		    "loss backend_mem_tlb_bound 12.9000 0.4504\n"
		    "loss backend_core_bound 11.3520 0.4792\n"
		    "loss frontend_cache_l2i_bound 9.0720 0.4824\n"
		    "found backend_mem_tlb_bound\n"
		    "next topdown_backend dtlb_effectiveness l2_cache_effectiveness ll_cache_effectiveness\n");
}

/* The largest metric of Topdown_L1 is split, another is lost as a whole. */
static void largest_loss_need_not_be_below_the_largest_metric(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_bad_speculation, 28, 1);
	set(f, N3T_METRIC_retiring, 8, 1);
	expect_text(test,
		    "path bad_speculation 28.0000 1.0000\n"
		    "share 28.0000\n"
		    "loss bad_speculation 28.0000 1.0000\n"
		    "loss backend_mem_tlb_bound 12.9000 0.4504\n"
		    "loss backend_core_bound 11.3520 0.4792\n"
		    "found bad_speculation\n"
		    "next topdown_backend branch_effectiveness dtlb_effectiveness\n");
}

static void path_reaches_the_deepest_leaf(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_frontend_bound, 50, 0);
	set(f, N3T_METRIC_backend_bound, 14, 0);
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.nr_path, 4u);
	KUNIT_EXPECT_EQ(test, f->bottleneck.path[0], (u8)N3T_METRIC_frontend_bound);
	KUNIT_EXPECT_EQ(test, f->bottleneck.path[1], (u8)N3T_METRIC_frontend_mem_bound);
	KUNIT_EXPECT_EQ(test, f->bottleneck.path[2], (u8)N3T_METRIC_frontend_mem_cache_bound);
	KUNIT_EXPECT_EQ(test, f->bottleneck.path[3], (u8)N3T_METRIC_frontend_cache_l2i_bound);
	expect_loss(test, 0, N3T_METRIC_frontend_cache_l2i_bound, 216000);
	expect_loss(test, 1, N3T_METRIC_frontend_mem_tlb_bound, 160000);
	expect_loss(test, 2, N3T_METRIC_frontend_core_flush_bound, 55000);
}

/* Metrics of the tree without groups of their own have those of the nearest above. */
static void next_groups_come_from_the_nearest_metric_with_any(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_frontend_bound, 6, 0);
	set(f, N3T_METRIC_backend_bound, 90, 0);
	set(f, N3T_METRIC_backend_mem_bound, 0, 0);
	set(f, N3T_METRIC_backend_core_bound, 5, 0);
	set(f, N3T_METRIC_backend_busy_bound, 95, 0);
	set(f, N3T_METRIC_retiring, 0, 0);
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.nr_losses, 1u);
	KUNIT_EXPECT_EQ(test, (unsigned int)bitmap_weight(f->bottleneck.next, N3T_NR_GROUPS), 1u);
	KUNIT_EXPECT_TRUE(test, test_bit(N3T_GROUP_Topdown_Backend, f->bottleneck.next));

	set(f, N3T_METRIC_frontend_bound, 90, 0);
	set(f, N3T_METRIC_backend_bound, 4, 0);
	set(f, N3T_METRIC_frontend_mem_bound, 0, 0);
	set(f, N3T_METRIC_frontend_core_bound, 100, 0);
	set(f, N3T_METRIC_frontend_core_flow_bound, 0, 0);
	set(f, N3T_METRIC_frontend_core_flush_bound, 100, 0);
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.nr_losses, 1u);
	KUNIT_EXPECT_EQ(test, (unsigned int)bitmap_weight(f->bottleneck.next, N3T_NR_GROUPS), 1u);
	KUNIT_EXPECT_TRUE(test, test_bit(N3T_GROUP_Branch_Effectiveness, f->bottleneck.next));
}

/* Of 43 % of all slots the children name 25, 35, or with overlap 44. */
static void remainder_is_a_loss_of_the_parent(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_frontend_bound, 0, 0);
	set(f, N3T_METRIC_backend_bound, 43, 0);
	set(f, N3T_METRIC_backend_mem_bound, 10, 3);
	set(f, N3T_METRIC_backend_core_bound, 10, 4);
	set(f, N3T_METRIC_backend_busy_bound, 15, 12);
	find(f);
	expect_loss(test, 0, N3T_METRIC_backend_bound, 279500);
	/* the root of 3 * 3 + 4 * 4 + 12 * 12 is 13, of 43 % */
	KUNIT_EXPECT_EQ(test, f->bottleneck.loss[0].share.error, 55900LL);
	KUNIT_EXPECT_EQ(test, f->bottleneck.nr_path, 1u);
	/* 43 % of 15 %, larger than 5 % of all slots as the only other */
	expect_loss(test, 1, N3T_METRIC_backend_busy_bound, 64500);
	KUNIT_EXPECT_EQ(test, f->bottleneck.nr_losses, 2u);

	set(f, N3T_METRIC_backend_busy_bound, 90, 0);
	find(f);
	expect_loss(test, 0, N3T_METRIC_backend_busy_bound, 387000);
	KUNIT_EXPECT_EQ(test, f->bottleneck.nr_losses, 1u);
}

/* 70 % of 43 % is 30.1 %: root of (0.7 * 1)^2 + (43 % * 2)^2, rounded up. */
static void errors_of_factors_add_in_quadrature(struct kunit *test)
{
	const struct n3t_estimate parent = { N3T_VALUE, 43 * PERCENT, PERCENT };
	struct n3t_estimate value = { N3T_VALUE, 70 * PERCENT, 2 * PERCENT };
	struct n3t_estimate share = n3t_bottleneck_share(&parent, &value);

	KUNIT_EXPECT_EQ(test, share.value, 301000LL);
	KUNIT_EXPECT_EQ(test, share.error, 11089LL);

	value.error = N3T_ERROR_UNKNOWN;
	share = n3t_bottleneck_share(&parent, &value);
	KUNIT_EXPECT_EQ(test, share.error, N3T_ERROR_UNKNOWN);
}

/* frontend_bound leaves out the slots of flushes and can be below 0. */
static void shares_are_bounded_by_the_parent(struct kunit *test)
{
	const struct n3t_estimate parent = { N3T_VALUE, 43 * PERCENT, 0 };
	struct n3t_estimate value = { N3T_VALUE, 130 * PERCENT, 0 };

	KUNIT_EXPECT_EQ(test, n3t_bottleneck_share(&parent, &value).value, 430000LL);
	value.value = -PERCENT;
	KUNIT_EXPECT_EQ(test, n3t_bottleneck_share(&parent, &value).value, 0LL);
}

/* 70 % is not above 70 %. */
static void retiring_is_the_answer_above_70_percent(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_frontend_bound, 10, 1);
	set(f, N3T_METRIC_backend_bound, 16, 1);
	set(f, N3T_METRIC_backend_core_bound, 20, 1);
	set(f, N3T_METRIC_retiring, 70, 1);
	find(f);
	expect_loss(test, 0, N3T_METRIC_backend_mem_tlb_bound, 48000);
	KUNIT_EXPECT_EQ(test, f->bottleneck.path[0], (u8)N3T_METRIC_backend_bound);

	f->estimates[N3T_METRIC_retiring].value++;
	expect_text(test,
		    "path retiring 70.0001 1.0000\n"
		    "share 70.0001\n"
		    "found retiring\n"
		    "next sve_effectiveness fp_arithmetic_intensity fp_precision_mix operation_mix\n");

	/* losses remain listed if they are not minor */
	set(f, N3T_METRIC_bad_speculation, 6, 1);
	find(f);
	expect_loss(test, 0, N3T_METRIC_bad_speculation, 60000);
	KUNIT_EXPECT_EQ(test, f->bottleneck.nr_losses, 1u);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_FOUND);
	KUNIT_EXPECT_EQ(test, f->bottleneck.path[0], (u8)N3T_METRIC_retiring);
}

/* Retiring is the largest metric, but not a loss. */
static void moderate_retiring_is_not_an_end(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_retiring, 60, 1);
	set(f, N3T_METRIC_backend_bound, 20, 1);
	set(f, N3T_METRIC_frontend_bound, 8, 1);
	set(f, N3T_METRIC_bad_speculation, 12, 1);
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_FOUND);
	expect_loss(test, 0, N3T_METRIC_bad_speculation, 120000);
}

/* Shares of exactly 5 % are followed and listed. */
static void minor_losses_are_neither_followed_nor_listed(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_frontend_bound, 5, 0);
	set(f, N3T_METRIC_backend_bound, 50, 0);
	set(f, N3T_METRIC_backend_mem_bound, 10, 0);
	set(f, N3T_METRIC_backend_core_bound, 10, 0);
	set(f, N3T_METRIC_backend_busy_bound, 80, 0);
	set(f, N3T_METRIC_backend_mem_tlb_bound, 100, 0);
	set(f, N3T_METRIC_backend_mem_cache_bound, 0, 0);
	set(f, N3T_METRIC_backend_mem_store_bound, 0, 0);
	find(f);
	expect_loss(test, 0, N3T_METRIC_backend_busy_bound, 400000);
	expect_loss(test, 1, N3T_METRIC_backend_mem_tlb_bound, 50000);
	KUNIT_EXPECT_EQ(test, f->bottleneck.nr_losses, 2u);

	f->estimates[N3T_METRIC_backend_mem_bound].value--;
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.nr_losses, 1u);
}

/* No loss reaches 5 %, and retiring is not the answer. */
static void minor_losses_are_listed_if_there_are_no_others(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_frontend_bound, 4, 0);
	set(f, N3T_METRIC_backend_bound, 3, 0);
	set(f, N3T_METRIC_bad_speculation, 2, 0);
	set(f, N3T_METRIC_retiring, 60, 0);
	expect_text(test,
		    "path frontend_bound 4.0000 0.0000\n"
		    "share 4.0000\n"
		    "loss frontend_bound 4.0000 0.0000\n"
		    "loss backend_bound 3.0000 0.0000\n"
		    "loss bad_speculation 2.0000 0.0000\n"
		    "found frontend_bound\n"
		    "next topdown_frontend topdown_backend branch_effectiveness\n");
}

/* 20 leads 12 by 8: errors of 5 and 2 allow that, 5 and 3 do not. */
static void mixed_if_errors_add_up_to_the_lead(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_frontend_bound, 0, 0);
	set(f, N3T_METRIC_backend_bound, 12, 2);
	set(f, N3T_METRIC_bad_speculation, 20, 5);
	f->estimates[N3T_METRIC_backend_mem_bound].verdict = N3T_STALE;
	f->estimates[N3T_METRIC_backend_core_bound].verdict = N3T_DISABLED;
	f->estimates[N3T_METRIC_backend_busy_bound].verdict = N3T_STALE;
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_FOUND);

	set(f, N3T_METRIC_backend_bound, 12, 3);
	expect_text(test,
		    "path bad_speculation 20.0000 5.0000\n"
		    "share 20.0000\n"
		    "loss bad_speculation 20.0000 5.0000\n"
		    "loss backend_bound 12.0000 3.0000\n"
		    "mixed bad_speculation backend_bound\n"
		    "next topdown_backend branch_effectiveness\n");
}

static void mixed_if_an_error_is_unknown(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_bad_speculation, 40, 1);
	f->estimates[N3T_METRIC_backend_mem_bound].error = N3T_ERROR_UNKNOWN;
	expect_text(test,
		    "path bad_speculation 40.0000 1.0000\n"
		    "share 40.0000\n"
		    "loss bad_speculation 40.0000 1.0000\n"
		    "loss backend_mem_tlb_bound 12.9000 none\n"
		    "loss backend_core_bound 11.3520 0.4792\n"
		    "mixed bad_speculation backend_mem_tlb_bound\n"
		    "next topdown_backend branch_effectiveness dtlb_effectiveness\n");
}

/* 70 % of 25.8 % are the rest of backend_mem_bound, which is as uncertain as its parts. */
static void error_of_a_rest_is_unknown_if_that_of_a_part_is(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_backend_mem_cache_bound, 10, 1);
	set(f, N3T_METRIC_backend_mem_tlb_bound, 10, 1);
	set(f, N3T_METRIC_backend_mem_store_bound, 10, 1);
	f->estimates[N3T_METRIC_backend_mem_tlb_bound].error = N3T_ERROR_UNKNOWN;
	find(f);
	expect_loss(test, 0, N3T_METRIC_backend_mem_bound, 180600);
	KUNIT_EXPECT_EQ(test, f->bottleneck.loss[0].share.error, N3T_ERROR_UNKNOWN);
}

static void equal_losses_are_mixed_in_the_order_of_the_table(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_frontend_bound, 0, 0);
	set(f, N3T_METRIC_backend_bound, 30, 0);
	set(f, N3T_METRIC_backend_mem_bound, 50, 0);
	set(f, N3T_METRIC_backend_mem_store_bound, 100, 0);
	set(f, N3T_METRIC_backend_mem_tlb_bound, 0, 0);
	set(f, N3T_METRIC_backend_mem_cache_bound, 0, 0);
	set(f, N3T_METRIC_backend_busy_bound, 50, 0);
	set(f, N3T_METRIC_backend_core_bound, 0, 0);
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_MIXED);
	expect_loss(test, 0, N3T_METRIC_backend_busy_bound, 150000);
	expect_loss(test, 1, N3T_METRIC_backend_mem_store_bound, 150000);

	f->estimates[N3T_METRIC_backend_mem_bound].value++;
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_MIXED);
	f->estimates[N3T_METRIC_backend_mem_bound].value += 3;
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_FOUND);
	expect_loss(test, 0, N3T_METRIC_backend_mem_store_bound, 150001);
}

/* 20 % of 25.8 % are stores: without a value they remain with their parent. */
static void child_without_value_leaves_its_slots_to_the_parent(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->estimates[N3T_METRIC_backend_mem_store_bound].verdict = N3T_STALE;
	find(f);
	expect_loss(test, 0, N3T_METRIC_backend_mem_tlb_bound, 129000);
	expect_loss(test, 1, N3T_METRIC_backend_core_bound, 113520);
	expect_loss(test, 2, N3T_METRIC_frontend_cache_l2i_bound, 90720);

	f->estimates[N3T_METRIC_backend_mem_tlb_bound].verdict = N3T_UNSUPPORTED;
	expect_text(test,
		    "path backend_bound 43.0000 1.0000\n"
		    "path backend_mem_bound 60.0000 1.0000\n"
		    "share 25.8000\n"
		    "loss backend_mem_bound 18.0600 0.5777\n"
		    "loss backend_core_bound 11.3520 0.4792\n"
		    "loss frontend_cache_l2i_bound 9.0720 0.4824\n"
		    "below unsupported\n"
		    "found backend_mem_bound\n"
		    "next topdown_backend l2_cache_effectiveness ll_cache_effectiveness\n");
}

/* Any of them may be the largest. */
static void topdown_l1_without_a_value_has_no_losses(struct kunit *test)
{
	struct fixture *f = test->priv;

	/* first in the order of verdicts */
	f->estimates[N3T_METRIC_retiring].verdict = N3T_UNDEF;
	f->estimates[N3T_METRIC_bad_speculation].verdict = N3T_IDLE;
	expect_text(test, "verdict idle\nnext none\n");
}

/* Only what the losses depend on is read, as errors are expensive. */
static void candidates_are_children_of_5_percent_of_all_slots(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct n3t_bottleneck *bottleneck = &f->bottleneck;

	set(f, N3T_METRIC_frontend_bound, 4, 0);
	n3t_bottleneck_begin(bottleneck);
	KUNIT_EXPECT_EQ(test, (unsigned int)bitmap_weight(bottleneck->candidates, N3T_NR_METRICS),
			4u);
	KUNIT_ASSERT_TRUE(test, n3t_bottleneck_step(bottleneck, f->estimates));
	/* memory, core, busy */
	KUNIT_EXPECT_EQ(test, (unsigned int)bitmap_weight(bottleneck->candidates, N3T_NR_METRICS),
			3u);
	KUNIT_ASSERT_TRUE(test, n3t_bottleneck_step(bottleneck, f->estimates));
	/* cache, TLB, stores; renaming */
	KUNIT_EXPECT_EQ(test, (unsigned int)bitmap_weight(bottleneck->candidates, N3T_NR_METRICS),
			4u);
	KUNIT_ASSERT_TRUE(test, n3t_bottleneck_step(bottleneck, f->estimates));
	/* L1, L2 */
	KUNIT_EXPECT_EQ(test, (unsigned int)bitmap_weight(bottleneck->candidates, N3T_NR_METRICS),
			2u);
	KUNIT_EXPECT_FALSE(test, n3t_bottleneck_step(bottleneck, f->estimates));
}

static void extreme_values_do_not_overflow(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->estimates[N3T_METRIC_frontend_bound].value = S64_MIN;
	f->estimates[N3T_METRIC_backend_bound].value = S64_MAX;
	f->estimates[N3T_METRIC_backend_bound].error = S64_MAX - 1;
	f->estimates[N3T_METRIC_backend_mem_bound].error = S64_MAX - 1;
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_MIXED);
	/* 50 % of 60 % */
	expect_loss(test, 0, N3T_METRIC_backend_mem_tlb_bound, 300000);
}

static void cpus_are_counted_most_frequent_first(struct kunit *test)
{
	struct n3t_bottleneck_cpus cpus = {};
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < 12; i++) {
		find(f);
		n3t_bottleneck_count(&cpus, &f->bottleneck);
	}
	f->estimates[N3T_METRIC_retiring].verdict = N3T_IDLE;
	find(f);
	n3t_bottleneck_count(&cpus, &f->bottleneck);
	n3t_bottleneck_count(&cpus, &f->bottleneck);
	f->estimates[N3T_METRIC_retiring].verdict = N3T_OFFLINE;
	find(f);
	n3t_bottleneck_count(&cpus, &f->bottleneck);
	set(f, N3T_METRIC_retiring, 71, 1);
	find(f);
	n3t_bottleneck_count(&cpus, &f->bottleneck);

	set(f, N3T_METRIC_bad_speculation, 60, 1);
	set(f, N3T_METRIC_backend_bound, 4, 1);
	set(f, N3T_METRIC_frontend_bound, 4, 1);
	set(f, N3T_METRIC_retiring, 32, 1);
	find(f);
	n3t_bottleneck_print(f->text, sizeof(f->text), &f->bottleneck, f->estimates, &cpus);
	KUNIT_EXPECT_STREQ(test, f->text,
			   "path bad_speculation 60.0000 1.0000\n"
			   "share 60.0000\n"
			   "loss bad_speculation 60.0000 1.0000\n"
			   "found bad_speculation\n"
			   "cpus 12 backend_mem_tlb_bound\n"
			   "cpus 2 idle\n"
			   "cpus 1 retiring\n"
			   "cpus 1 offline\n"
			   "next branch_effectiveness\n");
}

static void print_does_not_write_beyond_its_buffer(struct kunit *test)
{
	struct fixture *f = test->priv;
	size_t size;

	find(f);
	for (size = 1; size < 200; size++) {
		memset(f->text, '#', sizeof(f->text));
		KUNIT_EXPECT_LT(test, n3t_bottleneck_print(f->text, size, &f->bottleneck,
							   f->estimates, NULL), size);
		KUNIT_EXPECT_LT(test, strlen(f->text), size);
		KUNIT_EXPECT_EQ(test, f->text[size], (char)'#');
	}
}

static struct kunit_case bottleneck_cases[] = {
	KUNIT_CASE(tree_roots_of_stage_1_groups_are_found),
	KUNIT_CASE(children_of_a_metric_are_found),
	KUNIT_CASE(all_tree_nodes_are_percentages),
	KUNIT_CASE(a_leaf_names_the_groups_to_look_at_next),
	KUNIT_CASE(parents_are_found),
	KUNIT_CASE(three_largest_losses_are_listed),
	KUNIT_CASE(largest_loss_need_not_be_below_the_largest_metric),
	KUNIT_CASE(path_reaches_the_deepest_leaf),
	KUNIT_CASE(next_groups_come_from_the_nearest_metric_with_any),
	KUNIT_CASE(remainder_is_a_loss_of_the_parent),
	KUNIT_CASE(errors_of_factors_add_in_quadrature),
	KUNIT_CASE(shares_are_bounded_by_the_parent),
	KUNIT_CASE(retiring_is_the_answer_above_70_percent),
	KUNIT_CASE(moderate_retiring_is_not_an_end),
	KUNIT_CASE(minor_losses_are_neither_followed_nor_listed),
	KUNIT_CASE(minor_losses_are_listed_if_there_are_no_others),
	KUNIT_CASE(mixed_if_errors_add_up_to_the_lead),
	KUNIT_CASE(mixed_if_an_error_is_unknown),
	KUNIT_CASE(error_of_a_rest_is_unknown_if_that_of_a_part_is),
	KUNIT_CASE(equal_losses_are_mixed_in_the_order_of_the_table),
	KUNIT_CASE(child_without_value_leaves_its_slots_to_the_parent),
	KUNIT_CASE(topdown_l1_without_a_value_has_no_losses),
	KUNIT_CASE(candidates_are_children_of_5_percent_of_all_slots),
	KUNIT_CASE(extreme_values_do_not_overflow),
	KUNIT_CASE(cpus_are_counted_most_frequent_first),
	KUNIT_CASE(print_does_not_write_beyond_its_buffer),
	{ }
};

static struct kunit_suite bottleneck_suite = {
	.name = "n3_telemetry_bottleneck",
	.init = bottleneck_init,
	.test_cases = bottleneck_cases,
};

kunit_test_suite(bottleneck_suite);
