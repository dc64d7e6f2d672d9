// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Sums of a CPU for statistics in user space: the records of cpuN/moments.
 *
 * The first record describes the CPU and its plan, the others hold whole sets. A set is of one
 * moment: it is written again if a slice has ended meanwhile. Documentation/ABI describes
 * the format. All numbers are little-endian; sets begin at multiples of 8 bytes.
 */
#include <linux/align.h>
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/processor.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <asm/barrier.h>
#include <asm/byteorder.h>
#include <kunit/visibility.h>

#include "libn3t/moments.h"
#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/anchors.h"
#include "libn3t/covariance.h"

#define HEAD_BYTES	56
#define SET_WORDS	7	/* before the counts */
#define EDGE_WORDS	3	/* of a slice before its counts */

/* Where the next number is written; a record is filled in one pass. */
struct cursor {
	u8 *at;
};

/* @bytes is constant, so this is one store. */
static __always_inline void put(struct cursor *to, u64 value, unsigned int bytes)
{
	__le64 word = __cpu_to_le64(value);

	memcpy(to->at, &word, bytes);
	to->at += bytes;
}

static __always_inline void put64(struct cursor *to, u64 value)
{
	put(to, value, sizeof(value));
}

/* At a multiple of their size. */
static void put_words(struct cursor *to, const u64 *word, unsigned int nr)
{
	__le64 *at = (__le64 *)to->at;
	unsigned int i;

	for (i = 0; i < nr; i++)
		at[i] = __cpu_to_le64(word[i]);
	to->at += nr * sizeof(*at);
}

static void put_bytes(struct cursor *to, const u8 *byte, unsigned int nr)
{
	memcpy(to->at, byte, nr);
	to->at += nr;
}

static void put_bits(struct cursor *to, const unsigned long *bits, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i += BITS_PER_LONG)
		put64(to, bits[i / BITS_PER_LONG]);
}

static size_t set_bytes(const struct n3t_moments *moments, unsigned int set)
{
	unsigned int nr = moments->plan->set[set].nr, parts, products;
	size_t words;

	products = n3t_covariance_products(moments->covariance, set, &parts);
	words = SET_WORDS + nr + 2 * (EDGE_WORDS + nr) + products;
	return words * sizeof(u64) + ALIGN(3 * parts, sizeof(u64));
}

/* The @nr sets from @first on are those of a record, as many as fit. Return: number of records. */
static unsigned int find_sets(const struct n3t_moments *moments, unsigned int record,
			      unsigned int *first, unsigned int *nr)
{
	unsigned int nr_sets = moments->ring ? moments->plan->nr_sets : 0, last = 0, i;
	size_t room = 0, bytes;

	*first = 0;
	*nr = 0;
	for (i = 0; i < nr_sets; i++) {
		bytes = set_bytes(moments, i);
		if (bytes > room) {
			room = N3T_MOMENTS_RECORD - HEAD_BYTES;
			last++;
			if (last == record)
				*first = i;
		}
		room -= bytes;
		*nr += last == record;
	}
	return last + 1;
}

static void put_head(struct cursor *to, const struct n3t_moments *moments, unsigned int record,
		     unsigned int records, unsigned int first, unsigned int nr)
{
	put(to, N3T_MOMENTS_MAGIC, 4);
	put(to, N3T_MOMENTS_VERSION, 2);
	put(to, N3T_MOMENTS_RECORD, 2);
	put(to, record, 2);
	put(to, records, 2);
	put(to, moments->cpu, 4);
	put64(to, moments->run);
	put64(to, moments->ring ? READ_ONCE(*moments->ring->slices) : 0);
	put64(to, moments->since_ns);
	put64(to, moments->until_ns);
	put(to, first, 2);
	put(to, nr, 2);
	put(to, 0, 4);
}

