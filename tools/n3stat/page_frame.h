/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A chart of the report without what is in it: axes and labels. Labels are text beside
 * the picture, which is stretched: they can be read at any width.
 */
#ifndef N3STAT_PAGE_FRAME_H
#define N3STAT_PAGE_FRAME_H

#include "page_parts.h"

#define FRAME_WIDTH	1000	/* of a picture, in its own units */

struct frame {
	const struct page *page;
	const char *id;
	const char *title;	/* for those who cannot see it */
	double height;		/* of the picture in pixels */
	double low;		/* at its bottom */
	double high;		/* at its top */
	const char *unit;
	/* Writes other labels beside it than values; NULL for these. */
	void (*write_labels)(const void *of);
	const void *of;
};

void frame_begin(const struct frame *frame);
void frame_end(const struct frame *frame, bool time_axis);
double frame_x(const struct page *page, double time);
double frame_y(const struct frame *frame, double value);

/* Fits low and high to values from min to max. */
void frame_fit(struct frame *frame, double min, double max);

#endif
