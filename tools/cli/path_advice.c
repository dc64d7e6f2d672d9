// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Advice at the end of a path: groups to read, and a command that finds the code. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/keys.h"
#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/values.h"
#include "path_advice.h"
#include "spe_machine.h"
#include "telemetry.h"

char *path_groups_text(const struct path *path)
{
	char *text = NULL;

	for (size_t i = 0; i < path->nr_look_at; i++) {
		bool last = i + 1 == path->nr_look_at;
		char *longer = format_string("%s%s%s", text ? text : "",
					     catalog_group(path->look_at[i]).name,
					     last ? "  (n3stat -g)" : ", ");

		free(text);
		text = longer;
	}
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

/* Replaces the first occurrence of a word in text, which is freed. */
static char *replace(char *text, const char *word, const char *by)
{
	char *at = strstr(text, word);
	char *new;

	if (!at)
		return text;
	new = format_string("%.*s%s%s", (int)(at - text), text, by, at + strlen(word));
	free(text);
	return new;
}

char *advice_command(const struct advice *advice, const char *pmu, const char *cpus, bool spe)
{
	char *text = xstrdup(spe && advice->spe ? advice->spe : advice->command);
	/* perf needs an explicit -a for all CPUs. */
	char *where = !cpus ? xstrdup(spe && advice->spe ? "" : "-a") :
		      format_string(spe && advice->spe ? "-C %s " : "-C %s", cpus);

	text = replace(text, "WHERE", where);
	free(where);
	return replace(text, "PMU", pmu);
}

char *path_find_it_text(const struct advice *advice, const struct place *place)
{
	char *pmu = pmu_name(), *text, cpu[16];

	snprintf(cpu, sizeof(cpu), "%u", place->id);
	text = advice_command(advice, pmu, place->scope == SCOPE_CPU ? cpu : NULL,
			      advice->spe && spe_is_at_source());
	free(pmu);
	return text;
}
