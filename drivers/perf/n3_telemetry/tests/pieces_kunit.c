// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: choice of pieces, the chance of candidates, and the buffer. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <kunit/test.h>

#include "libn3t/pieces.h"
#include "libn3t/plan.h"

#define MS		1000000ull
#define WISHED		125
#define A		7ull	/* owners */
#define B		8ull

struct fixture {
	struct n3t_pieces pieces;
	struct n3t_plan plan;
	struct n3t_reading now;
};

static int pieces_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(struct fixture), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	n3t_pieces_init(&f->pieces, 1);
	f->now.ns = 1000 * MS;
	test->priv = f;
	return 0;
}

static void start(struct fixture *f, unsigned int wished)
{
	n3t_pieces_start(&f->pieces, f->now.ns, wished, false);
}

static void end(struct fixture *f)
{
	n3t_pieces_end(&f->pieces, &f->now);
}

/* A slice of 4 ms in each 8 ms with some candidates, none of which is stored. */
static void pass_slice(struct fixture *f, unsigned int candidates, u64 apart_ns)
{
	start(f, WISHED);
	while (candidates--)
		n3t_pieces_take(&f->pieces);
	f->now.ns += apart_ns / 2;
	end(f);
	f->now.ns += apart_ns / 2;
}

static void pass_slices(struct fixture *f, unsigned int nr, unsigned int candidates, u64 apart_ns)
{
	while (nr--)
		pass_slice(f, candidates, apart_ns);
}

/* A piece of 1 us, 3 cycles. */
static void store(struct fixture *f, u64 owner)
{
	n3t_pieces_open(&f->pieces, owner, &f->now);
	f->now.ns += 1000;
	f->now.cycles += 3;
	n3t_pieces_close(&f->pieces, &f->now);
}

static unsigned int shift_after(struct kunit *test, unsigned int slices, unsigned int candidates,
				u64 apart_ns, unsigned int wished)
{
	struct fixture *f = test->priv;

	n3t_pieces_init(&f->pieces, 1);
	pass_slices(f, slices, candidates, apart_ns);
	start(f, wished);
	return f->pieces.shift;
}

/* Slices 8 ms apart are 125 a second, so a piece is wished from each. */
static void the_chance_follows_recent_candidates(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, shift_after(test, 16, 0, 8 * MS, WISHED), 0u);
	KUNIT_EXPECT_EQ(test, shift_after(test, 16, 1, 8 * MS, WISHED), 0u);
	KUNIT_EXPECT_EQ(test, shift_after(test, 16, 2, 8 * MS, WISHED), 1u);
	KUNIT_EXPECT_EQ(test, shift_after(test, 16, 32, 8 * MS, WISHED), 5u);
	/* The root of 2 times 512 is 724.08. */
	KUNIT_EXPECT_EQ(test, shift_after(test, 16, 724, 8 * MS, WISHED), 9u);
	KUNIT_EXPECT_EQ(test, shift_after(test, 16, 725, 8 * MS, WISHED), 10u);
	KUNIT_EXPECT_EQ(test, shift_after(test, 16, 1000, 8 * MS, 8 * WISHED), 7u);
	/* Fewer slices than are remembered, in which the time since the first counts. */
	KUNIT_EXPECT_EQ(test, shift_after(test, 1, 32, 8 * MS, WISHED), 5u);
	KUNIT_EXPECT_EQ(test, shift_after(test, 0, 0, 8 * MS, WISHED), 0u);
	/* Time in other sets, or idle, counts, too. */
	KUNIT_EXPECT_EQ(test, shift_after(test, 16, 32, 64 * MS, WISHED), 2u);
}

/* After an idle hour, within a slice or between two, candidates are as frequent as before. */
static void a_pause_does_not_raise_the_chance(struct kunit *test)
{
	struct fixture *f = test->priv;

	pass_slices(f, 16, 32, 8 * MS);
	f->now.ns += 3600 * 1000 * MS;
	start(f, WISHED);
	KUNIT_EXPECT_EQ(test, f->pieces.shift, 5u);
	end(f);
	f->now.ns += 8 * MS;
	pass_slices(f, 7, 32, 8 * MS);
	start(f, WISHED);
	KUNIT_EXPECT_EQ(test, f->pieces.shift, 5u);
}

