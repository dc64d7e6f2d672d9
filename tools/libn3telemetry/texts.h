/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What metrics mean and what to do about them, in our own words. */
#ifndef LIBN3TELEMETRY_TEXTS_H
#define LIBN3TELEMETRY_TEXTS_H

#include <stdbool.h>

struct advice {
	const char *metric;
	const char *means;
	const char *look;
	const char *command;	/* with PMU and WHERE in it */
	const char *spe;	/* the same where SPE can be used, or NULL */
};

/* Return: NULL for a metric without such a text. */
const char *text_of_metric(const char *metric);
const struct advice *advice_for(const char *metric);

/* A word that is reported instead of a number. */
struct word {
	const char *word;
	const char *means;
	const char *helps;
};

/* Return: NULL for what is no such word. */
const struct word *text_of_word(const char *word);

/* perf's usual name for the PMU of the CPUs. */
#define USUAL_PMU	"armv8_pmuv3_0"

/* The command for a PMU and CPUs, NULL for all; spe: SPE can be used. To be freed. */
char *advice_command(const struct advice *advice, const char *pmu, const char *cpus, bool spe);

/* Said beside "undetermined" where the reason is that no error is known. */
#define TOO_FEW_SLICES \
	"counted in too few slices to tell: a longer window_ms or fewer groups help"

#endif
