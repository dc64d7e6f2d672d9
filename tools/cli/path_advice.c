// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Advice at the end of a path: groups to read, and a command that finds the code. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/keys.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/values.h"
#include "path_advice.h"
#include "spe_machine.h"
#include "telemetry.h"

/* Whether the setting "groups" has all groups to look at; true if it is unknown. */
static bool are_sampled(const struct path *path)
{
	const char *chosen = telemetry_read("groups");

	for (size_t i = 0; chosen && *chosen && i < path->nr_look_at; i++) {
		const char *name = catalog_group(path->look_at[i]).file;

		if (!words_have(chosen, name, strlen(name)))
			return false;
	}
	return true;
}

char *path_groups_text(const struct path *path)
{
	char *names = NULL, *text;

	for (size_t i = 0; i < path->nr_look_at; i++) {
		char *longer = format_string("%s%s%s", names ? names : "", names ? ", " : "",
					     catalog_group(path->look_at[i]).name);

		free(names);
		names = longer;
	}
	if (!names)
		return NULL;
	if (are_sampled(path))
		text = format_string("%s  (n3stat -g)", names);
	else
		text = format_string("%s  (n3stat -g, after %s)", names,
				     advice_fix("groups_not_chosen"));
	free(names);
	return text;
}

char *path_share_text(const struct path *path)
{
	if (isnan(path->share))
		return NULL;
	return format_string("about %.0f%% of all slots", path->share);
}

char *path_minor_text(const struct path *path, const struct value *value)
{
	if (path->minor < 0)
		return NULL;
	if (!value || !value->is_number)
		return format_string("%s is not followed", catalog_metric_name(path->minor));
	return format_string("%s, the largest, is not followed: %.1f%% of it%s",
			     catalog_metric_name(path->minor), value->number,
			     value->has_coverage && !value->has_range ?
			     ", with an unknown error" : "");
}

/* perf's name of the CPUs' PMU, as reported by the module. */
static char *pmu_name(void)
{
	const char *text = telemetry_read("spec");
	char *name = text ? value_of_key(text, "pmu") : NULL;

	return name ? name : xstrdup(USUAL_PMU);
}

static bool has_one_node(void)
{
	size_t nr, nr_nodes = 0;
	struct place place;
	char **names;

	nr = telemetry_list("", &names);
	for (size_t i = 0; i < nr; i++)
		nr_nodes += place_parse(names[i], &place) && place.scope == SCOPE_NODE;
	free_names(names);
	return nr_nodes == 1;
}

struct advice_facts path_facts(const struct place *place)
{
	return (struct advice_facts) {
		.spe = spe_is_at_source(place),
		.simulated = telemetry_is_simulated(),
		.one_node = has_one_node(),
	};
}

char *path_find_it_text(const char *metric, const struct advice_facts *facts,
			const struct place *place)
{
	char *pmu = pmu_name(), *text, cpu[16];

	snprintf(cpu, sizeof(cpu), "%u", place->id);
	text = advice_command(metric, facts, pmu, place->scope == SCOPE_CPU ? cpu : NULL);
	free(pmu);
	return text;
}

const char *path_find_it_lead(const struct advice_facts *facts)
{
	return facts->simulated ? "real N3:" : "find it:";
}
