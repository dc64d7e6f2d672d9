// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The share of time in which the places' CPUs ran the named processes, in each snapshot. */
#include <math.h>
#include <stdlib.h>

#include "reader/errors.h"
#include "reader/telemetry.h"
#include "record_who.h"

void record_who_start(struct record_who *who, const struct options *options,
		      struct choice *choice)
{
	who->wanted = who_names_any(&options->who);
	if (!who->wanted)
		return;
	options_start_who(options, &who->who);
	must(choose_theirs(&telemetry, choice));
}

void record_who_describe(const struct record_who *who, struct recording_writer *writer)
{
	char *text;

	if (!who->wanted)
		return;
	text = who_names_text(who->who.set.names, false);
	recording_write_about(writer, "who", text);
	free(text);
}

double record_who_due(const struct record_who *who, double end)
{
	return who->wanted ? fmin(who_due(&who->who, end), end) : end;
}

void record_who_sample(struct record_who *who)
{
	if (who->wanted)
		must(who_sample(&who->who));
}

/* Of several CPUs the mean over those that are online. */
static double theirs_of(const struct who *who, const struct busy *busy, const struct place *place)
{
	double percent = 100 / (who_seconds(who) * 1e9), theirs = 0;
	bool cpus[MAX_PLACES] = { false };
	unsigned int nr = 0;

	if (place->scope == SCOPE_CPU)
		return fmin(100, (double)who->cpus[place->id].ran * percent);
	if (!busy_cpus(busy, place, cpus))
		return NAN;
	for (unsigned int cpu = 0; cpu < MAX_PLACES; cpu++) {
		if (!cpus[cpu] || isnan(busy->percent[cpu]))
			continue;
		theirs += fmin(100, (double)who->cpus[cpu].ran * percent);
		nr++;
	}
	return nr ? theirs / nr : NAN;
}

void record_who_fill(const struct record_who *who, const struct busy *busy,
		     struct snapshot *snapshot, const struct choice *choice)
{
	int column = choice_theirs(choice);

	for (size_t i = 0; column >= 0 && i < choice->places.nr; i++) {
		size_t at = i * choice->nr_columns + (size_t)column;

		snapshot->v[at] = rates_value(RATES_BUSY, theirs_of(&who->who, busy,
								    &choice->places.v[i]));
		snapshot->estimates[at] = snapshot->v[at];
	}
}

void record_who_begin(struct record_who *who)
{
	if (who->wanted)
		who_begin(&who->who);
}

bool record_who_is_over(const struct record_who *who)
{
	if (!who->wanted || !who_set_is_over(&who->who.set))
		return false;
	warn(ERR_PROCESSES_ENDED, "the processes have ended");
	return true;
}

void record_who_end(struct record_who *who)
{
	if (who->wanted)
		who_free(&who->who);
}
