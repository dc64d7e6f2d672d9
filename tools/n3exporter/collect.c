// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads the module's totals into series: a key that is absent is a series that is absent. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/errors.h"
#include "collect.h"
#include "lib/clock.h"
#include "lib/keys.h"
#include "lib/memory.h"
#include "libn3telemetry/catalog.h"

#define DIGITS		"0123456789"
#define MAX_DIGITS	40	/* of 128 bits */
#define MAX_LABELS	512

/* A key in a file of counters/. */
struct total {
	enum family family;
	const char *key;
	const char *state;	/* label of a time in nanoseconds, otherwise NULL */
};

static const struct total time_totals[] = {
	{ FAMILY_CPU_SECONDS, "sampled_ns", "sampled" },
	{ FAMILY_CPU_SECONDS, "dropped_ns", "dropped" },
	{ FAMILY_CPU_SECONDS, "yielded_ns", "yielded" },
	{ FAMILY_CPU_SECONDS, "off_ns", "off" },
	{ FAMILY_CYCLES, "cycles_total", NULL },
};

static const struct total topdown_totals[] = {
	{ FAMILY_SLOTS, "slots_total", NULL },
	{ FAMILY_STALL_SLOTS, "stall_slots_total", NULL },
	{ FAMILY_FRONTEND_STALL_SLOTS, "frontend_stall_slots_total", NULL },
	{ FAMILY_BACKEND_STALL_SLOTS, "backend_stall_slots_total", NULL },
	{ FAMILY_FRONTEND_FLUSH_SLOTS, "frontend_flush_slots_total", NULL },
	{ FAMILY_OPS_RETIRED, "ops_retired_total", NULL },
	{ FAMILY_OPS_SPECULATED, "ops_speculated_total", NULL },
};

/* Totals of a metric: the key is its name and a suffix. */
static const struct {
	enum family family;
	const char *suffix;
} metric_totals[] = {
	{ FAMILY_NUMERATOR, "_numerator_total" },
	{ FAMILY_DENOMINATOR, "_denominator_total" },
	{ FAMILY_SUBTRAHEND, "_subtrahend_total" },
};

