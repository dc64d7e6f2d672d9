// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * One value over several CPUs.
 *
 * The counts of each CPU are divided by the time in which its set was counted
 * and then summed: the weight of a CPU is its activity, not the number of slices
 * of its set in the window. The formula is applied to the sums. Counts are not
 * scaled within a set: all counts of a set cover the same time.
 */
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <kunit/visibility.h>

#include "libn3t/formula.h"
#include "libn3t/combine.h"
#include "libn3t/wide.h"

/* Count per time in N3T_RATE_UNIT per second, rounded to nearest; at most S64_MAX. */
u64 n3t_rate(u64 count, u64 time_ns)
{
	unsigned __int128 units = (unsigned __int128)count * N3T_RATE_UNIT * NSEC_PER_SEC;
	u64 high = units >> 64, rate, rem;

	if (high >= time_ns)
		return S64_MAX;
	rate = wide_div_word(high, units, time_ns, &rem);
	rate += rem >= time_ns - rem;
	return min_t(u64, rate, S64_MAX);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_rate);

/* Starts with no CPU. */
void n3t_combine_begin(struct n3t_combined *combined, enum n3t_metric metric)
{
	const struct n3t_formula *formula = n3t_metric_formula(metric);

	memset(combined, 0, sizeof(*combined));
	combined->metric = metric;
	combined->verdict = N3T_OFFLINE;
	combined->rates.nr = formula->nr_events;
	memcpy(combined->rates.code, formula->code, formula->nr_events * sizeof(formula->code[0]));
}
EXPORT_SYMBOL_IF_KUNIT(n3t_combine_begin);

/**
 * n3t_combine_includes() - decide whether to include a CPU, and count it
 * @combined: the metric over several CPUs, to which the caller adds the CPU's rates
 * @verdict: result of n3t_metric_counts() or n3t_metric_value() for this CPU
 * @time_ns: time that its counts cover; read only if they are usable
 *
 * A CPU is included if its counts are usable: if it has a value, or would have
 * one except for a denominator of 0.
 *
 * Call once per CPU.
 *
 * Context: Any.
 * Return: true if the CPU is included.
 */
bool n3t_combine_includes(struct n3t_combined *combined, enum n3t_verdict verdict, u64 time_ns)
{
	bool has_counts = verdict == N3T_VALUE || verdict == N3T_UNDEF;

	/* Without clock advance there is no rate. */
	if (has_counts && time_ns) {
		combined->cpus++;
		combined->defined |= verdict == N3T_VALUE;
		return true;
	}
	combined->verdict = max(combined->verdict, has_counts ? N3T_STALE : verdict);
	return false;
}

/* Adds a CPU with the counts of the formula's events in its order, as n3t_combine_includes(). */
bool n3t_combine_add(struct n3t_combined *combined, enum n3t_verdict verdict,
		     const struct n3t_counts *counts, u64 time_ns)
{
	unsigned int i;

	if (!n3t_combine_includes(combined, verdict, time_ns))
		return false;

	combined->rates.cycles += n3t_rate(counts->cycles, time_ns);
	for (i = 0; i < combined->rates.nr; i++)
		combined->rates.count[i] += n3t_rate(counts->count[i], time_ns);
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_combine_add);

/* The value, or the verdict of the CPU that is closest to a value. */
enum n3t_verdict n3t_combine_end(const struct n3t_combined *combined, struct n3t_ratio *value)
{
	if (!combined->cpus)
		return combined->verdict;
	if (!combined->defined)
		return N3T_UNDEF;

	return n3t_formula_eval(n3t_metric_formula(combined->metric), &combined->rates, value);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_combine_end);
