/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The recording in the page: lines of 16-bit numbers, compressed by zlib, in base64.
 * page_data.js unpacks them and documents the layout.
 */
#ifndef N3REC_PAGE_PACK_H
#define N3REC_PAGE_PACK_H

#include "page.h"

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
	size_t track_column;	/* the ends of the module's paths */
	size_t *tracks;		/* places that have them */
	size_t nr_tracks;
};

/* Decides which lines the page has, and which of them are whole. */
void pack_make(struct pack *pack, const struct page *page);
void pack_write(const struct pack *pack, const struct page *page);
void pack_free(struct pack *pack);

#endif
