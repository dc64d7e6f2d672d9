/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The text of the bottleneck, as infer_bottleneck() prints it: the path through the decision tree
 * and the losses.
 */
#ifndef LIBN3TELEMETRY_BOTTLENECK_FILE_H
#define LIBN3TELEMETRY_BOTTLENECK_FILE_H

#include "infer.h"
#include "values.h"

/* Instead of an end: the path has no metric. */
#define BOTTLENECK_NONE	"none"

/* Outcomes, unless it is a word reported instead of a value. */
#define BOTTLENECK_FOUND	"found"
#define BOTTLENECK_MIXED	"mixed"

/* Parts of the text. The end implies the metrics above it. Losses are a metric and a share each. */
enum bottleneck_part {
	BOTTLENECK_END,
	BOTTLENECK_WHY,
	BOTTLENECK_BELOW,
	BOTTLENECK_SHARE,
	BOTTLENECK_FIRST,
	BOTTLENECK_FIRST_SHARE,
	BOTTLENECK_SECOND,
	BOTTLENECK_SECOND_SHARE,
	BOTTLENECK_THIRD,
	BOTTLENECK_THIRD_SHARE,
	BOTTLENECK_NR_PARTS,
};

extern const char * const bottleneck_names[BOTTLENECK_NR_PARTS];

/* One value per part; none if the text, which is modified, lacks the end of the path. */
void bottleneck_parse(struct values *values, char *text);
/*
 * The next line of the text that counts CPUs: their number and the end of their paths, or the
 * word reported instead. Return: the text after it, or NULL if there is none.
 */
const char *bottleneck_next_cpus(const char *text, unsigned int *nr, char end[VALUE_TEXT]);

#endif
