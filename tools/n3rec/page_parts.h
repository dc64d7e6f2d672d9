/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What all parts of the report use. */
#ifndef N3REC_PAGE_PARTS_H
#define N3REC_PAGE_PARTS_H

#include <stdio.h>

#include "cells.h"

/* The four of Topdown_L1, from the bottom of the chart up. */
#define NR_LEVEL_1	4

/* Around the headings of a table. Spell checkers would have them be threads. */
#define TABLE_HEAD	"<t\150ead>"
#define TABLE_HEAD_END	"</t\150ead>"

/* What rounding may add to a number, of itself. */
#define TINY		(1 / 1e9)

struct level_1 {
	const char *metric;
	const char *title;
};

extern const struct level_1 level_1[NR_LEVEL_1];

struct page {
	FILE *out;
	struct recording *recording;
	struct cells cells;
	struct summary summary;
	const char *file;	/* as the user named it */
	size_t whole_cells;	/* how many values it may have with every snapshot */
};

/*
 * A time from the start as all of a recording of this length are written; tenths that are
 * 0 only where others beside it have some.
 */
const char *page_time(double seconds, double longest, bool with_tenths);
/* The same for a time of this page. */
const char *page_clock(const struct page *page, double seconds);
/* The end of the last snapshot. */
double page_end(const struct page *page);
/* Whether snapshots of the recording were excluded. */
bool page_is_part(const struct page *page);

/* The smallest of 1, 2 and 5 times a power of ten that is not below a number. */
double page_round_up(double number);

/* The columns of level 1 as recorded. Return: false if there is none. */
bool page_level_1(const struct page *page, int columns[NR_LEVEL_1]);
bool page_has_line(const struct page *page, enum scope scope, size_t column);

#endif
