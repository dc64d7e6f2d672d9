// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Totals of a metric. */
#include "libn3t/formula.h"
#include "libn3telemetry/stats/parts.h"

/* The same events as positions in another formula, 0 if it does not have all of them. */
static u32 events_in(const struct n3t_formula *other, const struct n3t_formula *formula,
		     u32 events)
{
	u32 found = events & N3T_FORMULA_CYCLES, position;

	for (unsigned int i = 0; i < formula->nr_events; i++) {
		if (!(events & 1u << i))
			continue;
		position = n3t_code_position(other->code, other->nr_events, formula->code[i]);
		if (!position)
			return 0;
		found |= position;
	}
	return found;
}

/**
 * n3t_metric_complement() - find the metric that another one is 1 less
 * @metric: the metric, which has no parts then
 *
 * Return: the metric with the parts, or -1 if @metric is not such a complement.
 */
int n3t_metric_complement(enum n3t_metric metric)
{
	const struct n3t_formula *formula = n3t_metric_formula(metric), *other;

	if (!n3t_formula_is_complement(formula))
		return -1;
	for (unsigned int i = 0; i < N3T_NR_METRICS; i++) {
		other = n3t_metric_formula(i);
		if (n3t_formula_has_parts(other) && !other->part[N3T_SUBTRAHEND] &&
		    other->part[N3T_NUMERATOR] ==
				events_in(other, formula, formula->part[N3T_SUBTRAHEND]) &&
		    other->part[N3T_DENOMINATOR] ==
				events_in(other, formula, formula->part[N3T_DENOMINATOR]))
			return i;
	}
	return -1;
}

/**
 * n3t_metric_parts() - parts that a metric has
 * @metric: the metric
 *
 * Return: a mask over enum n3t_part; 0 if the metric is not a quotient of sums.
 */
unsigned int n3t_metric_parts(enum n3t_metric metric)
{
	const struct n3t_formula *formula = n3t_metric_formula(metric);
	unsigned int parts = 0;

	if (!n3t_formula_has_parts(formula))
		return 0;
	for (unsigned int i = 0; i < N3T_NR_PARTS; i++)
		if (formula->part[i])
			parts |= 1u << i;
	return parts;
}
