/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Tables of the module's events, metrics and groups, by number: 0 to nr - 1. A negative number
 * stands for "none".
 *
 * catalog.c hides the kernel module's types.
 */
#ifndef LIBN3TELEMETRY_CATALOG_H
#define LIBN3TELEMETRY_CATALOG_H

#include <stdbool.h>
#include <stddef.h>

#define CATALOG_MAX_EVENTS	8	/* of one metric */
#define CATALOG_FORMULA_SIZE	128

struct catalog_event {
	const char *name;
	const char *later;		/* a newer name, or NULL */
	const char *functional;		/* functional group */
	const char *class;
	unsigned int code;
	bool countable;
};

struct catalog_metric {
	const char *name;
	const char *unit;
	const char *short_unit;
	char formula[CATALOG_FORMULA_SIZE];	/* as in the specification */
	unsigned int decimals;		/* as printed by the module */
	bool specified;			/* not an extra metric */
	int events[CATALOG_MAX_EVENTS];
	size_t nr_events;
};

struct catalog_group {
	const char *name;
	const char *file;
	const char *title;
	const char *purpose;
	unsigned int stage;		/* 0: extra, not in the specification */
	size_t nr_members;
};

/*
 * Checks and completes the tables; called once, before all other functions of the library and
 * before a second thread exists. Return: false if the tables are wrong.
 */
bool catalog_init(void);

int catalog_nr_events(void);
int catalog_nr_metrics(void);
int catalog_nr_groups(void);
struct catalog_event catalog_event(int event);
struct catalog_metric catalog_metric(int metric);
struct catalog_group catalog_group(int group);
const char *catalog_metric_name(int metric);

int catalog_find_event(const char *name);
int catalog_find_code(unsigned long code);
int catalog_find_metric(const char *name);
int catalog_find_group(const char *name);

/* The name in answers: see n3t_metrics.def.h. */
const char *catalog_short_name(int metric);
/* The name in table headers: up to 8 letters, and up to 5. */
const char *catalog_brief_name(int metric);
const char *catalog_narrow_name(int metric);
/* Finds a metric by any printed form of its name, with or without "_bound" at the end. */
int catalog_find_short_name(const char *name);

int catalog_member(int group, size_t index);
bool catalog_has_member(int group, int metric);

/* Words reported instead of a value. Return: NULL after the last one. */
const char *catalog_word(size_t index);
bool catalog_is_word(const char *text);

#endif
