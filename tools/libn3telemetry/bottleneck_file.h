/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The module's own path down the decision tree: its file "bottleneck". */
#ifndef LIBN3TELEMETRY_BOTTLENECK_FILE_H
#define LIBN3TELEMETRY_BOTTLENECK_FILE_H

#include "values.h"

#define BOTTLENECK_FILE	"bottleneck"

/* Instead of an end: the path has no metric. */
#define BOTTLENECK_NONE	"none"

/* Why it ends, where that is no word reported instead of a value. */
#define BOTTLENECK_FOUND	"found"
#define BOTTLENECK_UNDECIDED	"undetermined"
#define BOTTLENECK_TOO_FEW	"too_few_slices"

/*
 * What is kept of the file: the end alone tells all that is above it. Where it was
 * found, the rival is the metric below that is minor, if there is one.
 */
enum bottleneck_part {
	BOTTLENECK_END,
	BOTTLENECK_WHY,
	BOTTLENECK_RIVAL,
	BOTTLENECK_SECOND,
	BOTTLENECK_NR_PARTS,
};

extern const char * const bottleneck_names[BOTTLENECK_NR_PARTS];

/* A value for each part; none at all if the text does not say how the path ends. */
void bottleneck_parse(struct values *values, const char *text);

#endif
