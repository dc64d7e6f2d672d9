// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The module's tables of events, metrics and groups in a form for user space. */
#include <linux/kernel.h>
#include <linux/string.h>

#include "catalog.h"
#include "lib/memory.h"
#include "libn3t/formula.h"
#include "libn3t/spec.h"
#include "stats/spec_words.h"

/* For headers of tables. */
static const struct header_name {
	enum n3t_metric metric;
	const char *brief;
	const char *narrow;
} header_names[] = {
	{ N3T_METRIC_frontend_bound, "frontend", "front" },
	{ N3T_METRIC_backend_bound, "backend", "back" },
	{ N3T_METRIC_bad_speculation, "bad_spec", "bad" },
	{ N3T_METRIC_retiring, "retiring", "retir" },
};

bool catalog_init(void)
{
	return !n3t_spec_init() && !n3t_formula_init();
}

int catalog_nr_events(void)
{
	return N3T_NR_EVENTS;
}

int catalog_nr_metrics(void)
{
	return N3T_NR_METRICS;
}

int catalog_nr_groups(void)
{
	return N3T_NR_GROUPS;
}

struct catalog_event catalog_event(int event)
{
	const struct n3t_event_info *info = &n3t_events[event];

	return (struct catalog_event) {
		.name = info->name,
		.later = n3t_event_later(event),
		.functional = n3t_event_words[event].functional,
		.class = n3t_class_words[n3t_event_words[event].class],
		.code = info->code,
		.countable = info->countable,
	};
}

_Static_assert(CATALOG_FORMULA_SIZE == N3T_FORMULA_SIZE, "of any formula");

/* Finds the distinct events of a formula, in its order. */
static void find_events(struct catalog_metric *metric, int number)
{
	const struct n3t_formula *formula = n3t_metric_formula(number);

	for (unsigned int i = 0; i < formula->nr_tokens; i++) {
		int event;
		size_t k;

		if (formula->token[i].op != N3T_OP_EVENT)
			continue;
		event = n3t_event_by_code(formula->token[i].arg);
		for (k = 0; k < metric->nr_events; k++)
			if (metric->events[k] == event)
				break;
		if (k == metric->nr_events && k < CATALOG_MAX_EVENTS)
			metric->events[metric->nr_events++] = event;
	}
}

struct catalog_metric catalog_metric(int number)
{
	const struct n3t_metric_info *info = &n3t_metrics[number];
	struct catalog_metric metric = {
		.name = info->name,
		.unit = n3t_metric_units[number]->name,
		.short_unit = n3t_metric_units[number]->brief,
		.decimals = info->decimals,
		.specified = number < N3T_NR_SPECIFIED_METRICS,
	};

	n3t_formula_text(number, metric.formula, sizeof(metric.formula));
	find_events(&metric, number);
	return metric;
}

const char *catalog_metric_name(int metric)
{
	return n3t_metrics[metric].name;
}

struct catalog_group catalog_group(int group)
{
	const struct n3t_group_info *info = &n3t_groups[group];

	return (struct catalog_group) {
		.name = info->name,
		.file = info->file,
		.title = n3t_group_words[group].title,
		.purpose = n3t_group_words[group].purpose,
		.stage = info->stage,
		.nr_members = info->nr_members,
	};
}

int catalog_find_event(const char *name)
{
	return n3t_event_by_name(name);
}

int catalog_find_code(unsigned long code)
{
	return code > U16_MAX ? -1 : n3t_event_by_code(code);
}

int catalog_find_metric(const char *name)
{
	for (int i = 0; i < N3T_NR_METRICS; i++)
		if (!strcasecmp(n3t_metrics[i].name, name))
			return i;
	return -1;
}

static const struct header_name *find_header(int metric)
{
	for (size_t i = 0; i < NR(header_names); i++)
		if ((int)header_names[i].metric == metric)
			return &header_names[i];
	return NULL;
}

const char *catalog_short_name(int metric)
{
	return n3t_metric_briefs[metric];
}

const char *catalog_brief_name(int metric)
{
	const struct header_name *name = find_header(metric);

	return name ? name->brief : catalog_metric_name(metric);
}

const char *catalog_narrow_name(int metric)
{
	const struct header_name *name = find_header(metric);

	return name ? name->narrow : catalog_metric_name(metric);
}

static bool lacks_bound(const char *name, const char *full)
{
	size_t len = strlen(name);

	return !strncasecmp(name, full, len) && !strcmp(full + len, "_bound");
}

int catalog_find_short_name(const char *name)
{
	int metric = catalog_find_metric(name);

	for (size_t i = 0; i < NR(header_names) && metric < 0; i++)
		if (!strcasecmp(header_names[i].brief, name) ||
		    !strcasecmp(header_names[i].narrow, name))
			metric = header_names[i].metric;
	for (int i = 0; i < N3T_NR_METRICS && metric < 0; i++)
		if (lacks_bound(name, n3t_metrics[i].name) ||
		    !strcasecmp(n3t_metric_briefs[i], name))
			metric = i;
	return metric;
}

int catalog_find_group(const char *name)
{
	return n3t_group_by_name(name);
}

int catalog_member(int group, size_t index)
{
	return n3t_groups[group].members[index];
}

bool catalog_has_member(int group, int metric)
{
	for (unsigned int i = 0; i < n3t_groups[group].nr_members; i++)
		if (n3t_groups[group].members[i] == metric)
			return true;
	return false;
}

const char *catalog_word(size_t index)
{
	return n3t_verdict_word(index);
}

bool catalog_is_word(const char *text)
{
	const char *word;

	for (size_t i = 0; (word = catalog_word(i)); i++)
		if (!strcmp(word, text))
			return true;
	return false;
}
