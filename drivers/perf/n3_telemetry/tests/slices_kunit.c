// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: rings of slices, sums over a window, running totals. */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/formula.h"
#include "libn3t/spec.h"
#include "slices_pattern.h"

#define WRAPPED	(PATTERN_SETS * PATTERN_SLOTS)	/* slices: every set has wrapped */

/* A ring with a guard word after it, a plan, memory for a window. */
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
	return f ? 0 : -ENOMEM;
}

static void make_ring(struct kunit *test, unsigned int slices)
{
	struct fixture *f = test->priv;
	size_t bytes = n3t_ring_bytes(&f->plan, slices);
	void *memory = kunit_kzalloc(test, bytes + sizeof(u64), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, memory);
	f->window = kunit_kzalloc(test, n3t_window_bytes(&f->plan), GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, f->window);
	memset(memory, 0xa5, bytes);
	memset(f->window, 0xa5, n3t_window_bytes(&f->plan));
	f->budget = f->plan.budget;
	f->guard = memory + bytes;
	*f->guard = GUARD;
	n3t_ring_init(&f->ring, memory, &f->plan, slices);
}

static struct fixture *set_up(struct kunit *test, unsigned int budget)
{
	struct fixture *f = test->priv;

	pattern_plan(&f->plan, budget);
	make_ring(test, PATTERN_SLICES);
	return f;
}

static void write_slices(struct fixture *f, unsigned int nr)
{
	while (nr--)
		pattern_write(&f->ring, *f->ring.slices, f->budget);
}

/* Exactly the slices held of each set can be read, with the data that was written. */
static void expect_held(struct kunit *test)
{
	struct fixture *f = test->priv;
	u64 n, slices = *f->ring.slices;

	for (n = 0; n <= slices + WRAPPED; n++) {
		bool held = n3t_ring_read(&f->ring, n, &f->slice);
		u64 oldest = pattern_oldest(pattern_slices(slices, n % PATTERN_SETS));

		KUNIT_EXPECT_EQ_MSG(test, held, n < slices && n / PATTERN_SETS >= oldest,
				    "slice %llu of %llu", n, slices);
		if (held)
			KUNIT_EXPECT_TRUE_MSG(test, pattern_matches(&f->slice, n, &f->plan),
					      "slice %llu", n);
	}
	KUNIT_EXPECT_FALSE(test, n3t_ring_read(&f->ring, U64_MAX, &f->slice));
	KUNIT_EXPECT_TRUE(test, n3t_ring_newest(&f->ring, &n, &f->slice));
	KUNIT_EXPECT_EQ(test, n, slices - 1);
	KUNIT_EXPECT_TRUE(test, pattern_matches(&f->slice, n, &f->plan));
	KUNIT_EXPECT_EQ_MSG(test, *f->guard, GUARD, "written beyond the ring");
}

static void expect_same(struct kunit *test, const struct n3t_set_sum *sum, unsigned int set,
			u64 since_ns)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_TRUE_MSG(test, pattern_same(sum, &f->expected, f->plan.set[set].nr),
			      "set %u since %llu", set, since_ns);
}

static void a_new_ring_is_empty(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	unsigned int set;
	u64 index;

	KUNIT_EXPECT_FALSE(test, n3t_ring_read(&f->ring, 0, &f->slice));
	KUNIT_EXPECT_FALSE(test, n3t_ring_read(&f->ring, U64_MAX, &f->slice));
	KUNIT_EXPECT_FALSE(test, n3t_ring_newest(&f->ring, &index, &f->slice));
	n3t_window_init(f->window, &f->ring, 0);
	KUNIT_EXPECT_EQ(test, f->window->nr_sets, PATTERN_SETS + 0u);
	n3t_window_complete(f->window);
	KUNIT_EXPECT_EQ(test, f->window->cycles, 0ull);
	memset(&f->expected, 0, sizeof(f->expected));
	for (set = 0; set < PATTERN_SETS; set++)
		expect_same(test, n3t_window_set(f->window, set), set, 0);
}

/* Of a set's 16 entries one belongs to the writer, one is the base: 14 are held. */
static void the_newest_slices_are_held_at_every_budget(struct kunit *test)
{
	static const unsigned int more[] = {
		1, PATTERN_SETS * (PATTERN_SLOTS - 1) - 1, PATTERN_SETS, 5 * WRAPPED + 3,
	};
	unsigned int budget, i;

	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		struct fixture *f = set_up(test, budget);

		for (i = 0; i < ARRAY_SIZE(more); i++) {
			write_slices(f, more[i]);
			expect_held(test);
		}
	}
}