static void only_sixteen_slices_count(struct kunit *test)
{
	struct fixture *f = test->priv;

	pass_slices(f, 3, 100000, 8 * MS);
	pass_slices(f, 15, 8, 8 * MS);
	start(f, WISHED);
	KUNIT_EXPECT_GT(test, f->pieces.shift, 10u);
	end(f);
	pass_slices(f, 16, 8, 8 * MS);
	start(f, WISHED);
	KUNIT_EXPECT_EQ(test, f->pieces.shift, 3u);
}

/* Long slices have room for no more pieces than short ones: 32 of 10,000. */
static void pieces_of_a_long_slice_have_room(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, shift_after(test, 16, 10000, 2000 * MS, 1000), 8u);
	KUNIT_EXPECT_EQ(test, shift_after(test, 16, 10000, 2000 * MS, 10), 9u);
}

static void extremes_do_not_overflow(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, shift_after(test, 1, 1000000, 1, WISHED), 20u);
	KUNIT_EXPECT_EQ(test, shift_after(test, 16, 32, 0, 1000), 20u);
	for (i = 0; i < N3T_PIECES_SLICES; i++)
		f->pieces.past[i].candidates = U32_MAX;
	end(f);
	f->now.ns = U64_MAX;
	start(f, U32_MAX);
	KUNIT_EXPECT_LE(test, f->pieces.shift, 20u);
	KUNIT_EXPECT_EQ(test, shift_after(test, 16, 32, 1ull << 50, 0), 0u);
}

/* The chance is halved each time that half of the room is used up. */
static void a_burst_halves_the_chance(struct kunit *test)
{
	static const unsigned int at[] = { 32, 48, 56, 60, 62, 63 };
	struct fixture *f = test->priv;
	unsigned int nr, halved = 0;

	pass_slices(f, 16, 32, 8 * MS);
	start(f, WISHED);
	for (nr = 1; nr <= N3T_PIECES; nr++) {
		store(f, A);
		KUNIT_EXPECT_EQ(test, f->pieces.piece[f->pieces.bank][nr - 1].shift,
				5ull + halved);
		halved += halved < ARRAY_SIZE(at) && nr == at[halved];
		KUNIT_EXPECT_EQ(test, f->pieces.shift, 5u + halved);
	}
	KUNIT_EXPECT_EQ(test, halved, (unsigned int)ARRAY_SIZE(at));
	KUNIT_EXPECT_FALSE(test, f->pieces.spoilt);
	/* The next slice has its own. */
	end(f);
	start(f, WISHED);
	KUNIT_EXPECT_EQ(test, f->pieces.nr, 0u);
	KUNIT_EXPECT_EQ(test, f->pieces.shift, 5u);
}

#define FULL_SLICES	1000
#define BURST		600

static u64 weight_of(const struct n3t_pieces *pieces, u64 owner)
{
	const struct n3t_piece *piece = pieces->piece[!pieces->bank];
	unsigned int i;
	u64 sum = 0;

	for (i = 0; i < pieces->ended_nr; i++)
		if (piece[i].owner == owner)
			sum += 1ull << piece[i].shift;
	return sum;
}

/*
 * A burst that fills the buffer, without earlier slices that foretell it. Standard errors: the run
 * before the burst has the weight 0 or 2 in most slices, so 3 %; a run of the burst is one of about
 * 64, so 1 %.
 */
