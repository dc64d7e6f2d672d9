// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Advice on an answer: groups to read, and a command that finds the code. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/keys.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "lib/terminal.h"
#include "lib/text.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/proc_file.h"
#include "libn3telemetry/proc_stat.h"
#include "libn3telemetry/values.h"
#include "notices.h"
#include "path_advice.h"
#include "spe_usable.h"
#include "telemetry.h"

#define SHARE_DECIMALS	2
#define MAX_LIST	1024	/* of the CPUs of a node */

/* Whether the setting "groups" has all of these. */
static bool are_sampled(const char *chosen, const int groups[], size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const char *name = catalog_group(groups[i]).file;

		if (!words_have(chosen, name, strlen(name)))
			return false;
	}
	return true;
}

char *path_groups_text(int metric)
{
	const char *chosen = telemetry_read("groups");
	int groups[PATH_MAX_NEXT];
	size_t nr = path_groups(metric, groups);
	char *names = NULL, *text, *command;

	for (size_t i = 0; i < nr; i++)
		append_text(&names, ", ", "%s", catalog_group(groups[i]).name);
	if (!names)
		return NULL;
	if (!chosen || !*chosen || are_sampled(chosen, groups, nr)) {
		text = format_string("%s  (n3stat -g)", names);
	} else {
		command = groups_command(chosen, groups, nr);
		text = format_string("%s  (n3stat -g, after %s)", names, command);
		free(command);
	}
	free(names);
	return text;
}

struct share_text path_number_format(const char *mark, const struct path_share *share,
				     const char *unit)
{
	struct number_text digits = number_text(share->value, share->error, SHARE_DECIMALS);
	struct share_text text = { .decimals = digits.decimals };

	snprintf(text.number, sizeof(text.number), "%s%s%s", mark, digits.number, unit);
	snprintf(text.error, sizeof(text.error), "%s%s",
		 isnan(share->error) ? "" : plus_minus(), digits.error);
	return text;
}

struct share_text path_share_format(int metric, const struct path_share *share)
{
	return path_number_format(path_is_approximate(metric) ? "~" : "", share, "%");
}

static char *loss_text(const struct answer_end *loss)
{
	struct share_text text = path_share_format(loss->metric, &loss->share);
	bool error = !isnan(loss->share.error);

	return format_string("%s%s %s%s%s", loss->rest ? "rest of " : "",
			     catalog_metric_name(loss->metric), text.number, error ? " " : "",
			     error ? text.error : "");
}

char *path_losses_text(const struct answer *answer)
{
	char *text = NULL;

	for (size_t i = 0; i < answer->nr_losses; i++) {
		char *loss = loss_text(&answer->losses[i]);

		append_text(&text, ", ", "%s", loss);
		free(loss);
	}
	return text;
}

void path_count_cpus(struct infer_counts *counts, const struct place *place)
{
	struct inference *inference = NULL;

	counts->nr = 0;
	if (place->scope == SCOPE_CPU)
		return;
	must(infer_expect(&telemetry, "topdown_l1") &&
	     infer_begin(&telemetry, place, &inference));
	if (inference)
		infer_count(inference, counts);
}

char *path_cpus_text(const struct place *place)
{
	struct infer_counts counts;
	char *text = NULL;

	path_count_cpus(&counts, place);
	for (size_t i = 0; i < counts.nr; i++)
		append_text(&text, ", ", "%u %s", counts.v[i].cpus, counts.v[i].name);
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

/* The CPUs of a place for commands. Return: false if it has all, or they are unknown. */
static bool list_cpus(char cpus[MAX_LIST], const struct place *place)
{
	snprintf(cpus, MAX_LIST, "%u", place->id);
	if (place->scope != SCOPE_NODE || !source_is_live(&telemetry))
		return place->scope == SCOPE_CPU;
	if (proc_file_read(cpus, MAX_LIST, "%s/../sys/devices/system/node/node%u/cpulist",
			   PROC_DEFAULT, place->id) <= 0)
		return false;
	cpus[strcspn(cpus, "\n")] = '\0';
	return true;
}

char *path_find_it_text(const char *metric, const struct advice_facts *facts,
			const struct place *place)
{
	char *pmu = pmu_name(), *text, cpus[MAX_LIST];

	text = advice_command(metric, facts, pmu, list_cpus(cpus, place) ? cpus : NULL);
	free(pmu);
	return text;
}

const char *path_find_it_lead(const struct advice_facts *facts)
{
	return facts->simulated ? "real N3:" : "find it:";
}

void path_print_text(const char *lead, char *text)
{
	if (text)
		print_folded(stdout, lead, PATH_INDENT, text, PATH_WIDTH);
	free(text);
}

void path_print_command(const struct advice_facts *facts, char *command)
{
	char *lead = format_string("  %s  ", path_find_it_lead(facts));

	print_command(stdout, lead, "  ", command, screen_width(PATH_WIDTH));
	free(lead);
	free(command);
}