static void the_oldest_slice_is_held_until_the_ring_is_full(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);

	write_slices(f, PATTERN_SETS * (PATTERN_SLOTS - 1));
	KUNIT_EXPECT_TRUE(test, n3t_ring_read(&f->ring, 0, &f->slice));
	write_slices(f, PATTERN_SETS);
	KUNIT_EXPECT_FALSE(test, n3t_ring_read(&f->ring, 2 * PATTERN_SETS - 1, &f->slice));
	KUNIT_EXPECT_TRUE(test, n3t_ring_read(&f->ring, 2 * PATTERN_SETS, &f->slice));
}

/* Overwrite the writer's entry, and fill in its next slice. */
static void scribble(struct fixture *f, unsigned int nr)
{
	struct n3t_ring_set *set = &f->ring.set[nr];

	memset(&set->entry[set->next * set->words], 0xff, set->words * sizeof(u64));
	n3t_ring_begin(&f->ring)->cycles = U64_MAX;
}

static void the_entry_being_written_is_not_read(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	unsigned int set;

	write_slices(f, WRAPPED + 3);
	for (set = 0; set < PATTERN_SETS; set++)
		scribble(f, set);
	expect_held(test);
	write_slices(f, 1);
	expect_held(test);
}

static void a_slice_not_committed_is_not_seen(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);

	write_slices(f, 3);
	KUNIT_EXPECT_PTR_EQ(test, n3t_ring_begin(&f->ring), n3t_ring_begin(&f->ring));
	pattern_fill(n3t_ring_begin(&f->ring), 3, f->budget);
	expect_held(test);
}

/* The number of a slice never wraps, neither on the CPU nor in its set. */
static void slice_numbers_do_not_wrap_at_32_bits(struct kunit *test)
{
	/* A multiple of the sets and of each set's entries. */
	const u64 rounds = (1ull << 32) / PATTERN_SLOTS - 1;
	const u64 first = rounds * WRAPPED;
	struct fixture *f = set_up(test, 6);
	unsigned int set;
	u64 n;

	*f->ring.slices = first;
	for (set = 0; set < PATTERN_SETS; set++)
		f->ring.set[set].head = rounds * PATTERN_SLOTS;
	write_slices(f, 2 * WRAPPED);
	for (n = first; n < first + 3 * WRAPPED; n++) {
		bool held = n3t_ring_read(&f->ring, n, &f->slice);

		KUNIT_EXPECT_EQ_MSG(test, held, n >= first + WRAPPED + 2 * PATTERN_SETS &&
				    n < first + 2 * WRAPPED, "slice %llu", n);
		if (held)
			KUNIT_EXPECT_TRUE_MSG(test, pattern_matches(&f->slice, n, &f->plan),
					      "slice %llu", n);
	}
	KUNIT_EXPECT_FALSE(test, n3t_ring_read(&f->ring, (u32)n, &f->slice));
	KUNIT_EXPECT_TRUE(test, n3t_ring_newest(&f->ring, &n, &f->slice));
	KUNIT_EXPECT_EQ(test, n, first + 2 * WRAPPED - 1);
	n3t_window_init(f->window, &f->ring, 0);
	KUNIT_EXPECT_EQ(test, n3t_window_set(f->window, 0)->slices +
			n3t_window_set(f->window, 0)->dropped, PATTERN_SLOTS - 2ull);
}

/* A window that begins with slice @first, or with the oldest still held. */
static void expect_window(struct kunit *test, u64 since_ns, u64 first)
{
	struct fixture *f = test->priv;
	unsigned int set;
	u64 cycles = 0;

	n3t_window_init(f->window, &f->ring, since_ns);
	for (set = 0; set < PATTERN_SETS; set++) {
		u64 end = pattern_slices(*f->ring.slices, set);

		pattern_sum(&f->expected, &f->plan, set,
			    max(pattern_slices(first, set), pattern_oldest(end)), end);
		cycles += f->expected.cycles;
		expect_same(test, n3t_window_set(f->window, set), set, since_ns);
	}
	n3t_window_complete(f->window);
	KUNIT_EXPECT_EQ(test, f->window->cycles, cycles);
}

