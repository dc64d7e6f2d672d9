// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: parsing of formulas and their evaluation over counts. */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/formula.h"
#include "libn3t/spec.h"

#define TEXT_SIZE	128

struct fixture {
	struct n3t_formula formula;
	struct n3t_counts counts;
	struct n3t_ratio value;
	char text[TEXT_SIZE];
};

static int formula_init(struct kunit *test)
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

static void expect_value(struct kunit *test, const char *formula, const char *expected)
{
	struct fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, n3t_formula_parse(formula, &f->formula), 0);
	KUNIT_ASSERT_EQ(test, n3t_formula_eval(&f->formula, &f->counts, &f->value), N3T_VALUE);
	n3t_ratio_print(f->text, sizeof(f->text), &f->value, 4);
	KUNIT_EXPECT_STREQ_MSG(test, f->text, expected, "formula: %s", formula);
}

static void operators_have_the_usual_precedence(struct kunit *test)
{
	static const struct {
		const char *formula;
		const char *value;
	} rows[] = {
		{ "7", "7.0000" },
		{ "65535", "65535.0000" },
		{ "((7))", "7.0000" },
		{ "2+3*4", "14.0000" },
		{ "2*3+4", "10.0000" },
		{ "(2+3)*4", "20.0000" },
		{ "10 - 4 - 3", "3.0000" },
		{ "10 - (4 - 3)", "9.0000" },
		{ "100 / 10 / 5", "2.0000" },
		{ "100 / (10 / 5)", "50.0000" },
		{ "100 / 8 * 5", "62.5000" },
		{ "1 - 2 * 3 + 4", "-1.0000" },
		{ "2 * (3 + (4 - 1)) / 9", "1.3333" },
		{ " \t( 1 )  -2 ", "-1.0000" },
		{ "1-(2-(3-(4-5)))", "3.0000" },
		{ "2 * SLOTS + 1", "11.0000" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		expect_value(test, rows[i].formula, rows[i].value);
}

static void malformed_formulas_are_refused(struct kunit *test)
{
	static const char * const rows[] = {
		"", " ", "+", "1 +", "* 1", "-1", "1 - -1", "(1", "1)", "()", ")(", "(1))", "((1)",
		"1 1", "1 (2)", "(1) 2", "1 % 2", "1 , 2", "1 ( + 2)", "(1 +) 2", "1.5", "\xff",
		"65536", "4294967297", "5x", "5_", "CPU_CYCLES CPU_CYCLES", "CPU_CYCLES(1)",
		"SLOT", "SLOTS SLOTS", "5SLOTS", "slots",
		"NO_SUCH_EVENT", "CPU_CYCLE", "CPU_CYCLESS", "_", "0x11",
		"A_NAME_FAR_LONGER_THAN_ANY_EVENT_OF_THE_TABLES",
		/* events that a single counter cannot count */
		"CHAIN", "PMU_OVFS", "PMU_HOVFS / CPU_CYCLES",
		/* 25 tokens, 6 values deep, 7 events */
		"1+1+1+1+1+1+1+1+1+1+1+1+1",
		"1+(1+(1+(1+(1+1))))",
		"SW_INCR+L1D_CACHE+BR_PRED+LD_SPEC+ST_SPEC+DP_SPEC+ASE_SPEC",
	};
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		KUNIT_EXPECT_EQ_MSG(test, n3t_formula_parse(rows[i], &f->formula), -EINVAL,
				    "formula: '%s'", rows[i]);
}

static void formulas_up_to_the_limits_are_accepted(struct kunit *test)
{
	expect_value(test, "1+1+1+1+1+1+1+1+1+1+1+1", "12.0000");
	expect_value(test, "1+(1+(1+(1+1)))", "5.0000");
	expect_value(test, "((((((((((((((((((((((7))))))))))))))))))))))", "7.0000");
}

static void each_programmable_event_is_listed_once(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, n3t_formula_parse("OP_SPEC / CPU_CYCLES + OP_SPEC * INST_RETIRED",
						&f->formula), 0);
	KUNIT_EXPECT_EQ(test, f->formula.nr_tokens, 7U);
	KUNIT_EXPECT_EQ(test, f->formula.nr_events, 2U);
	KUNIT_EXPECT_EQ(test, f->formula.code[0], N3T_CODE_OP_SPEC);
	KUNIT_EXPECT_EQ(test, f->formula.code[1], N3T_CODE_INST_RETIRED);
}

static void old_and_new_names_in_any_case_are_accepted(struct kunit *test)
{
	struct fixture *f = test->priv;

	count(&f->counts, N3T_CODE_IMP_LS_RAR, 5);
	expect_value(test, "IMP_LS_RAR", "5.0000");
	expect_value(test, "imp_ls_rar", "5.0000");
	expect_value(test, "IMP_LS_RAR_HAZARD", "5.0000");
}

static void undef_or_unplaced_is_returned_without_a_value(struct kunit *test)
{
	static const struct {
		const char *formula;
		enum n3t_verdict verdict;
	} rows[] = {
		{ "1 / CPU_CYCLES", N3T_UNDEF },
		{ "CPU_CYCLES / CPU_CYCLES", N3T_UNDEF },
		{ "0 * (1 / INST_RETIRED)", N3T_UNDEF },
		{ "1 / (1 / (CPU_CYCLES + 1) - 1)", N3T_UNDEF },
		{ "1 / (INST_RETIRED - CPU_CYCLES)", N3T_UNDEF },
		{ "OP_SPEC", N3T_UNPLACED },
		{ "INST_RETIRED + OP_SPEC", N3T_UNPLACED },
		{ "CPU_CYCLES / 1", N3T_VALUE },
	};
	struct fixture *f = test->priv;
	unsigned int i;

	count(&f->counts, N3T_CODE_INST_RETIRED, 0);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_ASSERT_EQ(test, n3t_formula_parse(rows[i].formula, &f->formula), 0);
		KUNIT_EXPECT_EQ_MSG(test, n3t_formula_eval(&f->formula, &f->counts, &f->value),
				    rows[i].verdict, "formula: %s", rows[i].formula);
	}
}

