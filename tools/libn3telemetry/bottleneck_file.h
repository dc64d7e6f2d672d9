/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The module's file "bottleneck": its path through the decision tree. */
#ifndef LIBN3TELEMETRY_BOTTLENECK_FILE_H
#define LIBN3TELEMETRY_BOTTLENECK_FILE_H

#include "values.h"

#define BOTTLENECK_FILE	"bottleneck"

/* Instead of an end: the path has no metric. */
#define BOTTLENECK_NONE	"none"

/* Reason of the end, unless it is a word reported instead of a value. */
#define BOTTLENECK_FOUND	"found"
#define BOTTLENECK_UNDECIDED	"undetermined"
#define BOTTLENECK_TOO_FEW	"too_few_slices"

/*
 * Parts of the file. The end implies the metrics above it. If a bottleneck was found, the
 * rival is the minor metric below it, if any.
 */
enum bottleneck_part {
	BOTTLENECK_END,
	BOTTLENECK_WHY,
	BOTTLENECK_RIVAL,
	BOTTLENECK_SECOND,
	BOTTLENECK_NR_PARTS,
};

extern const char * const bottleneck_names[BOTTLENECK_NR_PARTS];

/* One value per part; none if the text, which is modified, lacks the end of the path. */
void bottleneck_parse(struct values *values, char *text);

#endif
