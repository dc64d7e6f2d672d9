// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: totals, from rings that are filled with known counts. */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/formula.h"
#include "libn3t/plan.h"
#include "libn3t/spec.h"
#include "libn3t/totals.h"

#define MS		1000000ull
#define SLICES		100	/* in a window */
#define CYCLES		1000	/* in each slice */
#define LATE		(0ull - (1ull << 40))	/* 2^64 - 2^40 */

struct fixture {
	struct n3t_plan plan;
	struct n3t_ring ring;
	struct n3t_rotation rotation;
	struct n3t_totals totals;
	struct n3t_times times;
	struct n3t_ring_span span;
	u64 now_ns;
	u64 cycles;	/* in each slice */
	u16 absent;	/* an event that is counted wrongly, or 0 */
	u64 instead;	/* its count */
};

static int totals_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	test->priv = f;
	if (!f)
		return -ENOMEM;
	f->cycles = CYCLES;
	return 0;
}

static void begin_run(struct kunit *test)
{
	struct fixture *f = test->priv;
	void *memory = kunit_kzalloc(test, n3t_ring_bytes(&f->plan, SLICES), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, memory);
	n3t_ring_init(&f->ring, memory, &f->plan, SLICES);
	n3t_rotation_init(&f->rotation, &f->plan, 1);
}

static struct fixture *set_up_groups(struct kunit *test, unsigned int budget,
				     const unsigned long *groups, const unsigned long *distrust)
{
	struct fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, n3t_plan_make(&f->plan, budget, groups, NULL, distrust), 0);
	begin_run(test);
	return f;
}

static struct fixture *set_up(struct kunit *test, unsigned int budget)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);

	bitmap_fill(groups, N3T_NR_GROUPS);
	return set_up_groups(test, budget, groups, NULL);
}

/* A count for each event, other than that of any other event of Topdown_L1. */
static u64 count_of(u16 code)
{
	switch (code) {
	case N3T_CODE_STALL_SLOT_FRONTEND:
		return 700;
	case N3T_CODE_STALL_SLOT_BACKEND:
		return 1900;
	case N3T_CODE_STALL_SLOT:
		return 2600;
	case N3T_CODE_STALL_FRONTEND_FLUSH:
		return 40;
	case N3T_CODE_OP_RETIRED:
		return 2000;
	case N3T_CODE_OP_SPEC:
		return 2300;
	case N3T_CODE_DSB_SPEC:
		return 3;
	default:
		return 50;
	}
}

static void write_slice(struct fixture *f, enum n3t_slice_state state, u64 time_ns)
{
	struct n3t_slice *slice = n3t_ring_begin(&f->ring);
	unsigned int set = n3t_rotation_next(&f->rotation, &f->plan), i;
	u16 code;

	f->now_ns += time_ns;
	slice->end_ns = f->now_ns;
	slice->time_ns = time_ns;
	slice->set = set;
	slice->state = state;
	slice->cycles = f->cycles;
	for (i = 0; i < f->plan.set[set].nr; i++) {
		code = f->plan.set[set].code[i];
		slice->count[i] = code == f->absent ? f->instead : count_of(code);
	}
	n3t_ring_commit(&f->ring);
}

static void write_rotations(struct fixture *f, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr * n3t_plan_rotation(&f->plan); i++)
		write_slice(f, N3T_SLICE_KEPT, 4 * MS);
}

/* Whole rotations of the run, added to the totals. */
static void count_rotations(struct fixture *f, unsigned int nr)
{
	write_rotations(f, nr);
	n3t_totals_add(&f->totals, &f->plan, &f->ring);
}

static u64 part(const struct fixture *f, enum n3t_metric metric, enum n3t_part part)
{
	return f->totals.part[metric][part];
}

/* Of a file in counters/, with as many digits as 2^64 * 4096 has. */
static size_t size_of_group(enum n3t_group group)
{
	const struct n3t_group_info *info = &n3t_groups[group];
	unsigned int i, part;
	size_t size = 0;

	for (i = 0; i < info->nr_members; i++)
		for (part = 0; part < N3T_NR_PARTS; part++)
			if (n3t_metric_formula(info->members[i])->part[part])
				size += strlen(n3t_metrics[info->members[i]].name) +
					strlen("_denominator_total 75557863725914323419136\n");
	return size;
}

