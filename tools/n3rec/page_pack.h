/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The recording inside of the page: lines of numbers of 16 bits, packed by zlib, in
 * base64. page_data.js unpacks them and says what is where.
 */
#ifndef N3REC_PAGE_PACK_H
#define N3REC_PAGE_PACK_H

#include "page_parts.h"

/* Codes from this one on are words, by their numbers; those below it are steps. */
#define PACK_WORDS	(UINT16_MAX + 1 - CELLS_MAX_WORDS)
#define PACK_NO_HALF	UINT16_MAX

/* Of each bin: numbers, intervals, mean, smallest, largest, deviation, half width. */
#define PACK_BIN_FIELDS	7

struct pack_line {
	size_t place;
	size_t column;
	bool whole;		/* every snapshot, not bins of them */
	double low;		/* of code 0 */
	double step;
	double half_step;
	double widest;
};

struct pack {
	struct pack_line *lines;
	size_t nr_lines;
	size_t nr_bins;		/* of a line that is not whole */
	size_t *tracks;		/* places of which the module's path was recorded */
	size_t nr_tracks;
};

/* Which lines there are, and which of them whole. */
void pack_make(struct pack *pack, const struct page *page);
void pack_write(const struct pack *pack, const struct page *page);
void pack_free(struct pack *pack);

#endif
