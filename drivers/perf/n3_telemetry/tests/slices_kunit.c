// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: the ring of slices, sums over a window, running totals. */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/overflow.h>
#include <linux/seqlock.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "formula.h"
#include "slices_pattern.h"

#define SLOTS	16

/* A ring with a guard word behind its slots, a plan, room for a window. */
struct fixture {
	unsigned int budget;
	struct n3t_ring ring;
	u64 *guard;
	struct n3t_plan plan;
	struct n3t_slice slice;
	struct n3t_set_sum expected;
	struct n3t_window *window;
};

#define GUARD	0x5ca1ab1e0ddba11ull

static int slices_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	test->priv = f;
	if (!f)
		return -ENOMEM;
	f->window = kunit_kzalloc(test, struct_size(f->window, sum, PATTERN_SETS), GFP_KERNEL);
	return f->window ? 0 : -ENOMEM;
}

static struct fixture *set_up(struct kunit *test, unsigned int budget)
{
	struct fixture *f = test->priv;
	size_t bytes = n3t_ring_bytes(SLOTS, budget);
	void *slots = kunit_kzalloc(test, bytes + sizeof(u64), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, slots);
	f->budget = budget;
	f->guard = slots + bytes;
	*f->guard = GUARD;
	n3t_ring_init(&f->ring, slots, SLOTS, budget);
	pattern_plan(&f->plan, budget);
	return f;
}

static void write_slices(struct fixture *f, unsigned int nr)
{
	while (nr--)
		pattern_write(&f->ring, f->ring.head, f->budget);
}

/* Slices @first to @last can be read and are what was written; no others can. */
static void expect_held(struct kunit *test, u64 first, u64 last)
{
	struct fixture *f = test->priv;
	u64 n;

	for (n = 0; n <= f->ring.head + 2 * SLOTS; n++) {
		bool held = n3t_ring_read(&f->ring, n, &f->slice);

		KUNIT_EXPECT_EQ_MSG(test, held, n >= first && n <= last, "slice %llu of %llu", n,
				    f->ring.head);
		if (held)
			KUNIT_EXPECT_TRUE_MSG(test, pattern_matches(&f->slice, n, f->budget),
					      "slice %llu", n);
	}
	KUNIT_EXPECT_FALSE(test, n3t_ring_read(&f->ring, U64_MAX, &f->slice));
	KUNIT_EXPECT_TRUE(test, n3t_ring_newest(&f->ring, &n, &f->slice));
	KUNIT_EXPECT_EQ(test, n, last);
	KUNIT_EXPECT_TRUE(test, pattern_matches(&f->slice, last, f->budget));
	KUNIT_EXPECT_EQ_MSG(test, *f->guard, GUARD, "written beyond the slots");
}

static void a_new_ring_is_empty(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	u64 index;

	KUNIT_EXPECT_FALSE(test, n3t_ring_read(&f->ring, 0, &f->slice));
	KUNIT_EXPECT_FALSE(test, n3t_ring_read(&f->ring, U64_MAX, &f->slice));
	KUNIT_EXPECT_FALSE(test, n3t_ring_newest(&f->ring, &index, &f->slice));
	n3t_window_sum(f->window, &f->ring, &f->plan, 0);
	KUNIT_EXPECT_EQ(test, f->window->newest_ns, 0ull);
	KUNIT_EXPECT_EQ(test, f->window->cycles, 0ull);
	KUNIT_EXPECT_EQ(test, f->window->nr_sets, PATTERN_SETS + 0u);
}

static void all_slices_are_held_until_the_ring_is_full(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);

	write_slices(f, 1);
	expect_held(test, 0, 0);
	write_slices(f, SLOTS - 2);
	expect_held(test, 0, SLOTS - 2);
}

/* One slot belongs to the writer, in use or not: 15 of 16 are held. */
static void the_newest_slices_are_held_after_wrapping(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);

	write_slices(f, SLOTS);
	expect_held(test, 1, SLOTS - 1);
	write_slices(f, 5 * SLOTS + 3);
	expect_held(test, 5 * SLOTS + 4, 6 * SLOTS + 2);
}

/* [ 16 17 18 |(3)| 4 5 .. 15 ]: the writer is at slot 3 and has overwritten slice 3. */
static void the_slot_being_written_is_not_read(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	struct n3t_slice *slice;

	write_slices(f, SLOTS + 3);
	slice = n3t_ring_begin(&f->ring);
	slice->cycles = U64_MAX;
	expect_held(test, 4, SLOTS + 2);

	pattern_fill(slice, f->ring.head, f->budget);
	n3t_ring_commit(&f->ring);
	expect_held(test, 5, SLOTS + 3);
}