static void files_are_smaller_than_a_page(struct kunit *test)
{
	unsigned int group;

	for (group = 0; group < N3T_NR_GROUPS; group++)
		KUNIT_EXPECT_LT_MSG(test, size_of_group(group), 4096, "%s",
				    n3t_groups[group].name);
}

/* In whole rotations every set stands for all slices, whatever its turns. */
static void each_set_stands_for_all_slices(struct kunit *test)
{
	static const unsigned int budgets[] = { 2, 4, 5, 6, 20, N3T_MAX_COUNTERS };
	struct fixture *f;
	unsigned int i;
	u64 slices;

	for (i = 0; i < ARRAY_SIZE(budgets); i++) {
		f = set_up(test, budgets[i]);
		memset(&f->totals, 0, sizeof(f->totals));
		write_rotations(f, 3);
		slices = 3 * n3t_plan_rotation(&f->plan);
		n3t_totals_add(&f->totals, &f->plan, &f->ring);

		KUNIT_EXPECT_EQ(test, part(f, N3T_METRIC_ipc, N3T_DENOMINATOR), slices * CYCLES);
		KUNIT_EXPECT_EQ(test, part(f, N3T_METRIC_ipc, N3T_NUMERATOR), slices * 50);
		KUNIT_EXPECT_EQ(test, part(f, N3T_METRIC_sve_fp_ops_per_cycle, N3T_DENOMINATOR),
				slices * CYCLES);
		/* with 4 counters Topdown_L1 is split */
		KUNIT_EXPECT_EQ(test, f->totals.slots[N3T_SLOTS],
				budgets[i] > 4 ? 5 * slices * CYCLES : 0);
		KUNIT_EXPECT_EQ(test, f->totals.has_slots & 1u << N3T_SLOTS,
				budgets[i] > 4 ? 1u << N3T_SLOTS : 0);
	}
}

/* Plans of one group and of all groups give the same totals for the same time. */
static void one_group_has_the_same_totals(struct kunit *test)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	struct fixture *f;

	bitmap_zero(groups, N3T_NR_GROUPS);
	__set_bit(N3T_GROUP_Topdown_L1, groups);
	f = set_up_groups(test, 6, groups, NULL);
	KUNIT_EXPECT_EQ(test, n3t_plan_rotation(&f->plan), 1u);
	KUNIT_EXPECT_EQ(test, n3t_set_weight(&f->plan, f->plan.l1_set), 1ull);
	count_rotations(f, 20);
	KUNIT_EXPECT_EQ(test, f->totals.slots[N3T_SLOTS], 5ull * 20 * CYCLES);
	KUNIT_EXPECT_EQ(test, f->totals.slots[N3T_SLOTS_RETIRED], 20 * 2000ull);
	KUNIT_EXPECT_FALSE(test, test_bit(N3T_METRIC_ipc * N3T_NR_PARTS, f->totals.has_part));
}

/* Slices of a rotation divide the number of slices for any plan of one group. */
static u64 count_mispredictions(struct kunit *test, unsigned int budget,
				const unsigned long *groups, u64 count, u64 slices)
{
	struct fixture *f = set_up_groups(test, budget, groups, NULL);

	f->absent = N3T_CODE_BR_MIS_PRED_RETIRED;
	f->instead = count;
	slices = slices ?: 60 * n3t_plan_rotation(&f->plan);
	count_rotations(f, slices / n3t_plan_rotation(&f->plan));
	return slices;
}

/*
 * A machine that counts all groups and 20 %, and one that counts one group and 60 % for the same
 * time, have 40 % together.
 */
static void totals_of_machines_add_up(struct kunit *test)
{
	static const unsigned int budgets[] = { 5, 6, 20 };
	const enum n3t_metric metric = N3T_METRIC_branch_misprediction_ratio;
	DECLARE_BITMAP(one, N3T_NR_GROUPS);
	DECLARE_BITMAP(all, N3T_NR_GROUPS);
	struct fixture *f = test->priv;
	unsigned int i, k;
	u64 slices;

	bitmap_fill(all, N3T_NR_GROUPS);
	bitmap_zero(one, N3T_NR_GROUPS);
	__set_bit(N3T_GROUP_Branch_Effectiveness, one);
	for (i = 0; i < ARRAY_SIZE(budgets); i++) {
		for (k = 0; k < ARRAY_SIZE(budgets); k++) {
			memset(&f->totals, 0, sizeof(f->totals));
			slices = count_mispredictions(test, budgets[i], all, 10, 0);
			count_mispredictions(test, budgets[k], one, 30, slices);
			KUNIT_EXPECT_EQ(test, part(f, metric, N3T_DENOMINATOR), slices * 100);
			KUNIT_EXPECT_EQ(test, part(f, metric, N3T_NUMERATOR), slices * 40);
		}
	}
}

