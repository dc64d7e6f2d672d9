// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: windows of a run, and the metrics that bad ones withdraw. */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/formula.h"
#include "libn3t/judge.h"
#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/spec.h"
#include "libn3t/verdict.h"

#define MS		1000000ull
#define SLICES		100	/* in the ring, fewer than in a test */
#define CYCLES		20000000
#define SLOTS		(5ull * CYCLES)
#define FRONTEND	(SLOTS / 10)
#define BACKEND		(SLOTS / 5)

/* Each slice counts CYCLES; OP_SPEC and STALL_SLOT are all slots unless @wrong says otherwise. */
struct fixture {
	struct n3t_plan plan;
	struct n3t_ring ring;
	struct n3t_rotation rotation;
	struct n3t_window *window;
	struct n3t_window *judged;
	struct n3t_judge judge;
	u64 now_ns;
	u16 wrong;	/* an event that is counted wrongly, or 0 */
	u64 instead;	/* its count */
	int dropped;	/* a set none of whose slices is kept, or N3T_NO_SET */
	bool apart;	/* events do not count together */
	u64 too_many;	/* of STALL_SLOT and STALL_SLOT_FRONTEND */
	bool corrected;	/* n3t_ring_correct() */
	bool silent;	/* nothing but cycles is counted */
	bool ends;	/* no slices of the run follow */
	unsigned int shrink;	/* all counts and cycles are divided by it */
};

static void *alloc(struct kunit *test, size_t bytes)
{
	void *memory = kunit_kzalloc(test, bytes, GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, memory);
	return memory;
}

static int judge_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	test->priv = f;
	if (!f)
		return -ENOMEM;
	f->shrink = 1;
	f->dropped = N3T_NO_SET;
	return 0;
}

static void begin_run(struct kunit *test)
{
	struct fixture *f = test->priv;

	n3t_ring_init(&f->ring, alloc(test, n3t_ring_bytes(&f->plan, SLICES)), &f->plan, SLICES);
	n3t_rotation_init(&f->rotation, &f->plan, 1);
	f->window = alloc(test, n3t_window_bytes(&f->plan));
	f->judged = alloc(test, n3t_window_bytes(&f->plan));
	n3t_window_init(f->judged, &f->ring, 0);
}

static struct fixture *set_up(struct kunit *test, unsigned int budget)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	struct fixture *f = test->priv;

	bitmap_fill(groups, N3T_NR_GROUPS);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(&f->plan, budget, groups, NULL, NULL), 0);
	begin_run(test);
	return f;
}

static u64 count_of(const struct fixture *f, u16 code)
{
	if (f->silent)
		return 0;
	if (code == f->wrong)
		return f->instead;
	switch (code) {
	case N3T_CODE_STALL_SLOT_FRONTEND:
		return FRONTEND + f->too_many;
	case N3T_CODE_STALL_SLOT_BACKEND:
		return BACKEND;
	case N3T_CODE_STALL_SLOT:
		return FRONTEND + BACKEND + f->too_many;
	case N3T_CODE_OP_SPEC:
		return SLOTS - FRONTEND - BACKEND;
	default:
		return CYCLES / 10;
	}
}

static void write_set(struct fixture *f, unsigned int set)
{
	struct n3t_slice *slice = n3t_ring_begin(&f->ring);
	unsigned int i;

	f->now_ns += 4 * MS;
	slice->end_ns = f->now_ns;
	slice->time_ns = 4 * MS;
	slice->set = set;
	slice->state = (int)set == f->dropped ? N3T_SLICE_CUT : N3T_SLICE_KEPT;
	slice->cycles = CYCLES / f->shrink;
	for (i = 0; i < f->plan.set[set].nr; i++)
		slice->count[i] = count_of(f, f->plan.set[set].code[i]) / f->shrink;
	if (f->corrected)
		n3t_ring_correct(&f->ring, &f->plan.set[set]);
	n3t_ring_commit(&f->ring);
}

