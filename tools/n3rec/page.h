/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* HTML report: a single self-contained page; its parts and their helpers. */
#ifndef N3REC_PAGE_H
#define N3REC_PAGE_H

#include <stdio.h>

#include "cells.h"

/* The four of Topdown_L1, from the bottom of the chart up. */
#define NR_LEVEL_1	4

/* Element of table headings, with an escape for spell checkers. */
#define TABLE_HEAD	"<t\150ead>"
#define TABLE_HEAD_END	"</t\150ead>"

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
	const char *file;	/* as named by the user */
	size_t place;		/* the main one, which the page shows first */
	size_t whole_cells;	/* limit of values in whole lines */
};

/* End of the last snapshot. */
double page_end(const struct page *page);
/* Whether the page lacks snapshots of the recording. */
bool page_is_part(const struct page *page);

/* Rounds up to 1, 2 or 5 times a power of ten. */
double page_round_up(double number);

/* The recorded columns of level 1. Return: false if none was recorded. */
bool page_level_1(const struct page *page, int columns[NR_LEVEL_1]);

/* All metrics of the main place, and level 1 of all places. */
void page_tables(struct page *page);
/* The answer and the largest losses of the main place; the script handles others and spans. */
void page_answer(const struct page *page);
/* Tree of the main place and the whole span; the script handles others. */
void page_tree(struct page *page);
/* Input of the scripts: the recording and its description. */
void page_data(struct page *page);
/* The scripts, page*.js */
extern const char page_script[];

/*
 * The recording in the page: lines of 16-bit numbers, compressed by zlib, in base64.
 * page_data.js unpacks them and documents the layout.
 */

/* Codes from here on are indexes of words; smaller ones are steps. */
#define PACK_WORDS	(UINT16_MAX + 1 - CELLS_MAX_WORDS)
#define PACK_NO_HALF	UINT16_MAX

/* Fields of a bin: numbers, intervals, mean, minimum, maximum, deviation, half width. */
#define PACK_BIN_FIELDS	7

struct pack_line {
	size_t place;
	size_t column;
	bool whole;		/* every snapshot instead of bins */
	double low;		/* of code 0 */
	double step;
	double half_step;
	double widest;
};

struct pack {
	struct pack_line *lines;
	size_t nr_lines;
	size_t nr_bins;		/* for lines that are not whole */
};

/* Decides which lines the page has, and which of them are whole. */
void pack_make(struct pack *pack, const struct page *page);
void pack_write(const struct pack *pack, const struct page *page);
void pack_free(struct pack *pack);

/* All of the above. */
void page_write(struct page *page);

#endif
