// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Suggestions from the tables. */
#include "catalog.h"
#include "suggest.h"
#include "texts.h"

void suggest_metrics(struct suggestion *suggestion)
{
	for (int i = 0; i < catalog_nr_metrics(); i++) {
		suggest_name(suggestion, catalog_metric_name(i));
		suggest_name(suggestion, catalog_brief_name(i));
	}
}

void suggest_groups(struct suggestion *suggestion)
{
	for (int i = 0; i < catalog_nr_groups(); i++)
		suggest_name(suggestion, catalog_group(i).file);
}

void suggest_events(struct suggestion *suggestion)
{
	for (int i = 0; i < catalog_nr_events(); i++) {
		struct catalog_event event = catalog_event(i);

		suggest_name(suggestion, event.name);
		if (event.later)
			suggest_name(suggestion, event.later);
	}
}

void suggest_words(struct suggestion *suggestion)
{
	const char *word;

	for (size_t i = 0; (word = catalog_word(i)); i++)
		suggest_name(suggestion, word);
}

void suggest_terms(struct suggestion *suggestion)
{
	const struct term *term;

	for (size_t i = 0; (term = term_at(i)); i++)
		suggest_name(suggestion, term->term);
}
