// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Series from the module's totals: a key that is absent is a series that is absent. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container_series.h"
#include "exporter.h"
#include "lib/clock.h"
#include "lib/keys.h"
#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/totals_file.h"
#include "reader/errors.h"
#include "reader/telemetry.h"

/* Labels of "info": values are cut, and each character may be escaped. */
#define MAX_VALUE	80
#define MAX_LABELS	(5 * (2 * MAX_VALUE + 16))

/* Times in a file of counters/, in nanoseconds. */
static const struct {
	enum family family;
	const char *key;
	const char *labels;
} times[] = {
	{ FAMILY_CPU_SECONDS, "sampled_ns", "state=\"sampled\"" },
	{ FAMILY_CPU_SECONDS, "dropped_ns", "state=\"dropped\"" },
	{ FAMILY_CPU_SECONDS, "yielded_ns", "state=\"yielded\"" },
	{ FAMILY_CPU_SECONDS, "off_ns", "state=\"off\"" },
	{ FAMILY_SAMPLER, "sampler_ns", "" },
};

/* In the order of total_slots_key(), then slices of a replicate. */
static const enum family topdown_families[] = {
	FAMILY_SLOTS, FAMILY_STALL_SLOTS, FAMILY_FRONTEND_STALL_SLOTS,
	FAMILY_BACKEND_STALL_SLOTS, FAMILY_FRONTEND_FLUSH_SLOTS, FAMILY_OPS_RETIRED,
	FAMILY_OPS_SPECULATED, FAMILY_SLICES,
};

/* In the order of total_key(). */
static const enum family metric_families[] = {
	FAMILY_NUMERATOR, FAMILY_DENOMINATOR, FAMILY_SUBTRAHEND,
};

/* Names that imply a factor of 1000 or 100, and those of the same ratio without it. */
static const char * const plain_suffixes[][2] = {
	{ "_mpki", "_misses_per_instruction" },
	{ "_percentage", "_ratio" },
};

struct collector {
	struct container_series *containers;
	const struct selection *selection;
	struct exposition *exposition;
	struct files *files;
	char place[32];		/* label of the current place, "" for the system */
	bool has_start;
	bool has_replicates;	/* in place of totals of Topdown_L1 */
	bool trusted;		/* no CPU has withdrawn metrics */
	bool know_trusted;
	bool *found;		/* metrics of the current place, as some are in two groups */
};

static void add(struct collector *collector, enum family family, const char *labels,
		const char *value)
{
	exposition_add(collector->exposition, family, labels, collector->place, value);
}

/* Exact seconds from digits of any number of nanoseconds. */
static void add_nanoseconds(struct collector *collector, enum family family, const char *labels,
			    const char *place, const char *number)
{
	int len = (int)strlen(number), whole = len > 9 ? len - 9 : 0;
	char seconds[MAX_DIGITS + 16];

	snprintf(seconds, sizeof(seconds), "%.*s.%.*s%s", whole ? whole : 1, whole ? number : "0",
		 9 - (len - whole), "000000000", number + whole);
	exposition_add(collector->exposition, family, labels, place, seconds);
}

static void set_place(struct collector *collector, const struct place *place)
{
	static const char * const names[] = { [SCOPE_CPU] = "cpu", [SCOPE_NODE] = "numa_node" };

	if (place->scope == SCOPE_SYSTEM)
		collector->place[0] = '\0';
	else
		snprintf(collector->place, sizeof(collector->place), "%s=\"%u\"",
			 names[place->scope], place->id);
}

/* Return: whether there is a text that has the key. */
static bool add_total(struct collector *collector, const char *text, const char *key,
		      enum family family, const char *labels)
{
	char number[MAX_DIGITS + 1];

	if (!files_find_number(collector->files, text, key, number))
		return false;
	add(collector, family, labels, number);
	return true;
}

