// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * KUnit: totals of the anchors in a window. Expected values are plain sums over a log of all
 * slices; a window that starts between two checkpoints gets a share in proportion to
 * the time.
 */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/spec.h"
#include "libn3t/anchors.h"

#define MS		1000000ull
#define LOG_SLICES	4000	/* following the initial entry */
#define GUARD		0x5ca1ab1e0ddba11ull
#define NR_ANCHORS	2

/*
 * Totals up to the end of a kept slice: for each anchor the length of the slices whose set
 * has it, and its count.
 */
struct logged {
	u64 end_ns;
	u64 time_ns[NR_ANCHORS];
	u64 count[NR_ANCHORS];
};

struct fixture {
	struct n3t_plan plan;
	struct n3t_anchor_totals totals;
	struct n3t_anchor_sums sums;
	struct n3t_slice slice;
	struct logged *log;
	unsigned int nr_logged;
	u64 now;
	u64 *guard;
	u32 random;
};

static const struct n3t_anchors backend_and_retired = {
	.nr = NR_ANCHORS, .code = { N3T_CODE_STALL_SLOT_BACKEND, N3T_CODE_INST_RETIRED },
};

static int anchors_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	test->priv = f;
	if (!f)
		return -ENOMEM;
	f->log = kunit_kzalloc(test, (LOG_SLICES + 1) * sizeof(*f->log), GFP_KERNEL);
	return f->log ? 0 : -ENOMEM;
}

/* Start over; Topdown_L1 has no room for the second anchor. */
static void make(struct kunit *test, unsigned int slices, const struct n3t_anchors *anchors)
{
	struct fixture *f = test->priv;
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	size_t bytes;
	void *memory;

	bitmap_fill(groups, N3T_NR_GROUPS);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(&f->plan, 6, groups, anchors, NULL), 0);
	bytes = n3t_anchors_bytes(&f->plan, slices);
	memory = kunit_kzalloc(test, bytes + sizeof(u64), GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, memory);
	memset(memory, 0xa5, bytes);
	f->guard = memory + bytes;
	*f->guard = GUARD;
	n3t_anchors_init(&f->totals, memory, &f->plan, slices);
	f->nr_logged = 0;
	f->now = 1000 * MS;
	f->random = slices;
}

/* @counts: counts of the set's anchors; all other events get unrelated counts. */
static void add_slice(struct fixture *f, unsigned int set, u64 time_ns, const u64 *counts)
{
	struct logged *logged = &f->log[f->nr_logged];
	struct n3t_slice *slice = &f->slice;
	unsigned int i, k;

	if (!f->nr_logged)
		*logged = (struct logged){ .end_ns = f->now };
	f->nr_logged++;
	logged[1] = logged[0];
	logged++;
	f->now += time_ns;
	memset(slice, 0, sizeof(*slice));
	slice->set = set;
	slice->state = N3T_SLICE_KEPT;
	slice->end_ns = f->now;
	slice->time_ns = time_ns;
	slice->cycles = 12345;
	logged->end_ns = f->now;
	for (k = 0; k < f->plan.set[set].nr; k++) {
		slice->count[k] = 987654321 + k;
		for (i = 0; i < NR_ANCHORS; i++) {
			if (f->plan.set[set].code[k] != backend_and_retired.code[i])
				continue;
			slice->count[k] = counts[i];
			logged->time_ns[i] += time_ns;
			logged->count[i] += counts[i];
		}
	}
	n3t_anchors_add(&f->totals, slice);
}

static u32 next_random(struct fixture *f)
{
	f->random = f->random * 1103515245u + 12345u;
	return f->random >> 8;
}

static void add_random(struct fixture *f)
{
	u64 time_ns = 4 * MS + next_random(f) % (2 * MS);
	u64 counts[NR_ANCHORS] = { next_random(f) % 20 * MS, 8 * MS + next_random(f) };
	unsigned int set = next_random(f) % 2 ? 0 : next_random(f) % f->plan.nr_sets;

	add_slice(f, set, time_ns, counts);
}

/* Nanoseconds, or counts, in the first @nr slices of the log. */
static u64 logged_until(const struct fixture *f, unsigned int nr, unsigned int anchor, bool count)
{
	return count ? f->log[nr].count[anchor] : f->log[nr].time_ns[anchor];
}

/* The same since @since_ns, with a checkpoint every @between slices. */
static u64 logged_since(const struct fixture *f, u64 since_ns, unsigned int between,
			unsigned int anchor, bool count)
{
	u64 all = logged_until(f, f->nr_logged, anchor, count), before, part, length_ns;
	unsigned int from = f->nr_logged - f->nr_logged % between, to;

	if (since_ns <= f->log[0].end_ns)
		return all;
	if (since_ns >= f->log[f->nr_logged].end_ns)
		return 0;
	while (f->log[from].end_ns > since_ns)
		from -= between;
	to = min(from + between, f->nr_logged);
	before = logged_until(f, from, anchor, count);
	part = logged_until(f, to, anchor, count) - before;
	length_ns = f->log[to].end_ns - f->log[from].end_ns;
	part = div64_u64(part * (since_ns - f->log[from].end_ns), length_ns);
	return all - before - part;
}

