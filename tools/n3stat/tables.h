/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The module's own tables of events, metrics, groups and the decision tree,
 * by number: 0 to nr - 1. A number of -1 stands for "none".
 *
 * Behind it are units of the kernel module and their types, which stay in
 * tables.c.
 */
#ifndef N3STAT_TABLES_H
#define N3STAT_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#define TABLES_MAX_EVENTS	8	/* of one metric */
#define TABLES_MAX_NEXT		8	/* items that the tree leads to */

struct tables_event {
	const char *name;
	const char *later;		/* a newer name, or NULL */
	const char *functional;		/* functional group */
	const char *class;
	unsigned int code;
	bool countable;
};

struct tables_metric {
	const char *name;
	const char *unit;
	const char *short_unit;
	const char *formula;
	bool specified;			/* one of the specification's own */
	int events[TABLES_MAX_EVENTS];
	size_t nr_events;
};

struct tables_group {
	const char *name;
	const char *file;
	const char *title;
	unsigned int stage;		/* 0: beyond the specification's metrics */
	size_t nr_members;
};

/* Where the tree leads from a metric: another metric or a group. */
struct tables_next {
	int metric;
	int group;
};

void tables_init(void);

int tables_nr_events(void);
int tables_nr_metrics(void);
int tables_nr_groups(void);
struct tables_event tables_event(int event);
struct tables_metric tables_metric(int metric);
struct tables_group tables_group(int group);
const char *tables_metric_name(int metric);

int tables_find_event(const char *name);
int tables_find_metric(const char *name);
int tables_find_group(const char *name);

int tables_member(int group, size_t index);
bool tables_has_member(int group, int metric);

size_t tables_next(int metric, struct tables_next next[TABLES_MAX_NEXT]);
int tables_parent(int metric);
bool tables_in_tree(int metric);

#endif