static void values_beyond_256_bits_are_implausible(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->counts.cycles = U64_MAX;
	KUNIT_ASSERT_EQ(test, n3t_formula_parse("CPU_CYCLES * CPU_CYCLES * CPU_CYCLES * CPU_CYCLES",
						&f->formula), 0);
	KUNIT_EXPECT_EQ(test, n3t_formula_eval(&f->formula, &f->counts, &f->value), N3T_VALUE);
	KUNIT_ASSERT_EQ(test,
			n3t_formula_parse("CPU_CYCLES * CPU_CYCLES * CPU_CYCLES * CPU_CYCLES * 2",
					  &f->formula), 0);
	KUNIT_EXPECT_EQ(test, n3t_formula_eval(&f->formula, &f->counts, &f->value),
			N3T_IMPLAUSIBLE);
}

static void stall_slot_is_the_sum_of_its_parts_unless_counted(struct kunit *test)
{
	struct fixture *f = test->priv;
	u64 slots = 0;

	count(&f->counts, N3T_CODE_STALL_SLOT_BACKEND, 30);
	KUNIT_EXPECT_EQ(test, n3t_counts_get(&f->counts, N3T_CODE_STALL_SLOT, &slots), -ENOENT);
	count(&f->counts, N3T_CODE_STALL_SLOT_FRONTEND, 12);
	KUNIT_EXPECT_EQ(test, n3t_counts_get(&f->counts, N3T_CODE_STALL_SLOT, &slots), 0);
	KUNIT_EXPECT_EQ(test, slots, 42ULL);
	count(&f->counts, N3T_CODE_STALL_SLOT, 41);
	KUNIT_EXPECT_EQ(test, n3t_counts_get(&f->counts, N3T_CODE_STALL_SLOT, &slots), 0);
	KUNIT_EXPECT_EQ(test, slots, 41ULL);
}

