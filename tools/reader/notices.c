// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Notices about values: not counts of a Neoverse N3, or disabled by a setting of the module. */
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "lib/keys.h"
#include "lib/memory.h"
#include "lib/text.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/source.h"
#include "notices.h"
#include "telemetry.h"

#define MAX_GROUPS	8

size_t print_simulated(FILE *out)
{
	if (telemetry_is_simulated())
		fputs("simulated counts (n3_sim)\n", out);
	return telemetry_is_simulated();
}

void print_other_core(FILE *out)
{
	if (telemetry_other_core())
		fprintf(out, "%s: for rehearsal only\n", telemetry_other_core());
}

static bool is_disabled(const struct snapshot *snapshot, const struct choice *choice,
			size_t place, size_t file)
{
	for (size_t i = 0; i < choice->nr_columns; i++)
		if (choice->columns[i].file == file &&
		    !strcmp(snapshot_at(snapshot, choice, place, i)->text, "disabled"))
			return true;
	return false;
}

size_t disabled_groups(const struct snapshot *snapshot, const struct choice *choice,
		       size_t place, int groups[], size_t room)
{
	const char *chosen = telemetry_read("groups");
	size_t nr = 0;

	if (!chosen || !*chosen)
		return 0;
	for (size_t file = 0; file < choice->nr_files && nr < room; file++) {
		const char *name = choice->files[file].name;

		if (choice->files[file].group >= 0 && !words_have(chosen, name, strlen(name)) &&
		    is_disabled(snapshot, choice, place, file))
			groups[nr++] = choice->files[file].group;
	}
	return nr;
}

static bool sampling_is_off(void)
{
	const char *text = telemetry_read("enable");

	return text && *text == '0';
}

static bool any_is_disabled(const struct snapshot *snapshot, const struct choice *choice,
			    size_t place)
{
	for (size_t file = 0; file < choice->nr_files; file++)
		if (is_disabled(snapshot, choice, place, file))
			return true;
	return false;
}

static bool is_among(int group, const int groups[], size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (groups[i] == group)
			return true;
	return false;
}

char *groups_command(const char *chosen, const int missing[], size_t nr)
{
	const char *fix = advice_fix("groups_not_chosen"), *target = strstr(fix, " >");
	char *groups = format_string("%.*s", (int)(target - fix), fix), *text;

	for (int i = 0; i < catalog_nr_groups(); i++) {
		struct catalog_group group = catalog_group(i);

		if (!group.stage && (is_among(i, missing, nr) ||
				     words_have(chosen, group.file, strlen(group.file))))
			append_text(&groups, " ", "%s", group.file);
	}
	text = format_string("%s%s", groups, target);
	free(groups);
	return text;
}

char *disabled_text(const struct snapshot *snapshot, const struct choice *choice, size_t place,
		    char **command)
{
	int groups[MAX_GROUPS];
	size_t nr = disabled_groups(snapshot, choice, place, groups, NR(groups));
	char *names = NULL, *text;

	if (any_is_disabled(snapshot, choice, place) && sampling_is_off()) {
		*command = xstrdup(advice_fix("sampling_disabled"));
		return xstrdup("sampling is off (enable)");
	}
	if (!nr)
		return NULL;
	*command = groups_command(telemetry_read("groups"), groups, nr);
	for (size_t i = 0; i < nr; i++)
		append_text(&names, i + 1 < nr ? ", " : " and ", "%s",
			    catalog_group(groups[i]).name);
	text = format_string("%s %s not chosen (groups)", names, plural(nr, "is", "are"));
	free(names);
	return text;
}

/* The number of a place's CPUs with this word, which the caller frees; NULL if it is none. */
static char *cpus_with(const struct place *place, const char *word)
{
	char *path = format_string("%s/status", place->name), *nr;
	const char *text = place->scope == SCOPE_CPU ? NULL : telemetry_read(path);

	nr = text ? value_of_key(text, word) : NULL;
	free(path);
	return nr;
}

char *no_values_text(const struct place *place, const char *word)
{
	const char *fix = strcmp(word, "idle") ? NULL : advice_fix("word_idle");
	char *nr, *text;

	if (!catalog_is_word(word))
		return xstrdup("Topdown_L1 lacks a value: n3stat doctor");
	nr = cpus_with(place, word);
	text = format_string("%s %s %s: %s", nr ? nr : place->name,
			     !nr ? "is" : strcmp(nr, "1") ? "CPUs are" : "CPU is", word,
			     fix ? fix : "n3stat doctor");
	free(nr);
	return text;
}
