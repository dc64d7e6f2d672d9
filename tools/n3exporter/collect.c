// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Series from the module's totals: a key that is absent is a series that is absent. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect.h"
#include "lib/clock.h"
#include "lib/keys.h"
#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/totals_file.h"
#include "reader/errors.h"

#define DIGITS		"0123456789"
#define MAX_DIGITS	40	/* of 128 bits */
/* Labels of "info": values are cut, and each character may be escaped. */
#define MAX_VALUE	80
#define MAX_LABELS	(5 * (2 * MAX_VALUE + 16))

/* A key in a file of counters/. */
struct total {
	enum family family;
	const char *key;
	const char *labels;
	bool is_time;		/* in nanoseconds */
};

static const struct total time_totals[] = {
	{ FAMILY_CPU_SECONDS, "sampled_ns", "state=\"sampled\"", true },
	{ FAMILY_CPU_SECONDS, "dropped_ns", "state=\"dropped\"", true },
	{ FAMILY_CPU_SECONDS, "yielded_ns", "state=\"yielded\"", true },
	{ FAMILY_CPU_SECONDS, "off_ns", "state=\"off\"", true },
	{ FAMILY_SAMPLER, "sampler_ns", "", true },
	{ FAMILY_CYCLES, "cycles_total", "", false },
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

struct collector {
	struct source *source;
	const struct selection *selection;
	struct exposition *exposition;
	char place[32];		/* label of the current place, "" for the system */
	bool has_start;
	bool has_replicates;	/* in place of totals of Topdown_L1 */
	bool trusted;		/* no CPU has withdrawn metrics */
	bool know_trusted;
	bool *found;		/* metrics of the current place, as some are in two groups */
};

/* *text is NULL if the file is absent. */
static bool read_file(struct collector *collector, const char *directory, const char *file,
		      char **text)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s%s", directory, *directory ? "/" : "", file);
	return source_read(collector->source, path, text);
}

/* The name of the file that was read last is still in the source. */
static bool malformed(struct collector *collector, const char *key)
{
	return failure_set(&collector->source->failure, ERR_MALFORMED_FILE,
			   "%s: %s is not a number", collector->source->path, key);
}

/*
 * *found: whether there is a text that has the key; then @number holds its digits. Return: false
 * if it is malformed.
 */
static bool find_number(struct collector *collector, const char *text, const char *key,
			char number[MAX_DIGITS + 1], bool *found)
{
	size_t len;
	const char *value = text ? find_value(text, key, &len) : NULL;

	*found = value;
	if (!value)
		return true;
	if (!len || len > MAX_DIGITS || strspn(value, DIGITS) < len)
		return malformed(collector, key);
	memcpy(number, value, len);
	number[len] = '\0';
	return true;
}

static void add(struct collector *collector, enum family family, const char *labels,
		const char *value)
{
	exposition_add(collector->exposition, family, labels, collector->place, value);
}

