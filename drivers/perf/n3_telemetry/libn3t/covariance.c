// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Covariances of the slices of each set, with exponential decay, kept by the sampler.
 *
 * Slices are a sample spread over time. The uncertainty between two slices shows in the
 * difference of neighbours, not in the distance of slices from a mean: the latter includes
 * slow changes, which the slices do observe. With d the difference of two successive kept
 * slices of a set, half the mean of d d' estimates the covariance of a slice (von
 * Neumann, Annals of Mathematical Statistics 12, 1941; Wolter, "Introduction to
 * Variance Estimation", chapter 8: successive differences in systematic samples).
 *
 * Differences are those of counts and times, not of rates. A sum of them, weighted by the
 * gradient of a ratio, is the residual of that ratio: long slices get their proper
 * weight, and no division is needed here.
 *
 * The mean is exponentially weighted over the number of slices of the set in a window,
 * rounded to a power of two and at least 64: with fewer, four slices without a burst would
 * suggest that bursts do not occur. The decay is stepwise: after each eighth of the memory
 * length an eighth of the sums is dropped, which is cheaper than decay at each slice.
 * Sums and their total weight decay alike, so a short history yields a plain mean.
 *
 * Numbers: a difference has 24 bits and a sign, in a unit for each part of each set that starts
 * at 1/16 count and grows with the differences; rare events lose no precision next to
 * frequent ones. Products have 48 bits, their sums at most 12 more.
 *
 * Only products that some metric of the set needs are computed: see shape.c.
 */
#include <linux/align.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <asm/barrier.h>
#include <kunit/visibility.h>

#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/covariance.h"

#define MIN_MEMORY	6	/* slices, as a power of two */
#define MAX_MEMORY	12
#define FADE_SHIFT	3	/* each step drops an eighth of the memory */
#define MAX_SHIFT	38	/* larger differences are clamped */
#define RELAX_BITS	12	/* units shrink if no difference has more */
#define RELAX_BY	6

static_assert(2 * (N3T_UNIT_BITS + N3T_WHOLE_BITS) + MAX_MEMORY < 63);
static_assert(N3T_UNIT_BITS + N3T_WHOLE_BITS + MAX_SHIFT < 63);

/**
 * struct n3t_covariance_set - state of one set
 * @shape: the parts and products
 * @memory: number of slices to average over, as a power of two
 * @begun: at least one slice was added
 * @until_fading: slices until the next decay step
 * @last: the parts of the newest slice
 * @sums: sums shared with readers
 */
struct n3t_covariance_set {
	const struct n3t_shape *shape;
	u8 memory;
	bool begun;
	unsigned int until_fading;
	u64 *last;
	struct sums *sums;
};

/*
 * Sums of a set, shared with readers.
 * @differences: number of differences, up to the length of the memory
 * @weight: sum of their weights, in 1/65536
 * @product: sums of weighted products of differences, row by row
 * Followed by a byte for each part: the unit of its differences is 2^(byte -
 * N3T_UNIT_BITS).
 */
struct sums {
	u32 differences;
	u32 weight;
	s64 product[];
};

#define WEIGHT_BITS	16

/* Size of the state of a set: newest slice and sums. */
static size_t set_bytes(const struct n3t_shape *shape)
{
	return shape->nr_parts * sizeof(u64) + sizeof(struct sums) +
	       shape->nr_products * sizeof(s64) + ALIGN(shape->nr_parts, sizeof(u64));
}

static u8 *shifts_of(const struct n3t_covariance_set *set, struct sums *sums)
{
	return (u8 *)&sums->product[set->shape->nr_products];
}

/* Size of the covariances of a CPU. */
size_t n3t_covariance_bytes(const struct n3t_plan *plan)
{
	size_t bytes = plan->nr_sets * sizeof(struct n3t_covariance_set);
	unsigned int set;

	for (set = 0; set < plan->nr_sets; set++)
		bytes += set_bytes(&plan->set[set].shape);
	return bytes;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_covariance_bytes);