/* A slot that was taken and not committed changes nothing for readers. */
static void a_slice_not_committed_is_not_seen(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);

	write_slices(f, 3);
	KUNIT_EXPECT_PTR_EQ(test, n3t_ring_begin(&f->ring), n3t_ring_begin(&f->ring));
	expect_held(test, 0, 2);
}

static void ring_memory_fits_every_budget(struct kunit *test)
{
	unsigned int budget;

	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		struct fixture *f = set_up(test, budget);

		/* 32 bytes and a word for each counter. */
		KUNIT_EXPECT_EQ(test, n3t_ring_bytes(SLOTS, budget),
				(size_t)SLOTS * (32 + 8 * budget));
		write_slices(f, 2 * SLOTS);
		expect_held(test, SLOTS + 1, 2 * SLOTS - 1);
	}
}

/* The number of a slice never wraps; its slot is found from the low bits alone. */
static void slice_indexes_do_not_wrap_at_32_bits(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	const u64 first = U32_MAX - SLOTS / 2;
	u64 n;

	f->ring.head = first;
	write_slices(f, SLOTS);
	for (n = first - 2; n <= first + SLOTS; n++) {
		bool held = n3t_ring_read(&f->ring, n, &f->slice);

		KUNIT_EXPECT_EQ_MSG(test, held, n > first && n < first + SLOTS, "slice %llu", n);
		if (held)
			KUNIT_EXPECT_TRUE_MSG(test, pattern_matches(&f->slice, n, f->budget),
					      "slice %llu", n);
	}
	KUNIT_EXPECT_FALSE(test, n3t_ring_read(&f->ring, (u32)(first + SLOTS - 1), &f->slice));
	KUNIT_EXPECT_TRUE(test, n3t_ring_newest(&f->ring, &n, &f->slice));
	KUNIT_EXPECT_EQ(test, n, first + SLOTS - 1);
}

static void expect_window(struct kunit *test, u64 since_ns, u64 first)
{
	struct fixture *f = test->priv;
	u64 cycles = 0;
	unsigned int set;

	n3t_window_sum(f->window, &f->ring, &f->plan, since_ns);
	for (set = 0; set < PATTERN_SETS; set++) {
		pattern_window_sum(&f->expected, &f->plan, set, first, f->ring.head - 1);
		cycles += f->expected.cycles;
		KUNIT_EXPECT_EQ_MSG(test, memcmp(&f->window->sum[set], &f->expected,
						 sizeof(f->expected)), 0,
				    "set %u since %llu", set, since_ns);
	}
	KUNIT_EXPECT_EQ(test, f->window->cycles, cycles);
	KUNIT_EXPECT_EQ(test, f->window->newest_ns, f->ring.head * PATTERN_NS);
}

static void slices_that_ended_in_the_window_are_summed(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	unsigned int n;

	write_slices(f, SLOTS - 2);
	for (n = 0; n < SLOTS - 2; n++) {
		u64 end_ns = (n + 1) * PATTERN_NS;

		expect_window(test, end_ns - 1, n);
		expect_window(test, end_ns, n);
		expect_window(test, end_ns + 1, n + 1);
	}
	expect_window(test, 0, 0);
	expect_window(test, U64_MAX, f->ring.head);
}

static void a_window_longer_than_the_ring_sums_what_is_held(struct kunit *test)
{
	struct fixture *f = set_up(test, 20);

	write_slices(f, 3 * SLOTS + 5);
	expect_window(test, 0, 2 * SLOTS + 6);
}

static void windows_are_summed_at_every_budget(struct kunit *test)
{
	unsigned int budget;

	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		struct fixture *f = set_up(test, budget);

		write_slices(f, 2 * SLOTS);
		expect_window(test, 0, SLOTS + 1);
		expect_window(test, (2 * SLOTS - 6) * PATTERN_NS, 2 * SLOTS - 7);
	}
}

/* The writer stopped in the middle of a slice, in the slot of the oldest: neither is held. */
static void a_slice_being_written_is_not_summed(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	struct n3t_slice *slice;

	write_slices(f, SLOTS + 3);
	slice = n3t_ring_begin(&f->ring);
	memset(slice, 0xff, n3t_ring_bytes(1, f->budget));
	expect_window(test, 0, 4);
}