static void write_slice(struct fixture *f)
{
	write_set(f, n3t_rotation_next(&f->rotation, &f->plan));
}

static bool judge(struct fixture *f)
{
	if (!n3t_judge_take(f->window, f->judged, &f->plan, &f->ring, f->ends))
		return false;
	f->window->corrected = f->corrected;
	n3t_judge_window(&f->judge, &f->plan, f->window, !f->apart, f->now_ns);
	return true;
}

static void write_windows(struct kunit *test, unsigned int nr)
{
	struct fixture *f = test->priv;
	unsigned int i;

	while (nr--) {
		for (i = 0; i < 2 * n3t_plan_rotation(&f->plan); i++)
			write_slice(f);
		KUNIT_ASSERT_TRUE(test, judge(f));
	}
}

static void write_wrong(struct kunit *test, unsigned int nr, u16 code, u64 count)
{
	struct fixture *f = test->priv;

	f->wrong = code;
	f->instead = count;
	write_windows(test, nr);
	f->wrong = 0;
}

static int nr_withdrawn(const struct fixture *f)
{
	return bitmap_weight(f->judge.marks.withdrawn, N3T_NR_METRICS);
}

static bool is_withdrawn(const struct fixture *f, enum n3t_metric metric)
{
	return test_bit(metric, f->judge.marks.withdrawn);
}

/* Metrics whose formula, as the table spells it, has the event. */
static int nr_with(const char *mnemonic)
{
	unsigned int metric;
	int nr = 0;

	for (metric = 0; metric < N3T_NR_METRICS; metric++)
		nr += !!strstr(n3t_metrics[metric].formula, mnemonic);
	return nr;
}

static void two_bad_windows_in_a_row_withdraw(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	int nr = nr_with("INST_RETIRED");

	write_windows(test, 5);
	write_wrong(test, 1, N3T_CODE_INST_RETIRED, 0);
	KUNIT_EXPECT_EQ(test, nr_withdrawn(f), 0);
	write_windows(test, 1);
	write_wrong(test, 1, N3T_CODE_INST_RETIRED, 0);
	KUNIT_EXPECT_EQ(test, nr_withdrawn(f), 0);
	KUNIT_EXPECT_EQ(test, f->judge.marks.withdrawals, 0ull);
	write_wrong(test, 1, N3T_CODE_INST_RETIRED, 0);
	KUNIT_EXPECT_EQ(test, nr_withdrawn(f), nr);
	KUNIT_EXPECT_EQ(test, f->judge.marks.withdrawals, (u64)nr);
	KUNIT_EXPECT_EQ(test, f->judge.marks.last_ns, f->now_ns);
	KUNIT_EXPECT_TRUE(test, is_withdrawn(f, N3T_METRIC_ipc));
	KUNIT_EXPECT_FALSE(test, is_withdrawn(f, N3T_METRIC_retiring));
	write_wrong(test, 3, N3T_CODE_INST_RETIRED, 0);
	KUNIT_EXPECT_EQ(test, f->judge.marks.withdrawals, (u64)nr);
}

/* STALL_SLOT that differs from its parts by more than 1 % of the slots. */
static void contradictions_withdraw(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);

	write_wrong(test, 3, N3T_CODE_STALL_SLOT, FRONTEND + BACKEND + SLOTS / 101);
	KUNIT_EXPECT_EQ(test, nr_withdrawn(f), 0);
	write_wrong(test, 2, N3T_CODE_STALL_SLOT, FRONTEND + BACKEND + SLOTS / 99);
	KUNIT_EXPECT_EQ(test, nr_withdrawn(f), nr_with("STALL_SLOT"));
	KUNIT_EXPECT_TRUE(test, is_withdrawn(f, N3T_METRIC_backend_bound));
	KUNIT_EXPECT_FALSE(test, is_withdrawn(f, N3T_METRIC_ipc));
}

