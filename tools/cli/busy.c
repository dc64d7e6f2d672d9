// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Utilisation of places: a CPU, a node's CPUs or all measured CPUs. */
#include <stdlib.h>
#include <string.h>

#include "busy.h"
#include "lib/clock.h"
#include "lib/disk.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "telemetry.h"

#define MAX_LIST	4096

static struct {
	const char *proc;
	bool known;
	struct proc_stat before, now;
	struct utilisation *v;
	bool *measured;			/* CPUs of the system */
} busy;

void busy_start(const char *proc)
{
	busy.proc = proc ? proc : PROC_DEFAULT;
	if (proc)
		proc_stat_must_read(&busy.before, proc);
	busy.known = proc || (source_is_live(&telemetry) &&
			      !proc_stat_read(&busy.before, busy.proc));
}

bool busy_is_known(void)
{
	return busy.known;
}

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

/* /sys and /proc have the same parent, also in a copy. */
static bool read_node(unsigned int node, bool *wanted)
{
	char *path = format_string("%s/../sys/devices/system/node/node%u/cpulist", busy.proc, node);
	char text[MAX_LIST];
	ssize_t len = disk_read(path, text, sizeof(text) - 1);

	free(path);
	text[len > 0 ? len : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return len > 0 && !place_list_parse(text, wanted);
}

static struct utilisation of_place(const struct place *place)
{
	bool wanted[MAX_PLACES] = { false };

	if (place->scope == SCOPE_CPU)
		return proc_stat_of_cpu(&busy.before, &busy.now, place->id);
	if (place->scope == SCOPE_SYSTEM)
		return proc_stat_between(&busy.before, &busy.now, cpus_measured());
	if (!read_node(place->id, wanted))
		return (struct utilisation) { 0 };
	return proc_stat_between(&busy.before, &busy.now, wanted);
}

void busy_settle(void)
{
	if (busy.known && monotonic_now() < busy.before.time + BUSY_SHORTEST)
		sleep_until(busy.before.time + BUSY_SHORTEST);
}

const struct utilisation *busy_read(const struct choice *choice)
{
	struct proc_stat before = busy.before;

	if (!busy.known)
		return NULL;
	if (busy.v && monotonic_now() < before.time + BUSY_SHORTEST)
		return busy.v;
	if (proc_stat_read(&busy.now, busy.proc))
		return NULL;
	busy.v = xreallocarray(busy.v, choice->places.nr, sizeof(*busy.v));
	for (size_t i = 0; i < choice->places.nr; i++)
		busy.v[i] = of_place(&choice->places.v[i]);
	busy.before = busy.now;
	busy.now = before;
	return busy.v;
}

void busy_end(void)
{
	proc_stat_free(&busy.before);
	proc_stat_free(&busy.now);
	free(busy.v);
	free(busy.measured);
	memset(&busy, 0, sizeof(busy));
}
