/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Marks of values beyond the 5th and 95th percentile of the current baseline.
 *
 * A value is marked only if its whole interval lies beyond, and never without an interval.
 * Marks are based on estimates, like recordings and thus baselines.
 */
#ifndef CLI_MARKS_H
#define CLI_MARKS_H

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

#include "baseline.h"

#define MARK_ABOVE	'^'
#define MARK_BELOW	'v'
#define MARK_NONE	' '

/* --baseline, a child of a command's argp; its input is a const char *. */
extern const struct argp options_baseline;

/*
 * Reads the baseline @file or, if NULL, the one in N3STAT_BASELINE. Warns if it does not
 * match the source, which must be open. Return: NULL without a baseline.
 */
const struct baseline *marks_use(const char *file);
/* The same without a source to compare with. */
const struct baseline *marks_read(const char *file);
bool marks_in_use(void);

/* Return: the mark; MARK_NONE also if the baseline has no range. */
char mark_of(enum scope scope, const char *metric, const struct value *estimate);
bool marks_range(enum scope scope, const char *metric, double *low, double *high);
/* Prints the legend of the marks, if any are in use. Return: the number of lines. */
size_t marks_print_legend(FILE *out);

#endif
