// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* doctor checks of the loaded module: its PMU, settings and switching costs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "lib/finding.h"
#include "lib/keys.h"
#include "lib/memory.h"
#include "lib/text.h"
#include "libn3telemetry/about.h"
#include "libn3telemetry/catalog.h"
#include "reader/notices.h"

#define MAX_NAMED	4	/* groups, metrics */
#define MAX_SHOWN	200	/* characters of an event list */

static bool setting_is(const struct machine *machine, const char *name, const char *value)
{
	char text[MACHINE_MAX_TEXT];

	if (module_read(machine, name, text, sizeof(text)) < 0)
		return false;
	text[strcspn(text, "\n")] = '\0';
	return !strcmp(text, value);
}

static void check_pmu(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];
	char *named, *pmu;

	if (module_read(machine, "spec", text, sizeof(text)) <= 0)
		return;
	named = value_of_key(text, "named");
	pmu = value_of_key(text, "pmu");
	if (spec_is_simulated(text))
		finding(FINDING_NOTE, "pmu_simulated", NULL,
			"the counts are simulated: the module was loaded with pmu=n3_sim");
	else if (named && !strcmp(named, "1"))
		finding(FINDING_NOTE, "pmu_named", NULL,
			"the PMU was named at load (pmu=%.64s): its events are taken for those of "
			"a Neoverse N3", pmu ? pmu : "");
	free(named);
	free(pmu);
}

static void check_core(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];
	const char *core;
	size_t len;

	if (module_read(machine, "spec", text, sizeof(text)) <= 0)
		return;
	core = other_core_of(text, &len);
	if (core)
		finding(FINDING_WARNING, "other_core", NULL,
			"%.*s: the module was loaded with core=; numbers are for rehearsal only",
			(int)len, core);
}

/* The next line "group NAME stage N ..." of the file spec. Return: its name, or NULL. */
static const char *next_group(const char *spec, size_t *len)
{
	for (const char *line = spec; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, "group ", 6))
			continue;
		line += 6;
		*len = strcspn(line, " \n");
		if (!strncmp(line + *len, " stage ", 7))
			return line;
	}
	return NULL;
}

static void check_groups(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];
	unsigned int nr = 0;
	char *chosen, *command, *names = xstrdup("");
	size_t len;

	if (module_read(machine, "groups", text, sizeof(text)) <= 0)
		*text = '\0';
	chosen = xstrdup(text);
	if (*chosen)
		module_read(machine, "spec", text, sizeof(text));
	for (const char *name = text; (name = next_group(name, &len)); name += len) {
		if (words_have(chosen, name, len) || nr++ >= MAX_NAMED)
			continue;
		append_text(&names, ", ", "%.*s", (int)(len < 64 ? len : 64), name);
	}
	if (nr) {
		command = groups_command(chosen, NULL, 0);
		finding(FINDING_NOTE, "groups_not_chosen", command,
			"%u %s not chosen (groups); metrics that only %s are disabled: %s%s", nr,
			plural(nr, "group is", "groups are"), plural(nr, "it has", "they have"),
			names, nr > MAX_NAMED ? ", ..." : "");
		free(command);
	}
	free(names);
	free(chosen);
}

/*
 * Metrics that depend on any of the events. Return: their number; names in *names, which the caller
 * frees.
 */
static unsigned int metrics_of(const char *events, char **names)
{
	unsigned int nr = 0;

	*names = xstrdup("");
	for (int i = 0; i < catalog_nr_metrics(); i++) {
		struct catalog_metric metric = catalog_metric(i);
		bool needs = false;

		for (size_t k = 0; k < metric.nr_events; k++) {
			const char *name = catalog_event(metric.events[k]).name;

			needs |= words_have(events, name, strlen(name));
		}
		if (needs && nr++ < MAX_NAMED)
			append_text(names, ", ", "%s", metric.name);
	}
	return nr;
}

/* Effect of the setting distrust. */
static void check_distrust(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];
	size_t events = 1;
	unsigned int nr;
	char *names;
	int shown;

	if (module_read(machine, "distrust", text, sizeof(text)) <= 0)
		return;
	text[strcspn(text, "\n")] = '\0';
	if (!*text || !strcmp(text, "none"))
		return;
	nr = metrics_of(text, &names);
	for (const char *at = text; (at = strchr(at, ' ')); at++)
		events++;
	shown = strnlen(text, MAX_SHOWN);
	while (text[shown] && text[shown] != ' ')
		shown--;
	finding(FINDING_NOTE, "events_distrusted", NULL,
		"%zu %s distrusted (distrust): %.*s%s; %u %s unsupported%s%s%s", events,
		plural(events, "event is", "events are"), shown, text,
		text[shown] ? " ..." : "", nr, plural(nr, "metric is", "metrics are"),
		nr ? ": " : "", names, nr > MAX_NAMED ? ", ..." : "");
	free(names);
}

bool doctor_settings(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];
	bool enabled = !setting_is(machine, "enable", "0");
	char *value;

	if (!enabled)
		finding(FINDING_ERROR, "sampling_disabled", NULL,
			"sampling is switched off");
	check_pmu(machine);
	doctor_pmceid(machine);
	check_core(machine);
	check_groups(machine);
	check_distrust(machine);
	/* No method has been tried before sampling started. */
	if (enabled && module_read(machine, "status", text, sizeof(text)) > 0) {
		value = value_of_key(text, "switch");
		if (value && !strcmp(value, "perf"))
			finding(FINDING_WARNING, "no_direct_access", NULL,
				"counters cannot be switched in place: slices cost more");
		free(value);
	}
	return enabled;
}