struct collector {
	struct source *source;
	const struct selection *selection;
	struct exposition *exposition;
	bool has_start;
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
 * *found: whether the text has the key; then @number holds its digits. Return: false if it is
 * malformed.
 */
static bool find_number(struct collector *collector, const char *text, const char *key,
			char number[MAX_DIGITS + 1], bool *found)
{
	size_t len;
	const char *value = find_value(text, key, &len);

	*found = value;
	if (!value)
		return true;
	if (!len || len > MAX_DIGITS || strspn(value, DIGITS) < len)
		return malformed(collector, key);
	memcpy(number, value, len);
	number[len] = '\0';
	return true;
}

/* Exact seconds from digits of any number of nanoseconds. */
static void add_nanoseconds(struct exposition *exposition, enum family family, const char *labels,
			    const char *number)
{
	int len = (int)strlen(number), whole = len > 9 ? len - 9 : 0;
	char seconds[MAX_DIGITS + 16];

	snprintf(seconds, sizeof(seconds), "%.*s.%.*s%s", whole ? whole : 1, whole ? number : "0",
		 9 - (len - whole), "000000000", number + whole);
	exposition_add(exposition, family, labels, seconds);
}

static void add_integer(struct exposition *exposition, enum family family, const char *labels,
			unsigned long value)
{
	char text[24];

	snprintf(text, sizeof(text), "%lu", value);
	exposition_add(exposition, family, labels, text);
}

/* The labels of a place, preceded by another label if that is not "". */
static void make_labels(char labels[MAX_LABELS], const char *other, const struct place *place)
{
	static const char * const names[] = { [SCOPE_CPU] = "cpu", [SCOPE_NODE] = "numa_node" };

	if (place->scope == SCOPE_SYSTEM)
		snprintf(labels, MAX_LABELS, "%s", other);
	else
		snprintf(labels, MAX_LABELS, "%s%s%s=\"%u\"", other, *other ? "," : "",
			 names[place->scope], place->id);
}

static bool add_totals(struct collector *collector, const struct place *place, const char *text,
		       const struct total *totals, size_t nr)
{
	char number[MAX_DIGITS + 1], other[64], labels[MAX_LABELS];
	bool found;

	for (size_t i = 0; text && i < nr; i++) {
		const char *state = totals[i].state;

		if (!find_number(collector, text, totals[i].key, number, &found))
			return false;
		if (!found)
			continue;
		if (!state) {
			make_labels(labels, "", place);
			exposition_add(collector->exposition, totals[i].family, labels, number);
			continue;
		}
		snprintf(other, sizeof(other), "state=\"%s\"", state);
		make_labels(labels, other, place);
		add_nanoseconds(collector->exposition, totals[i].family, labels, number);
	}
	return true;
}

/* All places have the same start. */
static bool add_start(struct collector *collector, const char *text)
{
	char number[MAX_DIGITS + 1], seconds[64];
	bool found;

	if (!text || collector->has_start)
		return true;
	if (!find_number(collector, text, "start_ns", number, &found))
		return false;
	if (!found)
		return true;
	snprintf(seconds, sizeof(seconds), "%.3f",
		 collector->selection->boot + strtod(number, NULL) / 1e9);
	exposition_add(collector->exposition, FAMILY_START, "", seconds);
	collector->has_start = true;
	return true;
}

static bool add_metric(struct collector *collector, const struct place *place, const char *text,
		       int metric)
{
	const char *name = catalog_metric_name(metric);
	char key[128], number[MAX_DIGITS + 1], other[128], labels[MAX_LABELS];
	bool found;

	for (size_t i = 0; i < NR(metric_totals); i++) {
		snprintf(key, sizeof(key), "%s%s", name, metric_totals[i].suffix);
		if (!find_number(collector, text, key, number, &found))
			return false;
		if (!found)
			continue;
		snprintf(other, sizeof(other), "metric=\"%s\"", name);
		make_labels(labels, other, place);
		exposition_add(collector->exposition, metric_totals[i].family, labels, number);
		collector->found[metric] = true;
	}
	return true;
}

static bool add_group(struct collector *collector, const struct place *place, int group)
{
	struct catalog_group members = catalog_group(group);
	char file[64];
	char *text;

	snprintf(file, sizeof(file), "counters/%s", members.file);
	if (!read_file(collector, place->name, file, &text))
		return false;
	for (size_t i = 0; text && i < members.nr_members; i++) {
		int metric = catalog_member(group, i);

		if (!collector->found[metric] && !add_metric(collector, place, text, metric))
			return false;
	}
	return true;
}

static bool add_place(struct collector *collector, const struct place *place)
{
	char *text;

	memset(collector->found, 0, catalog_nr_metrics() * sizeof(*collector->found));
	if (!read_file(collector, place->name, "counters/time", &text) ||
	    !add_start(collector, text) ||
	    !add_totals(collector, place, text, time_totals, NR(time_totals)) ||
	    !read_file(collector, place->name, "counters/topdown_l1", &text) ||
	    !add_totals(collector, place, text, topdown_totals, NR(topdown_totals)))
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
static bool add_verdicts(struct collector *collector)
{
	char number[MAX_DIGITS + 1], labels[64];
	const char *word;
	char *text;
	bool found;

	if (!read_file(collector, "system", "status", &text))
		return false;
	if (!text)
		return true;
	if (!find_number(collector, text, "included", number, &found))
		return false;
	if (!found)
		return true;
	exposition_add(collector->exposition, FAMILY_CPUS, "verdict=\"value\"", number);
	for (size_t i = 0; (word = catalog_word(i)); i++) {
		if (!find_number(collector, text, word, number, &found))
			return false;
		snprintf(labels, sizeof(labels), "verdict=\"%s\"", word);
		exposition_add(collector->exposition, FAMILY_CPUS, labels, found ? number : "0");
	}
	return true;
}

static bool has_word(const char *text, const char *key, const char *word)
{
	size_t len;
	const char *value = find_value(text, key, &len);

	return value && len == strlen(word) && !strncmp(value, word, len);
}

/* Of all CPUs. */
struct cpu_statuses {
	unsigned long fewest;	/* counters held on a sampled CPU, ULONG_MAX if there is none */
	bool trusted;		/* no CPU has withdrawn metrics */
	bool know_trusted;	/* a CPU has the key */
};

static bool add_cpu_status(struct collector *collector, const struct place *cpu,
			   struct cpu_statuses *all)
{
	char number[MAX_DIGITS + 1], labels[MAX_LABELS];
	unsigned long budget;
	bool found, trusted;
	char *text;

	if (!read_file(collector, cpu->name, "status", &text))
		return false;
	if (!text)
		return true;
	if (!find_number(collector, text, "budget", number, &found))
		return false;
	budget = found ? strtoul(number, NULL, 10) : ULONG_MAX;
	if (has_word(text, "state", "sampling") && budget < all->fewest)
		all->fewest = budget;
	if (!find_number(collector, text, "withdrawn", number, &found))
		return false;
	if (!found)
		return true;
	trusted = !strcmp(number, "0");
	all->trusted &= trusted;
	all->know_trusted = true;
	if (collector->selection->per == SCOPE_CPU) {
		make_labels(labels, "", cpu);
		add_integer(collector->exposition, FAMILY_TRUSTED, labels, trusted);
	}
	return true;
}

static bool add_cpu_statuses(struct collector *collector)
{
	struct cpu_statuses all = { .fewest = ULONG_MAX, .trusted = true };
	struct places cpus = { 0 };
	bool ok = list_places(collector, &cpus, SCOPE_CPU);

	for (size_t i = 0; ok && i < cpus.nr; i++)
		ok = add_cpu_status(collector, &cpus.v[i], &all);
	places_free(&cpus);
	if (!ok)
		return false;
	if (all.fewest < ULONG_MAX)
		add_integer(collector->exposition, FAMILY_COUNTERS, "", all.fewest);
	if (all.know_trusted && collector->selection->per != SCOPE_CPU)
		add_integer(collector->exposition, FAMILY_TRUSTED, "", all.trusted);
	return true;
}

static bool add_distrusted(struct collector *collector)
{
	unsigned long nr = 0;
	char *text;

	if (!read_file(collector, "", "distrust", &text))
		return false;
	if (!text)
		return true;
	for (const char *at = text; at[strspn(at, " \n")]; nr++) {
		at += strspn(at, " \n");
		at += strcspn(at, " \n");
	}
	add_integer(collector->exposition, FAMILY_DISTRUSTED, "",
		    words_have(text, "none", strlen("none")) ? 0 : nr);
	return true;
}

/* Adds a label with the value of a key, "" if it is absent. */
static void append_label(char labels[MAX_LABELS], const char *text, const char *key)
{
	size_t len = 0, at = strlen(labels);
	const char *value = text ? find_value(text, key, &len) : NULL;

	at += snprintf(labels + at, MAX_LABELS - at, "%s%s=\"", at ? "," : "", key);
	/* Leaves room for the other labels. */
	for (size_t i = 0; value && i < len && i < 80; i++) {
		if (value[i] == '"' || value[i] == '\\')
			labels[at++] = '\\';
		labels[at++] = value[i];
	}
	labels[at++] = '"';
	labels[at] = '\0';
}

static bool add_status(struct collector *collector)
{
	char labels[MAX_LABELS] = "", number[MAX_DIGITS + 1], ratio[32];
	bool found;
	char *text;

	if (!read_file(collector, "", "spec", &text))
		return false;
	append_label(labels, text, "core");
	append_label(labels, text, "simulated");
	if (!read_file(collector, "", "status", &text))
		return false;
	append_label(labels, text, "switch");
	append_label(labels, text, "version");
	append_label(labels, collector->selection->is_virtual ? "virtual 1" : "virtual 0",
		     "virtual");
	exposition_add(collector->exposition, FAMILY_INFO, labels, "1");
	if (!text)
		return true;
	if (!find_number(collector, text, "cost", number, &found))
		return false;
	if (found) {
		snprintf(ratio, sizeof(ratio), "%.6f", strtod(number, NULL) / 1e6);
		exposition_add(collector->exposition, FAMILY_COST, "", ratio);
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
	       add_status(collector) && add_verdicts(collector) && add_cpu_statuses(collector) &&
	       add_distrusted(collector) && add_places(collector) && check_number(collector);
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
	exposition_add(exposition, FAMILY_UP, "", ok ? "1" : "0");
	snprintf(duration, sizeof(duration), "%.6f", monotonic_now() - start);
	exposition_add(exposition, FAMILY_DURATION, "", duration);
	return ok;
}
