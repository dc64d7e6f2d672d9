/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Baselines: what is usual on one's own machines, as percentiles of every metric.
 *
 * There are three distributions of each metric: over snapshots and CPUs, over snapshots
 * and nodes, and over snapshots of the system, as a mean over many CPUs varies less.
 * They are kept in a file of JSON, which baseline_file.c writes and reads:
 *
 *	{ "format": "n3stat-baseline", "version": 1,
 *	  "hosts": [...], "kernels": [...], "pmus": [...],	of the recordings
 *	  "core": "...",		only if it is no Neoverse N3
 *	  "simulated": false,		counts of n3_sim
 *	  "recordings": 1, "window_ms": 2000,
 *	  "scopes": { "cpu": {		and "node", "system", those that were recorded
 *	    "places": 4, "snapshots": 200, "independent": 50,
 *	    "metrics": { "ipc": {
 *	      "values": 800,		numbers that the percentiles are of
 *	      "independent": 50,	snapshots with a number that share no window
 *	      "percentiles": { "p5": 0.91, ... } } } } } }
 *
 * A percentile that so few independent snapshots cannot tell is not there. CPUs at one
 * time are not independent of each other, so they do not count.
 */
#ifndef CLI_BASELINE_H
#define CLI_BASELINE_H

#include <stdbool.h>
#include <stdio.h>

#include "libn3telemetry/places.h"
#include "libn3telemetry/values.h"
#include "percentile.h"

#define BASELINE_SCOPES	(SCOPE_SYSTEM + 1)

struct baseline_metric {
	char name[VALUE_NAME];
	unsigned long values;
	unsigned long independent;
	bool known[NR_PERCENTS];
	double v[NR_PERCENTS];
};

struct baseline_scope {
	unsigned long places;		/* the most in one recording; 0: none recorded */
	unsigned long snapshots;
	unsigned long independent;
	struct baseline_metric *metrics;
	size_t nr;
};

struct baseline {
	char *name;			/* of the file, to be shown */
	char **hosts;			/* these end with NULL */
	char **kernels;
	char **pmus;
	char *core;			/* NULL: a Neoverse N3 */
	bool simulated;
	unsigned long recordings;
	double window;			/* seconds; the longest of the recordings */
	struct baseline_scope scopes[BASELINE_SCOPES];
};

/* "cpu", "node", "system" */
extern const char * const baseline_scope_names[BASELINE_SCOPES];

void baseline_free(struct baseline *baseline);

void baseline_write(const struct baseline *baseline, FILE *out);
/* Ends the program when the file cannot be read or is no baseline. */
void baseline_read(struct baseline *baseline, const char *name);
void baseline_read_stream(struct baseline *baseline, FILE *file, const char *name);

void baseline_print(const struct baseline *baseline);
/* The ranges of one metric, below explain's text. */
void baseline_print_metric(const struct baseline *baseline, const char *metric);

/* Return: the metric's percentiles at places of a scope, or NULL. */
const struct baseline_metric *baseline_find(const struct baseline *baseline, enum scope scope,
					    const char *metric);
/* The names with ", " between them, "unknown" for none; to be freed. */
char *baseline_join(char **names);

#endif
