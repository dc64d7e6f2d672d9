// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: the decision tree, and the path down to the bottleneck. */
#include <linux/limits.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/bottleneck.h"
#include "libn3t/spec.h"
#include "libn3t/tree.h"

#define PERCENT	10000	/* values have 4 decimals */

struct fixture {
	struct n3t_estimate estimates[N3T_NR_METRICS];
	struct n3t_bottleneck bottleneck;
	DECLARE_BITMAP(metrics, N3T_NR_METRICS);
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	char text[1024];
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

/* Find the path; all estimates are known from the start. */
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
	len = n3t_bottleneck_print(f->text, sizeof(f->text), &f->bottleneck, f->estimates);
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
		KUNIT_EXPECT_EQ_MSG(test, strncmp(n3t_metrics[i].unit, "percent", 7), 0, "%s",
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

static void path_follows_the_largest_children_to_a_leaf(struct kunit *test)
{
	expect_text(test,
		    "path backend_bound 43.0000 1.0000\n"
		    "path backend_mem_bound 60.0000 1.0000\n"
		    "path backend_mem_tlb_bound 50.0000 1.0000\n"
		    "share 12.9000\n"
		    "found backend_mem_tlb_bound\n"
		    "next dtlb_effectiveness\n");
}

static void path_reaches_the_deepest_leaf(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_frontend_bound, 50, 1);
	expect_text(test,
		    "path frontend_bound 50.0000 1.0000\n"
		    "path frontend_mem_bound 80.0000 1.0000\n"
		    "path frontend_mem_cache_bound 60.0000 1.0000\n"
		    "path frontend_cache_l2i_bound 90.0000 1.0000\n"
		    "share 21.6000\n"
		    "found frontend_cache_l2i_bound\n"
		    "next l2_cache_effectiveness ll_cache_effectiveness\n");
}

/* The leaf has no group: use the nearest metric above that has one. */
static void next_groups_come_from_the_nearest_metric_with_any(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_frontend_bound, 50, 1);
	set(f, N3T_METRIC_frontend_core_bound, 90, 1);
	expect_text(test,
		    "path frontend_bound 50.0000 1.0000\n"
		    "path frontend_core_bound 90.0000 1.0000\n"
		    "path frontend_core_flush_bound 55.0000 1.0000\n"
		    "share 24.7500\n"
		    "found frontend_core_flush_bound\n"
		    "next branch_effectiveness\n");

	set(f, N3T_METRIC_frontend_bound, 20, 1);
	set(f, N3T_METRIC_backend_busy_bound, 90, 1);
	expect_text(test,
		    "path backend_bound 43.0000 1.0000\n"
		    "path backend_busy_bound 90.0000 1.0000\n"
		    "share 38.7000\n"
		    "found backend_busy_bound\n"
		    "next topdown_backend\n");
}

static void path_ends_at_a_metric_without_children(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_bad_speculation, 60, 1);
	expect_text(test,
		    "path bad_speculation 60.0000 1.0000\n"
		    "share 60.0000\n"
		    "found bad_speculation\n"
		    "next branch_effectiveness\n");
}

/* Renaming explains 12 % of the core stalls, 88 % remain unexplained. */
static void a_small_only_child_is_not_followed(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_backend_core_bound, 80, 1);
	expect_text(test,
		    "path backend_bound 43.0000 1.0000\n"
		    "path backend_core_bound 80.0000 1.0000\n"
		    "share 34.4000\n"
		    "minor backend_core_rename_bound 12.0000 1.0000\n"
		    "found backend_core_bound\n"
		    "next topdown_backend\n");
}