static void add_time(struct collector *collector, const char *text)
{
	char number[MAX_DIGITS + 1];

	for (size_t i = 0; i < NR(times); i++)
		if (files_find_number(collector->files, text, times[i].key, number))
			add_nanoseconds(collector, times[i].family, times[i].labels,
					collector->place, number);
	add_total(collector, text, "cycles_total", FAMILY_CYCLES, "");
}

static void add_slots(struct collector *collector, const char *text)
{
	const char *key;

	for (size_t i = 0; (key = total_slots_key(i)); i++)
		add_total(collector, text, key, topdown_families[i], "");
}

static void add_replicate(struct collector *collector, const char *text, unsigned int replicate)
{
	char key[TOTAL_KEY], label[32];

	snprintf(label, sizeof(label), "replicate=\"%u\"", replicate);
	for (unsigned int i = 0; total_replicate_key(replicate, i, key); i++)
		add_total(collector, text, key, topdown_families[i], label);
}

static void add_topdown(struct collector *collector, const struct place *place)
{
	const char *file = collector->has_replicates ? TOTALS_DIRECTORY "/" REPLICATES_FILE :
						       TOTALS_DIRECTORY "/topdown_l1";
	const char *text = files_read(collector->files, place->name, file, FORMAT_GROUP);
	char key[TOTAL_KEY];

	if (!collector->has_replicates)
		add_slots(collector, text);
	else
		for (unsigned int i = 0; total_replicate_key(i, 0, key); i++)
			add_replicate(collector, text, i);
}

/* The same for all places, as samples of a family have the same labels. */
static void choose_topdown(struct collector *collector)
{
	const char *text;

	if (!collector->selection->errors)
		return;
	text = files_read(collector->files, "", "replicates", FORMAT_WORDS);
	collector->has_replicates = text && *text == '1';
}

/* All places have the same start. */
static void add_start(struct collector *collector, const char *text)
{
	char number[MAX_DIGITS + 1];

	if (collector->has_start ||
	    !files_find_number(collector->files, text, "start_unix_ns", number))
		return;
	add_nanoseconds(collector, FAMILY_START, "", "", number);
	collector->has_start = true;
}

static void print_metric(char *label, size_t size, int metric)
{
	const char *name = catalog_metric_name(metric), *suffix = strrchr(name, '_'), *plain;

	if (!suffix)
		suffix = name + strlen(name);
	plain = suffix;
	for (size_t i = 0; i < NR(plain_suffixes); i++)
		if (!strcmp(suffix, plain_suffixes[i][0]))
			plain = plain_suffixes[i][1];
	snprintf(label, size, "metric=\"%.*s%s\"", (int)(suffix - name), name, plain);
}

static void add_metric(struct collector *collector, const char *text, int metric)
{
	char key[TOTAL_KEY], label[128];

	if (total_is_of_slots(metric))
		return;
	print_metric(label, sizeof(label), metric);
	for (unsigned int i = 0; i < NR(metric_families); i++)
		if (total_key(metric, i, key))
			collector->found[metric] |= add_total(collector, text, key,
							      metric_families[i], label);
}

static void add_group(struct collector *collector, const struct place *place, int group)
{
	struct catalog_group members = catalog_group(group);
	const char *text;
	char file[64];

	snprintf(file, sizeof(file), TOTALS_DIRECTORY "/%s", members.file);
	text = files_read(collector->files, place->name, file, FORMAT_GROUP);
	for (size_t i = 0; text && i < members.nr_members; i++) {
		int metric = catalog_member(group, i);

		if (!collector->found[metric])
			add_metric(collector, text, metric);
	}
}

/* A CPU's status is only read if that of the system has withdrawn metrics. */
static void add_cpu_trusted(struct collector *collector, const struct place *cpu)
{
	struct files *files = collector->files;
	char number[MAX_DIGITS + 1] = "0";
	const char *text;

	if (!collector->know_trusted)
		return;
	text = collector->trusted ? NULL : files_read(files, cpu->name, "status", FORMAT_VALUES);
	if (collector->trusted || files_find_number(files, text, "withdrawn", number))
		add(collector, FAMILY_TRUSTED, "", strcmp(number, "0") ? "0" : "1");
}