static void what_fills_the_buffer_counts_alike(struct kunit *test)
{
	struct fixture *f = test->priv;
	u64 before = 0, burst = 0, k;
	unsigned int i;

	for (i = 0; i < FULL_SLICES; i++) {
		memset(f->pieces.past, 0, sizeof(f->pieces.past));
		start(f, WISHED);
		for (k = 0; k <= BURST; k++)
			if (n3t_pieces_take(&f->pieces))
				store(f, k ? B : A);
		end(f);
		KUNIT_ASSERT_FALSE(test, f->pieces.ended_spoilt);
		before += weight_of(&f->pieces, A);
		burst += weight_of(&f->pieces, B);
	}
	KUNIT_EXPECT_GT(test, before, FULL_SLICES * 84ull / 100);
	KUNIT_EXPECT_LT(test, before, FULL_SLICES * 116ull / 100);
	KUNIT_EXPECT_GT(test, burst, FULL_SLICES * 95ull / 100 * BURST);
	KUNIT_EXPECT_LT(test, burst, FULL_SLICES * 105ull / 100 * BURST);
}

/* Two tasks alternate in slices of 32 candidates: a countdown of 32 would take one of them. */
static void tasks_that_alternate_are_taken_alike(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int taken[2] = {}, slice, i;

	pass_slices(f, 16, 32, 8 * MS);
	for (slice = 0; slice < 10000; slice++) {
		start(f, WISHED);
		for (i = 0; i < 32; i++)
			taken[i % 2] += n3t_pieces_take(&f->pieces);
		f->now.ns += 4 * MS;
		end(f);
		f->now.ns += 4 * MS;
	}
	/* 5,000 each, within six standard deviations */
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_GT(test, taken[i], 4580u);
		KUNIT_EXPECT_LT(test, taken[i], 5420u);
	}
}

/* A candidate's coin does not depend on the one before. */
static void coins_are_independent(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int pairs[2][2] = {}, i;
	bool before = false, taken;

	pass_slices(f, 16, 8, 8 * MS);
	start(f, WISHED);
	for (i = 0; i < 640000; i++, before = taken) {
		taken = n3t_pieces_take(&f->pieces);
		pairs[before][taken]++;
	}
	/* 1 of 64, 7 of 64 twice: six standard deviations */
	KUNIT_EXPECT_GT(test, pairs[1][1], 9400u);
	KUNIT_EXPECT_LT(test, pairs[1][1], 10600u);
	KUNIT_EXPECT_GT(test, pairs[0][1], 68500u);
	KUNIT_EXPECT_LT(test, pairs[0][1], 71500u);
}

/* The end of the slice ends a piece; the other bank is for the next slice. */
static void a_slice_ends_a_piece(struct kunit *test)
{
	struct fixture *f = test->priv;
	const struct n3t_piece *piece;

	start(f, WISHED);
	store(f, A);
	n3t_pieces_open(&f->pieces, B, &f->now);
	f->now.ns += 500;
	f->now.cycles += 1500;
	f->now.count[5] += 4;
	end(f);
	KUNIT_EXPECT_EQ(test, f->pieces.ended_nr, 2u);
	KUNIT_EXPECT_FALSE(test, f->pieces.open);
	KUNIT_EXPECT_FALSE(test, n3t_pieces_take(&f->pieces));

	start(f, WISHED);
	store(f, 9);
	piece = f->pieces.piece[!f->pieces.bank];
	KUNIT_EXPECT_EQ(test, piece[0].owner, A);
	KUNIT_EXPECT_EQ(test, piece[0].of.ns, 1000ull);
	KUNIT_EXPECT_EQ(test, piece[1].owner, B);
	KUNIT_EXPECT_EQ(test, piece[1].of.ns, 500ull);
	KUNIT_EXPECT_EQ(test, piece[1].of.cycles, 1500ull);
	KUNIT_EXPECT_EQ(test, piece[1].of.count[0], 0ull);
	KUNIT_EXPECT_EQ(test, piece[1].of.count[5], 4ull);
	KUNIT_EXPECT_EQ(test, f->pieces.nr, 1u);
}

/* Counters may wrap around during a piece. */
static void differences_are_exact(struct kunit *test)
{
	struct fixture *f = test->priv;

	start(f, WISHED);
	f->now.cycles = U64_MAX;
	store(f, A);
	KUNIT_EXPECT_EQ(test, f->pieces.piece[f->pieces.bank][0].of.cycles, 3ull);
}