static void stall_slot_beyond_64_bits_is_refused(struct kunit *test)
{
	struct fixture *f = test->priv;
	u64 slots = 0;

	count(&f->counts, N3T_CODE_STALL_SLOT_BACKEND, U64_MAX - 1);
	count(&f->counts, N3T_CODE_STALL_SLOT_FRONTEND, 1);
	KUNIT_EXPECT_EQ(test, n3t_counts_get(&f->counts, N3T_CODE_STALL_SLOT, &slots), 0);
	KUNIT_EXPECT_EQ(test, slots, U64_MAX);
	f->counts.count[1]++;
	KUNIT_EXPECT_EQ(test, n3t_counts_get(&f->counts, N3T_CODE_STALL_SLOT, &slots), -EOVERFLOW);
	KUNIT_ASSERT_EQ(test, n3t_formula_parse("STALL_SLOT", &f->formula), 0);
	KUNIT_EXPECT_EQ(test, n3t_formula_eval(&f->formula, &f->counts, &f->value),
			N3T_IMPLAUSIBLE);
}

static void count_all(struct n3t_counts *counts, const struct n3t_formula *formula, u64 value)
{
	unsigned int i;

	counts->nr = 0;
	counts->cycles = value;
	for (i = 0; i < formula->nr_events; i++)
		count(counts, formula->code[i], value);
}

static void every_metric_is_a_value_at_u64_max_and_undef_at_0(struct kunit *test)
{
	const struct n3t_formula *formula;
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < N3T_NR_METRICS; i++) {
		formula = n3t_metric_formula(i);
		count_all(&f->counts, formula, U64_MAX);
		KUNIT_EXPECT_EQ_MSG(test, n3t_formula_eval(formula, &f->counts, &f->value),
				    N3T_VALUE, "metric %s", n3t_metrics[i].name);
		count_all(&f->counts, formula, 0);
		KUNIT_EXPECT_EQ_MSG(test, n3t_formula_eval(formula, &f->counts, &f->value),
				    N3T_UNDEF, "metric %s", n3t_metrics[i].name);
	}
}

static void counts_that_are_summed_for_an_event(struct kunit *test)
{
	static const u16 codes[] = {
		N3T_CODE_STALL_SLOT_BACKEND, N3T_CODE_OP_SPEC, N3T_CODE_STALL_SLOT_FRONTEND,
		N3T_CODE_STALL_SLOT,
	};

	KUNIT_EXPECT_EQ(test, n3t_counts_summed(codes, 3, N3T_CODE_OP_SPEC), 2u);
	KUNIT_EXPECT_EQ(test, n3t_counts_summed(codes, 3, N3T_CODE_STALL_SLOT), 5u);
	KUNIT_EXPECT_EQ(test, n3t_counts_summed(codes, 4, N3T_CODE_STALL_SLOT), 8u);
	KUNIT_EXPECT_EQ(test, n3t_counts_summed(codes, 2, N3T_CODE_STALL_SLOT), 0u);
	KUNIT_EXPECT_EQ(test, n3t_counts_summed(codes, 1, N3T_CODE_OP_SPEC), 0u);
}

static struct kunit_case formula_cases[] = {
	KUNIT_CASE(operators_have_the_usual_precedence),
	KUNIT_CASE(malformed_formulas_are_refused),
	KUNIT_CASE(formulas_up_to_the_limits_are_accepted),
	KUNIT_CASE(each_programmable_event_is_listed_once),
	KUNIT_CASE(old_and_new_names_in_any_case_are_accepted),
	KUNIT_CASE(undef_or_unplaced_is_returned_without_a_value),
	KUNIT_CASE(values_beyond_256_bits_are_implausible),
	KUNIT_CASE(stall_slot_is_the_sum_of_its_parts_unless_counted),
	KUNIT_CASE(stall_slot_beyond_64_bits_is_refused),
	KUNIT_CASE(every_metric_is_a_value_at_u64_max_and_undef_at_0),
	KUNIT_CASE(counts_that_are_summed_for_an_event),
	{}
};

static struct kunit_suite formula_suite = {
	.name = "n3_telemetry_formula",
	.init = formula_init,
	.test_cases = formula_cases,
};

kunit_test_suite(formula_suite);
