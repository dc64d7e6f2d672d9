/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Descriptions of metrics and words. */
#ifndef LIBN3TELEMETRY_TEXTS_H
#define LIBN3TELEMETRY_TEXTS_H

/* Return: NULL if the metric has no description. */
const char *text_of_metric(const char *metric);

/* A word reported instead of a number. */
struct word {
	const char *word;
	const char *means;
	const char *helps;
};

/* Return: NULL if it is not one of these words. */
const struct word *text_of_word(const char *word);

/* Follows "undetermined" if the reason is that no error is known. */
#define TOO_FEW_SLICES \
	"counted in too few slices: a longer window_ms or fewer groups help"

#endif