/* Nothing is taken before a slice, after one, or after a reading that failed. */
static void only_slices_take(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_FALSE(test, n3t_pieces_take(&f->pieces));
	start(f, WISHED);
	KUNIT_EXPECT_TRUE(test, n3t_pieces_take(&f->pieces));
	n3t_pieces_open(&f->pieces, A, &f->now);
	n3t_pieces_spoil(&f->pieces);
	KUNIT_EXPECT_FALSE(test, f->pieces.open);
	KUNIT_EXPECT_FALSE(test, n3t_pieces_take(&f->pieces));
	end(f);
	KUNIT_EXPECT_TRUE(test, f->pieces.ended_spoilt);
	KUNIT_EXPECT_EQ(test, f->pieces.past[f->pieces.slice].candidates, 2u);
}

/* The start of a slice is a candidate if a task runs, and no switch. */
static void switches_are_counted_at_the_end(struct kunit *test)
{
	static const unsigned int seen[] = { 2, 2 + 1, 2 + 1 + 5, 2 + 1 + 5 + 4 };
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(seen); i++) {
		n3t_pieces_start(&f->pieces, f->now.ns, WISHED, i % 2);
		n3t_pieces_take(&f->pieces);
		n3t_pieces_take(&f->pieces);
		f->pieces.idles += i < 2 ? 0 : 3;
		end(f);
		KUNIT_EXPECT_EQ(test, f->pieces.switches, (u64)seen[i]);
	}
}

/* While a piece is open every candidate is taken, so that one test is enough at a switch. */
static void the_coin_decides_after_the_end(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i, taken = 0;

	pass_slices(f, 16, 4, 8 * MS);
	for (i = 0; i < 4000; i++) {
		start(f, WISHED);
		n3t_pieces_open(&f->pieces, A, &f->now);
		KUNIT_ASSERT_TRUE(test, n3t_pieces_take(&f->pieces));
		n3t_pieces_close(&f->pieces, &f->now);
		KUNIT_ASSERT_EQ(test, f->pieces.shift, 2u);
		taken += n3t_pieces_toss(&f->pieces);
		f->pieces.candidates = 4;
		f->now.ns += 4 * MS;
		end(f);
		f->now.ns += 4 * MS;
	}
	/* Five times the standard error of 1000. */
	KUNIT_EXPECT_GT(test, taken, 1000u - 137);
	KUNIT_EXPECT_LT(test, taken, 1000u + 137);
}

static void stopping_drops_pieces(struct kunit *test)
{
	struct fixture *f = test->priv;

	start(f, WISHED);
	store(f, A);
	end(f);
	start(f, WISHED);
	store(f, A);
	n3t_pieces_open(&f->pieces, A, &f->now);
	f->pieces.switches = 5;
	n3t_pieces_stop(&f->pieces);
	KUNIT_EXPECT_FALSE(test, f->pieces.open);
	KUNIT_EXPECT_EQ(test, f->pieces.nr, 0u);
	KUNIT_EXPECT_EQ(test, f->pieces.ended_nr, 0u);
	KUNIT_EXPECT_FALSE(test, n3t_pieces_take(&f->pieces));
	KUNIT_EXPECT_EQ(test, f->pieces.switches, 5ull);
}

static unsigned int begin(struct kunit *test, unsigned int budget,
			  const struct n3t_anchors *anchors)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	struct fixture *f = test->priv;

	bitmap_fill(groups, N3T_NR_GROUPS);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(&f->plan, budget, groups, anchors, NULL), 0);
	return n3t_pieces_begin(&f->pieces, &f->plan, false);
}