static void add_place(struct collector *collector, const struct place *place)
{
	const char *text;

	set_place(collector, place);
	memset(collector->found, 0, catalog_nr_metrics() * sizeof(*collector->found));
	if (place->scope == SCOPE_CPU)
		add_cpu_trusted(collector, place);
	text = files_read(collector->files, place->name, TOTALS_DIRECTORY "/time", FORMAT_TIME);
	add_start(collector, text);
	add_time(collector, text);
	add_topdown(collector, place);
	for (int group = 0; group < catalog_nr_groups(); group++)
		if (collector->selection->groups[group])
			add_group(collector, place, group);
}

static void add_places(struct collector *collector)
{
	enum scope per = collector->selection->per;
	struct files *files = collector->files;
	struct places places = { 0 };

	if (per == SCOPE_SYSTEM)
		xplaces_add_one(&places, place_make(SCOPE_SYSTEM, 0));
	else if (!files->failed)
		files->failed = !places_add(&telemetry, &places, per, NULL);
	for (size_t i = 0; !files->failed && i < places.nr; i++)
		add_place(collector, &places.v[i]);
	places_free(&places);
	/* The failure is that of the last file. */
	files->failed |= files->lacks_totals && !files->has_totals;
}

/* The words that no CPU reports are not in the file. */
static void add_verdicts(struct collector *collector, const char *text)
{
	char number[MAX_DIGITS + 1], label[64];
	const char *word;

	if (!add_total(collector, text, "included", FAMILY_CPUS, "verdict=\"value\""))
		return;
	for (size_t i = 0; (word = catalog_word(i)); i++) {
		bool found = files_find_number(collector->files, text, word, number);

		snprintf(label, sizeof(label), "verdict=\"%s\"", word);
		add(collector, FAMILY_CPUS, label, found ? number : "0");
	}
}

static void add_system_status(struct collector *collector)
{
	const char *text = files_read(collector->files, "system", "status", FORMAT_NUMBERS);
	char number[MAX_DIGITS + 1];

	add_verdicts(collector, text);
	/* 0 if no CPU is sampled */
	if (files_find_number(collector->files, text, "budget", number) && strcmp(number, "0"))
		add(collector, FAMILY_COUNTERS, "", number);
	add_total(collector, text, "withdrawals", FAMILY_WITHDRAWALS, "");
	collector->know_trusted = files_find_number(collector->files, text, "withdrawn", number);
	collector->trusted = collector->know_trusted && !strcmp(number, "0");
	if (collector->know_trusted && collector->selection->per != SCOPE_CPU)
		add(collector, FAMILY_TRUSTED, "", collector->trusted ? "1" : "0");
}

static void add_distrusted(struct collector *collector)
{
	const char *text = files_read(collector->files, "", "distrust", FORMAT_WORDS);
	unsigned long nr = 0;
	char number[24];

	if (!text)
		return;
	for (const char *at = text; at[strspn(at, " \n")]; nr++) {
		at += strspn(at, " \n");
		at += strcspn(at, " \n");
	}
	snprintf(number, sizeof(number), "%lu",
		 words_have(text, "none", strlen("none")) ? 0 : nr);
	add(collector, FAMILY_DISTRUSTED, "", number);
}

/* Adds a label with the value of a key, "" if it is absent. */
static void append_label(char labels[MAX_LABELS], const char *text, const char *key)
{
	size_t len = 0, at = strlen(labels);
	const char *value = text ? find_value(text, key, &len) : NULL;

	at += snprintf(labels + at, MAX_LABELS - at, "%s%s=\"", at ? "," : "", key);
	for (size_t i = 0; value && i < len && i < MAX_VALUE; i++) {
		if (value[i] == '"' || value[i] == '\\')
			labels[at++] = '\\';
		labels[at++] = value[i];
	}
	labels[at++] = '"';
	labels[at] = '\0';
}

