/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Names that a mistyped word may have meant. */
#ifndef LIBN3TELEMETRY_SUGGEST_H
#define LIBN3TELEMETRY_SUGGEST_H

#include <stddef.h>

/* The names that are nearest to a word so far: two at most, equally near. */
struct suggestion {
	const char *word;
	const char *names[2];
	size_t nr;
	size_t distance;
};

void suggest_begin(struct suggestion *suggestion, const char *word);
/* The name has to stay. One that is not near, or is the word itself, changes nothing. */
void suggest_name(struct suggestion *suggestion, const char *name);
void suggest_metrics(struct suggestion *suggestion);
void suggest_groups(struct suggestion *suggestion);
void suggest_events(struct suggestion *suggestion);
void suggest_words(struct suggestion *suggestion);

/*
 * "; did you mean ipc or sve?", or, where nothing is near, ": " and the text that
 * says where all names are. To be freed.
 */
char *suggest_end(const struct suggestion *suggestion, const char *otherwise);

#endif