static void slices_that_ended_in_the_window_are_summed(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	unsigned int nr, n;

	for (nr = 1; nr < 3 * WRAPPED; nr += PATTERN_SLOTS + 1) {
		write_slices(f, PATTERN_SLOTS + 1);
		for (n = 0; n < *f->ring.slices; n++) {
			u64 end_ns = (n + 1) * PATTERN_NS;

			expect_window(test, end_ns - 1, n);
			expect_window(test, end_ns, n);
			expect_window(test, end_ns + 1, n + 1);
		}
		expect_window(test, 0, 0);
		expect_window(test, U64_MAX, n);
	}
}

static void windows_are_summed_at_every_budget(struct kunit *test)
{
	unsigned int budget;

	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		struct fixture *f = set_up(test, budget);

		write_slices(f, 2 * WRAPPED);
		expect_window(test, 0, 0);
		expect_window(test, (2 * WRAPPED - 6) * PATTERN_NS, 2 * WRAPPED - 7);
	}
}

static void an_entry_being_written_is_not_summed(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	unsigned int set;

	write_slices(f, WRAPPED + 3);
	for (set = 0; set < PATTERN_SETS; set++)
		scribble(f, set);
	expect_window(test, 0, 0);
}

/* A sum is computed once, so that all values derived from it use the same slices. */
static void a_window_does_not_change(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);

	write_slices(f, 7);
	n3t_window_init(f->window, &f->ring, 0);
	pattern_sum(&f->expected, &f->plan, 0, 0, pattern_slices(7, 0));
	expect_same(test, n3t_window_set(f->window, 0), 0, 0);
	write_slices(f, WRAPPED);
	expect_same(test, n3t_window_set(f->window, 0), 0, 0);
	n3t_window_complete(f->window);
	expect_same(test, n3t_window_set(f->window, 0), 0, 0);
}

/* The sums exceed 2^64; their differences are exact. */
static void sums_that_overflow_do_not_matter(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	const struct n3t_set_sum *sum;
	struct n3t_slice *slice;
	unsigned int n;

	for (n = 0; n < 100; n++) {
		slice = n3t_ring_begin(&f->ring);
		pattern_fill(slice, 0, f->budget);
		slice->end_ns = n + 1;
		slice->cycles = U64_MAX / 3 - n;
		slice->count[0] = U64_MAX - n;
		n3t_ring_commit(&f->ring);
		n3t_window_init(f->window, &f->ring, n + 1);
		sum = n3t_window_set(f->window, 0);
		KUNIT_EXPECT_EQ(test, sum->slices, 1ull);
		KUNIT_EXPECT_EQ(test, sum->cycles, U64_MAX / 3 - n);
		KUNIT_EXPECT_EQ(test, sum->count[0], U64_MAX - n);
	}
}

/* For each reason to drop one. */
static void dropped_slices_are_counted_and_not_summed(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	struct n3t_slice *slice;
	unsigned int state;

	memset(&f->expected, 0, sizeof(f->expected));
	for (state = N3T_SLICE_KEPT + 1; state < N3T_NR_SLICE_STATES; state++) {
		slice = n3t_ring_begin(&f->ring);
		pattern_fill(slice, 0, f->budget);
		slice->state = state;
		n3t_ring_commit(&f->ring);
		n3t_window_init(f->window, &f->ring, 0);
		f->expected.dropped = *f->ring.slices;
		f->expected.end = *f->ring.slices;
		expect_same(test, n3t_window_set(f->window, 0), 0, 0);
		n3t_window_complete(f->window);
		KUNIT_EXPECT_EQ(test, f->window->cycles, 0ull);
		KUNIT_EXPECT_TRUE(test, n3t_ring_read(&f->ring, state - 1, &f->slice));
		KUNIT_EXPECT_EQ(test, f->slice.state, state);
	}
}

static void slices_of_unknown_sets_are_ignored(struct kunit *test)
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
	expect_window(test, 0, 0);
	expect_held(test);
	KUNIT_EXPECT_FALSE(test, n3t_ring_total(&f->ring, PATTERN_SETS, &f->expected));
	KUNIT_EXPECT_FALSE(test, n3t_ring_total(&f->ring, ~0u, &f->expected));
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