static void expect_since(struct kunit *test, u64 since_ns)
{
	struct fixture *f = test->priv;
	unsigned int i, between;
	u64 time_ns, count;

	n3t_anchors_sums(&f->totals, since_ns, &f->sums);
	between = f->totals.between;
	for (i = 0; i < NR_ANCHORS; i++) {
		time_ns = logged_since(f, since_ns, between, i, false);
		count = logged_since(f, since_ns, between, i, true);
		KUNIT_EXPECT_EQ_MSG(test, f->sums.time_ns[i], time_ns, "anchor %u, %u slices", i,
				    f->nr_logged);
		KUNIT_EXPECT_EQ_MSG(test, f->sums.count[i], time_ns ? count : 0,
				    "anchor %u, %u slices", i, f->nr_logged);
	}
}

/* Lengths for which a window has at least a hundred checkpoints, or one for each slice. */
static const unsigned int window_slices[] = { 1, 2, 100, 128, 129, 500, 999 };

static void a_window_has_the_counts_of_its_slices(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i, back;
	u64 since_ns;

	for (i = 0; i < ARRAY_SIZE(window_slices); i++) {
		make(test, window_slices[i], &backend_and_retired);
		while (f->nr_logged < LOG_SLICES) {
			add_random(f);
			if (next_random(f) % 16)
				continue;
			/* any length up to the longest, with any part of its first slice */
			back = 1 + next_random(f) % min(window_slices[i], f->nr_logged);
			since_ns = f->log[f->nr_logged - back].end_ns;
			expect_since(test, since_ns + next_random(f) % (2 * MS));
			expect_since(test, since_ns);
		}
		KUNIT_EXPECT_EQ(test, *f->guard, GUARD);
	}
}

static void a_window_has_a_hundred_checkpoints(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int slices;

	for (slices = 1; slices < 20000; slices += 1 + slices / 7) {
		make(test, slices, &backend_and_retired);
		n3t_anchors_sums(&f->totals, 0, &f->sums);
		KUNIT_EXPECT_GE(test, f->totals.between, 1u);
		if (f->totals.between > 1)
			KUNIT_EXPECT_LT_MSG(test, (f->totals.between - 1) * 100, slices,
					    "%u slices", slices);
		/* about 100 checkpoints, not one for each slice of a minute */
		KUNIT_EXPECT_LT_MSG(test, n3t_anchors_bytes(&f->plan, slices), (size_t)10000,
				    "%u slices", slices);
	}
}

static void longer_windows_are_cut_to_what_is_kept(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct logged *last, *first;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(window_slices); i++) {
		make(test, window_slices[i], &backend_and_retired);
		while (f->nr_logged < LOG_SLICES)
			add_random(f);
		n3t_anchors_sums(&f->totals, f->log[0].end_ns, &f->sums);
		/* every set has the first anchor, so its time gives the start */
		last = &f->log[LOG_SLICES];
		for (first = last; first > f->log; first--)
			if (last->time_ns[0] - first->time_ns[0] >= f->sums.time_ns[0])
				break;
		KUNIT_EXPECT_EQ(test, f->sums.time_ns[0], last->time_ns[0] - first->time_ns[0]);
		KUNIT_EXPECT_EQ(test, f->sums.time_ns[1], last->time_ns[1] - first->time_ns[1]);
		KUNIT_EXPECT_GE(test, last - first, (long)window_slices[i]);
		KUNIT_EXPECT_EQ(test, f->sums.count[0], last->count[0] - first->count[0]);
		KUNIT_EXPECT_EQ(test, f->sums.count[1], last->count[1] - first->count[1]);
	}
}

static void expect_nothing(struct kunit *test, u64 since_ns)
{
	struct fixture *f = test->priv;
	unsigned int i;

	memset(&f->sums, 0xa5, sizeof(f->sums));
	n3t_anchors_sums(&f->totals, since_ns, &f->sums);
	for (i = 0; i < N3T_MAX_ANCHORS; i++) {
		KUNIT_EXPECT_EQ(test, f->sums.time_ns[i], 0ull);
		KUNIT_EXPECT_EQ(test, f->sums.count[i], 0ull);
	}
}

static void a_window_without_slices_is_empty(struct kunit *test)
{
	static const u64 counts[] = { MS, MS };
	struct fixture *f = test->priv;
	unsigned int i;

	make(test, 100, &backend_and_retired);
	expect_nothing(test, 0);
	expect_nothing(test, f->now);
	expect_nothing(test, U64_MAX);
	for (i = 0; i < 300; i++) {
		add_slice(f, 1, 4 * MS, counts);
		expect_nothing(test, f->now);
		expect_nothing(test, f->now + 1);
		expect_nothing(test, U64_MAX);
	}
}

