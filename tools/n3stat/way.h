/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The way down the decision tree as the module goes it: its file "bottleneck". */
#ifndef N3STAT_WAY_H
#define N3STAT_WAY_H

#include "values.h"

#define WAY_FILE	"bottleneck"

/* In place of an end: the way has not begun. */
#define WAY_NONE	"none"

/* Why it ends, where that is no word that stands in place of a value. */
#define WAY_FOUND	"found"
#define WAY_UNDECIDED	"undetermined"
#define WAY_TOO_FEW	"too_few_slices"

/* What is kept of the file: the end alone tells all that is above it. */
enum way_part {
	WAY_END,
	WAY_WHY,
	WAY_RIVAL,
	WAY_SECOND,
	WAY_NR_PARTS,
};

extern const char * const way_names[WAY_NR_PARTS];

/* A value for each part; none at all if the text does not say how the way ends. */
void way_parse(struct values *values, const char *text);

#endif