/* Memory length for a set: its share of @slices, as a power of two within limits. */
static unsigned int memory_of(const struct n3t_plan *plan, unsigned int set, unsigned int slices)
{
	unsigned int rotation = n3t_plan_rotation(plan), turns = 1, memory = MIN_MEMORY;

	if ((int)set == plan->l1_set && rotation > 1)
		turns = rotation / 2;
	while (memory < MAX_MEMORY && (u64)rotation << memory < (u64)slices * turns)
		memory++;
	return memory;
}

static void fade_later(struct n3t_covariance_set *set)
{
	set->until_fading = 1u << (set->memory - FADE_SHIFT);
}

/**
 * n3t_covariance_init() - reset to no slices
 * @covariance: the covariances
 * @memory: n3t_covariance_bytes() of memory, aligned for a u64; the caller keeps ownership
 * @plan: the plan in use, which must outlive @covariance
 * @slices: number of slices of all sets in a window
 *
 * Context: Any, as long as @covariance has no users.
 */
void n3t_covariance_init(struct n3t_covariance *covariance, void *memory,
			 const struct n3t_plan *plan, unsigned int slices)
{
	unsigned int i;

	memset(memory, 0, n3t_covariance_bytes(plan));
	covariance->slices = 0;
	covariance->nr_sets = plan->nr_sets;
	covariance->set = memory;
	memory += plan->nr_sets * sizeof(struct n3t_covariance_set);

	for (i = 0; i < plan->nr_sets; i++) {
		struct n3t_covariance_set *set = &covariance->set[i];

		set->shape = &plan->set[i].shape;
		set->memory = memory_of(plan, i, slices);
		set->last = memory;
		set->sums = memory + set->shape->nr_parts * sizeof(u64);
		fade_later(set);
		memory += set_bytes(set->shape);
	}
}
EXPORT_SYMBOL_IF_KUNIT(n3t_covariance_init);

static void begin(struct n3t_covariance_set *set, const struct n3t_slice *slice)
{
	const u64 *word = (const u64 *)slice;
	unsigned int i;

	set->begun = true;
	for (i = 0; i < set->shape->nr_parts; i++)
		set->last[i] = word[set->shape->part[i]];
}

/* Enlarge the unit of a part (shrink it, if @by is negative) in all its sums. */
static void change_unit(const struct n3t_covariance_set *set, struct sums *sums, unsigned int part,
			int by)
{
	const struct n3t_shape *shape = set->shape;
	s64 *product = sums->product;
	unsigned int i, k;

	shifts_of(set, sums)[part] += by;
	for (i = 0; i < shape->nr_parts; i++) {
		for (k = shape->from[i]; k <= i; k++, product++) {
			int times = (i == part) + (k == part);

			if (by >= 0)
				*product >>= min(times * by, 63);
			else
				*product *= 1ll << (times * -by);
		}
	}
}

/* Enlarge the unit for a difference that does not fit. */
static noinline s64 make_room(const struct n3t_covariance_set *set, struct sums *sums,
			      unsigned int part, s64 difference)
{
	const s64 most = (1ll << (N3T_WHOLE_BITS + MAX_SHIFT)) - 1;
	int shift = shifts_of(set, sums)[part], wanted;

	difference = clamp(difference, -most, most);
	wanted = fls64(difference < 0 ? -difference : difference) - N3T_WHOLE_BITS;
	if (wanted > shift)
		change_unit(set, sums, part, wanted - shift);
	return difference;
}

/*
 * One step of decay. Units too large for the differences of the recent past shrink
 * again.
 */
static void fade(struct n3t_covariance_set *set, struct sums *sums)
{
	const struct n3t_shape *shape = set->shape;
	const u8 *shift = shifts_of(set, sums);
	unsigned int i, diagonal = 0;

	fade_later(set);
	sums->weight -= sums->weight >> FADE_SHIFT;
	for (i = 0; i < shape->nr_products; i++)
		sums->product[i] -= sums->product[i] >> FADE_SHIFT;
	for (i = 0; i < shape->nr_parts; i++) {
		diagonal += i - shape->from[i];
		if (shift[i] && sums->product[diagonal] < 1ll << 2 * RELAX_BITS)
			change_unit(set, sums, i, -min_t(int, shift[i], RELAX_BY));
		diagonal++;
	}
}

