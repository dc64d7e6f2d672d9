/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The baseline in use: marks at values beyond its 5th and 95th percentile.
 *
 * Only what lies wholly beyond is marked: all of the interval, and nothing without one. Marks go
 * by estimates, which are what recordings and so baselines are made of.
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
 * Reads the baseline of the option, or that which N3STAT_BASELINE names; file may be
 * NULL. Warns if it is of something else than the source, which must be open.
 * Return: NULL if there is none.
 */
const struct baseline *marks_use(const char *file);
/* The same without a source to compare it with. */
const struct baseline *marks_read(const char *file);
bool marks_in_use(void);

/* Return: MARK_NONE too where the baseline has no range. */
char mark_of(enum scope scope, const char *metric, const struct value *estimate);
bool marks_range(enum scope scope, const char *metric, double *low, double *high);
/* What the marks mean, or nothing. Return: the number of lines. */
size_t marks_print_legend(FILE *out);

#endif