/* The windows add up to the run, though its ring holds fewer slices. */
static void every_slice_is_judged_once(struct kunit *test)
{
	struct fixture *f = set_up(test, 5);
	struct n3t_set_sum total;
	unsigned int i, set;
	u64 cycles = 0;

	for (i = 0; i < 1000; i++) {
		write_slice(f);
		if (i % 7 || !judge(f))
			continue;
		cycles += f->window->cycles;
	}
	while (!judge(f))
		write_slice(f), i++;
	KUNIT_EXPECT_EQ(test, cycles + f->window->cycles, (u64)i * CYCLES);
	for (set = 0; set < f->plan.nr_sets; set++) {
		KUNIT_ASSERT_TRUE(test, n3t_ring_total(&f->ring, set, &total));
		KUNIT_EXPECT_EQ(test, n3t_window_sum(f->judged, set)->slices, total.slices);
		KUNIT_EXPECT_EQ(test, n3t_window_sum(f->judged, set)->count[0], total.count[0]);
	}
}

/* A set with few cycles may count nothing for good reasons. */
static void windows_last_until_all_sets_have_cycles(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	unsigned int i, rotation = n3t_plan_rotation(&f->plan);

	f->shrink = CYCLES / N3T_IDLE_CYCLES + 1;
	f->wrong = N3T_CODE_INST_RETIRED;
	for (i = 0; i < rotation; i++)
		write_slice(f);
	KUNIT_EXPECT_FALSE(test, judge(f));
	for (i = 0; i < rotation; i++)
		write_slice(f);
	KUNIT_EXPECT_TRUE(test, judge(f));
	KUNIT_EXPECT_EQ(test, f->window->cycles, 2ull * rotation * (CYCLES / f->shrink));
	KUNIT_EXPECT_FALSE(test, judge(f));
}

/* As when another user has a counter that only this set needs. */
static void a_set_without_slices_is_left_out(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);

	f->dropped = f->plan.set_of[N3T_METRIC_branch_mpki];
	KUNIT_ASSERT_NE(test, f->dropped, (int)f->plan.set_of[N3T_METRIC_ipc]);
	write_wrong(test, 2, N3T_CODE_INST_RETIRED, 0);
	KUNIT_EXPECT_TRUE(test, is_withdrawn(f, N3T_METRIC_ipc));
	KUNIT_EXPECT_FALSE(test, is_withdrawn(f, N3T_METRIC_branch_mpki));
}

/* A window in which a set lost its counter does not hide a fault before and after it. */
static void a_set_without_slices_keeps_its_fault(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	int set = f->plan.set_of[N3T_METRIC_branch_mpki];

	write_wrong(test, 1, N3T_CODE_INST_RETIRED, 0);
	f->dropped = set;
	write_windows(test, 1);
	f->dropped = N3T_NO_SET;
	write_wrong(test, 1, N3T_CODE_INST_RETIRED, 0);
	KUNIT_EXPECT_TRUE(test, is_withdrawn(f, N3T_METRIC_branch_mpki));
	KUNIT_EXPECT_FALSE(test, is_withdrawn(f, N3T_METRIC_ipc));
}

/* Two runs, both shorter than a rotation: their end is judged although not all sets ran. */
static void short_runs_are_judged(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	DECLARE_BITMAP(ran, N3T_MAX_SETS) = {};
	unsigned int run, i;
	int metric, set;

	f->wrong = N3T_CODE_INST_RETIRED;
	for (run = 0; run < 2; run++) {
		begin_run(test);
		f->ends = false;
		bitmap_zero(ran, N3T_MAX_SETS);
		for (i = 0; i < f->plan.nr_sets / 2; i++) {
			write_slice(f);
			__set_bit(n3t_ring_begin(&f->ring)->set, ran);
			KUNIT_EXPECT_FALSE(test, judge(f));
		}
		KUNIT_EXPECT_EQ(test, nr_withdrawn(f), 0);
		f->ends = true;
		KUNIT_EXPECT_TRUE(test, judge(f));
	}
	for (metric = 0; metric < N3T_NR_METRICS; metric++) {
		set = f->plan.set_of[metric];
		if (!strstr(n3t_metrics[metric].formula, "INST_RETIRED") || !test_bit(set, ran))
			KUNIT_EXPECT_FALSE(test, is_withdrawn(f, metric));
		else
			KUNIT_EXPECT_TRUE(test, is_withdrawn(f, metric));
	}
	KUNIT_EXPECT_NE(test, nr_withdrawn(f), 0);
}

