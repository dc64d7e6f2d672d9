// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: partial derivatives of formulas. */
#include <linux/errno.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/spec.h"
#include "libn3telemetry/stats/gradient.h"
#include "real_expect.h"

struct fixture {
	struct n3t_counts counts;
};

static int gradient_init(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct fixture), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static void count(struct n3t_counts *counts, u16 code, u64 value)
{
	counts->code[counts->nr] = code;
	counts->count[counts->nr] = value;
	counts->nr++;
}

static void count_all(struct n3t_counts *counts, const struct n3t_formula *formula, u64 value)
{
	unsigned int i;

	counts->nr = 0;
	counts->cycles = value;
	for (i = 0; i < formula->nr_events; i++)
		count(counts, formula->code[i], value);
}

/*
 * Expected values were computed with dual numbers and exact fractions by another program.
 * selftests/user/reference_test.py compares intervals, which follow from gradients.
 */
static void gradients_of_extreme_counts(struct kunit *test)
{
	const struct n3t_formula *formula = n3t_metric_formula(N3T_METRIC_frontend_bound);
	struct fixture *f = test->priv;
	struct n3t_gradient gradient;
	unsigned int flush;

	f->counts.cycles = 3;
	count(&f->counts, N3T_CODE_STALL_SLOT_FRONTEND, 1ull << 50);
	count(&f->counts, N3T_CODE_STALL_FRONTEND_FLUSH, 1);
	KUNIT_ASSERT_EQ(test, n3t_formula_gradient(formula, &f->counts, &gradient), 0);
	flush = formula->code[0] == N3T_CODE_STALL_FRONTEND_FLUSH ? 0 : 1;
	EXPECT_NEAR(test, gradient.cycles, -2.501999793e15);
	EXPECT_NEAR(test, gradient.event[1 - flush], 6.666666667);
	EXPECT_NEAR(test, gradient.event[flush], -33.33333333);

	formula = n3t_metric_formula(N3T_METRIC_backend_mem_cache_bound);
	count(&f->counts, N3T_CODE_STALL_BACKEND_L1D, 3);
	count(&f->counts, N3T_CODE_STALL_BACKEND_MEM, 4);
	count(&f->counts, N3T_CODE_STALL_BACKEND_MEMBOUND, 1ull << 40);
	KUNIT_ASSERT_EQ(test, n3t_formula_gradient(formula, &f->counts, &gradient), 0);
	EXPECT_NEAR(test, gradient.event[0], 0.0000000000909494702);
	EXPECT_NEAR(test, gradient.event[1], 0.0000000000909494702);
	EXPECT_NEAR(test, 1e12 * gradient.event[2], -0.0000000005790264288);
}

static void a_formula_has_a_gradient_where_it_has_a_value(struct kunit *test)
{
	const struct n3t_formula *formula;
	struct fixture *f = test->priv;
	struct n3t_gradient gradient;
	unsigned int i;

	for (i = 0; i < N3T_NR_METRICS; i++) {
		formula = n3t_metric_formula(i);
		count_all(&f->counts, formula, 12345);
		KUNIT_EXPECT_EQ_MSG(test, n3t_formula_gradient(formula, &f->counts, &gradient), 0,
				    "metric %s", n3t_metrics[i].name);
		count_all(&f->counts, formula, 0);
		KUNIT_EXPECT_EQ_MSG(test, n3t_formula_gradient(formula, &f->counts, &gradient),
				    -EDOM, "metric %s", n3t_metrics[i].name);
		f->counts.nr = 0;
		KUNIT_EXPECT_EQ_MSG(test, n3t_formula_gradient(formula, &f->counts, &gradient),
				    -ENOENT, "metric %s", n3t_metrics[i].name);
	}
}

static struct kunit_case gradient_cases[] = {
	KUNIT_CASE(gradients_of_extreme_counts),
	KUNIT_CASE(a_formula_has_a_gradient_where_it_has_a_value),
	{}
};

static struct kunit_suite gradient_suite = {
	.name = "n3_telemetry_gradient",
	.init = gradient_init,
	.test_cases = gradient_cases,
};

kunit_test_suite(gradient_suite);
