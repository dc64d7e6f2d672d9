// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Frequency and instructions per second of CPUs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "about.h"
#include "lib/clock.h"
#include "places.h"
#include "rates.h"
#include "totals_file.h"

const struct rates_info rates_info[NR_RATES] = {
	[RATES_BUSY] = { "busy", "percent of time", "%", 1 },
	[RATES_GHZ] = { "ghz", "GHz", "GHz", 3 },
	[RATES_GIPS] = { "gips", "10^9 instructions per second", "G/s", 4 },
};

const struct rates_info rates_theirs = { "theirs", "percent of time", "%", 1 };

int rates_find(const char *name)
{
	for (int i = 0; i < NR_RATES; i++)
		if (!strcasecmp(rates_info[i].name, name))
			return i;
	return -1;
}

struct value rates_value(enum rates_column column, double number)
{
	char text[VALUE_TEXT];

	if (isnan(number))
		return value_of_text(NO_VALUE);
	snprintf(text, sizeof(text), "%.*f", rates_info[column].decimals, number);
	return value_of_text(text);
}

static bool read_time(struct source *source, const char *cpu, struct cpu_totals *totals)
{
	unsigned long long dropped, yielded, off;
	const char *text;

	totals->known = true;
	if (!totals_file_read(source, cpu, "time", &text) ||
	    !total_take(source, text, "start_ns", &totals->start_ns, &totals->known) ||
	    !total_take(source, text, "sampled_ns", &totals->sampled_ns, &totals->known) ||
	    !total_take(source, text, "dropped_ns", &dropped, &totals->known) ||
	    !total_take(source, text, "yielded_ns", &yielded, &totals->known) ||
	    !total_take(source, text, "off_ns", &off, &totals->known) ||
	    !total_take(source, text, "cycles_total", &totals->cycles, &totals->known))
		return false;
	totals->passed_ns = totals->sampled_ns + dropped + yielded + off;
	return true;
}

static bool read_cpu(struct source *source, struct cpu_totals *totals, unsigned int cpu)
{
	struct place place = place_make(SCOPE_CPU, cpu);
	const char *text;

	if (!read_time(source, place.name, totals))
		return false;
	totals->has_instructions = totals->known;
	if (!totals->known)
		return true;
	return totals_file_read(source, place.name, "general", &text) &&
	       total_take(source, text, "ipc_numerator_total", &totals->instructions,
			  &totals->has_instructions) &&
	       total_take(source, text, "ipc_denominator_total", &totals->ipc_cycles,
			  &totals->has_instructions);
}

bool totals_read(struct source *source, struct totals *totals, const bool *wanted)
{
	const struct about *about = source_about(source);

	totals_free(totals);
	if (!about)
		return false;
	totals->simulated = about->simulated;
	totals->time = source_is_live(source) ? monotonic_now() : NAN;
	for (unsigned int cpu = 0; cpu < MAX_PLACES; cpu++)
		if (wanted[cpu])
			totals->nr = cpu + 1;
	if (!totals->nr)
		return true;
	totals->cpus = calloc(totals->nr, sizeof(*totals->cpus));
	if (!totals->cpus) {
		totals->nr = 0;
		return failure_no_memory(&source->failure);
	}
	for (unsigned int cpu = 0; cpu < totals->nr; cpu++) {
		if (wanted[cpu] && !read_cpu(source, &totals->cpus[cpu], cpu)) {
			totals_free(totals);
			return false;
		}
	}
	return true;
}

void totals_free(struct totals *totals)
{
	free(totals->cpus);
	*totals = (struct totals) { 0 };
}

/* Return: the growth, or NAN if there is none or a total became smaller. */
static double growth(unsigned long long before, unsigned long long after)
{
	unsigned long long passed = after - before;

	return passed && passed >> 63 == 0 ? (double)passed : NAN;
}

/* Per second; NAN: unknown. */
struct speed {
	double cycles;
	double instructions;
};

/*
 * Seconds of sampled time between the readings. What the slices add to or lack of the time that
 * has passed is idle time, of a slice that began before or has not ended.
 */
static double sampled_time(const struct totals *before, const struct totals *after,
			   const struct cpu_totals *from, const struct cpu_totals *to)
{
	double sampled = growth(from->sampled_ns, to->sampled_ns);
	double elapsed = after->time - before->time;

	if (isnan(elapsed))
		return sampled / 1e9;
	return elapsed * sampled / growth(from->passed_ns, to->passed_ns);
}

static struct speed speed_of(const struct totals *before, const struct totals *after,
			     unsigned int cpu)
{
	struct speed speed = { NAN, NAN };
	const struct cpu_totals *from, *to;

	if (cpu >= before->nr || cpu >= after->nr)
		return speed;
	from = &before->cpus[cpu];
	to = &after->cpus[cpu];
	if (!from->known || !to->known || from->start_ns != to->start_ns)
		return speed;
	speed.cycles = growth(from->cycles, to->cycles) / sampled_time(before, after, from, to);
	if (from->has_instructions && to->has_instructions)
		speed.instructions = growth(from->instructions, to->instructions) /
				     growth(from->ipc_cycles, to->ipc_cycles) * speed.cycles;
	return speed;
}

static bool is_busy(double busy)
{
	return busy >= RATES_MIN_BUSY;	/* not if it is NAN */
}

/* Sums over CPUs. */
struct sums {
	double busy, busy_cycles;	/* of busy CPUs */
	double cycles;
	double instructions, counted;	/* counted: cycles of the CPUs with instructions */
	bool lacks;			/* the cycles of a busy CPU */
};

static void add(struct sums *sums, const struct speed *speed, double busy)
{
	if (isnan(speed->cycles)) {
		sums->lacks |= is_busy(busy);
		return;
	}
	sums->cycles += speed->cycles;
	if (is_busy(busy)) {
		sums->busy_cycles += speed->cycles;
		sums->busy += busy / 100;
	}
	if (!isnan(speed->instructions)) {
		sums->instructions += speed->instructions;
		sums->counted += speed->cycles;
	}
}

/*
 * A CPU that ran briefly may not have run in a slice that counts instructions. If such CPUs have
 * a small part of all cycles, they are taken to have the IPC of the others.
 */
static double all_instructions(const struct sums *sums)
{
	if (sums->lacks || !(sums->counted > 0) ||
	    sums->cycles - sums->counted > RATES_MAX_UNCOUNTED * sums->cycles)
		return NAN;
	return sums->instructions / sums->counted * sums->cycles;
}

static struct rates rates_of(const struct sums *sums, bool simulated)
{
	return (struct rates) {
		.ghz = sums->busy > 0 && !simulated ? sums->busy_cycles / 1e9 / sums->busy : NAN,
		.instructions = all_instructions(sums),
	};
}

struct rates rates_of_cpu(const struct totals *before, const struct totals *after,
			  unsigned int cpu, double busy)
{
	struct speed speed = speed_of(before, after, cpu);
	struct sums sums = { 0 };

	add(&sums, &speed, busy);
	return rates_of(&sums, after->simulated);
}

struct rates rates_between(const struct totals *before, const struct totals *after,
			   const bool *wanted, const double *busy)
{
	struct sums sums = { 0 };

	for (unsigned int cpu = 0; cpu < MAX_PLACES; cpu++) {
		if (wanted[cpu]) {
			struct speed speed = speed_of(before, after, cpu);

			add(&sums, &speed, busy[cpu]);
		}
	}
	return rates_of(&sums, after->simulated);
}