/* A set none of whose events has to advance while it counts. */
static int set_without_evidence(const struct n3t_plan *plan)
{
	static const u16 advancing[] = {
		N3T_CODE_INST_RETIRED, N3T_CODE_INST_SPEC, N3T_CODE_OP_RETIRED, N3T_CODE_OP_SPEC,
		N3T_CODE_L1I_CACHE, N3T_CODE_L1I_TLB, N3T_CODE_BR_RETIRED,
	};
	unsigned int set, i, found;

	for (set = 0; set < plan->nr_sets; set++) {
		for (i = 0, found = 0; i < ARRAY_SIZE(advancing); i++)
			found |= n3t_counts_summed(plan->set[set].code, plan->set[set].nr,
						   advancing[i]);
		if (!found)
			return set;
	}
	return N3T_NO_SET;
}

/* Its zeros may be right. */
static void a_set_alone_is_not_doubted(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	int set = set_without_evidence(&f->plan);
	unsigned int run;

	KUNIT_ASSERT_NE(test, set, N3T_NO_SET);
	f->silent = true;
	f->ends = true;
	for (run = 0; run < 3; run++) {
		begin_run(test);
		write_set(f, set);
		KUNIT_EXPECT_TRUE(test, judge(f));
	}
	KUNIT_EXPECT_EQ(test, nr_withdrawn(f), 0);
}

static void metrics_return_after_an_hour(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	int nr = nr_with("INST_RETIRED");
	u64 bad_ns;

	write_wrong(test, 2, N3T_CODE_INST_RETIRED, 0);
	write_windows(test, 2);
	/* A single bad window begins the hour again. */
	write_wrong(test, 1, N3T_CODE_INST_RETIRED, 0);
	bad_ns = f->now_ns;
	write_windows(test, 1);
	n3t_judge_review(&f->judge, bad_ns + 3600 * 1000 * MS - 1);
	KUNIT_EXPECT_EQ(test, nr_withdrawn(f), nr);
	n3t_judge_review(&f->judge, bad_ns + 3600 * 1000 * MS);
	KUNIT_EXPECT_EQ(test, nr_withdrawn(f), 0);
	KUNIT_EXPECT_EQ(test, f->judge.marks.withdrawals, (u64)nr);
	write_wrong(test, 2, N3T_CODE_INST_RETIRED, 0);
	KUNIT_EXPECT_EQ(test, f->judge.marks.withdrawals, 2ull * nr);
}

static void a_reset_keeps_the_number_of_withdrawals(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);

	n3t_judge_withdraw_all(&f->judge, MS);
	n3t_judge_withdraw_all(&f->judge, 2 * MS);
	KUNIT_EXPECT_EQ(test, nr_withdrawn(f), (int)N3T_NR_METRICS);
	KUNIT_EXPECT_EQ(test, f->judge.marks.withdrawals, (u64)N3T_NR_METRICS);
	KUNIT_EXPECT_EQ(test, f->judge.marks.last_ns, MS);
	n3t_judge_reset(&f->judge);
	KUNIT_EXPECT_EQ(test, nr_withdrawn(f), 0);
	KUNIT_EXPECT_EQ(test, f->judge.marks.withdrawals, (u64)N3T_NR_METRICS);
	/* The first window after it is the first in a row. */
	write_wrong(test, 1, N3T_CODE_INST_RETIRED, 0);
	KUNIT_EXPECT_EQ(test, nr_withdrawn(f), 0);
}

