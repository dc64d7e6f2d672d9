/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Descriptions of metrics and words. */
#ifndef LIBN3TELEMETRY_TEXTS_H
#define LIBN3TELEMETRY_TEXTS_H

#include <stddef.h>

/* A metric of the catalog, with usual and large values: NULL if not published. */
struct metric_text {
	const char *means;
	const char *usual;
	const char *large;
	const char *source;	/* or the reason why neither is published */
};

const struct metric_text *text_of_metric(int metric);
/* The number of large values, "above 20"; NAN if the table has no such number. */
double metric_much(int metric);

/* A word reported instead of a number. */
struct word {
	const char *word;
	const char *means;
};

/* Return: NULL if it is not one of these words. */
const struct word *text_of_word(const char *word);

/* A term of the methodology or of the module. */
struct term {
	const char *term;
	const char *means;
	const char *see;
};

/* Return: NULL if it is not one of these terms. */
const struct term *text_of_term(const char *term);
/* Return: NULL after the last one. */
const struct term *term_at(size_t index);

#endif