static void expect_slots(struct kunit *test, u64 slices)
{
	struct fixture *f = test->priv;
	const u64 *slots = f->totals.slots;

	KUNIT_EXPECT_EQ(test, slots[N3T_SLOTS], slices * 5000);
	KUNIT_EXPECT_EQ(test, slots[N3T_SLOTS_STALL], slices * 2600);
	KUNIT_EXPECT_EQ(test, slots[N3T_SLOTS_FRONTEND_STALL], slices * 700);
	KUNIT_EXPECT_EQ(test, slots[N3T_SLOTS_BACKEND_STALL], slices * 1900);
	KUNIT_EXPECT_EQ(test, slots[N3T_SLOTS_FRONTEND_FLUSH], slices * 200);
	KUNIT_EXPECT_EQ(test, slots[N3T_SLOTS_RETIRED], slices * 2000);
	KUNIT_EXPECT_EQ(test, slots[N3T_SLOTS_SPECULATED], slices * 2300);
}

/* With 5 counters STALL_SLOT is not counted; its total is the sum of both parts. */
static void slots_with_and_without_stall_slot(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	u64 slices = 2 * n3t_plan_rotation(&f->plan);

	count_rotations(f, 2);
	KUNIT_EXPECT_FALSE(test, f->plan.derives_stall_slot);
	expect_slots(test, slices);

	f = set_up(test, 5);
	KUNIT_EXPECT_TRUE(test, f->plan.derives_stall_slot);
	slices += n3t_plan_rotation(&f->plan);
	count_rotations(f, 1);
	expect_slots(test, slices);
}

/* Events that are distrusted have no total, and others are not affected. */
static void distrusted_events_have_no_totals(struct kunit *test)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	DECLARE_BITMAP(distrust, N3T_NR_EVENTS);
	struct fixture *f;

	bitmap_fill(groups, N3T_NR_GROUPS);
	bitmap_zero(distrust, N3T_NR_EVENTS);
	__set_bit(N3T_EVENT_CPU_CYCLES, distrust);
	f = set_up_groups(test, 6, groups, distrust);
	count_rotations(f, 1);
	n3t_times_change(&f->times, NULL, NULL, N3T_TIME_SAMPLED, 0);
	n3t_times_change(&f->times, &f->plan, &f->ring, N3T_TIME_OFF, f->now_ns);
	KUNIT_EXPECT_FALSE(test, f->totals.has_slots & 1u << N3T_SLOTS);
	KUNIT_EXPECT_FALSE(test, test_bit(N3T_METRIC_ipc * N3T_NR_PARTS, f->totals.has_part));
	KUNIT_EXPECT_TRUE(test, test_bit(N3T_METRIC_branch_mpki * N3T_NR_PARTS,
					 f->totals.has_part));
	KUNIT_EXPECT_FALSE(test, f->times.has_cycles);
	KUNIT_EXPECT_EQ(test, f->times.ns[N3T_TIME_SAMPLED], f->now_ns);
}