/* Without the file spec it is unknown whether counts are simulated. */
static void add_info(struct collector *collector)
{
	const char *text = files_read(collector->files, "", "spec", FORMAT_VALUES);
	char labels[MAX_LABELS] = "";

	if (!text)
		return;
	append_label(labels, text, "core");
	append_label(labels, text, "simulated");
	text = files_read(collector->files, "", "status", FORMAT_VALUES);
	append_label(labels, text, "switch");
	append_label(labels, text, "version");
	append_label(labels, collector->selection->is_virtual ? "virtual 1" : "virtual 0",
		     "virtual");
	add(collector, FAMILY_INFO, labels, "1");
}

static void add_cost(struct collector *collector)
{
	const char *text = files_read(collector->files, "", "status", FORMAT_VALUES);
	char number[MAX_DIGITS + 1], ratio[32];

	if (!files_find_number(collector->files, text, "cost", number))
		return;
	snprintf(ratio, sizeof(ratio), "%.6f", strtod(number, NULL) / 1e6);
	add(collector, FAMILY_COST, "", ratio);
}

static void check_number(struct collector *collector)
{
	/* "up", unreadable files and the duration follow. */
	size_t nr = collector->exposition->nr + 3;

	if (collector->files->failed || nr <= collector->selection->max_series)
		return;
	failure_set(&telemetry.failure, ERR_TOO_MANY_SERIES, "%zu series exceed --max-series=%lu",
		    nr, collector->selection->max_series);
	collector->files->failed = true;
}

static void collect_all(struct collector *collector)
{
	files_begin(collector->files);
	collector->files->failed = !source_open(&telemetry, telemetry.root);
	files_find_module(collector->files);
	add_info(collector);
	add_cost(collector);
	add_system_status(collector);
	add_distrusted(collector);
	choose_topdown(collector);
	add_places(collector);
	if (collector->containers)
		container_series_add(collector->containers, collector->files,
				     collector->exposition, collector->selection->max_series);
	files_find_module(collector->files);
	check_number(collector);
}

/* Return: false after an error; then only what is written here is left. */
static bool collect(struct exporter *exporter)
{
	struct exposition *exposition = &exporter->exposition;
	struct collector collector = {
		.selection = &exporter->selection,
		.exposition = exposition,
		.files = &exporter->files,
		.containers = exporter->containers,
		.found = xcalloc(catalog_nr_metrics(), sizeof(bool)),
	};
	double start = monotonic_now();
	char number[32];

	exposition_clear(exposition);
	collect_all(&collector);
	free(collector.found);
	if (exporter->files.failed)
		exposition_clear(exposition);
	exposition_add(exposition, FAMILY_UP, "", "", exporter->files.failed ? "0" : "1");
	snprintf(number, sizeof(number), "%zu", files_end(&exporter->files));
	exposition_add(exposition, FAMILY_UNREADABLE, "", "", number);
	snprintf(number, sizeof(number), "%.6f", monotonic_now() - start);
	exposition_add(exposition, FAMILY_DURATION, "", "", number);
	return !exporter->files.failed;
}

char *exporter_read(struct exporter *exporter, size_t *len, bool *ok)
{
	*ok = collect(exporter);
	return exposition_text(&exporter->exposition, len);
}

char *exporter_read_and_warn(struct exporter *exporter, size_t *len, bool *ok)
{
	char *text = exporter_read(exporter, len, ok);
	const struct failure *failure = &telemetry.failure;

	if (*ok) {
		exporter->reported = NULL;
		return text;
	}
	if (!failure->text)
		out_of_memory();
	if (failure->kind != exporter->reported)
		warn(failure->kind, "%s", failure->text);
	exporter->reported = failure->kind;
	return text;
}
