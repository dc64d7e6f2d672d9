/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What to read: places, and groups and metrics by name. */
#ifndef LIBN3TELEMETRY_CHOICE_H
#define LIBN3TELEMETRY_CHOICE_H

#include "places.h"
#include "values.h"

/* One metric of one group, or any other line of a group's file. */
struct column {
	char name[VALUE_NAME];
	size_t file;
	int metric;		/* -1: not in the tables of this program */
	const char *unit;	/* in full, "" for none */
	const char *short_unit;	/* "-" for none */
};

/* A group's file, and which metrics of it are wanted. */
struct file {
	char *name;
	const char *title;	/* the group as the specification spells it */
	bool whole;		/* all its metrics, in the order of the file */
	bool known;		/* its columns are */
	bool bottleneck;		/* no group: the module's path down the tree */
	int group;		/* -1: not in the tables of this program */
};

struct choice {
	struct places places;
	struct file *files;
	size_t nr_files;
	struct column *columns;
	size_t nr_columns;
	bool quality;		/* errors and coverage, where the module tells them */
	size_t nr_cpu_files;	/* 0, or only so many of the files are read of CPUs */
};

/* "all": every group that the first place has. Ends the program if there is none. */
void choose_group(struct choice *choice, const char *name);
/* Groups that the source need not have. */
void choose_known_group(struct choice *choice, const char *name);
/* Ends the program if no group has such a metric. */
void choose_metric(struct choice *choice, const char *name);
/* All groups of the source; nothing is said if there is none. */
void choose_every_group(struct choice *choice);
/* What the module's file "bottleneck" tells, if any place has one. */
void choose_bottleneck(struct choice *choice);
bool choice_has(const struct choice *choice, const char *file);
/* Return: the first column of a metric, or -1. */
int choice_column(const struct choice *choice, int metric);
void choice_free(struct choice *choice);

#endif