/* A row of products. Two at a time: this loop dominates the cost of a slice here. */
static __always_inline s64 *multiply(s64 *product, s32 by, const s32 *other, unsigned int nr)
{
	s64 *end = product + nr;

	if (nr & 1)
		*product++ += (s64)by * *other++;
	for (; product < end; product += 2, other += 2) {
		s64 first = product[0] + (s64)by * other[0];
		s64 second = product[1] + (s64)by * other[1];

		product[0] = first;
		product[1] = second;
	}
	return end;
}

/*
 * Adds the products of the differences to the previous slice, in their units; the slice replaces
 * that one. Changing the unit of a part only affects its own row and later ones.
 */
static void learn(struct n3t_covariance_set *set, struct sums *sums,
		  const struct n3t_slice *slice, s32 *difference)
{
	const u8 *part = set->shape->part, *from = set->shape->from;
	unsigned int i, nr_parts = set->shape->nr_parts;
	const u8 *shift = shifts_of(set, sums);
	const u64 *word = (const u64 *)slice;
	s64 *product = sums->product;
	u64 *last = set->last;

	for (i = 0; i < nr_parts; i++) {
		u64 now = word[part[i]];
		s64 by = now - last[i];

		last[i] = now;
		/* From -2^20 to 2^20 - 1 units it fits. */
		if (unlikely(((u64)(by >> shift[i]) + (1 << N3T_WHOLE_BITS)) >>
			     (N3T_WHOLE_BITS + 1)))
			by = make_room(set, sums, i, by);
		difference[i] = by * (1 << N3T_UNIT_BITS) >> shift[i];
		product = multiply(product, difference[i], &difference[from[i]], i + 1 - from[i]);
	}
	sums->differences += !(sums->differences >> set->memory);
	sums->weight += 1u << WEIGHT_BITS;
	if (!--set->until_fading)
		fade(set, sums);
}

/**
 * n3t_covariance_add() - add a slice to the covariances
 * @covariance: of this CPU
 * @slice: the slice; ignored if it was not kept or the set does not exist
 *
 * Context: Only the writer, interrupts included; preemption disabled, as readers spin.
 */
void n3t_covariance_add(struct n3t_covariance *covariance, const struct n3t_slice *slice)
{
	struct n3t_covariance_set *set;

	/* Readers wait for as many slices in the ring. */
	if (slice->set >= covariance->nr_sets)
		return;
	WRITE_ONCE(covariance->slices, covariance->slices + 1);
	/*
	 * Before any change to the sums, here and of the anchors. Pairs with smp_rmb() in
	 * is_still().
	 */
	smp_wmb();
	if (slice->state != N3T_SLICE_KEPT)
		return;
	set = &covariance->set[slice->set];
	if (!set->begun) {
		begin(set, slice);
		return;
	}

	learn(set, set->sums, slice, covariance->difference);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_covariance_add);

/**
 * n3t_covariance_sums() - the state of one set, for readers that copy it
 * @covariance: covariances of the CPU
 * @set: the set, one of the plan
 * @sums: the result; its pointers are valid as long as @covariance is
 *
 * Context: Any CPU; needs no lock. The caller discards what it has copied if
 * @covariance->slices has changed since.
 */
void n3t_covariance_sums(const struct n3t_covariance *covariance, unsigned int set,
			 struct n3t_covariance_sums *sums)
{
	const struct n3t_covariance_set *from = &covariance->set[set];

	sums->differences = READ_ONCE(from->sums->differences);
	sums->weight = READ_ONCE(from->sums->weight);
	sums->memory = from->memory;
	sums->shift = shifts_of(from, from->sums);
	sums->product = from->sums->product;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_covariance_sums);