/* An event that is distrusted adds to no total, and the others are of the same slices. */
static void incomplete_sets_add_their_slots(struct kunit *test)
{
	static const enum n3t_event events[N3T_NR_SLOTS] = {
		[N3T_SLOTS_BACKEND_STALL] = N3T_EVENT_STALL_SLOT_BACKEND,
		[N3T_SLOTS_FRONTEND_FLUSH] = N3T_EVENT_STALL_FRONTEND_FLUSH,
		[N3T_SLOTS_SPECULATED] = N3T_EVENT_OP_SPEC,
	};
	static const u64 per_slice[N3T_NR_SLOTS] = { 5000, 2600, 700, 1900, 200, 2000, 2300 };
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	DECLARE_BITMAP(distrust, N3T_NR_EVENTS);
	unsigned int absent, i;
	struct fixture *f;
	u64 slots;

	bitmap_fill(groups, N3T_NR_GROUPS);
	for (absent = N3T_SLOTS_STALL; absent < N3T_NR_SLOTS; absent++) {
		if (!events[absent])
			continue;
		bitmap_zero(distrust, N3T_NR_EVENTS);
		__set_bit(events[absent], distrust);
		f = set_up_groups(test, 6, groups, distrust);
		memset(&f->totals, 0, sizeof(f->totals));
		count_rotations(f, 1);
		KUNIT_EXPECT_TRUE(test, f->totals.has_slots & 1u << N3T_SLOTS);
		KUNIT_EXPECT_FALSE(test, f->totals.has_slots & 1u << absent);
		for (i = 0; i < N3T_NR_SLOTS; i++) {
			slots = f->totals.has_slots & 1u << i ?
				n3t_plan_rotation(&f->plan) * per_slice[i] : 0;
			KUNIT_EXPECT_EQ_MSG(test, f->totals.slots[i], slots, "%u without %u", i,
					    absent);
		}
	}
}

/* DP_SPEC - DSB_SPEC may decrease: both have a total. */
static void differences_have_two_totals(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	u64 slices = n3t_plan_rotation(&f->plan);

	count_rotations(f, 1);
	KUNIT_EXPECT_EQ(test, part(f, N3T_METRIC_integer_dp_percentage, N3T_NUMERATOR),
			slices * 50);
	KUNIT_EXPECT_EQ(test, part(f, N3T_METRIC_integer_dp_percentage, N3T_SUBTRAHEND),
			slices * 3);
	/* ISB_SPEC + DSB_SPEC + DMB_SPEC */
	KUNIT_EXPECT_EQ(test, part(f, N3T_METRIC_barrier_percentage, N3T_NUMERATOR),
			slices * 103);
}

/* A run that has ended and the same run while it is sampled give the same totals. */
static void runs_add_the_same_when_read(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	u64 slots[N3T_NR_SLOTS] = {}, parts[N3T_NR_PARTS] = {};
	const struct n3t_formula *formula;
	unsigned int metric, i, has;

	count_rotations(f, 1);
	KUNIT_EXPECT_EQ(test, n3t_totals_add_slots(slots, &f->plan, &f->ring),
			(1u << N3T_NR_SLOTS) - 1);
	for (i = 0; i < N3T_NR_SLOTS; i++)
		KUNIT_EXPECT_EQ(test, slots[i], f->totals.slots[i]);
	for (metric = 0; metric < N3T_NR_METRICS; metric++) {
		memset(parts, 0, sizeof(parts));
		has = n3t_totals_add_metric(parts, metric, &f->plan, &f->ring);
		formula = n3t_metric_formula(metric);
		for (i = 0; i < N3T_NR_PARTS; i++) {
			KUNIT_EXPECT_EQ(test, has >> i & 1,
					n3t_formula_has_parts(formula) && formula->part[i]);
			KUNIT_EXPECT_EQ(test, parts[i], f->totals.part[metric][i]);
		}
	}
}

