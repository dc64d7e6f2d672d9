// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Utilisation, frequency and instructions per second of places. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "busy.h"
#include "lib/clock.h"
#include "lib/cpu_list.h"
#include "proc_file.h"

#define MAX_LIST	4096

/* Without rates the totals stay empty. */
static bool read_totals(struct source *source, struct busy *busy, struct totals *totals)
{
	return !busy->with_rates || totals_read(source, totals, busy->measured);
}

bool busy_start(struct source *source, struct busy *busy, const char *proc, bool rates)
{
	*busy = (struct busy) {
		.proc = proc ? proc : PROC_DEFAULT,
		.known = proc || source_is_live(source),
		.with_rates = rates,
	};
	if (busy->known && !proc_stat_read(&source->failure, &busy->before, busy->proc)) {
		busy->known = false;
		return !proc && source->failure.kind != ERR_OUT_OF_MEMORY;
	}
	return !busy->known || (places_present(source, SCOPE_CPU, busy->measured) &&
				read_totals(source, busy, &busy->totals_before));
}

bool busy_has_totals(const struct busy *busy)
{
	for (size_t i = 0; i < busy->totals_before.nr; i++)
		if (busy->totals_before.cpus[i].known)
			return true;
	return false;
}

/* /sys and /proc have the same parent, also in a copy. */
bool busy_node_cpus(const char *proc, unsigned int node, bool *cpus)
{
	char text[MAX_LIST];

	return proc_file_read(text, sizeof(text), "%s/../sys/devices/system/node/node%u/cpulist",
			      proc, node) > 0 && !cpu_list_parse(text, cpus);
}

static double percent_of(const struct utilisation *utilisation)
{
	return utilisation->known ? utilisation->busy : NAN;
}

static void measure_each_cpu(struct busy *busy)
{
	for (unsigned int cpu = 0; cpu < MAX_PLACES; cpu++) {
		struct utilisation utilisation = { 0 };

		if (cpu < busy->now.nr)
			utilisation = proc_stat_of_cpu(&busy->before, &busy->now, cpu);
		busy->percent[cpu] = percent_of(&utilisation);
	}
}

static void measure_cpus(struct busy *busy, size_t i, const bool *wanted)
{
	busy->v[i] = proc_stat_between(&busy->before, &busy->now, wanted);
	busy->rates[i] = rates_between(&busy->totals_before, &busy->totals_now, wanted,
				       busy->percent);
}

bool busy_cpus(const struct busy *busy, const struct place *place, bool *cpus)
{
	if (place->scope == SCOPE_NODE)
		return busy_node_cpus(busy->proc, place->id, cpus);
	if (place->scope == SCOPE_SYSTEM)
		memcpy(cpus, busy->measured, sizeof(busy->measured));
	else
		cpus[place->id] = true;
	return true;
}

static void measure(struct busy *busy, size_t i, const struct place *place)
{
	bool wanted[MAX_PLACES] = { false };

	if (place->scope == SCOPE_CPU) {
		busy->v[i] = proc_stat_of_cpu(&busy->before, &busy->now, place->id);
		busy->rates[i] = rates_of_cpu(&busy->totals_before, &busy->totals_now, place->id,
					      busy->percent[place->id]);
	} else if (busy_cpus(busy, place, wanted)) {
		measure_cpus(busy, i, wanted);
	} else {
		busy->v[i] = (struct utilisation) { 0 };
		busy->rates[i] = (struct rates) { NAN, NAN };
	}
}

void busy_settle(const struct busy *busy)
{
	if (busy->known && monotonic_now() < busy->before.time + BUSY_SHORTEST)
		sleep_until(busy->before.time + BUSY_SHORTEST);
}

static void forget(struct busy *busy)
{
	free(busy->v);
	free(busy->rates);
	busy->v = NULL;
	busy->rates = NULL;
}

bool busy_read(struct source *source, struct busy *busy, const struct choice *choice)
{
	struct proc_stat before = busy->before;
	struct totals totals = busy->totals_before;

	if (!busy->known || (busy->v && monotonic_now() < before.time + BUSY_SHORTEST))
		return true;
	forget(busy);
	if (!proc_stat_read(&source->failure, &busy->now, busy->proc))
		return source->failure.kind != ERR_OUT_OF_MEMORY;
	if (!read_totals(source, busy, &busy->totals_now))
		return false;
	busy->v = reallocarray(NULL, choice->places.nr, sizeof(*busy->v));
	busy->rates = reallocarray(NULL, choice->places.nr, sizeof(*busy->rates));
	if (!busy->v || !busy->rates)
		return failure_no_memory(&source->failure);
	measure_each_cpu(busy);
	for (size_t i = 0; i < choice->places.nr; i++)
		measure(busy, i, &choice->places.v[i]);
	busy->before = busy->now;
	busy->now = before;
	busy->totals_before = busy->totals_now;
	busy->totals_now = totals;
	return true;
}

void busy_fill(const struct busy *busy, struct snapshot *snapshot, const struct choice *choice)
{
	for (size_t i = 0; busy->v && i < choice->places.nr; i++)
		snapshot_set_rates(snapshot, choice, i, percent_of(&busy->v[i]), &busy->rates[i]);
}

void busy_end(struct busy *busy)
{
	proc_stat_free(&busy->before);
	proc_stat_free(&busy->now);
	totals_free(&busy->totals_before);
	totals_free(&busy->totals_now);
	forget(busy);
	busy->known = false;
}