/* OP_SPEC that is off by a share of all slots, in millionths. */
static u64 operations_off(int millionths)
{
	return SLOTS - FRONTEND - BACKEND + (s64)(SLOTS / 1000000) * millionths;
}

static void expect_slots(struct kunit *test, u32 largest, bool off)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, f->judge.marks.slots.largest, largest);
	KUNIT_EXPECT_EQ(test, n3t_slots_are_off(&f->judge.marks.slots), off);
}

static void slots_off_by_more_than_a_tenth(struct kunit *test, unsigned int budget)
{
	struct fixture *f = set_up(test, budget);

	write_windows(test, 2);
	expect_slots(test, 0, false);
	write_wrong(test, 5, N3T_CODE_OP_SPEC, operations_off(100000));
	expect_slots(test, 100000, false);
	KUNIT_EXPECT_EQ(test, nr_withdrawn(f), 0);
	write_wrong(test, 1, N3T_CODE_OP_SPEC, operations_off(-100001));
	expect_slots(test, 100001, false);
	write_wrong(test, 1, N3T_CODE_OP_SPEC, operations_off(100001));
	expect_slots(test, 100001, true);
	KUNIT_EXPECT_EQ(test, nr_withdrawn(f), nr_with("STALL_SLOT"));
	write_windows(test, 1);
	expect_slots(test, 100001, false);
}

/* With 5, STALL_SLOT is the sum of its parts. */
static void slots_are_compared_with_five_and_six_counters(struct kunit *test)
{
	slots_off_by_more_than_a_tenth(test, 6);
	judge_init(test);
	slots_off_by_more_than_a_tenth(test, 5);
}

static void the_word_follows_from_two_windows(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	struct n3t_counts counts;

	write_windows(test, 1);
	f->window->slots_off = true;
	KUNIT_EXPECT_EQ(test, n3t_metric_counts(N3T_METRIC_retiring, N3T_CPU_SAMPLING, &f->plan,
						f->window, &counts), N3T_INCONSISTENT);
	KUNIT_EXPECT_EQ(test, n3t_metric_counts(N3T_METRIC_ipc, N3T_CPU_SAMPLING, &f->plan,
						f->window, &counts), N3T_VALUE);
	KUNIT_EXPECT_EQ(test, n3t_metric_counts(N3T_METRIC_frontend_bound, N3T_CPU_SAMPLING,
						&f->plan, f->window, &counts), N3T_INCONSISTENT);
}

/* Without enough cycles, or if events count at different times. */
static void slots_are_not_compared(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);

	f->apart = true;
	write_wrong(test, 3, N3T_CODE_OP_SPEC, operations_off(500000));
	f->apart = false;
	/* half of a window's slices are of Topdown_L1: less than 10 million cycles together */
	f->shrink = n3t_plan_rotation(&f->plan) * (CYCLES / 1000000) / 10 + 1;
	write_wrong(test, 3, N3T_CODE_OP_SPEC, operations_off(500000));
	KUNIT_EXPECT_EQ(test, f->judge.marks.slots.windows, 0u);
	expect_slots(test, 0, false);
	KUNIT_EXPECT_EQ(test, nr_withdrawn(f), 0);
}

/* A window that cannot be compared is not bad, and ends a row. */
static void the_word_ends_without_a_comparison(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);

	write_wrong(test, 2, N3T_CODE_OP_SPEC, operations_off(200000));
	KUNIT_EXPECT_TRUE(test, n3t_slots_are_off(&f->judge.marks.slots));
	f->apart = true;
	write_wrong(test, 1, N3T_CODE_OP_SPEC, operations_off(200000));
	KUNIT_EXPECT_FALSE(test, n3t_slots_are_off(&f->judge.marks.slots));
	f->apart = false;
	write_wrong(test, 1, N3T_CODE_OP_SPEC, operations_off(200000));
	KUNIT_EXPECT_FALSE(test, n3t_slots_are_off(&f->judge.marks.slots));
}