/* Totals and sums of a ring that begin just before 2^64, and wrap: differences are exact. */
static void wrapped_totals_are_exact(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	u64 slices = n3t_plan_rotation(&f->plan), parts[N3T_NR_PARTS] = { LATE, LATE };
	unsigned int i;

	for (i = 0; i < N3T_NR_SLOTS; i++)
		f->totals.slots[i] = LATE;
	for (i = 0; i < N3T_NR_METRICS; i++)
		memcpy(f->totals.part[i], parts, sizeof(parts));
	f->times.cycles = LATE;
	f->cycles = 1ull << 40;
	f->absent = N3T_CODE_INST_RETIRED;
	f->instead = LATE;
	write_rotations(f, 1);
	n3t_totals_add_metric(parts, N3T_METRIC_ipc, &f->plan, &f->ring);
	KUNIT_EXPECT_EQ(test, parts[N3T_NUMERATOR], LATE + slices * LATE);
	f->instead = (1ull << 40) + 50;
	count_rotations(f, 1);
	n3t_times_change(&f->times, &f->plan, &f->ring, N3T_TIME_OFF, f->now_ns);

	KUNIT_EXPECT_EQ(test, f->totals.slots[N3T_SLOTS] - LATE, 2 * slices * 5 << 40);
	KUNIT_EXPECT_EQ(test, f->totals.slots[N3T_SLOTS_RETIRED] - LATE, 2 * slices * 2000);
	KUNIT_EXPECT_EQ(test, part(f, N3T_METRIC_ipc, N3T_DENOMINATOR) - LATE, 2 * slices << 40);
	KUNIT_EXPECT_EQ(test, part(f, N3T_METRIC_ipc, N3T_NUMERATOR) - parts[N3T_NUMERATOR],
			slices * ((1ull << 40) + 50));
	KUNIT_EXPECT_EQ(test, part(f, N3T_METRIC_branch_misprediction_ratio, N3T_NUMERATOR) - LATE,
			2 * slices * 50);
	KUNIT_EXPECT_EQ(test, f->times.cycles - LATE, 2 * slices << 40);
}

/* 512 CPUs together exceed 64 bits. */
static void sums_of_cpus_do_not_wrap(struct kunit *test)
{
	char text[N3T_RATIO_SIZE];
	struct n3t_wide sum;
	unsigned int i;

	wide_set(&sum, 0);
	for (i = 0; i < 512; i++)
		n3t_total_add(&sum, LATE + i);
	n3t_total_print(text, sizeof(text), &sum);
	/* 512 * (2^64 - 2^40) + 511 * 512 / 2 */
	KUNIT_EXPECT_STREQ(test, text, "9444732402789337136896");
	wide_set(&sum, 0);
	n3t_total_print(text, sizeof(text), &sum);
	KUNIT_EXPECT_STREQ(test, text, "0");
}

static void expect_times(struct kunit *test, u64 sampled, u64 dropped, u64 yielded, u64 off)
{
	const struct n3t_times *times = &((struct fixture *)test->priv)->times;

	KUNIT_EXPECT_EQ(test, times->ns[N3T_TIME_SAMPLED], sampled * MS);
	KUNIT_EXPECT_EQ(test, times->ns[N3T_TIME_DROPPED], dropped * MS);
	KUNIT_EXPECT_EQ(test, times->ns[N3T_TIME_YIELDED], yielded * MS);
	KUNIT_EXPECT_EQ(test, times->ns[N3T_TIME_OFF], off * MS);
}

/* Times add up to the time since the start, less the slice in progress. */
static void times_add_up(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	struct n3t_times before;

	f->times.use = N3T_TIME_OFF;
	f->times.since_ns = 100 * MS;
	n3t_times_change(&f->times, NULL, NULL, N3T_TIME_YIELDED, 130 * MS);
	expect_times(test, 0, 0, 0, 30);
	n3t_times_change(&f->times, NULL, NULL, N3T_TIME_SAMPLED, 150 * MS);
	expect_times(test, 0, 0, 20, 30);

	/* The first slice starts 2 ms after the run. */
	f->now_ns = 152 * MS;
	before = f->times;
	n3t_times_until(&f->times, &f->plan, &f->ring, 155 * MS);
	expect_times(test, 0, 0, 20, 30);
	f->times = before;
	write_slice(f, N3T_SLICE_KEPT, 4 * MS);
	write_slice(f, N3T_SLICE_CUT, 5 * MS);
	write_slice(f, N3T_SLICE_KEPT, 6 * MS);
	write_slice(f, N3T_SLICE_MISSING, 7 * MS);
	n3t_times_until(&f->times, &f->plan, &f->ring, 999 * MS);
	expect_times(test, 10, 14, 20, 30);
	KUNIT_EXPECT_EQ(test, f->times.cycles, 2ull * CYCLES);

	/* The slice in progress is dropped when the run ends. */
	f->times = before;
	n3t_times_change(&f->times, &f->plan, &f->ring, N3T_TIME_OFF, 177 * MS);
	expect_times(test, 10, 17, 20, 30);
	KUNIT_EXPECT_EQ(test, f->times.cycles, 2ull * CYCLES);
	KUNIT_EXPECT_TRUE(test, f->times.has_cycles);
	n3t_times_until(&f->times, NULL, NULL, 200 * MS);
	expect_times(test, 10, 17, 20, 53);
}