/* Sets with STALL_SLOT itself, and with the two events that it is the sum of. */
static const struct correction_row {
	const char *name;
	u32 slots;
	enum n3t_slice_state state;
	u64 cycles;
	u64 count[4];
	u64 corrected[4];
	u64 clipped;
} correction_rows[] = {
	{ "an N2", 1, N3T_SLICE_KEPT, 100, { 350, 170, 180, 90 }, { 250, 70, 180, 90 }, 0 },
	{ "no stalls", 1, N3T_SLICE_KEPT, 100, { 100, 100, 0, 500 }, { 0, 0, 0, 500 }, 0 },
	{ "not an N2", 1, N3T_SLICE_KEPT, 100, { 90, 60, 30, 7 }, { 0, 0, 30, 7 }, 10 },
	{ "the sum", 6, N3T_SLICE_KEPT, 100, { 90, 60, 30, 7 }, { 0, 0, 30, 7 }, 40 },
	{ "64 bits", 1, N3T_SLICE_KEPT, U64_MAX, { U64_MAX, U64_MAX - 1, U64_MAX, U64_MAX },
	  { 0, 0, U64_MAX, U64_MAX }, 0 },
	{ "no cycles", 1, N3T_SLICE_KEPT, 0, { 5, 4, 1, 7 }, { 5, 4, 1, 7 }, 0 },
	{ "a dropped slice", 1, N3T_SLICE_CUT, 100, { 90, 60, 30, 7 }, { 90, 60, 30, 7 }, 0 },
};

static void overcounted_cycles_are_subtracted(struct kunit *test)
{
	struct fixture *f = test->priv;
	static const u16 codes[] = { N3T_CODE_STALL_SLOT, N3T_CODE_STALL_SLOT_FRONTEND,
				     N3T_CODE_STALL_SLOT_BACKEND, N3T_CODE_OP_SPEC };
	struct n3t_slice *slice;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(correction_rows); i++) {
		const struct correction_row *row = &correction_rows[i];

		f->plan = (struct n3t_plan){ .budget = 4, .nr_sets = 1, .l1_set = N3T_NO_SET };
		f->plan.set[0].nr = ARRAY_SIZE(codes);
		f->plan.set[0].slots = row->slots;
		memcpy(f->plan.set[0].code, codes, sizeof(codes));
		make_ring(test, PATTERN_SLICES);
		slice = n3t_ring_begin(&f->ring);
		slice->state = row->state;
		slice->cycles = row->cycles;
		memcpy(slice->count, row->count, sizeof(row->count));
		n3t_ring_correct(&f->ring, &f->plan.set[0]);
		KUNIT_EXPECT_EQ_MSG(test, memcmp(slice->count, row->corrected,
						 sizeof(row->corrected)), 0, "%s", row->name);
		KUNIT_EXPECT_EQ(test, slice->cycles, row->cycles);
		n3t_ring_commit(&f->ring);
		KUNIT_EXPECT_TRUE(test, n3t_ring_total(&f->ring, 0, &f->expected));
		KUNIT_EXPECT_EQ_MSG(test, f->expected.clipped, row->clipped, "%s", row->name);
	}
}

static void totals_include_every_slice(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	struct n3t_set_sum total;
	unsigned int set, n;

	for (n = 0; n < 3 * WRAPPED; n++) {
		for (set = 0; set < PATTERN_SETS; set++) {
			pattern_sum(&f->expected, &f->plan, set, 0, pattern_slices(n, set));
			memset(&total, 0x5a, sizeof(total));
			KUNIT_EXPECT_TRUE(test, n3t_ring_total(&f->ring, set, &total));
			expect_same(test, &total, set, 0);
		}
		write_slices(f, 1);
	}
}

/* An entry has 22 bits for the dropped slices; the writer may be ahead of the reader. */
static void totals_have_all_dropped_slices(struct kunit *test)
{
	const u64 dropped = 3 * (1ull << 22) - 1, head = 1ull << 30;
	struct fixture *f = set_up(test, 6);
	struct n3t_set_sum total;
	struct n3t_slice *slice;
	unsigned int i;

	f->ring.set[0].dropped = dropped;
	f->ring.set[0].head = head;
	for (i = 1; i < 5; i++) {
		slice = n3t_ring_begin(&f->ring);
		pattern_fill(slice, 0, f->budget);
		slice->state = N3T_SLICE_CUT;
		n3t_ring_commit(&f->ring);
		KUNIT_EXPECT_TRUE(test, n3t_ring_total(&f->ring, 0, &total));
		KUNIT_EXPECT_EQ(test, total.dropped, dropped + i);
		KUNIT_EXPECT_EQ(test, total.slices, head - dropped);
	}
	f->ring.set[0].dropped++;
	KUNIT_EXPECT_TRUE(test, n3t_ring_total(&f->ring, 0, &total));
	KUNIT_EXPECT_EQ(test, total.dropped, dropped + 4);
}

