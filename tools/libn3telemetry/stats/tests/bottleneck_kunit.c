// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * KUnit: the largest losses of the decision tree, and the path to the bottleneck.
 *
 * selftests/user/bottleneck_test.py compares losses of random estimates with exact fractions.
 */
#include <linux/limits.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3telemetry/stats/bottleneck.h"
#include "libn3t/spec.h"

#define PERCENT	10000	/* values have 4 decimals */

struct fixture {
	struct n3t_estimate estimates[N3T_NR_METRICS];
	struct n3t_bottleneck bottleneck;
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
	KUNIT_CASE(three_largest_losses_are_listed),
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