/* Exact seconds from digits of any number of nanoseconds. */
static void add_nanoseconds(struct collector *collector, enum family family, const char *labels,
			    const char *number)
{
	int len = (int)strlen(number), whole = len > 9 ? len - 9 : 0;
	char seconds[MAX_DIGITS + 16];

	snprintf(seconds, sizeof(seconds), "%.*s.%.*s%s", whole ? whole : 1, whole ? number : "0",
		 9 - (len - whole), "000000000", number + whole);
	add(collector, family, labels, seconds);
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

static bool add_totals(struct collector *collector, const char *text, const struct total *totals,
		       size_t nr)
{
	char number[MAX_DIGITS + 1];
	bool found;

	for (size_t i = 0; i < nr; i++) {
		if (!find_number(collector, text, totals[i].key, number, &found))
			return false;
		if (found && totals[i].is_time)
			add_nanoseconds(collector, totals[i].family, totals[i].labels, number);
		else if (found)
			add(collector, totals[i].family, totals[i].labels, number);
	}
	return true;
}

static bool add_total(struct collector *collector, const char *text, const char *key,
		      enum family family, const char *labels, bool *found)
{
	char number[MAX_DIGITS + 1];

	if (!find_number(collector, text, key, number, found))
		return false;
	if (*found)
		add(collector, family, labels, number);
	return true;
}

static bool add_slots(struct collector *collector, const char *text)
{
	const char *key;
	bool found;

	for (size_t i = 0; (key = total_slots_key(i)); i++)
		if (!add_total(collector, text, key, topdown_families[i], "", &found))
			return false;
	return true;
}

static bool add_replicate(struct collector *collector, const char *text, unsigned int replicate)
{
	char key[TOTAL_KEY], label[32];
	bool found;

	snprintf(label, sizeof(label), "replicate=\"%u\"", replicate);
	for (unsigned int i = 0; total_replicate_key(replicate, i, key); i++)
		if (!add_total(collector, text, key, topdown_families[i], label, &found))
			return false;
	return true;
}

static bool add_replicates(struct collector *collector, const char *text)
{
	for (unsigned int i = 0; i < REPLICATES; i++)
		if (!add_replicate(collector, text, i))
			return false;
	return true;
}

static bool add_topdown(struct collector *collector, const struct place *place)
{
	char *text;

	if (collector->has_replicates)
		return read_file(collector, place->name,
				 TOTALS_DIRECTORY "/" REPLICATES_FILE, &text) &&
		       add_replicates(collector, text);
	return read_file(collector, place->name, TOTALS_DIRECTORY "/topdown_l1", &text) &&
	       add_slots(collector, text);
}

/* The same for all places, as samples of a family have the same labels. */
static bool choose_topdown(struct collector *collector)
{
	char *text;

	if (!collector->selection->errors)
		return true;
	if (!read_file(collector, "", "replicates", &text))
		return false;
	collector->has_replicates = text && *text == '1';
	return true;
}

/* All places have the same start. */
static bool add_start(struct collector *collector, const char *text)
{
	char number[MAX_DIGITS + 1], seconds[64];
	bool found;

	if (collector->has_start)
		return true;
	if (!find_number(collector, text, "start_ns", number, &found))
		return false;
	if (!found)
		return true;
	snprintf(seconds, sizeof(seconds), "%.3f",
		 collector->selection->boot + strtod(number, NULL) / 1e9);
	exposition_add(collector->exposition, FAMILY_START, "", "", seconds);
	collector->has_start = true;
	return true;
}

static bool add_metric(struct collector *collector, const char *text, int metric)
{
	char key[TOTAL_KEY], label[128];
	bool found;

	if (total_is_of_slots(metric))
		return true;
	snprintf(label, sizeof(label), "metric=\"%s\"", catalog_metric_name(metric));
	for (unsigned int i = 0; i < NR(metric_families); i++) {
		if (!total_key(metric, i, key))
			continue;
		if (!add_total(collector, text, key, metric_families[i], label, &found))
			return false;
		collector->found[metric] |= found;
	}
	return true;
}

static bool add_group(struct collector *collector, const struct place *place, int group)
{
	struct catalog_group members = catalog_group(group);
	char file[64];
	char *text;

	snprintf(file, sizeof(file), TOTALS_DIRECTORY "/%s", members.file);
	if (!read_file(collector, place->name, file, &text))
		return false;
	for (size_t i = 0; text && i < members.nr_members; i++) {
		int metric = catalog_member(group, i);

		if (!collector->found[metric] && !add_metric(collector, text, metric))
			return false;
	}
	return true;
}

/* A CPU's status is only read if that of the system has withdrawn metrics. */
static bool add_cpu_trusted(struct collector *collector, const struct place *cpu)
{
	char number[MAX_DIGITS + 1] = "0";
	bool found = true;
	char *text;

	if (!collector->know_trusted)
		return true;
	if (!collector->trusted && (!read_file(collector, cpu->name, "status", &text) ||
				    !find_number(collector, text, "withdrawn", number, &found)))
		return false;
	if (found)
		add(collector, FAMILY_TRUSTED, "", strcmp(number, "0") ? "0" : "1");
	return true;
}

static bool add_place(struct collector *collector, const struct place *place)
{
	char *text;

	set_place(collector, place);
	memset(collector->found, 0, catalog_nr_metrics() * sizeof(*collector->found));
	if ((place->scope == SCOPE_CPU && !add_cpu_trusted(collector, place)) ||
	    !read_file(collector, place->name, TOTALS_DIRECTORY "/time", &text) ||
	    !add_start(collector, text) ||
	    !add_totals(collector, text, time_totals, NR(time_totals)) ||
	    !add_topdown(collector, place))
		return false;
	for (int group = 0; group < catalog_nr_groups(); group++)
		if (collector->selection->groups[group] && !add_group(collector, place, group))
			return false;
	return true;
}

static bool list_places(struct collector *collector, struct places *places, enum scope scope)
{
	if (scope != SCOPE_SYSTEM)
		return places_add(collector->source, places, scope, NULL);
	return places_add_one(places, place_make(SCOPE_SYSTEM, 0)) ||
	       failure_no_memory(&collector->source->failure);
}

static bool add_places(struct collector *collector)
{
	struct places places = { 0 };
	bool ok = list_places(collector, &places, collector->selection->per);

	for (size_t i = 0; ok && i < places.nr; i++)
		ok = add_place(collector, &places.v[i]);
	places_free(&places);
	return ok;
}

/* The words that no CPU reports are not in the file. */
static bool add_verdicts(struct collector *collector, const char *text)
{
	char number[MAX_DIGITS + 1], label[64];
	const char *word;
	bool found;

	if (!add_total(collector, text, "included", FAMILY_CPUS, "verdict=\"value\"", &found))
		return false;
	if (!found)
		return true;
	for (size_t i = 0; (word = catalog_word(i)); i++) {
		if (!find_number(collector, text, word, number, &found))
			return false;
		snprintf(label, sizeof(label), "verdict=\"%s\"", word);
		add(collector, FAMILY_CPUS, label, found ? number : "0");
	}
	return true;
}

static bool add_system_status(struct collector *collector)
{
	char number[MAX_DIGITS + 1];
	bool found;
	char *text;

	if (!read_file(collector, "system", "status", &text) || !add_verdicts(collector, text) ||
	    !find_number(collector, text, "budget", number, &found))
		return false;
	/* 0 if no CPU is sampled */
	if (found && strcmp(number, "0"))
		add(collector, FAMILY_COUNTERS, "", number);
	if (!add_total(collector, text, "withdrawals", FAMILY_WITHDRAWALS, "", &found))
		return false;
	if (!find_number(collector, text, "withdrawn", number, &collector->know_trusted))
		return false;
	collector->trusted = collector->know_trusted && !strcmp(number, "0");
	if (collector->know_trusted && collector->selection->per != SCOPE_CPU)
		add(collector, FAMILY_TRUSTED, "", collector->trusted ? "1" : "0");
	return true;
}

static bool add_distrusted(struct collector *collector)
{
	unsigned long nr = 0;
	char number[24];
	char *text;

	if (!read_file(collector, "", "distrust", &text))
		return false;
	if (!text)
		return true;
	for (const char *at = text; at[strspn(at, " \n")]; nr++) {
		at += strspn(at, " \n");
		at += strcspn(at, " \n");
	}
	snprintf(number, sizeof(number), "%lu",
		 words_have(text, "none", strlen("none")) ? 0 : nr);
	add(collector, FAMILY_DISTRUSTED, "", number);
	return true;
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

/* Any directory could have been named, and the module may go during a scrape. */
static bool find_module(struct collector *collector)
{
	static const char * const files[] = { "spec", "status" };
	char *text;

	for (size_t i = 0; i < NR(files); i++) {
		if (!read_file(collector, "", files[i], &text))
			return false;
		if (text)
			return true;
	}
	return failure_set(&collector->source->failure, ERR_NO_MODULE,
			   "%s has no files of the module", collector->source->root);
}

/* Without the file spec it is unknown whether counts are simulated. */
static bool add_info(struct collector *collector)
{
	char labels[MAX_LABELS] = "";
	char *text;

	if (!read_file(collector, "", "spec", &text))
		return false;
	if (!text)
		return true;
	append_label(labels, text, "core");
	append_label(labels, text, "simulated");
	if (!read_file(collector, "", "status", &text))
		return false;
	append_label(labels, text, "switch");
	append_label(labels, text, "version");
	append_label(labels, collector->selection->is_virtual ? "virtual 1" : "virtual 0",
		     "virtual");
	add(collector, FAMILY_INFO, labels, "1");
	return true;
}

static bool add_cost(struct collector *collector)
{
	char number[MAX_DIGITS + 1], ratio[32];
	bool found;
	char *text;

	if (!read_file(collector, "", "status", &text) ||
	    !find_number(collector, text, "cost", number, &found))
		return false;
	if (found) {
		snprintf(ratio, sizeof(ratio), "%.6f", strtod(number, NULL) / 1e6);
		add(collector, FAMILY_COST, "", ratio);
	}
	return true;
}

static bool check_number(struct collector *collector)
{
	/* "up" and the duration follow. */
	size_t nr = collector->exposition->nr + 2;

	if (nr <= collector->selection->max_series)
		return true;
	return failure_set(&collector->source->failure, ERR_TOO_MANY_SERIES,
			   "%zu series exceed --max-series=%lu", nr,
			   collector->selection->max_series);
}

static bool collect_all(struct collector *collector)
{
	return source_open(collector->source, collector->source->root) &&
	       find_module(collector) && add_info(collector) && add_cost(collector) &&
	       add_system_status(collector) && add_distrusted(collector) &&
	       choose_topdown(collector) && add_places(collector) && find_module(collector) &&
	       check_number(collector);
}

bool collect(struct source *source, const struct selection *selection,
	     struct exposition *exposition)
{
	struct collector collector = {
		.source = source,
		.selection = selection,
		.exposition = exposition,
		.found = xcalloc(catalog_nr_metrics(), sizeof(bool)),
	};
	double start = monotonic_now();
	char duration[32];
	bool ok;

	exposition_clear(exposition);
	ok = collect_all(&collector);
	free(collector.found);
	if (!ok)
		exposition_clear(exposition);
	exposition_add(exposition, FAMILY_UP, "", "", ok ? "1" : "0");
	snprintf(duration, sizeof(duration), "%.6f", monotonic_now() - start);
	exposition_add(exposition, FAMILY_DURATION, "", "", duration);
	return ok;
}
