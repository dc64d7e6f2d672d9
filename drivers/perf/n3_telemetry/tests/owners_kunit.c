// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: weighted sums of pieces by owner, and their records. */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/spinlock.h>
#include <linux/time64.h>
#include <kunit/test.h>

#include "libn3t/owners.h"
#include "libn3t/pieces.h"
#include "libn3t/plan.h"

#define MINUTE		(60 * (u64)NSEC_PER_SEC)
#define NUMBERS		(5 + N3T_PIECE_COUNTS)
#define FIELD		21

/* Numbers of a record, then those of record 0. */
enum { OWNER, FIRST, PIECES, TIME, CYCLES, COUNTS };
enum { VERSION, SWITCHES, EVICTED, OTHER, OTHER_TIME, DROPPED, COVERED, BUSY, NR_HEAD };

struct fixture {
	struct n3t_pieces pieces;
	struct n3t_owners *owners;
	struct n3t_plan plan;
	u64 now;
	char record[N3T_OWNERS_RECORD + 1];	/* terminated by the test */
};

static int owners_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(struct fixture), GFP_KERNEL);
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);

	if (!f)
		return -ENOMEM;
	f->owners = kunit_kzalloc(test, n3t_owners_bytes(), GFP_KERNEL);
	bitmap_fill(groups, N3T_NR_GROUPS);
	if (!f->owners || n3t_plan_make(&f->plan, 6, groups, NULL, NULL))
		return -ENOMEM;
	n3t_owners_init(f->owners);
	n3t_pieces_init(&f->pieces, 1);
	n3t_pieces_begin(&f->pieces, &f->plan, false);
	f->now = MINUTE;
	test->priv = f;
	return 0;
}

/* A slice with a piece of each owner: 10 ns, 20 cycles, 31, 32, ... of the set's counts. */
static void add_slice(struct fixture *f, u64 first, unsigned int nr, unsigned int shift, bool kept)
{
	struct n3t_reading reading = { .ns = f->now };
	unsigned int i, k;

	n3t_pieces_start(&f->pieces, f->now, 125, false);
	for (i = 0; i < nr; i++) {
		n3t_pieces_open(&f->pieces, first + i, &reading);
		f->pieces.piece[f->pieces.bank][i].shift = shift;
		reading.ns += 10;
		reading.cycles += 20;
		for (k = 0; k < N3T_PIECE_COUNTS; k++)
			reading.count[k] += 31 + k;
		n3t_pieces_close(&f->pieces, &reading);
	}
	n3t_pieces_end(&f->pieces, &reading);
	n3t_owners_add(f->owners, &f->pieces, kept, f->now);
}

static void add(struct fixture *f, u64 first, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i += 16)
		add_slice(f, first + i, min(nr - i, 16u), 0, true);
}

static u64 number(struct fixture *f, unsigned int record, unsigned int i)
{
	struct n3t_owners_seen seen = { .switches = 123, .dropped = f->pieces.dropped };
	const char *at = &f->record[i * FIELD];
	u64 value = 0;

	n3t_owners_record(f->owners, record, &seen, f->record);
	while (*at == ' ')
		at++;
	for (; *at != ' '; at++)
		value = 10 * value + *at - '0';
	return value;
}

/* Its record; 0 if there is none. */
static unsigned int record_of(struct fixture *f, u64 owner)
{
	unsigned int i;

	for (i = n3t_owners_records(f->owners) - 1; i && number(f, i, OWNER) != owner; i--)
		;
	return i;
}

/* Counts in the order of enum n3t_slots, whatever that of the set is. */
static void sums_are_weighted(struct kunit *test)
{
	struct fixture *f = test->priv;
	const u16 *code = f->plan.set[0].code;
	unsigned int i, k;

	add_slice(f, 5, 1, 0, true);
	f->now += MINUTE;
	add_slice(f, 5, 1, 3, true);
	KUNIT_ASSERT_EQ(test, n3t_owners_records(f->owners), 2u);
	KUNIT_EXPECT_EQ(test, number(f, 1, OWNER), 5ull);
	KUNIT_EXPECT_EQ(test, number(f, 1, FIRST), MINUTE);
	KUNIT_EXPECT_EQ(test, number(f, 1, PIECES), 2ull);
	KUNIT_EXPECT_EQ(test, number(f, 1, TIME), 90ull);
	KUNIT_EXPECT_EQ(test, number(f, 1, CYCLES), 180ull);
	for (i = 0; i < N3T_PIECE_COUNTS; i++)
		for (k = 0; k < N3T_PIECE_COUNTS; k++)
			if (code[k] == n3t_slots_info[N3T_SLOTS_STALL + i].code)
				KUNIT_EXPECT_EQ(test, number(f, 1, COUNTS + i), 9 * (31ull + k));
}