static unsigned int flags_of(const struct n3t_moments *moments)
{
	const struct n3t_window *window = moments->window;
	const struct n3t_plan *plan = moments->plan;

	return (window && window->starved ? N3T_MOMENTS_STARVED : 0) |
	       (window && window->slots_off ? N3T_MOMENTS_SLOTS_OFF : 0) |
	       (plan->derives_stall_slot ? N3T_MOMENTS_DERIVES_STALL_SLOT : 0) |
	       (plan->has_custom ? N3T_MOMENTS_HAS_CUSTOM : 0) |
	       (plan->custom_unsupported ? N3T_MOMENTS_CUSTOM_UNSUPPORTED : 0) |
	       (moments->ring ? N3T_MOMENTS_SAMPLED : 0);
}

/* Return: false if a slice has ended since there were @slices. */
static bool is_still(const struct n3t_moments *moments, u64 slices)
{
	/* Pairs with smp_wmb() in n3t_covariance_add(). */
	smp_rmb();
	return READ_ONCE(moments->covariance->slices) == slices;
}

/* Their totals, the end of the newest slice, and what that counted, all of one moment. */
static void put_anchors(struct cursor *to, const struct n3t_moments *moments)
{
	struct n3t_anchor_sums sums = {};
	struct n3t_slice newest = {};
	u64 index = -1;
	const u8 *at;
	unsigned int i;

	while (moments->ring) {
		n3t_ring_newest(moments->ring, &index, &newest);
		n3t_anchors_sums(moments->anchors, moments->since_ns, &sums);
		if (is_still(moments, index + 1))
			break;
	}
	at = moments->plan->set[newest.set].anchor;
	put64(to, newest.end_ns);
	for (i = 0; i < N3T_MAX_ANCHORS; i++) {
		bool counts = newest.state == N3T_SLICE_KEPT && at[i] != N3T_NO_ANCHOR;

		put64(to, sums.count[i]);
		put64(to, sums.time_ns[i]);
		put64(to, counts ? newest.count[at[i]] : 0);
		put64(to, counts ? newest.time_ns : 0);
	}
}

static void put_plan(struct cursor *to, const struct n3t_plan *plan)
{
	unsigned int i, k;

	put(to, plan->budget, 2);
	put(to, plan->nr_sets, 2);
	put(to, plan->nr_events, 2);
	put(to, plan->l1_set, 2);
	put(to, plan->custom_set, 2);
	put(to, plan->nr_anchors, 2);
	for (i = 0; i < N3T_MAX_ANCHORS; i++)
		put(to, i < plan->nr_anchors ? plan->anchor[i] : 0, 2);
	put(to, N3T_NR_METRICS, 2);
	put(to, N3T_NR_EVENTS, 2);
	put_bits(to, plan->distrust, N3T_NR_EVENTS);
	put_bits(to, plan->chosen, N3T_NR_METRICS);
	put_bits(to, plan->unsupported, N3T_NR_METRICS);
	for (i = 0; i < N3T_NR_METRICS; i++)
		put(to, plan->set_of[i], 2);
	for (i = 0; i < plan->nr_sets; i++) {
		const struct n3t_set *set = &plan->set[i];

		put(to, set->nr, 2);
		put(to, set->slots, 4);
		put_bytes(to, set->anchor, N3T_MAX_ANCHORS);
		for (k = 0; k < set->nr; k++)
			put(to, set->code[k], 2);
	}
}

static void put_first(struct cursor *to, const struct n3t_moments *moments)
{
	const struct n3t_anchor_totals *anchors = moments->anchors;
	struct n3t_window *window = moments->window;
	enum n3t_trust trust = N3T_TRUST_UNKNOWN;

	if (window) {
		trust = n3t_window_trust(window, moments->plan);
		n3t_window_complete(window);
	}
	put(to, moments->window_ms, 4);
	put(to, moments->slice_ms, 4);
	put(to, anchors ? anchors->between : 0, 4);
	put(to, moments->state, 1);
	put(to, moments->how, 1);
	put(to, moments->slots, 1);
	put(to, trust, 1);
	put(to, flags_of(moments), 4);
	put(to, moments->node, 4);
	put64(to, window ? window->cycles : 0);
	put_anchors(to, moments);
	put_plan(to, moments->plan);
}

