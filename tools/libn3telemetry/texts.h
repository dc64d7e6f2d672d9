/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Descriptions of metrics and words, and advice. */
#ifndef LIBN3TELEMETRY_TEXTS_H
#define LIBN3TELEMETRY_TEXTS_H

struct advice {
	const char *metric;
	const char *means;
	const char *look;
	const char *command;	/* contains PMU and WHERE */
	const char *spe;	/* alternative with SPE, or NULL */
};

/* Return: NULL if the metric has no description. */
const char *text_of_metric(const char *metric);
const struct advice *advice_for(const char *metric);

/* A word reported instead of a number. */
struct word {
	const char *word;
	const char *means;
	const char *helps;
};

/* Return: NULL if it is not one of these words. */
const struct word *text_of_word(const char *word);

/* perf's usual name for the PMU of the CPUs. */
#define USUAL_PMU	"armv8_pmuv3_0"

/* Follows "undetermined" if the reason is that no error is known. */
#define TOO_FEW_SLICES \
	"counted in too few slices: a longer window_ms or fewer groups help"

#endif
