// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Computation of baselines from recordings. */
#include <stdlib.h>
#include <string.h>

#include "baseline_make.h"
#include "cli/errors.h"
#include "lib/memory.h"
#include "lib/text.h"
#include "percentile.h"
#include "recording.h"

#define DEFAULT_WINDOW	2.0	/* the module's own default, in seconds */
#define CLOSE_ENOUGH	0.99	/* of a window: intervals of snapshots vary slightly */

struct numbers {
	double *v;
	size_t nr;
	size_t room;
};

/* Values of one metric in one scope, and their times. */
struct samples {
	struct numbers values;
	struct numbers times;
	unsigned long last;		/* snapshot of the last time */
};

struct maker {
	struct baseline *baseline;
	char (*names)[VALUE_NAME];
	size_t nr_names;
	struct samples *samples[BASELINE_SCOPES];	/* by name */
	struct numbers times[BASELINE_SCOPES];
	unsigned long nr;			/* snapshots so far, in all recordings */
};

static void add_number(struct numbers *numbers, double number)
{
	if (numbers->nr == numbers->room) {
		numbers->room = numbers->room ? 2 * numbers->room : 16;
		numbers->v = xreallocarray(numbers->v, numbers->room, sizeof(*numbers->v));
	}
	numbers->v[numbers->nr++] = number;
}

static void add_name(char ***names, const char *name)
{
	size_t nr = 0;

	for (; (*names)[nr]; nr++)
		if (!strcmp((*names)[nr], name))
			return;
	*names = xreallocarray(*names, nr + 2, sizeof(**names));
	(*names)[nr] = xstrdup(name);
	(*names)[nr + 1] = NULL;
}

static void add_about(char ***names, const struct recording *recording, const char *key)
{
	const char *name = recording_about(recording, key);

	if (name)
		add_name(names, name);
}

static bool is_simulated(const struct recording *recording)
{
	return recording_about(recording, "simulated");
}

/* Simulated and real counts must not be mixed. */
static void check_kind(const struct baseline *baseline, const struct recording *recording,
		       const char *first)
{
	const char *core = recording_about(recording, "core");

	if (baseline->simulated != is_simulated(recording))
		die(ERR_RECORDINGS_DIFFER,
		    "%s has simulated counts, %s has not: make a baseline of each",
		    baseline->simulated ? first : recording->name,
		    baseline->simulated ? recording->name : first);
	if (strcmp(baseline->core ? baseline->core : "", core ? core : ""))
		die(ERR_RECORDINGS_DIFFER,
		    "%s and %s are of different cores: make a baseline of each",
		    first, recording->name);
}

static void take_about(struct baseline *baseline, const struct recording *recording,
		       const char *first)
{
	const char *window = recording_about(recording, "window_ms");
	const char *core = recording_about(recording, "core");
	double seconds = window ? strtod(window, NULL) / 1000 : DEFAULT_WINDOW;

	if (!baseline->recordings++) {
		baseline->simulated = is_simulated(recording);
		baseline->core = core ? xstrdup(core) : NULL;
	}
	check_kind(baseline, recording, first);
	add_about(&baseline->hosts, recording, "host");
	add_about(&baseline->kernels, recording, "kernel");
	add_about(&baseline->pmus, recording, "pmu");
	if (!(seconds > 0 && seconds < 1e6))
		seconds = DEFAULT_WINDOW;
	if (baseline->window > 0 && seconds != baseline->window)
		warn(ERR_WINDOWS_DIFFER,
		     "%s has windows of %g s, others have %g s; the longest decides which "
		     "values are independent", recording->name, seconds, baseline->window);
	if (seconds > baseline->window)
		baseline->window = seconds;
}

/* Return: the index of a metric's samples, added if missing. */
static size_t find_samples(struct maker *maker, const char *name)
{
	size_t at = 0;

	while (at < maker->nr_names && strcmp(maker->names[at], name))
		at++;
	if (at < maker->nr_names)
		return at;
	maker->names = xreallocarray(maker->names, at + 1, sizeof(*maker->names));
	strcpy(maker->names[at], name);
	for (int scope = 0; scope < BASELINE_SCOPES; scope++) {
		maker->samples[scope] = xreallocarray(maker->samples[scope], at + 1,
						      sizeof(struct samples));
		maker->samples[scope][at] = (struct samples) { 0 };
	}
	return maker->nr_names++;
}

/* Return: for each column the index of its samples or -1; the caller frees it. */
static int *map_columns(struct maker *maker, const struct recording *recording)
{
	int *map = xreallocarray(NULL, recording->nr_columns, sizeof(*map));

	for (size_t i = 0; i < recording->nr_columns; i++) {
		const char *name = recording->columns[i].name;

		map[i] = -1;
		/* A metric of several groups counts once. */
		if (recording_find_values(recording, name) == (int)i)
			map[i] = (int)find_samples(maker, name);
	}
	return map;
}