/* The remainder of an only child has the same error: 60 leads 40 by 20. */
static void an_only_child_must_lead_the_remainder(struct kunit *test)
{
	static const struct {
		unsigned int value;
		unsigned int error;
		enum n3t_bottleneck_end end;
	} children[] = {
		{ 60, 9, N3T_END_FOUND },
		{ 60, 10, N3T_END_MINOR },
		{ 51, 0, N3T_END_FOUND },
		{ 50, 0, N3T_END_MINOR },
		{ 40, 30, N3T_END_MINOR },
		{ 100, 40, N3T_END_FOUND },
		{ 130, 40, N3T_END_FOUND },
	};
	struct fixture *f = test->priv;
	unsigned int i;

	set(f, N3T_METRIC_backend_core_bound, 80, 1);
	for (i = 0; i < ARRAY_SIZE(children); i++) {
		set(f, N3T_METRIC_backend_core_rename_bound, children[i].value, children[i].error);
		find(f);
		KUNIT_EXPECT_EQ_MSG(test, f->bottleneck.end, children[i].end, "%u +- %u",
				    children[i].value, children[i].error);
		KUNIT_EXPECT_EQ(test, f->bottleneck.nr_path,
				children[i].end == N3T_END_FOUND ? 3u : 2u);
	}

	set(f, N3T_METRIC_backend_core_rename_bound, 90, 0);
	f->estimates[N3T_METRIC_backend_core_rename_bound].error = N3T_ERROR_UNKNOWN;
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_MINOR);
}

/* TLB with 30 leads 12 and 10, but not the remainder of 48. */
static void the_remainder_is_a_rival(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_backend_mem_tlb_bound, 30, 1);
	set(f, N3T_METRIC_backend_mem_cache_bound, 12, 1);
	set(f, N3T_METRIC_backend_mem_store_bound, 10, 1);
	expect_text(test,
		    "path backend_bound 43.0000 1.0000\n"
		    "path backend_mem_bound 60.0000 1.0000\n"
		    "share 25.8000\n"
		    "minor backend_mem_tlb_bound 30.0000 1.0000\n"
		    "found backend_mem_bound\n"
		    "next topdown_backend\n");

	/* leads the remainder of 35 by more than the errors */
	set(f, N3T_METRIC_backend_mem_tlb_bound, 43, 1);
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_FOUND);
	KUNIT_EXPECT_EQ(test, f->bottleneck.nr_path, 3u);

	/* the root of 3 * 3 + 4 * 4 + 12 * 12 is 13: a lead of 8 is not enough */
	set(f, N3T_METRIC_backend_mem_tlb_bound, 43, 3);
	set(f, N3T_METRIC_backend_mem_cache_bound, 12, 4);
	set(f, N3T_METRIC_backend_mem_store_bound, 10, 12);
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_MINOR);
	KUNIT_EXPECT_EQ(test, f->bottleneck.rival[0], (u8)N3T_METRIC_backend_mem_tlb_bound);
}

/* 70 leave 30 for all others together, so it does not matter that one has no error. */
static void a_sibling_without_error_does_not_end_the_path(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_backend_mem_tlb_bound, 70, 3);
	set(f, N3T_METRIC_backend_mem_cache_bound, 5, 1);
	set(f, N3T_METRIC_backend_mem_store_bound, 3, 1);
	f->estimates[N3T_METRIC_backend_mem_store_bound].error = N3T_ERROR_UNKNOWN;
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_FOUND);
	KUNIT_EXPECT_EQ(test, f->bottleneck.nr_path, 3u);

	/* 48 leave 52, of which 44 are the uncertain remainder */
	set(f, N3T_METRIC_backend_mem_tlb_bound, 48, 1);
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_MINOR);
}

/* The same cycles may be stalled for two reasons. */
static void overlapping_siblings_leave_no_remainder(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_backend_mem_tlb_bound, 45, 5);
	set(f, N3T_METRIC_backend_mem_cache_bound, 30, 5);
	set(f, N3T_METRIC_backend_mem_store_bound, 30, 5);
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_FOUND);
	KUNIT_EXPECT_EQ(test, f->bottleneck.nr_path, 3u);
}

