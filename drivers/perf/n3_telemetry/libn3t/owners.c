// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Owners: weighted sums of the pieces of runs, by cgroup.
 *
 * Sums are modulo 2^64. An owner of 512 CPUs reaches that after 800 days with its time, and
 * after 50 with slots of five a cycle at 3 GHz; differences of two reads are exact.
 *
 * Lock order: the lock of all, which protects what owner an entry has, then that of an entry. A
 * lookup takes neither, as the owner is compared again under the lock of the entry. Contention
 * is rare: a CPU adds a piece every few milliseconds.
 */
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <asm/barrier.h>
#include <kunit/visibility.h>

#include "libn3t/owners.h"
#include "libn3t/pieces.h"
#include "libn3t/random.h"

#define HASH_BITS	10
#define EVICT_NS	(600 * (u64)NSEC_PER_SEC)

#define FIELD_BYTES	21	/* 20 digits and a space */

static_assert(N3T_MAX_OWNERS < U16_MAX);
static_assert((5 + N3T_PIECE_COUNTS) * FIELD_BYTES < N3T_OWNERS_RECORD);

/**
 * struct entry - sums of an owner
 * @lock: protects the other fields, except @next
 * @next: number of the next entry with this hash, from 1; 0 for none
 * @owner: the owner; changes under the table's lock, too
 * @first_ns: when its first piece was added
 * @pieces: number of pieces
 * @sum: weighted sums
 */
struct entry {
	raw_spinlock_t lock;
	u16 next;
	u64 owner;
	u64 first_ns;
	u64 pieces;
	struct n3t_reading sum;
};

/**
 * struct n3t_owners - sums by owner
 * @lock: protects @nr, @head, the entries' next, and the fields up to @no_old_before_ns
 * @nr: number of entries in use
 * @head: by hash, as next of an entry
 * @evicted: number of entries that were replaced
 * @other: number of pieces without an entry
 * @other_ns: their weighted time
 * @no_old_before_ns: no entry is old enough to be replaced earlier
 * @last_ns: when each entry was last added to; on its own, as replacing scans all
 * @entry: the entries
 */
struct n3t_owners {
	raw_spinlock_t lock;
	u32 nr;
	u16 head[1 << HASH_BITS];
	u64 evicted;
	u64 other;
	u64 other_ns;
	u64 no_old_before_ns;
	u64 last_ns[N3T_MAX_OWNERS];
	struct entry entry[N3T_MAX_OWNERS];
};

/* Size of a table; the pieces of a CPU are as large as their type. */
size_t n3t_owners_bytes(void)
{
	return sizeof(struct n3t_owners);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_owners_bytes);

/* Initializes an empty table in n3t_owners_bytes() of memory. */
void n3t_owners_init(struct n3t_owners *owners)
{
	unsigned int i;

	memset(owners, 0, sizeof(*owners));
	raw_spin_lock_init(&owners->lock);
	for (i = 0; i < N3T_MAX_OWNERS; i++)
		raw_spin_lock_init(&owners->entry[i].lock);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_owners_init);

static u16 *head_of(struct n3t_owners *owners, u64 owner)
{
	u32 hash = (u32)(owner ^ owner >> 32) * N3T_GOLDEN_RATIO;

	return &owners->head[hash >> (32 - HASH_BITS)];
}

/*
 * Without the table's lock this is a guess. An entry that moves to another chain meanwhile
 * leads there, so the owner may be missed.
 */
static struct entry *find(struct n3t_owners *owners, u64 owner)
{
	u16 at = READ_ONCE(*head_of(owners, owner));

	while (at) {
		struct entry *entry = &owners->entry[at - 1];

		if (READ_ONCE(entry->owner) == owner)
			return entry;
		at = READ_ONCE(entry->next);
	}
	return NULL;
}

/* Return: false if the entry has another owner by now. */
static bool add_to(struct n3t_owners *owners, struct entry *entry,
		   const struct n3t_piece *piece, const u32 *summed, u64 now)
{
	unsigned long flags;
	unsigned int i, k;
	bool is_same;

	raw_spin_lock_irqsave(&entry->lock, flags);
	is_same = entry->owner == piece->owner;
	if (is_same) {
		entry->pieces++;
		entry->sum.ns += piece->of.ns << piece->shift;
		entry->sum.cycles += piece->of.cycles << piece->shift;
		for (i = 0; i < N3T_PIECE_COUNTS; i++)
			for (k = 0; k < N3T_PIECE_COUNTS; k++)
				if (summed[i] & 1u << k)
					entry->sum.count[i] += piece->of.count[k] << piece->shift;
		WRITE_ONCE(owners->last_ns[entry - owners->entry], now);
	}
	raw_spin_unlock_irqrestore(&entry->lock, flags);
	return is_same;
}

/* The entry that was not added to for longest, if it can be replaced. */
static struct entry *find_old(struct n3t_owners *owners, u64 now)
{
	unsigned int i, oldest = 0;

	if (now < owners->no_old_before_ns)
		return NULL;
	for (i = 1; i < N3T_MAX_OWNERS; i++)
		if (READ_ONCE(owners->last_ns[i]) < READ_ONCE(owners->last_ns[oldest]))
			oldest = i;
	owners->no_old_before_ns = READ_ONCE(owners->last_ns[oldest]) + EVICT_NS;
	return now < owners->no_old_before_ns ? NULL : &owners->entry[oldest];
}

static void unlink_entry(struct n3t_owners *owners, const struct entry *entry)
{
	u16 number = entry - owners->entry + 1, *link = head_of(owners, entry->owner);

	while (*link != number)
		link = &owners->entry[*link - 1].next;
	WRITE_ONCE(*link, entry->next);
}

