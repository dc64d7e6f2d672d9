// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Sums of a CPU for statistics in user space: the records of cpuN/moments.
 *
 * Documentation/ABI describes the format. A set is of one moment: it is written again if a slice
 * has ended meanwhile. Sets begin at multiples of 8 bytes.
 */
#include <linux/align.h>
#include <linux/bitmap.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/math.h>
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
#define SUM_WORDS	(SUM_AT(count) - SUM_AT(slices))	/* of a sum before its counts */
#define EDGE_WORDS	(EDGE_AT(count) - EDGE_AT(end_ns))	/* of a slice, likewise */
#define SET_WORDS	(2 + SUM_WORDS)				/* of a set, likewise */
#define SUM_AT(member)	(offsetof(struct n3t_set_sum, member) / sizeof(u64))
#define EDGE_AT(member)	(offsetof(struct n3t_slice, member) / sizeof(u64))

/*
 * These write at @at and return where the next number belongs; a record is filled in one pass.
 * @bytes is constant, so this is one store. Words are at a multiple of their size.
 */
static __always_inline u8 *put(u8 *at, u64 value, unsigned int bytes)
{
	__le64 word = __cpu_to_le64(value);

	memcpy(at, &word, bytes);
	return at + bytes;
}

static __always_inline u8 *put64(u8 *at, u64 value)
{
	return put(at, value, sizeof(value));
}

static u8 *put_words(u8 *at, const u64 *word, unsigned int nr)
{
	__le64 *to = (__le64 *)at;
	unsigned int i;

	memcpy(to, word, nr * sizeof(*to));
	for (i = 0; i < nr; i++)
		to[i] = __cpu_to_le64(((u64 *)to)[i]);
	return (u8 *)&to[nr];
}

static u8 *put_bytes(u8 *at, const u8 *byte, unsigned int nr)
{
	memcpy(at, byte, nr);
	return at + nr;
}

#define WORDS(nr, parts, products)	(SET_WORDS + (nr) + 2 * (EDGE_WORDS + (nr)) + \
					 (products) + DIV_ROUND_UP(3 * (parts), sizeof(u64)))
#define MAX_WORDS			((N3T_MOMENTS_RECORD - HEAD_BYTES) / sizeof(u64))
#define MAX_PARTS			(2 + N3T_MAX_PACKED)	/* with time and cycles */
static_assert(WORDS(N3T_MAX_PACKED, MAX_PARTS, MAX_PARTS * (MAX_PARTS + 1) / 2) <= MAX_WORDS);
static_assert(WORDS(N3T_MAX_COUNTERS, 0, 0) <= MAX_WORDS);	/* of custom */

/* The first sets of the records of a CPU, as many as fit in each. */
void n3t_moments_layout(struct n3t_moments_layout *layout, const struct n3t_plan *plan)
{
	unsigned int room = 0, words, i;

	layout->records = 1;
	for (i = 0; i < plan->nr_sets; i++) {
		const struct n3t_shape *shape = &plan->set[i].shape;

		words = WORDS(plan->set[i].nr, shape->nr_parts, shape->nr_products);
		if (words > room) {
			room = MAX_WORDS;
			layout->first[layout->records++] = i;
		}
		room -= words;
	}
	layout->first[layout->records] = plan->nr_sets;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_moments_layout);

