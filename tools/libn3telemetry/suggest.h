/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Suggestions from the tables for a mistyped word. */
#ifndef LIBN3TELEMETRY_SUGGEST_H
#define LIBN3TELEMETRY_SUGGEST_H

#include "lib/suggest.h"

void suggest_metrics(struct suggestion *suggestion);
void suggest_groups(struct suggestion *suggestion);
void suggest_events(struct suggestion *suggestion);
void suggest_words(struct suggestion *suggestion);
void suggest_terms(struct suggestion *suggestion);

#endif
