// SPDX-License-Identifier: GPL-2.0
/* Exact event counts from rates over time. */
#include <kunit/visibility.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "rates.h"

/**
 * n3_sim_integral() - integrate a constant rate over a time
 * @rate: counts per second
 * @ns: nanoseconds
 *
 * Both factors are split at 1e9, so that no product below exceeds 60 bits before
 * the division; whole counts wrap around at 2^64 as a counter does.
 *
 * Context: any.
 * Return: rate * ns / 1e9, exactly.
 */
struct n3_sim_count n3_sim_integral(u64 rate, u64 ns)
{
	struct n3_sim_count count;
	u32 rate_low, ns_low;
	u64 rate_high = div_u64_rem(rate, NSEC_PER_SEC, &rate_low);
	u64 ns_high = div_u64_rem(ns, NSEC_PER_SEC, &ns_low);

	count.whole = rate_high * ns + rate_low * ns_high;
	count.whole += div_u64_rem((u64)rate_low * ns_low, NSEC_PER_SEC, &count.nano);
	return count;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_integral);

/**
 * n3_sim_count_add() - add two counts
 * @a: one count
 * @b: the other
 *
 * Context: any.
 * Return: a + b, exactly.
 */
struct n3_sim_count n3_sim_count_add(struct n3_sim_count a, struct n3_sim_count b)
{
	a.whole += b.whole;
	a.nano += b.nano;
	if (a.nano >= NSEC_PER_SEC) {
		a.nano -= NSEC_PER_SEC;
		a.whole++;
	}
	return a;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_count_add);

/* The fraction is in units of 1e-9, like a time: the product with @n is an integral. */
static struct n3_sim_count count_times(struct n3_sim_count count, u64 n)
{
	struct n3_sim_count product = n3_sim_integral(count.nano, n);

	product.whole += count.whole * n;
	return product;
}

/**
 * n3_sim_script_constant() - set up a script with constant rates
 * @script: the script to be written
 * @rates: the rates, kept as a pointer
 *
 * Context: any.
 */
void n3_sim_script_constant(struct n3_sim_script *script, const u64 *rates)
{
	*script = (struct n3_sim_script){
		.nr = 1,
		.phase[0].rates = rates,
	};
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_script_constant);

static struct n3_sim_count phase_count(const struct n3_sim_phase *phase, enum n3t_event event,
				       u64 ns)
{
	if (!phase->rates)
		return (struct n3_sim_count){};
	return n3_sim_integral(phase->rates[event], ns);
}

/**
 * n3_sim_script_count() - count the occurrences of an event during a script
 * @script: the script
 * @event: the event
 * @ns: nanoseconds since the script started
 *
 * Context: any.
 * Return: the integral of the event's rate over the time, exactly.
 */
struct n3_sim_count n3_sim_script_count(const struct n3_sim_script *script, enum n3t_event event,
					u64 ns)
{
	struct n3_sim_count whole = {}, part = {};
	u64 periods, left;
	unsigned int i;

	if (!script->period_ns)
		return phase_count(&script->phase[0], event, ns);

	periods = div64_u64_rem(ns, script->period_ns, &left);
	for (i = 0; i < script->nr; i++) {
		const struct n3_sim_phase *phase = &script->phase[i];
		u64 spent = min(left, phase->ns);

		whole = n3_sim_count_add(whole, phase_count(phase, event, phase->ns));
		part = n3_sim_count_add(part, phase_count(phase, event, spent));
		left -= spent;
	}

	return n3_sim_count_add(count_times(whole, periods), part);
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_script_count);

/**
 * n3_sim_script_phase() - get the current phase of a script
 * @script: the script
 * @ns: nanoseconds since the script started
 *
 * A phase includes its first nanosecond, and excludes that of the next.
 *
 * Context: any.
 * Return: a phase of @script.
 */
const struct n3_sim_phase *n3_sim_script_phase(const struct n3_sim_script *script, u64 ns)
{
	unsigned int i;
	u64 left;

	if (!script->period_ns)
		return &script->phase[0];

	div64_u64_rem(ns, script->period_ns, &left);
	for (i = 0; left >= script->phase[i].ns; i++)
		left -= script->phase[i].ns;
	return &script->phase[i];
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_script_phase);