/* Half of a frontend that is half of all slots, 40 of that caches, half of that the L2: 5. */
static void a_small_share_of_all_slots_is_not_followed(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_frontend_bound, 50, 1);
	set(f, N3T_METRIC_backend_bound, 10, 1);
	set(f, N3T_METRIC_frontend_mem_bound, 50, 1);
	set(f, N3T_METRIC_frontend_core_bound, 30, 1);
	set(f, N3T_METRIC_frontend_mem_cache_bound, 40, 1);
	set(f, N3T_METRIC_frontend_mem_tlb_bound, 30, 1);
	set(f, N3T_METRIC_frontend_cache_l2i_bound, 50, 1);
	set(f, N3T_METRIC_frontend_cache_l1i_bound, 30, 1);
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_FOUND);
	KUNIT_EXPECT_EQ(test, f->bottleneck.nr_path, 4u);
	KUNIT_EXPECT_EQ(test, f->bottleneck.share, (s64)N3T_MINOR_SHARE);

	f->estimates[N3T_METRIC_frontend_cache_l2i_bound].value--;
	expect_text(test,
		    "path frontend_bound 50.0000 1.0000\n"
		    "path frontend_mem_bound 50.0000 1.0000\n"
		    "path frontend_mem_cache_bound 40.0000 1.0000\n"
		    "share 10.0000\n"
		    "minor frontend_cache_l2i_bound 49.9999 1.0000\n"
		    "found frontend_mem_cache_bound\n"
		    "next topdown_frontend\n");
}

/* Two small rivals need not be distinguished. */
static void small_rivals_are_minor_rather_than_undetermined(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_backend_mem_tlb_bound, 9, 2);
	set(f, N3T_METRIC_backend_mem_cache_bound, 8, 2);
	set(f, N3T_METRIC_backend_mem_store_bound, 7, 2);
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_MINOR);
	KUNIT_EXPECT_EQ(test, f->bottleneck.rival[0], (u8)N3T_METRIC_backend_mem_tlb_bound);
}

/* 50 leads 30 by 20: errors of 12 and 7 allow that, 12 and 8 do not. */
static void undetermined_if_errors_add_up_to_the_lead(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_backend_mem_tlb_bound, 50, 12);
	set(f, N3T_METRIC_backend_mem_cache_bound, 30, 7);
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_FOUND);

	set(f, N3T_METRIC_backend_mem_cache_bound, 30, 8);
	expect_text(test,
		    "path backend_bound 43.0000 1.0000\n"
		    "path backend_mem_bound 60.0000 1.0000\n"
		    "share 25.8000\n"
		    "rival backend_mem_tlb_bound 50.0000 12.0000\n"
		    "rival backend_mem_cache_bound 30.0000 8.0000\n"
		    "undetermined backend_mem_tlb_bound backend_mem_cache_bound\n"
		    "next dtlb_effectiveness\n");
}

/* Both Topdown_L1 rivals have a group. */
static void undetermined_topdown_l1_leaves_the_path_empty(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_frontend_bound, 42, 1);
	expect_text(test,
		    "rival backend_bound 43.0000 1.0000\n"
		    "rival frontend_bound 42.0000 1.0000\n"
		    "undetermined backend_bound frontend_bound\n"
		    "next topdown_frontend topdown_backend\n");
}

static void undetermined_if_an_error_is_unknown(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->estimates[N3T_METRIC_backend_mem_bound].error = N3T_ERROR_UNKNOWN;
	expect_text(test,
		    "path backend_bound 43.0000 1.0000\n"
		    "share 43.0000\n"
		    "rival backend_mem_bound 60.0000 none\n"
		    "rival backend_core_bound 30.0000 1.0000\n"
		    "undetermined backend_mem_bound backend_core_bound\n"
		    "next topdown_backend\n");
}

static void undetermined_if_values_are_equal(struct kunit *test)
{
	struct fixture *f = test->priv;

	set(f, N3T_METRIC_frontend_bound, 43, 0);
	set(f, N3T_METRIC_backend_bound, 43, 0);
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_UNDETERMINED);
	f->estimates[N3T_METRIC_backend_bound].value++;
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.path[0], (u8)N3T_METRIC_backend_bound);
}

