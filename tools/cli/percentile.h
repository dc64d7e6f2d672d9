/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Percentiles: which there are, what they are, and how many snapshots they need. */
#ifndef CLI_PERCENTILE_H
#define CLI_PERCENTILE_H

#include <stddef.h>

#define NR_PERCENTS	7
#define AT_P5		1
#define AT_P50		3
#define AT_P95		5

/* 1, 5, 25, 50, 75, 95, 99 */
extern const unsigned int percents[NR_PERCENTS];

/* "p95". Return: where it is in percents, or -1. */
int percentile_parse(const char *text);
void percentile_sort(double *numbers, size_t nr);
/* Of sorted numbers: between two ranks in proportion, from the first to the last number. */
double percentile(const double *sorted, size_t nr, unsigned int percent);
/*
 * So many independent snapshots that one of them is expected beyond the percentile: 20
 * for p5 and p95, 100 for p1 and p99.
 */
unsigned long percentile_needs(unsigned int percent);

#endif