/* After a time without slices old ones are not in the window. */
static void a_window_after_the_newest_slice_is_empty(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	unsigned int set;

	write_slices(f, 3);
	n3t_window_sum(f->window, &f->ring, &f->plan, 3 * PATTERN_NS + 1);
	memset(&f->expected, 0, sizeof(f->expected));
	for (set = 0; set < PATTERN_SETS; set++)
		KUNIT_EXPECT_EQ(test, memcmp(&f->window->sum[set], &f->expected,
					     sizeof(f->expected)), 0);
	KUNIT_EXPECT_EQ(test, f->window->cycles, 0ull);
	KUNIT_EXPECT_EQ(test, f->window->newest_ns, 3ull * PATTERN_NS);
}

static void set_counts_gives_each_event_its_count(struct kunit *test)
{
	struct n3t_counts counts;
	struct n3t_set_sum sum;
	struct n3t_set set;
	unsigned int nr, i;
	u64 count;

	for (i = 0; i < N3T_MAX_COUNTERS; i++) {
		set.code[i] = 0x8000 + 3 * i;
		sum.count[i] = U64_MAX - i;
	}
	sum.cycles = 12345;
	for (nr = 0; nr <= N3T_MAX_COUNTERS; nr++) {
		set.nr = nr;
		memset(&counts, 0xa5, sizeof(counts));
		n3t_set_counts(&set, &sum, &counts);
		KUNIT_EXPECT_EQ(test, counts.nr, nr);
		KUNIT_EXPECT_EQ(test, n3t_counts_get(&counts, N3T_CODE_CPU_CYCLES, &count), 0);
		KUNIT_EXPECT_EQ(test, count, 12345ull);
		for (i = 0; i < N3T_MAX_COUNTERS; i++) {
			count = 0;
			KUNIT_EXPECT_EQ(test, n3t_counts_get(&counts, set.code[i], &count),
					i < nr ? 0 : -ENOENT);
			KUNIT_EXPECT_EQ(test, count, i < nr ? U64_MAX - i : 0);
		}
	}
}

/* For each reason to drop one. */
static void dropped_slices_are_counted_and_not_summed(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	struct n3t_slice *slice;
	unsigned int state;

	for (state = N3T_SLICE_KEPT + 1; state < N3T_NR_SLICE_STATES; state++) {
		slice = n3t_ring_begin(&f->ring);
		pattern_fill(slice, 0, f->budget);
		slice->state = state;
		n3t_ring_commit(&f->ring);
		n3t_window_sum(f->window, &f->ring, &f->plan, 0);
		memset(&f->expected, 0, sizeof(f->expected));
		f->expected.dropped = f->ring.head;
		KUNIT_EXPECT_EQ_MSG(test, memcmp(&f->window->sum[0], &f->expected,
						 sizeof(f->expected)), 0, "state %u", state);
		KUNIT_EXPECT_EQ(test, f->window->cycles, 0ull);
		KUNIT_EXPECT_EQ(test, f->window->newest_ns, PATTERN_NS + 0ull);
	}
}

static void slices_of_unknown_sets_are_not_summed(struct kunit *test)
{
	static const u16 sets[] = { PATTERN_SETS, N3T_MAX_SETS, U16_MAX };
	struct fixture *f = set_up(test, 6);
	struct n3t_slice *slice;
	unsigned int i;

	write_slices(f, 1);
	for (i = 0; i < ARRAY_SIZE(sets); i++) {
		slice = n3t_ring_begin(&f->ring);
		pattern_fill(slice, 1, f->budget);
		slice->set = sets[i];
		n3t_ring_commit(&f->ring);
	}
	n3t_window_sum(f->window, &f->ring, &f->plan, 0);
	for (i = 0; i < PATTERN_SETS; i++) {
		pattern_window_sum(&f->expected, &f->plan, i, 0, 0);
		KUNIT_EXPECT_EQ(test, memcmp(&f->window->sum[i], &f->expected,
					     sizeof(f->expected)), 0);
	}
}

static struct n3t_totals *make_totals(struct kunit *test, unsigned int budget)
{
	struct n3t_totals *totals = kunit_kzalloc(test, sizeof(*totals), GFP_KERNEL);
	size_t bytes = n3t_totals_bytes(PATTERN_SETS, budget);
	void *memory = kunit_kzalloc(test, bytes, GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, totals);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, memory);
	memset(memory, 0xa5, bytes);
	n3t_totals_init(totals, memory, PATTERN_SETS, budget);
	return totals;
}