/* An entry for a new owner, the table locked; NULL if the table is full. */
static struct entry *new_entry(struct n3t_owners *owners, u64 owner, u64 now)
{
	struct entry *entry = &owners->entry[owners->nr];
	u16 *head = head_of(owners, owner);

	if (owners->nr == N3T_MAX_OWNERS) {
		entry = find_old(owners, now);
		if (!entry)
			return NULL;
		unlink_entry(owners, entry);
		owners->evicted++;
	}
	raw_spin_lock(&entry->lock);
	WRITE_ONCE(entry->owner, owner);
	entry->first_ns = now;
	entry->pieces = 0;
	memset(&entry->sum, 0, sizeof(entry->sum));
	raw_spin_unlock(&entry->lock);
	WRITE_ONCE(entry->next, *head);
	/* Make the entry visible before the head that leads to it, for find(). */
	smp_store_release(head, entry - owners->entry + 1);
	/* And before the number that includes it. Pairs with n3t_owners_records(). */
	smp_store_release(&owners->nr, min_t(u32, owners->nr + 1, N3T_MAX_OWNERS));
	return entry;
}

static void add_piece(struct n3t_owners *owners, const struct n3t_piece *piece,
		      const u32 *summed, u64 now)
{
	struct entry *entry = find(owners, piece->owner);
	unsigned long flags;

	if (entry && add_to(owners, entry, piece, summed, now))
		return;
	raw_spin_lock_irqsave(&owners->lock, flags);
	entry = find(owners, piece->owner) ?: new_entry(owners, piece->owner, now);
	if (entry) {
		add_to(owners, entry, piece, summed, now);
	} else {
		owners->other++;
		owners->other_ns += piece->of.ns << piece->shift;
	}
	raw_spin_unlock_irqrestore(&owners->lock, flags);
}

/**
 * n3t_owners_add() - add the pieces of the slice that has ended
 * @owners: the table
 * @pieces: pieces of the CPU, after n3t_pieces_end()
 * @kept: the slice was kept; otherwise its pieces are dropped
 * @now: current time
 *
 * Context: Only on the CPU, before its next slice ends; not in an NMI. Takes raw spinlocks, for
 * microseconds. The next slice may take pieces meanwhile.
 */
void n3t_owners_add(struct n3t_owners *owners, struct n3t_pieces *pieces, bool kept,
		    u64 now)
{
	const struct n3t_piece *piece = pieces->piece[!pieces->bank];
	unsigned int i, nr = pieces->ended_nr;

	pieces->ended_nr = 0;
	if (!kept || pieces->ended_spoilt) {
		WRITE_ONCE(pieces->dropped, pieces->dropped + 1);
		return;
	}
	for (i = 0; i < nr; i++)
		add_piece(owners, &piece[i], pieces->summed, now);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_owners_add);

/* Number of records; it never decreases. */
unsigned int n3t_owners_records(const struct n3t_owners *owners)
{
	/* Pairs with smp_store_release() in new_entry(). */
	return 1 + smp_load_acquire(&owners->nr);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_owners_records);

/* Numbers are aligned to the right, followed by a space; the record is filled with spaces. */
static void print(char *buf, const u64 *number, unsigned int nr)
{
	char *end = buf + N3T_OWNERS_RECORD - 1;

	for (; nr; nr--, number++, buf += FIELD_BYTES)
		snprintf(buf, FIELD_BYTES + 1, "%20llu ", *number);
	memset(buf, ' ', end - buf);
	*end = '\n';
}

static void print_head(struct n3t_owners *owners, const struct n3t_owners_seen *seen,
		       char *buf)
{
	u64 number[8] = { N3T_OWNERS_VERSION, seen->switches, [5] = seen->dropped,
			  seen->covered_ns, seen->busy_ns };
	unsigned long flags;

	raw_spin_lock_irqsave(&owners->lock, flags);
	number[2] = owners->evicted;
	number[3] = owners->other;
	number[4] = owners->other_ns;
	raw_spin_unlock_irqrestore(&owners->lock, flags);
	print(buf, number, ARRAY_SIZE(number));
}

/**
 * n3t_owners_record() - write a record of the file
 * @owners: the table
 * @record: its number, less than n3t_owners_records()
 * @seen: sums over CPUs, for record 0
 * @buf: N3T_OWNERS_RECORD bytes: a line of decimal numbers
 *
 * Record 0: version, switches, entries replaced, pieces of owners without an entry, their
 * weighted time, slices dropped, busy time covered, busy time. Others, each of one moment: owner,
 * time of its first piece, number of pieces; weighted sums of time, cycles and Topdown_L1's counts
 * as in enum n3t_slots.
 *
 * Context: any but an NMI. Takes a raw spinlock, not while it formats.
 */
void n3t_owners_record(struct n3t_owners *owners, unsigned int record,
		       const struct n3t_owners_seen *seen, char *buf)
{
	u64 number[5 + N3T_PIECE_COUNTS];
	struct entry *entry;
	unsigned long flags;

	if (!record) {
		print_head(owners, seen, buf);
		return;
	}
	entry = &owners->entry[record - 1];
	raw_spin_lock_irqsave(&entry->lock, flags);
	number[0] = entry->owner;
	number[1] = entry->first_ns;
	number[2] = entry->pieces;
	number[3] = entry->sum.ns;
	number[4] = entry->sum.cycles;
	memcpy(&number[5], entry->sum.count, sizeof(entry->sum.count));
	raw_spin_unlock_irqrestore(&entry->lock, flags);
	print(buf, number, ARRAY_SIZE(number));
}
EXPORT_SYMBOL_IF_KUNIT(n3t_owners_record);