static void put_edge(struct cursor *to, const struct n3t_slice *slice, unsigned int nr)
{
	put64(to, slice->end_ns);
	put64(to, slice->time_ns);
	put64(to, slice->cycles);
	put_words(to, slice->count, nr);
}

static void put_covariance(struct cursor *to, const struct n3t_covariance_sums *sums)
{
	put_words(to, (const u64 *)sums->product, sums->nr_products);
	put_bytes(to, sums->part, sums->nr_parts);
	put_bytes(to, sums->from, sums->nr_parts);
	put_bytes(to, sums->shift, sums->nr_parts);
	to->at = PTR_ALIGN(to->at, sizeof(u64));
}

/* One for all sets of a record, as some kernels zero what is on the stack. */
struct copy {
	struct n3t_set_sum sum;
	struct n3t_slice edge[2];	/* the first and the last kept one */
};

/* Under data_race(). Return: false if a slice has ended since there were @slices. */
static bool put_set(struct cursor *to, const struct n3t_moments *moments, unsigned int set,
		    struct copy *copy, u64 slices)
{
	unsigned int nr = moments->plan->set[set].nr;
	struct n3t_set_sum *sum = &copy->sum;
	struct n3t_covariance_sums covariance;
	bool has_edges;

	n3t_ring_sum(moments->ring, set, moments->since_ns, sum);
	has_edges = n3t_ring_edges(moments->ring, set, sum, &copy->edge[0], &copy->edge[1]);
	if (!has_edges)
		memset(copy->edge, 0, sizeof(copy->edge));
	n3t_covariance_sums(moments->covariance, set, &covariance);
	put(to, set, 2);
	put(to, nr, 1);
	put(to, covariance.nr_parts, 1);
	put(to, covariance.nr_products, 2);
	put(to, covariance.memory, 1);
	put(to, has_edges, 1);
	put(to, covariance.differences, 4);
	put(to, covariance.weight, 4);
	put64(to, sum->slices);
	put64(to, sum->dropped);
	put64(to, sum->time_ns);
	put64(to, sum->middles_ns);
	put64(to, sum->cycles);
	put_words(to, sum->count, nr);
	put_edge(to, &copy->edge[0], nr);
	put_edge(to, &copy->edge[1], nr);
	put_covariance(to, &covariance);
	return is_still(moments, slices);
}

/* The sampler counts a slice in @covariance first and in @ring last, preemption disabled. */
static void put_set_at_once(struct cursor *to, const struct n3t_moments *moments,
			    unsigned int set, struct copy *copy)
{
	struct cursor begun = *to;
	u64 slices;

	do {
		*to = begun;
		/* Pairs with smp_store_release() in n3t_ring_commit(). */
		while ((slices = smp_load_acquire(moments->ring->slices)) !=
		       READ_ONCE(moments->covariance->slices))
			cpu_relax();
		/* The sampler may change what is copied; the copy is then written again. */
	} while (!data_race(put_set(to, moments, set, copy, slices)));
}

/**
 * n3t_moments_write() - write a record of moments
 * @moments: the CPU
 * @record: number of the record
 * @buf: N3T_MOMENTS_RECORD bytes, aligned for a u64
 *
 * Context: Any CPU; not where it may interrupt the sampler, for which it waits while it adds a
 * slice. Needs no lock.
 * Return: true, or false after the last record.
 */
bool n3t_moments_write(const struct n3t_moments *moments, unsigned int record, void *buf)
{
	struct cursor to = { .at = buf };
	unsigned int records, first, nr, i;
	struct copy copy;

	memset(buf, 0, N3T_MOMENTS_RECORD);
	records = find_sets(moments, record, &first, &nr);
	if (record >= records)
		return false;
	put_head(&to, moments, record, records, first, nr);
	if (!record)
		put_first(&to, moments);
	for (i = first; i < first + nr; i++)
		put_set_at_once(&to, moments, i, &copy);
	return true;
}