/* Neither counts nor time of a dropped slice are included. */
static void dropped_slices_are_ignored(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;
	u64 since_ns;

	make(test, 100, &backend_and_retired);
	for (i = 0; i < 1000; i++) {
		add_random(f);
		f->slice.state = 1 + i % (N3T_NR_SLICE_STATES - 1);
		f->now += 5 * MS;
		f->slice.end_ns = f->now;
		n3t_anchors_add(&f->totals, &f->slice);
		since_ns = f->log[f->nr_logged - 1 - i % min(f->nr_logged, 90u)].end_ns;
		expect_since(test, since_ns);
		expect_since(test, since_ns + MS);
	}
}

/* The second anchor was never counted, or not in this window. */
static void sets_without_an_anchor_are_ignored(struct kunit *test)
{
	static const u64 counts[] = { 5 * MS, 9 * MS };
	struct fixture *f = test->priv;
	unsigned int i;

	make(test, 100, &backend_and_retired);
	KUNIT_ASSERT_EQ(test, f->plan.l1_set, 0);
	for (i = 0; i < 20; i++)
		add_slice(f, 0, 4 * MS, counts);
	n3t_anchors_sums(&f->totals, f->now - 40 * MS, &f->sums);
	KUNIT_EXPECT_EQ(test, f->sums.time_ns[0], 40 * MS);
	KUNIT_EXPECT_EQ(test, f->sums.time_ns[1], 0ull);
	KUNIT_EXPECT_EQ(test, f->sums.count[1], 0ull);

	add_slice(f, 1, 4 * MS, counts);
	add_slice(f, 0, 4 * MS, counts);
	n3t_anchors_sums(&f->totals, f->now - 40 * MS, &f->sums);
	KUNIT_EXPECT_EQ(test, f->sums.time_ns[0], 40 * MS);
	KUNIT_EXPECT_EQ(test, f->sums.time_ns[1], 4 * MS);
	KUNIT_EXPECT_EQ(test, f->sums.count[1], 9 * MS);
	for (i = 0; i < 30; i++)
		add_slice(f, 0, 4 * MS, counts);
	n3t_anchors_sums(&f->totals, f->now - 40 * MS, &f->sums);
	KUNIT_EXPECT_EQ(test, f->sums.time_ns[1], 0ull);
}

/* Three slices have less than 2^64 counts, all of them together more. */
static void totals_may_wrap(struct kunit *test)
{
	static const u64 counts[] = { 3ull << 60, 1ull << 62 };
	struct fixture *f = test->priv;
	unsigned int i;

	make(test, 10, &backend_and_retired);
	for (i = 0; i < 100; i++) {
		add_slice(f, 1, 1ull << 22, counts);
		if (i < 3)
			continue;
		n3t_anchors_sums(&f->totals, f->now - (3ull << 22), &f->sums);
		KUNIT_EXPECT_EQ(test, f->sums.time_ns[0], 3ull << 22);
		KUNIT_EXPECT_EQ(test, f->sums.count[0], 3 * counts[0]);
		KUNIT_EXPECT_EQ(test, f->sums.count[1], 3 * counts[1]);
		/* two and a half slices */
		n3t_anchors_sums(&f->totals, f->now - (5ull << 21), &f->sums);
		KUNIT_EXPECT_EQ(test, f->sums.time_ns[1], 5ull << 21);
		KUNIT_EXPECT_EQ(test, f->sums.count[1], 5 * (counts[1] / 2));
	}
}

static void without_anchors_no_totals_are_kept(struct kunit *test)
{
	static const u64 counts[] = { MS, MS };
	struct fixture *f = test->priv;
	unsigned int i;

	make(test, 500, NULL);
	KUNIT_EXPECT_EQ(test, n3t_anchors_bytes(&f->plan, 500), (size_t)0);
	for (i = 0; i < 10; i++)
		add_slice(f, i % f->plan.nr_sets, 4 * MS, counts);
	KUNIT_EXPECT_EQ(test, *f->guard, GUARD);
	expect_nothing(test, 0);
}

static struct kunit_case anchors_cases[] = {
	KUNIT_CASE(a_window_has_the_counts_of_its_slices),
	KUNIT_CASE(a_window_has_a_hundred_checkpoints),
	KUNIT_CASE(longer_windows_are_cut_to_what_is_kept),
	KUNIT_CASE(a_window_without_slices_is_empty),
	KUNIT_CASE(dropped_slices_are_ignored),
	KUNIT_CASE(sets_without_an_anchor_are_ignored),
	KUNIT_CASE(totals_may_wrap),
	KUNIT_CASE(without_anchors_no_totals_are_kept),
	{}
};

static struct kunit_suite anchors_suite = {
	.name = "n3_telemetry_anchors",
	.init = anchors_init,
	.test_cases = anchors_cases,
};

kunit_test_suite(anchors_suite);