static void expect_totals(struct kunit *test, struct n3t_totals *totals, u64 nr)
{
	struct fixture *f = test->priv;
	struct n3t_set_sum total;
	unsigned int set;

	for (set = 0; set < PATTERN_SETS; set++) {
		if (nr)
			pattern_sum(&f->expected, &f->plan, set, 0, nr - 1);
		else
			memset(&f->expected, 0, sizeof(f->expected));
		memset(&total, 0x5a, sizeof(total));
		KUNIT_EXPECT_TRUE(test, n3t_totals_read(totals, set, &total));
		KUNIT_EXPECT_EQ_MSG(test, memcmp(&total, &f->expected, sizeof(total)), 0,
				    "set %u after %llu slices", set, nr);
	}
}

static void totals_include_every_slice(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	struct n3t_totals *totals = make_totals(test, 6);
	u64 n;

	expect_totals(test, totals, 0);
	for (n = 0; n < 40; n++) {
		pattern_fill(&f->slice, n, 6);
		n3t_totals_add(totals, &f->slice, &f->plan.set[f->slice.set]);
		expect_totals(test, totals, n + 1);
	}
}

/* The writer stopped in the middle of one bank: readers use the other. */
static void totals_are_consistent_while_a_bank_is_written(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	struct n3t_totals *totals = make_totals(test, 6);
	size_t bytes = n3t_totals_bytes(PATTERN_SETS, 6) / 2;
	u64 n;

	for (n = 0; n < 20; n++) {
		pattern_fill(&f->slice, n, 6);
		n3t_totals_add(totals, &f->slice, &f->plan.set[f->slice.set]);
	}
	write_seqcount_latch_begin(&totals->latch);
	memset(totals->bank[0], 0xa5, bytes);
	expect_totals(test, totals, n);
	memcpy(totals->bank[0], totals->bank[1], bytes);
	write_seqcount_latch(&totals->latch);
	memset(totals->bank[1], 0xa5, bytes);
	expect_totals(test, totals, n);
	memcpy(totals->bank[1], totals->bank[0], bytes);
	write_seqcount_latch_end(&totals->latch);
	expect_totals(test, totals, n);
}

static void totals_memory_fits_every_budget(struct kunit *test)
{
	unsigned int budget;
	u64 n;

	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		struct fixture *f = set_up(test, budget);
		struct n3t_totals *totals = make_totals(test, budget);

		for (n = 0; n < 10; n++) {
			pattern_fill(&f->slice, n, budget);
			n3t_totals_add(totals, &f->slice, &f->plan.set[f->slice.set]);
		}
		expect_totals(test, totals, n);
	}
}

static void totals_ignore_slices_of_unknown_sets(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	struct n3t_totals *totals = make_totals(test, 6);
	struct n3t_set_sum total;

	pattern_fill(&f->slice, 1, 6);
	f->slice.set = PATTERN_SETS;
	n3t_totals_add(totals, &f->slice, &f->plan.set[0]);
	expect_totals(test, totals, 0);
	KUNIT_EXPECT_FALSE(test, n3t_totals_read(totals, PATTERN_SETS, &total));
	KUNIT_EXPECT_FALSE(test, n3t_totals_read(totals, ~0u, &total));
}

static struct kunit_case slices_cases[] = {
	KUNIT_CASE(a_new_ring_is_empty),
	KUNIT_CASE(all_slices_are_held_until_the_ring_is_full),
	KUNIT_CASE(the_newest_slices_are_held_after_wrapping),
	KUNIT_CASE(the_slot_being_written_is_not_read),
	KUNIT_CASE(a_slice_not_committed_is_not_seen),
	KUNIT_CASE(ring_memory_fits_every_budget),
	KUNIT_CASE(slice_indexes_do_not_wrap_at_32_bits),
	KUNIT_CASE(slices_that_ended_in_the_window_are_summed),
	KUNIT_CASE(a_window_longer_than_the_ring_sums_what_is_held),
	KUNIT_CASE(windows_are_summed_at_every_budget),
	KUNIT_CASE(a_slice_being_written_is_not_summed),
	KUNIT_CASE(a_window_after_the_newest_slice_is_empty),
	KUNIT_CASE(set_counts_gives_each_event_its_count),
	KUNIT_CASE(dropped_slices_are_counted_and_not_summed),
	KUNIT_CASE(slices_of_unknown_sets_are_not_summed),
	KUNIT_CASE(totals_include_every_slice),
	KUNIT_CASE(totals_are_consistent_while_a_bank_is_written),
	KUNIT_CASE(totals_memory_fits_every_budget),
	KUNIT_CASE(totals_ignore_slices_of_unknown_sets),
	{ }
};

static struct kunit_suite slices_suite = {
	.name = "n3_telemetry_slices",
	.init = slices_init,
	.test_cases = slices_cases,
};

kunit_test_suite(slices_suite);
