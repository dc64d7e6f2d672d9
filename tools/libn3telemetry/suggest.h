/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Suggestions for a mistyped word. */
#ifndef LIBN3TELEMETRY_SUGGEST_H
#define LIBN3TELEMETRY_SUGGEST_H

#include <stddef.h>

/* Up to two names with the smallest distance to a word so far. */
struct suggestion {
	const char *word;
	const char *names[2];
	size_t nr;
	size_t distance;
};

void suggest_begin(struct suggestion *suggestion, const char *word);
/* The name must stay valid. Ignores distant names and the word itself. */
void suggest_name(struct suggestion *suggestion, const char *name);
void suggest_metrics(struct suggestion *suggestion);
void suggest_groups(struct suggestion *suggestion);
void suggest_events(struct suggestion *suggestion);
void suggest_words(struct suggestion *suggestion);

/*
 * "; did you mean ipc or sve?" or, without a similar name, ": " and a reference to the list of
 * names. The caller frees it.
 */
char *suggest_end(const struct suggestion *suggestion, const char *otherwise);

#endif