static u8 *put_head(u8 *at, const struct n3t_moments *moments, unsigned int record,
		    unsigned int records, unsigned int first, unsigned int nr)
{
	at = put(at, N3T_MOMENTS_MAGIC, 4);
	at = put(at, N3T_MOMENTS_VERSION, 2);
	at = put(at, N3T_MOMENTS_RECORD, 2);
	at = put(at, record, 2);
	at = put(at, records, 2);
	at = put(at, moments->cpu, 4);
	at = put64(at, moments->run);
	at = put64(at, moments->ring ? READ_ONCE(*moments->ring->slices) : 0);
	at = put64(at, moments->since_ns);
	at = put64(at, moments->until_ns);
	at = put(at, first, 2);
	at = put(at, nr, 2);
	return put(at, 0, 4);
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
static u8 *put_anchors(u8 *at, const struct n3t_moments *moments)
{
	struct n3t_anchor_sums sums = {};
	struct n3t_slice newest = {};
	u64 index = -1;
	const u8 *place;
	unsigned int i;

	while (moments->ring) {
		n3t_ring_newest(moments->ring, &index, &newest);
		n3t_anchors_sums(moments->anchors, moments->since_ns, &sums);
		if (is_still(moments, index + 1))
			break;
		cpu_relax();
	}
	place = moments->plan->set[newest.set].anchor;
	at = put64(at, newest.end_ns);
	for (i = 0; i < N3T_MAX_ANCHORS; i++) {
		bool counts = newest.state == N3T_SLICE_KEPT && place[i] != N3T_NO_ANCHOR;

		at = put64(at, sums.count[i]);
		at = put64(at, sums.time_ns[i]);
		at = put64(at, counts ? newest.count[place[i]] : 0);
		at = put64(at, counts ? newest.time_ns : 0);
	}
	return at;
}

static u8 *put_plan(u8 *at, const struct n3t_plan *plan)
{
	unsigned int i, k;

	at = put(at, plan->budget, 2);
	at = put(at, plan->nr_sets, 2);
	at = put(at, plan->nr_events, 2);
	at = put(at, plan->l1_set, 2);
	at = put(at, plan->custom_set, 2);
	at = put(at, plan->nr_anchors, 2);
	for (i = 0; i < N3T_MAX_ANCHORS; i++)
		at = put(at, i < plan->nr_anchors ? plan->anchor[i] : 0, 2);
	at = put(at, N3T_NR_METRICS, 2);
	at = put(at, N3T_NR_EVENTS, 2);
	at = put_words(at, (const u64 *)plan->distrust, BITS_TO_LONGS(N3T_NR_EVENTS));
	at = put_words(at, (const u64 *)plan->chosen, BITS_TO_LONGS(N3T_NR_METRICS));
	at = put_words(at, (const u64 *)plan->unsupported, BITS_TO_LONGS(N3T_NR_METRICS));
	for (i = 0; i < N3T_NR_METRICS; i++)
		at = put(at, plan->set_of[i], 2);
	for (i = 0; i < plan->nr_sets; i++) {
		const struct n3t_set *set = &plan->set[i];

		at = put(at, set->nr, 2);
		at = put(at, set->slots, 4);
		at = put_bytes(at, set->anchor, N3T_MAX_ANCHORS);
		for (k = 0; k < set->nr; k++)
			at = put(at, set->code[k], 2);
	}
	return at;
}

static u8 *put_first(u8 *at, const struct n3t_moments *moments)
{
	const struct n3t_anchor_totals *anchors = moments->anchors;
	struct n3t_window *window = moments->window;
	enum n3t_trust trust = N3T_TRUST_UNKNOWN;

	if (window) {
		trust = n3t_window_trust(window, moments->plan);
		n3t_window_complete(window);
	}
	at = put(at, moments->window_ms, 4);
	at = put(at, moments->slice_ms, 4);
	at = put(at, anchors ? anchors->between : 0, 4);
	at = put(at, moments->state, 1);
	at = put(at, moments->how, 1);
	at = put(at, moments->slots, 1);
	at = put(at, trust, 1);
	at = put(at, flags_of(moments), 4);
	at = put(at, moments->node, 4);
	at = put64(at, window ? window->cycles : 0);
	at = put_anchors(at, moments);
	return put_plan(at, moments->plan);
}

static u8 *put_covariance(u8 *at, const struct n3t_shape *shape,
			  const struct n3t_covariance_sums *sums)
{
	u8 *end;

	at = put_words(at, (const u64 *)sums->product, shape->nr_products);
	end = PTR_ALIGN(at + 3 * shape->nr_parts, sizeof(u64));
	if (shape->nr_parts)
		put64(end - sizeof(u64), 0);
	at = put_bytes(at, shape->part, shape->nr_parts);
	at = put_bytes(at, shape->from, shape->nr_parts);
	put_bytes(at, sums->shift, shape->nr_parts);
	return end;
}

/* One for all sets of a record, as some kernels zero what is on the stack. */
struct copy {
	struct n3t_set_sum sum;
	struct n3t_slice edge[2];	/* the first and the last kept one */
};

/* Under data_race(). Return: NULL if a slice has ended since there were @slices. */
static u8 *put_set(u8 *at, const struct n3t_moments *moments, unsigned int set,
		   struct copy *copy, u64 slices)
{
	const struct n3t_shape *shape = &moments->plan->set[set].shape;
	unsigned int nr = moments->plan->set[set].nr;
	struct n3t_set_sum *sum = &copy->sum;
	struct n3t_covariance_sums covariance;
	bool has_edges;

	n3t_ring_sum(moments->ring, set, moments->since_ns, sum);
	has_edges = n3t_ring_edges(moments->ring, set, sum, &copy->edge[0], &copy->edge[1]);
	if (!has_edges)
		memset(copy->edge, 0, sizeof(copy->edge));
	n3t_covariance_sums(moments->covariance, set, &covariance);
	at = put(at, set, 2);
	at = put(at, nr, 1);
	at = put(at, shape->nr_parts, 1);
	at = put(at, shape->nr_products, 2);
	at = put(at, covariance.memory, 1);
	at = put(at, has_edges, 1);
	at = put(at, covariance.differences, 4);
	at = put(at, covariance.weight, 4);
	at = put_words(at, &sum->slices, SUM_WORDS + nr);
	at = put_words(at, &copy->edge[0].end_ns, EDGE_WORDS + nr);
	at = put_words(at, &copy->edge[1].end_ns, EDGE_WORDS + nr);
	at = put_covariance(at, shape, &covariance);
	return is_still(moments, slices) ? at : NULL;
}

/* The sampler counts a slice in @covariance first and in @ring last, preemption disabled. */
static u8 *put_set_at_once(u8 *at, const struct n3t_moments *moments, unsigned int set,
			   struct copy *copy)
{
	u64 slices;
	u8 *end;

	do {
		/* Pairs with smp_store_release() in n3t_ring_commit(). */
		while ((slices = smp_load_acquire(moments->ring->slices)) !=
		       READ_ONCE(moments->covariance->slices))
			cpu_relax();
		/* The sampler may change what is copied; the copy is then written again. */
		end = data_race(put_set(at, moments, set, copy, slices));
	} while (!end);
	return end;
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
	unsigned int records = 1, first = 0, end = 0, i;
	struct copy copy;
	u8 *at = buf;

	if (moments->ring)
		records = moments->layout->records;
	if (record >= records)
		return false;
	if (record) {
		first = moments->layout->first[record];
		end = moments->layout->first[record + 1];
	}
	at = put_head(at, moments, record, records, first, end - first);
	if (!record)
		at = put_first(at, moments);
	for (i = first; i < end; i++)
		at = put_set_at_once(at, moments, i, &copy);
	memset(at, 0, buf + N3T_MOMENTS_RECORD - (void *)at);
	return true;
}