/* A PMU that counts nothing proves nothing. */
static void pretended_slots_are_not_compared(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);

	write_wrong(test, 3, N3T_CODE_OP_SPEC, 0);
	KUNIT_EXPECT_EQ(test, f->judge.marks.slots.windows, 0u);
}

static void ten_windows_decide(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	struct n3t_slots_check *slots = &f->judge.marks.slots;

	write_wrong(test, 9, N3T_CODE_OP_SPEC, operations_off(200000));
	KUNIT_EXPECT_EQ(test, n3t_slots_identity(slots), N3T_SLOTS_UNDECIDED);
	write_wrong(test, 1, N3T_CODE_OP_SPEC, operations_off(200000));
	KUNIT_EXPECT_EQ(test, n3t_slots_identity(slots), N3T_SLOTS_VIOLATED);
	write_windows(test, 20);
	KUNIT_EXPECT_EQ(test, n3t_slots_identity(slots), N3T_SLOTS_VIOLATED);

	n3t_judge_reset(&f->judge);
	write_wrong(test, 9, N3T_CODE_OP_SPEC, operations_off(200000));
	write_windows(test, 1);
	KUNIT_EXPECT_EQ(test, n3t_slots_identity(slots), N3T_SLOTS_HELD);
	write_wrong(test, 20, N3T_CODE_OP_SPEC, operations_off(200000));
	KUNIT_EXPECT_EQ(test, n3t_slots_identity(slots), N3T_SLOTS_HELD);
}

/* CYCLES are 20 % of all slots, and more than FRONTEND: with 5 counters, counts are clipped. */
static void the_other_choice_is_tried(struct kunit *test)
{
	static const struct {
		u64 too_many;
		bool corrected;
		int operations;	/* off, in millionths */
		enum n3t_slots_identity identity;
		bool other_fits;
		u32 error;
		u32 other;
	} rows[] = {
		{ 0, false, 0, N3T_SLOTS_HELD, false, 0, 200000 },
		{ CYCLES, true, 0, N3T_SLOTS_HELD, false, 0, 200000 },
		{ CYCLES, false, 0, N3T_SLOTS_VIOLATED, true, 200000, 0 },
		{ 0, true, 0, N3T_SLOTS_VIOLATED, true, 200000, 0 },
		{ 0, false, 110000, N3T_SLOTS_VIOLATED, false, 110000, 90000 },
		{ 0, false, 179999, N3T_SLOTS_VIOLATED, false, 179999, 20001 },
		{ 0, false, 180000, N3T_SLOTS_VIOLATED, true, 180000, 20000 },
		{ 0, false, 220000, N3T_SLOTS_VIOLATED, true, 220000, 20000 },
		{ 0, false, 220001, N3T_SLOTS_VIOLATED, false, 220001, 20001 },
		{ 0, false, 300000, N3T_SLOTS_VIOLATED, false, 300000, 100000 },
		{ 0, false, -200000, N3T_SLOTS_VIOLATED, false, 200000, 400000 },
		{ CYCLES, true, -180000, N3T_SLOTS_VIOLATED, true, 180000, 20000 },
		{ CYCLES, true, -220000, N3T_SLOTS_VIOLATED, true, 220000, 20000 },
		{ CYCLES, true, -220001, N3T_SLOTS_VIOLATED, false, 220001, 20001 },
		{ CYCLES, true, 200000, N3T_SLOTS_VIOLATED, false, 200000, 400000 },
	};
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
		judge_init(test);
		f = set_up(test, 5 + i % 2);
		f->too_many = rows[i / 2].too_many;
		f->corrected = rows[i / 2].corrected;
		write_wrong(test, 9, N3T_CODE_OP_SPEC, operations_off(rows[i / 2].operations));
		KUNIT_EXPECT_FALSE(test, n3t_slots_other_fits(&f->judge.marks.slots));
		write_wrong(test, 1, N3T_CODE_OP_SPEC, operations_off(rows[i / 2].operations));
		KUNIT_EXPECT_EQ_MSG(test, n3t_slots_identity(&f->judge.marks.slots),
				    rows[i / 2].identity, "row %u", i / 2);
		KUNIT_EXPECT_EQ_MSG(test, n3t_slots_other_fits(&f->judge.marks.slots),
				    rows[i / 2].other_fits, "row %u", i / 2);
		KUNIT_EXPECT_EQ_MSG(test, f->judge.marks.slots.largest, rows[i / 2].error,
				    "row %u", i / 2);
		KUNIT_EXPECT_EQ_MSG(test, f->judge.marks.slots.other, rows[i / 2].other,
				    "row %u", i / 2);
	}
}

