// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Utilisation, frequency and instructions per second of places. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "busy.h"
#include "lib/clock.h"
#include "lib/cpu_list.h"
#include "lib/disk.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "telemetry.h"

#define MAX_LIST	4096

static struct {
	const char *proc;
	bool known;
	bool with_rates;
	struct proc_stat before, now;
	struct totals totals_before, totals_now;
	struct utilisation *v;
	struct rates *rates;
	bool *measured;			/* CPUs of the system */
} busy;

/* The CPUs with a directory of the module. */
static const bool *cpus_measured(void)
{
	struct place place;
	char **names;
	size_t nr;

	if (busy.measured)
		return busy.measured;
	busy.measured = xreallocarray(NULL, MAX_PLACES, sizeof(bool));
	memset(busy.measured, 0, MAX_PLACES * sizeof(bool));
	nr = telemetry_list("", &names);
	for (size_t i = 0; i < nr; i++)
		if (place_parse(names[i], &place) && place.scope == SCOPE_CPU)
			busy.measured[place.id] = true;
	free_names(names);
	return busy.measured;
}

/* Without rates the totals stay empty. */
static void read_totals(struct totals *totals)
{
	if (busy.with_rates)
		must(totals_read(&telemetry, totals, cpus_measured()));
}

void busy_start(const char *proc, bool rates)
{
	busy.with_rates = rates;
	busy.proc = proc ? proc : PROC_DEFAULT;
	if (proc)
		proc_stat_must_read(&busy.before, proc);
	busy.known = proc || (source_is_live(&telemetry) &&
			      !proc_stat_read(&busy.before, busy.proc));
	if (busy.known)
		read_totals(&busy.totals_before);
}

bool busy_has_totals(void)
{
	for (size_t i = 0; i < busy.totals_before.nr; i++)
		if (busy.totals_before.cpus[i].known)
			return true;
	return false;
}

bool busy_is_known(void)
{
	return busy.known;
}

/* /sys and /proc have the same parent, also in a copy. */
static bool read_node(unsigned int node, bool *wanted)
{
	char *path = format_string("%s/../sys/devices/system/node/node%u/cpulist", busy.proc, node);
	char text[MAX_LIST];
	ssize_t len = disk_read(path, text, sizeof(text) - 1);

	free(path);
	text[len > 0 ? len : 0] = '\0';
	return len > 0 && !cpu_list_parse(text, wanted);
}

static double percent_of(const struct utilisation *utilisation)
{
	return utilisation->known ? utilisation->busy : NAN;
}

/* Utilisation of each CPU in percent; NAN: unknown. */
static const double *each_cpu(void)
{
	static double percent[MAX_PLACES];

	for (unsigned int cpu = 0; cpu < MAX_PLACES; cpu++) {
		struct utilisation utilisation = { 0 };

		if (cpu < busy.now.nr)
			utilisation = proc_stat_of_cpu(&busy.before, &busy.now, cpu);
		percent[cpu] = percent_of(&utilisation);
	}
	return percent;
}

static void measure_cpus(size_t i, const bool *wanted, const double *each)
{
	busy.v[i] = proc_stat_between(&busy.before, &busy.now, wanted);
	busy.rates[i] = rates_between(&busy.totals_before, &busy.totals_now, wanted, each);
}

static void measure(size_t i, const struct place *place, const double *each)
{
	bool wanted[MAX_PLACES] = { false };

	if (place->scope == SCOPE_CPU) {
		busy.v[i] = proc_stat_of_cpu(&busy.before, &busy.now, place->id);
		busy.rates[i] = rates_of_cpu(&busy.totals_before, &busy.totals_now, place->id,
					     each[place->id]);
	} else if (place->scope == SCOPE_SYSTEM) {
		measure_cpus(i, cpus_measured(), each);
	} else if (read_node(place->id, wanted)) {
		measure_cpus(i, wanted, each);
	} else {
		busy.v[i] = (struct utilisation) { 0 };
		busy.rates[i] = (struct rates) { NAN, NAN };
	}
}

void busy_settle(void)
{
	if (busy.known && monotonic_now() < busy.before.time + BUSY_SHORTEST)
		sleep_until(busy.before.time + BUSY_SHORTEST);
}

const struct utilisation *busy_read(const struct choice *choice)
{
	struct proc_stat before = busy.before;
	struct totals totals = busy.totals_before;
	const double *each;

	if (!busy.known)
		return NULL;
	if (busy.v && monotonic_now() < before.time + BUSY_SHORTEST)
		return busy.v;
	if (proc_stat_read(&busy.now, busy.proc))
		return NULL;
	read_totals(&busy.totals_now);
	busy.v = xreallocarray(busy.v, choice->places.nr, sizeof(*busy.v));
	busy.rates = xreallocarray(busy.rates, choice->places.nr, sizeof(*busy.rates));
	each = each_cpu();
	for (size_t i = 0; i < choice->places.nr; i++)
		measure(i, &choice->places.v[i], each);
	busy.before = busy.now;
	busy.now = before;
	busy.totals_before = busy.totals_now;
	busy.totals_now = totals;
	return busy.v;
}

const struct rates *busy_rates(void)
{
	return busy.rates;
}

void busy_fill(struct snapshot *snapshot, const struct choice *choice,
	       const struct utilisation *utilisation)
{
	for (size_t i = 0; utilisation && i < choice->places.nr; i++)
		snapshot_set_rates(snapshot, choice, i, percent_of(&utilisation[i]),
				   &busy.rates[i]);
}

void busy_end(void)
{
	proc_stat_free(&busy.before);
	proc_stat_free(&busy.now);
	totals_free(&busy.totals_before);
	totals_free(&busy.totals_now);
	free(busy.rates);
	free(busy.v);
	free(busy.measured);
	memset(&busy, 0, sizeof(busy));
}
