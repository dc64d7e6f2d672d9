/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Percentiles: names, computation and required number of snapshots. */
#ifndef CLI_PERCENTILE_H
#define CLI_PERCENTILE_H

#include <stddef.h>

#define NR_PERCENTS	7
#define AT_P5		1
#define AT_P50		3
#define AT_P95		5

/* 1, 5, 25, 50, 75, 95, 99 */
extern const unsigned int percents[NR_PERCENTS];

/* Parses e.g. "p95". Return: its index in percents, or -1. */
int percentile_parse(const char *text);
void percentile_sort(double *numbers, size_t nr);
/* Percentile of sorted numbers, linearly interpolated between ranks. */
double percentile(const double *sorted, size_t nr, unsigned int percent);
/*
 * Number of independent snapshots for which one is expected beyond the percentile: 20 for
 * p5 and p95, 100 for p1 and p99.
 */
unsigned long percentile_needs(unsigned int percent);

#endif
