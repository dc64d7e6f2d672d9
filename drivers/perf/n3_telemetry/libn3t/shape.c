// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Products of two parts of a slice that the covariances of a set have: only those that some
 * metric of the set needs. Parts are sorted by the number of others that they are combined
 * with, so the needed part of a matrix row starts late and ends at the diagonal.
 */
#include <linux/bitops.h>
#include <linux/build_bug.h>

#include "libn3t/formula.h"
#include "libn3t/plan.h"
#include "libn3t/shape.h"
#include "libn3t/slices.h"

static_assert(N3T_PART_COUNTS + N3T_MAX_COUNTERS == N3T_MAX_PARTS);
static_assert(N3T_MAX_PARTS <= 64);
static_assert(offsetof(struct n3t_slice, time_ns) % sizeof(u64) == 0);
static_assert(offsetof(struct n3t_slice, cycles) % sizeof(u64) == 0);
static_assert(offsetof(struct n3t_slice, count) % sizeof(u64) == 0);

/* Bitmap of the parts of a slice that the estimate of a metric depends on. */
static u64 parts_of_metric(const struct n3t_set *set, enum n3t_metric metric)
{
	const struct n3t_formula *formula = n3t_metric_formula(metric);
	u64 parts = 1ull << N3T_PART_TIME;
	unsigned int i;

	for (i = 0; i < N3T_MAX_ANCHORS; i++)
		if (set->anchor[i] != N3T_NO_ANCHOR)
			parts |= 1ull << (N3T_PART_COUNTS + set->anchor[i]);
	for (i = 0; i < formula->nr_tokens; i++) {
		u16 code = formula->token[i].arg;

		if (formula->token[i].op != N3T_OP_EVENT)
			continue;
		if (code == N3T_CODE_CPU_CYCLES)
			parts |= 1ull << N3T_PART_CYCLES;
		else
			parts |= (u64)n3t_counts_summed(set->code, set->nr, code) <<
				 N3T_PART_COUNTS;
	}
	return parts;
}

/*
 * For each part the parts that some metric of the set combines it with. @partners is only
 * written for parts that have any.
 *
 * Return: bitmap of these parts.
 */
static u64 find_partners(u64 *partners, const struct n3t_plan *plan, unsigned int set)
{
	unsigned int metric;
	u64 parts, rest, all = 0;

	for (metric = 0; metric < N3T_NR_METRICS; metric++) {
		if (plan->set_of[metric] != (int)set)
			continue;
		parts = parts_of_metric(&plan->set[set], metric);
		for (rest = parts & ~all; rest; rest &= rest - 1)
			partners[__ffs64(rest)] = 0;
		all |= parts;
		for (rest = parts; rest; rest &= rest - 1)
			partners[__ffs64(rest)] |= parts;
	}
	return all;
}

static void find_shape(struct n3t_shape *shape, const struct n3t_plan *plan, unsigned int set)
{
	u64 partners[N3T_MAX_PARTS], all, rest;
	u8 weight[N3T_MAX_PARTS];
	unsigned int part, i, k;

	shape->nr_parts = 0;
	shape->nr_products = 0;
	all = find_partners(partners, plan, set);
	for (rest = all; rest; rest &= rest - 1) {
		part = __ffs64(rest);
		weight[part] = hweight64(partners[part]);
		for (i = shape->nr_parts++; i && weight[shape->part[i - 1]] > weight[part]; i--)
			shape->part[i] = shape->part[i - 1];
		shape->part[i] = part;
	}

	for (i = 0; i < shape->nr_parts; i++) {
		for (k = 0; !(partners[shape->part[i]] >> shape->part[k] & 1); k++)
			;
		shape->from[i] = k;
		shape->nr_products += i + 1 - k;
	}
}

/**
 * n3t_shape_find() - find the products that the metrics of each set need
 * @plan: a plan that is complete but for the shapes of its sets
 *
 * Context: Any; after n3t_formula_init().
 */
void n3t_shape_find(struct n3t_plan *plan)
{
	unsigned int set;

	for (set = 0; set < plan->nr_sets; set++)
		find_shape(&plan->set[set].shape, plan, set);
}