/* Whichever child has no value, however small. */
static void a_child_without_value_ends_the_path_with_its_verdict(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->estimates[N3T_METRIC_backend_mem_store_bound].verdict = N3T_STALE;
	expect_text(test,
		    "path backend_bound 43.0000 1.0000\n"
		    "path backend_mem_bound 60.0000 1.0000\n"
		    "share 25.8000\n"
		    "verdict stale\n"
		    "next topdown_backend\n");

	/* first in the order of verdicts */
	f->estimates[N3T_METRIC_retiring].verdict = N3T_UNDEF;
	f->estimates[N3T_METRIC_bad_speculation].verdict = N3T_IDLE;
	expect_text(test, "verdict idle\nnext none\n");
}

static void extreme_values_do_not_overflow_the_comparison(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->estimates[N3T_METRIC_frontend_bound].value = S64_MIN;
	f->estimates[N3T_METRIC_backend_bound].value = S64_MAX;
	f->estimates[N3T_METRIC_backend_bound].error = S64_MAX - 1;
	find(f);
	KUNIT_EXPECT_EQ(test, f->bottleneck.end, N3T_END_UNDETERMINED);
	KUNIT_EXPECT_EQ(test, f->bottleneck.rival[0], (u8)N3T_METRIC_backend_bound);
	KUNIT_EXPECT_EQ(test, f->bottleneck.rival[1], (u8)N3T_METRIC_retiring);
}

static void print_does_not_write_beyond_its_buffer(struct kunit *test)
{
	struct fixture *f = test->priv;
	size_t size;

	find(f);
	for (size = 1; size < 200; size++) {
		memset(f->text, '#', sizeof(f->text));
		KUNIT_EXPECT_LT(test, n3t_bottleneck_print(f->text, size, &f->bottleneck,
							   f->estimates), size);
		KUNIT_EXPECT_LT(test, strlen(f->text), size);
		KUNIT_EXPECT_EQ(test, f->text[size], (char)'#');
	}
}

static struct kunit_case bottleneck_cases[] = {
	KUNIT_CASE(tree_roots_of_stage_1_groups_are_found),
	KUNIT_CASE(children_of_a_metric_are_found),
	KUNIT_CASE(all_tree_nodes_are_percentages),
	KUNIT_CASE(a_leaf_names_the_groups_to_look_at_next),
	KUNIT_CASE(path_follows_the_largest_children_to_a_leaf),
	KUNIT_CASE(path_reaches_the_deepest_leaf),
	KUNIT_CASE(next_groups_come_from_the_nearest_metric_with_any),
	KUNIT_CASE(path_ends_at_a_metric_without_children),
	KUNIT_CASE(a_small_only_child_is_not_followed),
	KUNIT_CASE(an_only_child_must_lead_the_remainder),
	KUNIT_CASE(the_remainder_is_a_rival),
	KUNIT_CASE(a_sibling_without_error_does_not_end_the_path),
	KUNIT_CASE(overlapping_siblings_leave_no_remainder),
	KUNIT_CASE(a_small_share_of_all_slots_is_not_followed),
	KUNIT_CASE(small_rivals_are_minor_rather_than_undetermined),
	KUNIT_CASE(undetermined_if_errors_add_up_to_the_lead),
	KUNIT_CASE(undetermined_topdown_l1_leaves_the_path_empty),
	KUNIT_CASE(undetermined_if_an_error_is_unknown),
	KUNIT_CASE(undetermined_if_values_are_equal),
	KUNIT_CASE(a_child_without_value_ends_the_path_with_its_verdict),
	KUNIT_CASE(extreme_values_do_not_overflow_the_comparison),
	KUNIT_CASE(print_does_not_write_beyond_its_buffer),
	{ }
};

static struct kunit_suite bottleneck_suite = {
	.name = "n3_telemetry_bottleneck",
	.init = bottleneck_init,
	.test_cases = bottleneck_cases,
};

kunit_test_suite(bottleneck_suite);
