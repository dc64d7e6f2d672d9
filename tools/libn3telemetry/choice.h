/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Selection of places, groups and metrics to read. */
#ifndef LIBN3TELEMETRY_CHOICE_H
#define LIBN3TELEMETRY_CHOICE_H

#include "places.h"
#include "rates.h"
#include "values.h"

/* A metric of a group, or another line of the group's file. */
struct column {
	char name[VALUE_NAME];
	size_t file;
	int metric;		/* -1: not in the tables of this program */
	const char *unit;	/* full name, "" if it has none */
	const char *short_unit;	/* "-" if it has none */
};

/* A group's file and its selected metrics. */
struct file {
	char *name;
	const char *title;	/* the group in the specification's spelling */
	bool whole;		/* all metrics, in the order of the file */
	bool known;		/* columns have been found */
	bool rates;		/* computed by the program, not read */
	int group;		/* -1: not in the tables of this program */
};

/* The name must be shorter than VALUE_NAME. */
struct column column_make(const char *name, size_t file);

struct choice {
	struct places places;
	struct file *files;
	size_t nr_files;
	struct column *columns;
	size_t nr_columns;
	bool quality;		/* with errors and coverage, if available */
	size_t nr_cpu_files;	/* number of files to read of CPUs; 0: all */
};

/*
 * Each returns false after an error of the source. All but choose_known_group() fail if no place
 * is selected.
 */

/*
 * Selects a group, RATES_FILE, or every group of the first place with "all"; fails if none exists.
 */
bool choose_group(struct source *source, struct choice *choice, const char *name);
/* Selects a group of this program's tables, which the source may lack. */
bool choose_known_group(struct source *source, struct choice *choice, const char *name);
/* Fails if no group has this metric. */
bool choose_metric(struct source *source, struct choice *choice, const char *name);
/* Selects all groups of the source; there may be none. */
bool choose_every_group(struct source *source, struct choice *choice);
/* Selects utilisation, frequency and instructions per second: see rates.h. */
bool choose_rates(struct source *source, struct choice *choice);
/* Selects rates_theirs. */
bool choose_theirs(struct source *source, struct choice *choice);

/* Return: how many files to read of a place. */
size_t choice_nr_files(const struct choice *choice, size_t place);
/* Return: the column of the rates, or -1. */
int choice_rate(const struct choice *choice, enum rates_column rate);
/* Likewise of choose_theirs(). */
int choice_theirs(const struct choice *choice);
bool choice_has(const struct choice *choice, const char *file);
/* Return: the first column of a metric, or -1. */
int choice_column(const struct choice *choice, int metric);
void choice_free(struct choice *choice);

#endif