/* With five counters STALL_SLOT is the sum of its parts; with four Topdown_L1 is split. */
static void counts_are_those_of_topdown_l1(struct kunit *test)
{
	static const struct n3t_anchors anchors = {
		.nr = 2, .code = { N3T_CODE_INST_RETIRED, N3T_CODE_STALL_SLOT_BACKEND },
	};
	struct fixture *f = test->priv;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, begin(test, 4, NULL), 0u);
	KUNIT_EXPECT_EQ(test, begin(test, 5, NULL), 5u);
	KUNIT_EXPECT_EQ(test, f->pieces.summed[N3T_SLOTS_STALL - 1],
			f->pieces.summed[N3T_SLOTS_FRONTEND_STALL - 1] |
			f->pieces.summed[N3T_SLOTS_BACKEND_STALL - 1]);
	KUNIT_EXPECT_EQ(test, begin(test, 6, NULL), 6u);
	KUNIT_EXPECT_EQ(test, begin(test, 20, NULL), 6u);
	KUNIT_EXPECT_EQ(test, begin(test, N3T_MAX_COUNTERS, &anchors), 6u);
	for (i = 0; i < N3T_PIECE_COUNTS; i++) {
		u32 summed = f->pieces.summed[i];
		unsigned int at = __ffs64(summed);

		KUNIT_EXPECT_EQ(test, summed, 1u << at);
		KUNIT_EXPECT_EQ(test, f->plan.set[0].code[at],
				n3t_slots_info[N3T_SLOTS_STALL + i].code);
	}
}

/* A core whose two counts include cycles: 7 cycles, and 100 of each count. */
static void cycles_are_subtracted_where_they_are_included(struct kunit *test)
{
	struct fixture *f = test->priv;
	const struct n3t_set *set;
	unsigned int i, nr;

	KUNIT_ASSERT_EQ(test, begin(test, 6, NULL), 6u);
	n3t_pieces_begin(&f->pieces, &f->plan, true);
	set = &f->plan.set[f->plan.l1_set];
	start(f, WISHED);
	n3t_pieces_open(&f->pieces, A, &f->now);
	f->now.cycles += 7;
	for (i = 0; i < N3T_PIECE_COUNTS; i++)
		f->now.count[i] += 100;
	n3t_pieces_close(&f->pieces, &f->now);
	for (i = 0, nr = 0; i < N3T_PIECE_COUNTS; i++) {
		bool is = set->code[i] == N3T_CODE_STALL_SLOT ||
			  set->code[i] == N3T_CODE_STALL_SLOT_FRONTEND;

		KUNIT_EXPECT_EQ(test, f->pieces.piece[f->pieces.bank][0].of.count[i],
				is ? 93ull : 100ull);
		nr += is;
	}
	KUNIT_EXPECT_EQ(test, nr, 2u);
}

/* Seconds that cost this many ppm each, in ten parts. */
static void pass_seconds(struct n3t_allowance *allowance, unsigned int nr, u64 switches, u64 pieces,
			 unsigned int limit, u64 *now)
{
	for (nr *= 10; nr; nr--) {
		*now += 100 * MS;
		n3t_pieces_charge(allowance, switches * 100, pieces * 100, WISHED, limit, *now);
	}
}

static void costly_pieces_are_halved(struct kunit *test)
{
	struct n3t_allowance allowance = {};
	u64 now = 1000 * MS;

	n3t_pieces_charge(&allowance, 0, 0, WISHED, 1000, now);
	KUNIT_EXPECT_EQ(test, n3t_pieces_allowed(&allowance, WISHED, now), 125u);
	pass_seconds(&allowance, 1, 400, 600, 1000, &now);
	KUNIT_EXPECT_EQ(test, allowance.ppm, 1000ull);
	KUNIT_EXPECT_EQ(test, n3t_pieces_allowed(&allowance, WISHED, now), 125u);
	pass_seconds(&allowance, 1, 400, 610, 1000, &now);
	KUNIT_EXPECT_EQ(test, n3t_pieces_allowed(&allowance, WISHED, now), 62u);
	/* Twice as many would cost too much, or not. */
	pass_seconds(&allowance, 9, 400, 301, 1000, &now);
	KUNIT_EXPECT_EQ(test, n3t_pieces_allowed(&allowance, WISHED, now), 62u);
	pass_seconds(&allowance, 1, 400, 300, 1000, &now);
	KUNIT_EXPECT_EQ(test, n3t_pieces_allowed(&allowance, WISHED, now), 125u);
	pass_seconds(&allowance, 1, 900000, 900000, 0, &now);
	KUNIT_EXPECT_EQ(test, n3t_pieces_allowed(&allowance, WISHED, now), 125u);
	/* 900 + 800 / 8 */
	pass_seconds(&allowance, 1, 900, 800, 1000, &now);
	KUNIT_EXPECT_EQ(test, n3t_pieces_allowed(&allowance, WISHED, now), 15u);
}

