// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Advice at the end of a path: groups to read, and a command that finds the code. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/keys.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "lib/terminal.h"
#include "libn3telemetry/bottleneck_file.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/values.h"
#include "notices.h"
#include "path_advice.h"
#include "spe_usable.h"
#include "telemetry.h"

#define SHARE_DECIMALS	2

/* Whether the setting "groups" has all groups to look at. */
static bool are_sampled(const char *chosen, const struct path *path)
{
	for (size_t i = 0; i < path->nr_look_at; i++) {
		const char *name = catalog_group(path->look_at[i]).file;

		if (!words_have(chosen, name, strlen(name)))
			return false;
	}
	return true;
}

char *path_groups_text(const struct path *path)
{
	const char *chosen = telemetry_read("groups");
	char *names = NULL, *text, *command;

	for (size_t i = 0; i < path->nr_look_at; i++)
		append_text(&names, ", ", "%s", catalog_group(path->look_at[i]).name);
	if (!names)
		return NULL;
	if (!chosen || !*chosen || are_sampled(chosen, path)) {
		text = format_string("%s  (n3stat -g)", names);
	} else {
		command = groups_command(chosen, path->look_at, path->nr_look_at);
		text = format_string("%s  (n3stat -g, after %s)", names, command);
		free(command);
	}
	free(names);
	return text;
}

char *path_share_text(const struct path *path)
{
	int end = path->nr ? path->metrics[path->nr - 1] : -1;
	bool rest = path->nr_losses && path->losses[0].metric == end && path->losses[0].rest;

	if (isnan(path->share))
		return NULL;
	return format_string("%s%.0f%% of all slots%s",
			     end >= 0 && path_is_approximate(end) ? "about " : "", path->share,
			     rest ? ", without the metrics below it" : "");
}

struct share_text path_share_format(int metric, const struct path_share *share)
{
	struct number_text digits = number_text(share->value, share->error, SHARE_DECIMALS);
	struct share_text text = { .decimals = digits.decimals };

	snprintf(text.number, sizeof(text.number), "%s%s%%",
		 path_is_approximate(metric) ? "~" : "", digits.number);
	snprintf(text.error, sizeof(text.error), "%s%s",
		 isnan(share->error) ? "" : plus_minus(), digits.error);
	return text;
}

static char *loss_text(const struct path_loss *loss)
{
	struct share_text text = path_share_format(loss->metric, &loss->share);
	bool error = !isnan(loss->share.error);

	return format_string("%s%s %s%s%s", loss->rest ? "rest of " : "",
			     catalog_metric_name(loss->metric), text.number, error ? " " : "",
			     error ? text.error : "");
}

char *path_losses_text(const struct path *path)
{
	char *text = NULL;

	for (size_t i = 0; i < path->nr_losses; i++) {
		char *loss = loss_text(&path->losses[i]);

		append_text(&text, ", ", "%s", loss);
		free(loss);
	}
	return text;
}

char *path_mixed_text(const struct path *path)
{
	if (!path->mixed)
		return NULL;
	return format_string("%s and %s differ by no more than their errors",
			     catalog_metric_name(path->losses[0].metric),
			     catalog_metric_name(path->losses[1].metric));
}

/* Without "_bound"; n3stat accepts this name too. */
static char *brief_name(int metric)
{
	const char *name = catalog_metric_name(metric), *bound = strstr(name, "_bound");

	return format_string("%.*s", (int)(bound ? (size_t)(bound - name) : strlen(name)), name);
}

/* "backend_core/cache_l2d", without what both have in common. */
static char *mixed_names(const struct path_loss loss[2])
{
	char *first = brief_name(loss[0].metric), *second = brief_name(loss[1].metric), *text;
	size_t stage = strcspn(first, "_") + 1;
	bool same = !strncmp(first, second, stage);

	text = format_string("%s/%s", first, second + (same ? stage : 0));
	free(first);
	free(second);
	return text;
}

static char *mixed_text(const struct path_loss loss[2], bool brief)
{
	bool about = path_is_approximate(loss[0].metric) || path_is_approximate(loss[1].metric);
	char *names = brief ? xstrdup("mixed") : mixed_names(loss), *text;

	text = format_string("%s %s%.0f/%.0f%%", names, about ? "~" : "", loss[0].share.value,
			     loss[1].share.value);
	free(names);
	return text;
}

char *path_brief_text(const struct path *path, bool brief)
{
	char *name, *text;
	int end;

	if (!path->nr)
		return xstrdup("-");
	if (path->mixed)
		return mixed_text(path->losses, brief);
	end = path->metrics[path->nr - 1];
	name = brief ? brief_name(end) : xstrdup(catalog_metric_name(end));
	text = isnan(path->share) ? xstrdup(name) :
	       format_string("%s %s%.0f%%", name, path_is_approximate(end) ? "~" : "",
			     path->share);
	free(name);
	return text;
}

const char *path_read_text(const struct place *place)
{
	char *path, *inferred;
	const char *text;

	must(infer_file(&telemetry, place, BOTTLENECK_FILE, &inferred));
	if (inferred)
		return inferred;
	path = format_string("%s/" BOTTLENECK_FILE, place->name);
	text = telemetry_read(path);
	free(path);
	return text;
}

const char *path_read_cpus(const struct place *place)
{
	return place->scope == SCOPE_CPU ? NULL : path_read_text(place);
}

char *path_cpus_text(const struct place *place)
{
	const char *rest = path_read_cpus(place);
	char end[VALUE_TEXT], *text = NULL;
	unsigned int nr;

	while (rest && (rest = bottleneck_next_cpus(rest, &nr, end)))
		append_text(&text, ", ", "%u %s", nr, end);
	return text;
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