/* With five counters STALL_SLOT is the sum of its parts. */
static void a_derived_count_is_summed(struct kunit *test)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	struct fixture *f = test->priv;

	bitmap_fill(groups, N3T_NR_GROUPS);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(&f->plan, 5, groups, NULL, NULL), 0);
	n3t_pieces_begin(&f->pieces, &f->plan, false);
	add(f, 5, 1);
	KUNIT_EXPECT_EQ(test, number(f, 1, COUNTS), number(f, 1, COUNTS + 1) +
			number(f, 1, COUNTS + 2));
	KUNIT_EXPECT_NE(test, number(f, 1, COUNTS + 1), 0ull);
}

static void dropped_slices_add_nothing(struct kunit *test)
{
	struct fixture *f = test->priv;

	add_slice(f, 1, 2, 0, false);
	KUNIT_EXPECT_EQ(test, n3t_owners_records(f->owners), 1u);
	n3t_pieces_start(&f->pieces, f->now, 125, false);
	n3t_pieces_open(&f->pieces, 1, &(struct n3t_reading){});
	n3t_pieces_spoil(&f->pieces);
	n3t_pieces_end(&f->pieces, &(struct n3t_reading){});
	n3t_owners_add(f->owners, &f->pieces, true, f->now);
	KUNIT_EXPECT_EQ(test, n3t_owners_records(f->owners), 1u);
	/* The pieces are gone: adding again finds none. */
	n3t_owners_add(f->owners, &f->pieces, true, f->now);
	KUNIT_EXPECT_EQ(test, number(f, 0, DROPPED), 3ull);
	add_slice(f, 1, N3T_PIECES, 0, true);
	KUNIT_EXPECT_EQ(test, n3t_owners_records(f->owners), 1u + N3T_PIECES);
	KUNIT_EXPECT_EQ(test, number(f, 0, DROPPED), 3ull);
	n3t_owners_add(f->owners, &f->pieces, true, f->now);
	KUNIT_EXPECT_EQ(test, number(f, record_of(f, 1), PIECES), 1ull);
}

static void records_are_lines_of_columns(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int record, i;

	f->now = U64_MAX;
	add(f, U64_MAX, 1);
	for (record = 0; record < 2; record++) {
		number(f, record, 0);
		for (i = 0; i < NUMBERS * FIELD; i++) {
			bool is_number = f->record[i] >= '0' && f->record[i] <= '9';
			bool is_used = record || i < NR_HEAD * FIELD;

			if (i % FIELD == FIELD - 2 && is_used)
				KUNIT_EXPECT_TRUE(test, is_number);
			else if (!is_number || i % FIELD == FIELD - 1)
				KUNIT_EXPECT_EQ(test, f->record[i], ' ');
		}
		for (; i < N3T_OWNERS_RECORD - 1; i++)
			KUNIT_EXPECT_EQ(test, f->record[i], ' ');
		KUNIT_EXPECT_EQ(test, f->record[i], '\n');
	}
	KUNIT_EXPECT_EQ(test, f->record[N3T_OWNERS_RECORD], '\0');
	KUNIT_EXPECT_EQ(test, number(f, 1, OWNER), U64_MAX);
	KUNIT_EXPECT_EQ(test, number(f, 1, FIRST), U64_MAX);
	KUNIT_EXPECT_EQ(test, number(f, 0, VERSION), 1ull);
	KUNIT_EXPECT_EQ(test, number(f, 0, SWITCHES), 123ull);
}

/* All owners are found again, also those with the same hash. */
static void a_full_table_leaves_others(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	add(f, 1000, N3T_MAX_OWNERS);
	add(f, 1000, N3T_MAX_OWNERS);
	KUNIT_ASSERT_EQ(test, n3t_owners_records(f->owners), 1u + N3T_MAX_OWNERS);
	for (i = 1; i <= N3T_MAX_OWNERS; i++) {
		KUNIT_EXPECT_EQ(test, number(f, i, OWNER), 999ull + i);
		KUNIT_EXPECT_EQ(test, number(f, i, PIECES), 2ull);
	}
	KUNIT_EXPECT_EQ(test, number(f, 0, OTHER), 0ull);
	add_slice(f, 9, 2, 4, true);
	KUNIT_EXPECT_EQ(test, number(f, 0, OTHER), 2ull);
	KUNIT_EXPECT_EQ(test, number(f, 0, OTHER_TIME), 320ull);
	KUNIT_EXPECT_EQ(test, number(f, 0, EVICTED), 0ull);
	KUNIT_EXPECT_EQ(test, record_of(f, 9), 0u);
}