static void count_value(struct maker *maker, struct samples *samples, const struct value *value,
			double time)
{
	if (!value || !value->is_number)
		return;
	add_number(&samples->values, value->number);
	if (samples->times.nr && samples->last == maker->nr)
		return;
	add_number(&samples->times, time);
	samples->last = maker->nr;
}

static void count_snapshot(struct maker *maker, const struct recording *recording, const int *map)
{
	bool has[BASELINE_SCOPES] = { false };

	for (size_t place = 0; place < recording->places.nr; place++) {
		enum scope scope = recording->places.v[place].scope;

		has[scope] = true;
		for (size_t i = 0; i < recording->nr_columns; i++)
			if (map[i] >= 0)
				count_value(maker, &maker->samples[scope][map[i]],
					    recording_value(recording, place, i), recording->time);
	}
	for (int scope = 0; scope < BASELINE_SCOPES; scope++)
		if (has[scope])
			add_number(&maker->times[scope], recording->time);
	maker->nr++;
}

static void count_places(struct baseline *baseline, const struct recording *recording)
{
	unsigned long nr[BASELINE_SCOPES] = { 0 };

	for (size_t i = 0; i < recording->places.nr; i++)
		nr[recording->places.v[i].scope]++;
	for (int scope = 0; scope < BASELINE_SCOPES; scope++)
		if (nr[scope] > baseline->scopes[scope].places)
			baseline->scopes[scope].places = nr[scope];
}

static void check_end(const struct recording *recording)
{
	if (!recording->nr)
		die(ERR_EMPTY_RECORDING, "%s: no complete snapshot", recording->name);
	if (recording->cut || recording->broken)
		warn(ERR_INCOMPLETE_RECORDING,
		     "%s: %s; %lu complete %s before that", recording->name,
		     recording->broken ? "damaged" : "cut off in the middle of a snapshot",
		     recording->nr, plural(recording->nr, "snapshot", "snapshots"));
}

static void take_recording(struct maker *maker, const char *name, const char *first)
{
	struct recording recording;
	int *map;

	recording_open(&recording, name);
	take_about(maker->baseline, &recording, first);
	count_places(maker->baseline, &recording);
	map = map_columns(maker, &recording);
	while (recording_next(&recording))
		count_snapshot(maker, &recording, map);
	check_end(&recording);
	free(map);
	recording_close(&recording);
}

/* Sorts the times. Return: how many are at least a window apart. */
static unsigned long count_independent(struct numbers *times, double window)
{
	unsigned long nr = 0;
	double last = 0;

	percentile_sort(times->v, times->nr);
	for (size_t i = 0; i < times->nr; i++) {
		if (nr && times->v[i] - last < CLOSE_ENOUGH * window)
			continue;
		last = times->v[i];
		nr++;
	}
	return nr;
}

static void finish_metric(struct baseline_scope *scope, const char *name, struct samples *samples,
			  double window)
{
	struct numbers *values = &samples->values;
	struct baseline_metric *metric;

	if (!values->nr)
		return;
	scope->metrics = xreallocarray(scope->metrics, scope->nr + 1, sizeof(*scope->metrics));
	metric = &scope->metrics[scope->nr++];
	*metric = (struct baseline_metric) { .values = values->nr };
	strcpy(metric->name, name);
	metric->independent = count_independent(&samples->times, window);
	percentile_sort(values->v, values->nr);
	for (int i = 0; i < NR_PERCENTS; i++) {
		metric->known[i] = metric->independent >= percentile_needs(percents[i]);
		if (metric->known[i])
			metric->v[i] = percentile(values->v, values->nr, percents[i]);
	}
}

static void finish_scope(struct maker *maker, int at)
{
	struct baseline_scope *scope = &maker->baseline->scopes[at];
	double window = maker->baseline->window;

	scope->snapshots = maker->times[at].nr;
	scope->independent = count_independent(&maker->times[at], window);
	for (size_t i = 0; i < maker->nr_names; i++) {
		struct samples *samples = &maker->samples[at][i];

		finish_metric(scope, maker->names[i], samples, window);
		free(samples->values.v);
		free(samples->times.v);
	}
	free(maker->samples[at]);
	free(maker->times[at].v);
}

static char **no_names(void)
{
	char **names = xreallocarray(NULL, 1, sizeof(*names));

	*names = NULL;
	return names;
}

void baseline_make(struct baseline *baseline, char **recordings, size_t nr)
{
	struct maker maker = { .baseline = baseline };

	*baseline = (struct baseline) {
		.hosts = no_names(), .kernels = no_names(), .pmus = no_names()
	};
	for (size_t i = 0; i < nr; i++)
		take_recording(&maker, recordings[i], recordings[0]);
	for (int scope = 0; scope < BASELINE_SCOPES; scope++)
		finish_scope(&maker, scope);
	free(maker.names);
}
