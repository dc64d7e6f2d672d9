// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Sums by owner with concurrent writers and a reader: threads at full speed, then a writer that is
 * stopped where it waits for a lock (data_race() calls the other).
 *
 * All pieces of an owner are alike, so a mixture of two states of an entry, or of two owners,
 * differs from any number of pieces.
 */
#include <pthread.h>
#include <stdlib.h>

#include <linux/kernel.h>
#include <linux/time64.h>

#include "libn3t/owners.h"
#include "tap.h"

#define WRITERS		3
#define SLICES		3000	/* of each writer */
#define PER_SLICE	16
#define MINUTE		(60 * (u64)NSEC_PER_SEC)

enum { OWNER, FIRST, PIECES, TIME, CYCLES, COUNTS, NUMBERS = COUNTS + N3T_PIECE_COUNTS };

static struct n3t_owners *owners;
static unsigned int nr_owners;
static bool done;

static void write_slice(struct n3t_pieces *pieces, u64 now, u32 *random)
{
	struct n3t_reading reading = { .ns = now };
	unsigned int i, k, owner;

	n3t_pieces_start(pieces, now, 1000, false);
	for (i = 0; i < PER_SLICE; i++) {
		owner = 1 + n3t_random(random) % nr_owners;
		n3t_pieces_open(pieces, owner, &reading);
		pieces->piece[pieces->bank][i].shift = 0;
		reading.ns += 5;
		reading.cycles += 3;
		for (k = 0; k < N3T_PIECE_COUNTS; k++)
			reading.count[k] += owner + k;
		n3t_pieces_close(pieces, &reading);
	}
	n3t_pieces_end(pieces, &reading);
	n3t_owners_add(owners, pieces, true, now);
}

/* Each slice is a minute later: owners without a piece for some time are replaced. */
static void *write_slices(void *data)
{
	struct n3t_pieces *pieces = malloc(sizeof(*pieces));
	u32 random = n3t_random_state((size_t)data), i;

	if (!pieces)
		abort();
	n3t_pieces_init(pieces, (size_t)data);
	for (i = 0; i < N3T_PIECE_COUNTS; i++)
		pieces->summed[i] = 1u << i;
	for (i = 1; i <= SLICES; i++)
		write_slice(pieces, i * MINUTE, &random);
	free(pieces);
	return NULL;
}

static void parse(unsigned int record, u64 *number)
{
	struct n3t_owners_seen seen = {};
	char text[N3T_OWNERS_RECORD], *at = text;
	unsigned int i;

	n3t_owners_record(owners, record, &seen, text);
	for (i = 0; i < (record ? NUMBERS : 4); i++)
		number[i] = strtoull(at, &at, 10);
}

static bool is_of_one_moment(const u64 *number)
{
	unsigned int i;

	for (i = 0; i < N3T_PIECE_COUNTS; i++)
		if (number[COUNTS + i] != (number[OWNER] + i) * number[PIECES])
			return false;
	return number[TIME] == 5 * number[PIECES] && number[CYCLES] == 3 * number[PIECES];
}

static void *read_records(void *data)
{
	size_t *torn = data;
	u64 number[NUMBERS];
	unsigned int i;

	while (!__atomic_load_n(&done, __ATOMIC_RELAXED))
		for (i = 1; i < n3t_owners_records(owners); i++) {
			parse(i, number);
			*torn += !is_of_one_moment(number);
		}
	return NULL;
}

static size_t run_threads(unsigned int nr)
{
	pthread_t writer[WRITERS], reader;
	size_t torn = 0, i;

	n3t_owners_init(owners);
	nr_owners = nr;
	done = false;
	if (pthread_create(&reader, NULL, read_records, &torn))
		abort();
	for (i = 0; i < WRITERS; i++)
		if (pthread_create(&writer[i], NULL, write_slices, (void *)i))
			abort();
	for (i = 0; i < WRITERS; i++)
		pthread_join(writer[i], NULL);
	__atomic_store_n(&done, true, __ATOMIC_RELAXED);
	pthread_join(reader, NULL);
	return torn;
}

/* Each owner has one record. */
static bool are_different(void)
{
	static bool seen[10000];
	unsigned int i;
	u64 number[NUMBERS];

	memset(seen, 0, sizeof(seen));
	for (i = 1; i < n3t_owners_records(owners); i++) {
		parse(i, number);
		if (!number[OWNER] || number[OWNER] > nr_owners || seen[number[OWNER]])
			return false;
		seen[number[OWNER]] = true;
	}
	return true;
}

static u64 all_pieces(void)
{
	u64 number[NUMBERS], pieces;
	unsigned int i;

	parse(0, number);
	pieces = number[3];
	for (i = 1; i < n3t_owners_records(owners); i++) {
		parse(i, number);
		pieces += number[PIECES];
	}
	return pieces;
}

/* A piece of an owner from a CPU of its own. */
static void add_piece(u64 owner, u64 now)
{
	static struct n3t_pieces cpus[2];
	struct n3t_pieces *pieces = &cpus[owner == 1];
	struct n3t_reading reading = {};

	n3t_pieces_start(pieces, now, 1000, false);
	n3t_pieces_open(pieces, owner, &reading);
	n3t_pieces_end(pieces, &reading);
	n3t_owners_add(owners, pieces, true, now);
}

/* Owner 1 has the oldest entry, which another one gets. */
static void replace_first(void)
{
	shim_race = NULL;
	add_piece(5000, 11 * MINUTE);
}

static bool is_found_again(void)
{
	u64 number[NUMBERS];
	unsigned int i;

	n3t_owners_init(owners);
	for (i = 1; i <= N3T_MAX_OWNERS; i++)
		add_piece(i, MINUTE + (i > 1));
	shim_race = replace_first;
	add_piece(1, 11 * MINUTE);
	parse(1, number);
	if (number[OWNER] != 5000 || number[PIECES] != 1)
		return false;
	parse(0, number);
	return number[2] == 1 && number[3] == 1;
}

int main(void)
{
	u64 number[NUMBERS];

	owners = malloc(n3t_owners_bytes());
	if (!owners)
		abort();
	tap_ok(!run_threads(900), "each record is of one moment");
	tap_ok(n3t_owners_records(owners) == 1 + 900 && are_different(),
	       "each owner has one record");
	tap_ok(all_pieces() == WRITERS * SLICES * PER_SLICE, "no piece is lost");
	tap_ok(!run_threads(2) && all_pieces() == WRITERS * SLICES * PER_SLICE,
	       "nor if all writers add to the same");
	tap_ok(!run_threads(9000), "each record is of one moment while owners are replaced");
	parse(0, number);
	tap_ok(n3t_owners_records(owners) == 1 + N3T_MAX_OWNERS && number[2] > 0 &&
	       are_different(), "each has one record after %llu were replaced", number[2]);
	tap_ok(is_found_again(), "a piece of an owner that is replaced meanwhile is not another's");
	free(owners);
	return tap_done();
}