/* These bits wrap within a window, as in a run of hours under contention. */
static void windows_have_all_dropped_slices(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	const struct n3t_set_sum *sum;
	struct n3t_slice *slice;
	unsigned int n;

	f->ring.set[0].dropped = (1ull << 22) - 3;
	for (n = 0; n < 8; n++) {
		slice = n3t_ring_begin(&f->ring);
		pattern_fill(slice, 0, f->budget);
		slice->state = n % 4 ? N3T_SLICE_CUT : N3T_SLICE_KEPT;
		slice->end_ns = n + 1;
		n3t_ring_commit(&f->ring);
	}
	/* All but the first slice. */
	n3t_window_init(f->window, &f->ring, 2);
	sum = n3t_window_set(f->window, 0);
	KUNIT_EXPECT_EQ(test, sum->dropped, 6ull);
	KUNIT_EXPECT_EQ(test, sum->slices, 1ull);
}

/* A plan with Topdown_L1 in every other slice, and the slices written. */
#define LOG_SLICES	600
#define WINDOW_SLICES	100

struct log {
	struct n3t_slice slice[LOG_SLICES];
	unsigned int nr;
	u64 random;
};

static u64 next_random(struct log *log)
{
	/* Knuth's multiplier for MMIX */
	log->random = log->random * 6364136223846793005ull + 1442695040888963407ull;
	return log->random >> 20;
}

static void write_random(struct fixture *f, struct log *log, unsigned int set)
{
	struct n3t_slice *slice = &log->slice[log->nr], *written = n3t_ring_begin(&f->ring);
	unsigned int i;

	slice->set = set;
	slice->state = next_random(log) % 8 ? N3T_SLICE_KEPT : N3T_SLICE_CUT;
	/* Some end at the same time. */
	slice->time_ns = 4000 + next_random(log) % 3;
	slice->end_ns = (log->nr ? slice[-1].end_ns : 0) + next_random(log) % 4 * 2000;
	slice->cycles = next_random(log) << 24;
	for (i = 0; i < f->plan.set[set].nr; i++)
		slice->count[i] = next_random(log) << 30;
	memcpy(written, slice, offsetof(struct n3t_slice, count[f->budget]));
	n3t_ring_commit(&f->ring);
	log->nr++;
}

/* Compare with sums over the log, independent of the ring. */
static void expect_plain_sums(struct kunit *test, const struct log *log, u64 since_ns)
{
	struct fixture *f = test->priv;
	const struct n3t_slice *slice;
	struct n3t_slice first = {}, last = {};
	unsigned int set, i;

	n3t_window_init(f->window, &f->ring, since_ns);
	for (set = 0; set < f->plan.nr_sets; set++) {
		const struct n3t_slice *firsts = NULL, *lasts = NULL;
		const struct n3t_set_sum *sum = n3t_window_set(f->window, set);

		memset(&f->expected, 0, sizeof(f->expected));
		f->expected.first = sum->first;
		f->expected.end = sum->end;
		for (slice = log->slice; slice < &log->slice[log->nr]; slice++) {
			if (slice->set != set || slice->end_ns < since_ns)
				continue;
			if (slice->state != N3T_SLICE_KEPT) {
				f->expected.dropped++;
				continue;
			}
			firsts = firsts ?: slice;
			lasts = slice;
			f->expected.slices++;
			f->expected.time_ns += slice->time_ns;
			f->expected.middles_ns += slice->end_ns - slice->time_ns / 2;
			f->expected.cycles += slice->cycles;
			for (i = 0; i < f->plan.set[set].nr; i++)
				f->expected.count[i] += slice->count[i];
		}
		expect_same(test, sum, set, since_ns);
		memset(&first, 0, sizeof(first));
		memset(&last, 0, sizeof(last));
		KUNIT_ASSERT_EQ(test, n3t_ring_edges(&f->ring, set, sum, &first, &last), !!firsts);
		if (firsts) {
			KUNIT_EXPECT_EQ(test, memcmp(&first, firsts, sizeof(first)), 0);
			KUNIT_EXPECT_EQ(test, memcmp(&last, lasts, sizeof(last)), 0);
		}
	}
}