/* The oldest entry is replaced, after ten minutes; owner 1003 is the oldest but three. */
static void old_entries_are_replaced(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int at;

	add(f, 1000, N3T_MAX_OWNERS);
	f->now += 1;
	add(f, 1000, 3);
	f->now += 1;
	add(f, 1004, N3T_MAX_OWNERS - 4);
	at = record_of(f, 1003);

	f->now = 11 * MINUTE - 1;
	add(f, 1, 1);
	KUNIT_EXPECT_EQ(test, number(f, 0, OTHER), 1ull);
	f->now = 11 * MINUTE;
	add(f, 1, 1);
	KUNIT_EXPECT_EQ(test, number(f, 0, OTHER), 1ull);
	KUNIT_EXPECT_EQ(test, number(f, 0, EVICTED), 1ull);
	KUNIT_EXPECT_EQ(test, record_of(f, 1003), 0u);
	KUNIT_EXPECT_EQ(test, record_of(f, 1), at);
	KUNIT_EXPECT_EQ(test, number(f, at, FIRST), 11 * MINUTE);
	KUNIT_EXPECT_EQ(test, number(f, at, PIECES), 1ull);
	KUNIT_EXPECT_EQ(test, number(f, at, TIME), 10ull);

	/* The next ones are not old enough, then one is; the replaced owner is new. */
	add(f, 1003, 1);
	KUNIT_EXPECT_EQ(test, number(f, 0, OTHER), 2ull);
	f->now += 1;
	add(f, 1003, 1);
	KUNIT_EXPECT_EQ(test, number(f, 0, EVICTED), 2ull);
	KUNIT_EXPECT_EQ(test, record_of(f, 1000), 0u);
	KUNIT_EXPECT_EQ(test, number(f, record_of(f, 1003), PIECES), 1ull);
	KUNIT_EXPECT_EQ(test, n3t_owners_records(f->owners), 1u + N3T_MAX_OWNERS);
}

/* Owners come and go for hours: the chains stay intact, and each is found. */
static void owners_come_and_go(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		add(f, 1 + i * 700ull, N3T_MAX_OWNERS);
		add(f, 1 + i * 700ull, N3T_MAX_OWNERS);
		f->now += 11 * MINUTE;
	}
	KUNIT_EXPECT_EQ(test, number(f, 0, OTHER), 0ull);
	KUNIT_EXPECT_EQ(test, number(f, 0, EVICTED), 3 * 700ull);
	for (i = 0; i < N3T_MAX_OWNERS; i += 127)
		KUNIT_EXPECT_NE(test, record_of(f, 2101 + i), 0u);
}

/* Differences stay exact across 2^64. */
static void sums_wrap_around(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct n3t_piece *piece = f->pieces.piece[0];
	u64 before;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		before = i ? number(f, 1, TIME) : 0;
		f->pieces.bank = 1;
		f->pieces.ended_nr = 1;
		piece->owner = 5;
		piece->shift = 1;
		piece->of.ns = (1ull << 62) + 7;
		n3t_owners_add(f->owners, &f->pieces, true, f->now);
		KUNIT_EXPECT_EQ(test, number(f, 1, TIME) - before, (1ull << 63) + 14);
	}
	KUNIT_EXPECT_EQ(test, number(f, 1, TIME), 28ull);
}

static void memory_is_bounded(struct kunit *test)
{
	KUNIT_EXPECT_LE(test, sizeof(struct n3t_pieces), (size_t)11 * 1024);
	/* Locks are larger on kernels that check them. */
	KUNIT_EXPECT_LE(test, n3t_owners_bytes(),
			107 * 1024 + N3T_MAX_OWNERS * ALIGN(sizeof(raw_spinlock_t) - 4, 8));
}

static struct kunit_case owners_cases[] = {
	KUNIT_CASE(sums_are_weighted),
	KUNIT_CASE(a_derived_count_is_summed),
	KUNIT_CASE(dropped_slices_add_nothing),
	KUNIT_CASE(records_are_lines_of_columns),
	KUNIT_CASE(a_full_table_leaves_others),
	KUNIT_CASE(old_entries_are_replaced),
	KUNIT_CASE(owners_come_and_go),
	KUNIT_CASE(sums_wrap_around),
	KUNIT_CASE(memory_is_bounded),
	{}
};

static struct kunit_suite owners_suite = {
	.name = "n3_telemetry_owners",
	.init = owners_init,
	.test_cases = owners_cases,
};

kunit_test_suite(owners_suite);