/* An overcount of CPU_CYCLES is 1 / slots of all slots; half of that is the limit. */
static void the_limit_is_half_a_cycle(struct kunit *test)
{
	static const struct {
		unsigned int slots;
		u32 error;
		bool off;
	} rows[] = {
		{ 5, 100000, false }, { 5, 100001, true }, { 5, 200000, true },
		{ 8, 62500, false }, { 8, 62501, true }, { 8, 125000, true },
		{ 10, 50000, false }, { 10, 50001, true }, { 10, 100000, true },
	};
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct n3t_slots_check slots = {};

		for (k = 0; k < 10; k++)
			KUNIT_EXPECT_EQ_MSG(test, n3t_slots_compare(&slots, rows[i].error, 0,
								    rows[i].slots),
					    rows[i].off, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, n3t_slots_identity(&slots),
				    rows[i].off ? N3T_SLOTS_VIOLATED : N3T_SLOTS_HELD, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, n3t_slots_are_off(&slots), rows[i].off, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, n3t_slots_other_fits(&slots), rows[i].off, "row %u", i);
	}
}

/* Of the first ten; later ones do not matter. */
static void the_other_choice_has_to_fit_in_ten_windows(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);

	write_windows(test, 1);
	f->too_many = CYCLES;
	write_windows(test, 20);
	KUNIT_EXPECT_FALSE(test, n3t_slots_other_fits(&f->judge.marks.slots));
	n3t_judge_reset(&f->judge);
	write_windows(test, 10);
	f->too_many = 0;
	write_windows(test, 20);
	KUNIT_EXPECT_TRUE(test, n3t_slots_other_fits(&f->judge.marks.slots));
	n3t_judge_reset(&f->judge);
	KUNIT_EXPECT_FALSE(test, n3t_slots_other_fits(&f->judge.marks.slots));
}

static struct kunit_case judge_cases[] = {
	KUNIT_CASE(two_bad_windows_in_a_row_withdraw),
	KUNIT_CASE(contradictions_withdraw),
	KUNIT_CASE(every_slice_is_judged_once),
	KUNIT_CASE(windows_last_until_all_sets_have_cycles),
	KUNIT_CASE(a_set_without_slices_is_left_out),
	KUNIT_CASE(a_set_without_slices_keeps_its_fault),
	KUNIT_CASE(short_runs_are_judged),
	KUNIT_CASE(a_set_alone_is_not_doubted),
	KUNIT_CASE(metrics_return_after_an_hour),
	KUNIT_CASE(a_reset_keeps_the_number_of_withdrawals),
	KUNIT_CASE(slots_are_compared_with_five_and_six_counters),
	KUNIT_CASE(the_word_follows_from_two_windows),
	KUNIT_CASE(slots_are_not_compared),
	KUNIT_CASE(the_word_ends_without_a_comparison),
	KUNIT_CASE(pretended_slots_are_not_compared),
	KUNIT_CASE(ten_windows_decide),
	KUNIT_CASE(the_other_choice_is_tried),
	KUNIT_CASE(the_limit_is_half_a_cycle),
	KUNIT_CASE(the_other_choice_has_to_fit_in_ten_windows),
	{}
};

static struct kunit_suite judge_suite = {
	.name = "n3_telemetry_judge",
	.init = judge_init,
	.test_cases = judge_cases,
};

kunit_test_suite(judge_suite);