/* With a real plan: a window of as many slices as the ring was made for is complete. */
static void windows_are_plain_sums_of_their_slices(struct kunit *test)
{
	struct log *log = kunit_kzalloc(test, sizeof(*log), GFP_KERNEL);
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	struct fixture *f = test->priv;
	struct n3t_rotation rotation;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, log);
	bitmap_fill(groups, N3T_NR_GROUPS);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(&f->plan, 6, groups, NULL, NULL), 0);
	make_ring(test, WINDOW_SLICES);
	n3t_rotation_init(&rotation, &f->plan, 1);
	while (log->nr < LOG_SLICES) {
		unsigned int oldest;

		write_random(f, log, n3t_rotation_next(&rotation, &f->plan));
		/* after the end of the previous one, so that simultaneous ends are excluded */
		oldest = log->nr > WINDOW_SLICES ? log->nr - WINDOW_SLICES : 0;
		expect_plain_sums(test, log, oldest ? log->slice[oldest - 1].end_ns + 1 : 0);
		oldest += next_random(log) % (log->nr - oldest);
		expect_plain_sums(test, log, log->slice[oldest].end_ns + 1);
	}
	KUNIT_EXPECT_EQ_MSG(test, *f->guard, GUARD, "written beyond the ring");
}

static void overwritten_edges_are_refused(struct kunit *test)
{
	struct fixture *f = set_up(test, 6);
	struct n3t_slice first = {}, last = {};
	const struct n3t_set_sum *sum;

	write_slices(f, PATTERN_SETS * 4);
	n3t_window_init(f->window, &f->ring, 0);
	sum = n3t_window_set(f->window, 2);
	KUNIT_EXPECT_TRUE(test, n3t_ring_edges(&f->ring, 2, sum, &first, &last));
	KUNIT_EXPECT_TRUE(test, pattern_matches(&first, 2, &f->plan));
	KUNIT_EXPECT_TRUE(test, pattern_matches(&last, 12, &f->plan));
	write_slices(f, WRAPPED);
	KUNIT_EXPECT_FALSE(test, n3t_ring_edges(&f->ring, 2, sum, &first, &last));
}

/* On a system of 512 CPUs, readers allocate one for each. */
static void windows_of_512_cpus_take_less_than_a_megabyte(struct kunit *test)
{
	const struct n3t_anchors anchors = { .automatic = true };
	DECLARE_BITMAP(groups, N3T_NR_GROUPS) = { 0 };
	struct fixture *f = test->priv;
	unsigned int group;

	for (group = 0; group < N3T_NR_GROUPS; group++)
		if (n3t_groups[group].stage)
			__set_bit(group, groups);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(&f->plan, 6, groups, &anchors, NULL), 0);
	KUNIT_EXPECT_LT(test, 512 * n3t_window_bytes(&f->plan), (size_t)1 << 20);
}

static struct kunit_case slices_cases[] = {
	KUNIT_CASE(a_new_ring_is_empty),
	KUNIT_CASE(the_newest_slices_are_held_at_every_budget),
	KUNIT_CASE(the_oldest_slice_is_held_until_the_ring_is_full),
	KUNIT_CASE(the_entry_being_written_is_not_read),
	KUNIT_CASE(a_slice_not_committed_is_not_seen),
	KUNIT_CASE(slice_numbers_do_not_wrap_at_32_bits),
	KUNIT_CASE(slices_that_ended_in_the_window_are_summed),
	KUNIT_CASE(windows_of_512_cpus_take_less_than_a_megabyte),
	KUNIT_CASE(windows_are_summed_at_every_budget),
	KUNIT_CASE(windows_are_plain_sums_of_their_slices),
	KUNIT_CASE(an_entry_being_written_is_not_summed),
	KUNIT_CASE(a_window_does_not_change),
	KUNIT_CASE(sums_that_overflow_do_not_matter),
	KUNIT_CASE(set_counts_gives_each_event_its_count),
	KUNIT_CASE(dropped_slices_are_counted_and_not_summed),
	KUNIT_CASE(slices_of_unknown_sets_are_ignored),
	KUNIT_CASE(overwritten_edges_are_refused),
	KUNIT_CASE(overcounted_cycles_are_subtracted),
	KUNIT_CASE(totals_include_every_slice),
	KUNIT_CASE(totals_have_all_dropped_slices),
	KUNIT_CASE(windows_have_all_dropped_slices),
	{ }
};

static struct kunit_suite slices_suite = {
	.name = "n3_telemetry_slices",
	.init = slices_init,
	.test_cases = slices_cases,
};

kunit_test_suite(slices_suite);
