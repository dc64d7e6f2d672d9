/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Baselines: percentiles of every metric, computed from recordings.
 *
 * Each metric has three distributions: over snapshots and CPUs, over snapshots and nodes,
 * and over snapshots of the system, as a mean over many CPUs varies less.
 * Their files are JSON:
 *
 *	{ "format": "n3stat-baseline", "version": 1,
 *	  "hosts": [...], "kernels": [...], "pmus": [...],	of the recordings
 *	  "core": "...",		unless it is a Neoverse N3
 *	  "simulated": false,		counts of n3_sim
 *	  "recordings": 1, "window_ms": 2000,
 *	  "scopes": { "cpu": {		also "node" and "system", if recorded
 *	    "places": 4, "snapshots": 200, "independent": 50,
 *	    "metrics": { "ipc": {
 *	      "values": 800,		numbers the percentiles are computed from
 *	      "independent": 50,	non-overlapping snapshots with a number
 *	      "percentiles": { "p5": 0.91, ... } } } } } }
 *
 * A percentile is left out if there are too few independent snapshots for it. CPUs at the
 * same time are not independent of each other, so only snapshots count.
 */
#ifndef CLI_BASELINE_H
#define CLI_BASELINE_H

#include <stdbool.h>
#include <stdio.h>

#include "libn3telemetry/places.h"
#include "libn3telemetry/values.h"

#define BASELINE_FORMAT		"n3stat-baseline"
#define BASELINE_VERSION	1
#define BASELINE_SCOPES		(SCOPE_SYSTEM + 1)

/* 1, 5, 25, 50, 75, 95, 99 */
#define NR_PERCENTS	7
#define AT_P5		1
#define AT_P95		5
extern const unsigned int percents[NR_PERCENTS];

struct baseline_metric {
	char name[VALUE_NAME];
	unsigned long values;
	unsigned long independent;
	bool known[NR_PERCENTS];
	double v[NR_PERCENTS];
};

struct baseline_scope {
	unsigned long places;		/* maximum of one recording; 0: none recorded */
	unsigned long snapshots;
	unsigned long independent;
	struct baseline_metric *metrics;
	size_t nr;
};

struct baseline {
	char *name;			/* of the file, printable */
	char **hosts;			/* NULL-terminated */
	char **kernels;
	char **pmus;
	char *core;			/* NULL: a Neoverse N3 */
	bool simulated;
	unsigned long recordings;
	double window;			/* seconds; maximum of the recordings */
	struct baseline_scope scopes[BASELINE_SCOPES];
};

/* "cpu", "node", "system" */
extern const char * const baseline_scope_names[BASELINE_SCOPES];

void baseline_free(struct baseline *baseline);

/*
 * Number of independent snapshots for which one is expected beyond the percentile: 20 for
 * p5 and p95, 100 for p1 and p99.
 */
unsigned long percentile_needs(unsigned int percent);

void baseline_write(const struct baseline *baseline, FILE *out);
/* Exits if the file cannot be read or is not a baseline. */
void baseline_read(struct baseline *baseline, const char *name);
void baseline_read_stream(struct baseline *baseline, FILE *file, const char *name);

/* Columns of a metric's name, then its percentiles. */
#define BASELINE_NAME_WIDTH	33
/* "CPU", "CPUs" */
extern const char * const baseline_titles[BASELINE_SCOPES][2];
void baseline_print_head(const char *first);
void baseline_print_percentiles(const struct baseline_metric *metric);

void baseline_print(const struct baseline *baseline);
/* Prints the ranges of one metric, below explain's text. */
void baseline_print_metric(const struct baseline *baseline, const char *metric);

/* Return: the metric's percentiles at places of a scope, or NULL. */
const struct baseline_metric *baseline_find(const struct baseline *baseline, enum scope scope,
					    const char *metric);
/* The names separated by ", ", or "unknown"; the caller frees it. */
char *baseline_join(char **names);

#endif