/* A clock that lags behind the last slice adds nothing, and takes nothing. */
static void a_lagging_clock_is_ignored(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);

	f->times.use = N3T_TIME_SAMPLED;
	write_slice(f, N3T_SLICE_KEPT, 8 * MS);
	n3t_times_change(&f->times, &f->plan, &f->ring, N3T_TIME_OFF, 7 * MS);
	expect_times(test, 8, 0, 0, 0);
	n3t_times_until(&f->times, NULL, NULL, 7 * MS);
	expect_times(test, 8, 0, 0, 0);
	n3t_times_change(&f->times, NULL, NULL, N3T_TIME_YIELDED, 6 * MS);
	n3t_times_until(&f->times, NULL, NULL, 9 * MS);
	expect_times(test, 8, 0, 1, 0);
}

static void spans_include_all_sets(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	unsigned int i;

	n3t_ring_span(&f->ring, &f->span);
	KUNIT_EXPECT_EQ(test, f->span.end_ns, 0ull);
	KUNIT_EXPECT_EQ(test, f->span.time_ns, 0ull);
	/* Every set has wrapped; each third slice is dropped. */
	for (i = 0; i < 9000; i++)
		write_slice(f, i % 3 ? N3T_SLICE_KEPT : N3T_SLICE_CUT, MS);
	n3t_ring_span(&f->ring, &f->span);
	KUNIT_EXPECT_EQ(test, f->span.end_ns, 9000 * MS);
	KUNIT_EXPECT_EQ(test, f->span.time_ns, 6000 * MS);
	KUNIT_EXPECT_EQ(test, f->span.cycles, 6000ull * CYCLES);
}

/* Misses over no reads have no totals; the first read brings all of them. */
static void misses_without_reads_have_no_totals(struct kunit *test)
{
	const unsigned int mpki = N3T_METRIC_ll_cache_read_mpki;
	struct fixture *f = set_up(test, 6);
	u64 parts[N3T_NR_PARTS] = { 0 };

	f->absent = N3T_CODE_LL_CACHE_RD;
	write_rotations(f, 1);
	KUNIT_EXPECT_EQ(test, 0, n3t_totals_add_metric(parts, mpki, &f->plan, &f->ring));
	KUNIT_EXPECT_EQ(test, 0, parts[N3T_NUMERATOR]);
	KUNIT_EXPECT_NE(test, 0, n3t_totals_add_metric(parts, N3T_METRIC_l2_cache_mpki, &f->plan,
						       &f->ring));
	f->absent = 0;
	parts[N3T_NUMERATOR] = 0;
	write_rotations(f, 1);
	KUNIT_EXPECT_NE(test, 0, n3t_totals_add_metric(parts, mpki, &f->plan, &f->ring));
	/* 50 in each slice, of which the set has one in a rotation */
	KUNIT_EXPECT_EQ(test, 2 * 50 * n3t_plan_rotation(&f->plan), parts[N3T_NUMERATOR]);
}

static struct kunit_case totals_cases[] = {
	KUNIT_CASE(files_are_smaller_than_a_page),
	KUNIT_CASE(each_set_stands_for_all_slices),
	KUNIT_CASE(one_group_has_the_same_totals),
	KUNIT_CASE(totals_of_machines_add_up),
	KUNIT_CASE(slots_with_and_without_stall_slot),
	KUNIT_CASE(distrusted_events_have_no_totals),
	KUNIT_CASE(incomplete_sets_add_their_slots),
	KUNIT_CASE(differences_have_two_totals),
	KUNIT_CASE(runs_add_the_same_when_read),
	KUNIT_CASE(misses_without_reads_have_no_totals),
	KUNIT_CASE(wrapped_totals_are_exact),
	KUNIT_CASE(sums_of_cpus_do_not_wrap),
	KUNIT_CASE(times_add_up),
	KUNIT_CASE(a_lagging_clock_is_ignored),
	KUNIT_CASE(spans_include_all_sets),
	{}
};

static struct kunit_suite totals_suite = {
	.name = "n3_telemetry_totals",
	.init = totals_init,
	.test_cases = totals_cases,
};

kunit_test_suite(totals_suite);