static void costly_switches_end_pieces_for_a_minute(struct kunit *test)
{
	struct n3t_allowance allowance = {};
	u64 now = 1000 * MS;

	n3t_pieces_charge(&allowance, 0, 0, WISHED, 1000, now);
	/* The least number of pieces is too many. */
	pass_seconds(&allowance, 1, 900, 900, 1000, &now);
	KUNIT_EXPECT_EQ(test, n3t_pieces_allowed(&allowance, WISHED, now), 0u);
	now += 60000 * MS;
	KUNIT_EXPECT_EQ(test, n3t_pieces_allowed(&allowance, WISHED, now), 125u);
	n3t_pieces_charge(&allowance, 0, 0, WISHED, 1000, now);
	/* They cost nothing, and switches alone too much. */
	pass_seconds(&allowance, 1, 1010, 0, 1000, &now);
	KUNIT_EXPECT_EQ(test, n3t_pieces_allowed(&allowance, WISHED, now), 0u);
	KUNIT_EXPECT_EQ(test, n3t_pieces_allowed(&allowance, WISHED, now + 59999 * MS), 0u);
	now += 60000 * MS;
	KUNIT_EXPECT_EQ(test, n3t_pieces_allowed(&allowance, WISHED, now), 125u);
	/* The minute without slices is no second that cost little. */
	n3t_pieces_charge(&allowance, 1, 0, WISHED, 1000, now);
	KUNIT_EXPECT_EQ(test, allowance.ppm, 1010ull);
}

/* A run starts without memory of another. */
static void a_run_forgets(struct kunit *test)
{
	struct fixture *f = test->priv;

	pass_slices(f, 16, 1000, 8 * MS);
	begin(test, 6, NULL);
	start(f, WISHED);
	KUNIT_EXPECT_EQ(test, f->pieces.shift, 0u);
}

static struct kunit_case pieces_cases[] = {
	KUNIT_CASE(the_chance_follows_recent_candidates),
	KUNIT_CASE(a_pause_does_not_raise_the_chance),
	KUNIT_CASE(only_sixteen_slices_count),
	KUNIT_CASE(pieces_of_a_long_slice_have_room),
	KUNIT_CASE(extremes_do_not_overflow),
	KUNIT_CASE(a_burst_halves_the_chance),
	KUNIT_CASE(what_fills_the_buffer_counts_alike),
	KUNIT_CASE(tasks_that_alternate_are_taken_alike),
	KUNIT_CASE(coins_are_independent),
	KUNIT_CASE(a_slice_ends_a_piece),
	KUNIT_CASE(differences_are_exact),
	KUNIT_CASE(only_slices_take),
	KUNIT_CASE(switches_are_counted_at_the_end),
	KUNIT_CASE(the_coin_decides_after_the_end),
	KUNIT_CASE(stopping_drops_pieces),
	KUNIT_CASE(counts_are_those_of_topdown_l1),
	KUNIT_CASE(cycles_are_subtracted_where_they_are_included),
	KUNIT_CASE(costly_pieces_are_halved),
	KUNIT_CASE(costly_switches_end_pieces_for_a_minute),
	KUNIT_CASE(a_run_forgets),
	{}
};

static struct kunit_suite pieces_suite = {
	.name = "n3_telemetry_pieces",
	.init = pieces_init,
	.test_cases = pieces_cases,
};

kunit_test_suite(pieces_suite);
