/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reports of a recording as text and JSON. */
#ifndef N3REC_REPORT_H
#define N3REC_REPORT_H

#include <json-c/json.h>

#include "reader/advice.h"
#include "summary.h"

/* The named place, or that where the recorded processes ran most, or the main one. */
size_t report_place(const struct recording *recording, const struct summary *summary,
		    const char *name);
void report_tree(const struct recording *recording, const struct summary *summary, size_t place);
void report_table(const struct recording *recording, const struct summary *summary, size_t place);

/* A number with 6 decimals; null unless it is finite. */
struct json_object *json_of_number(double number);
/* Adds the file, its "about" lines as strings, the span and the number of snapshots. */
void json_add_recording(struct json_object *object, const struct recording *recording,
			const struct summary *summary);
/* Prints the means of all places, or of the one with this name. */
void report_json(const struct recording *recording, const struct summary *summary,
		 const char *name);

/* Means as values, by metric; the caller frees them. */
struct value *means_of(const struct recording *recording, const struct summary *summary,
		       size_t place);
/* As path_value: of the means of means_of(). */
const struct value *means_at(const void *means, int metric);

struct advice_facts facts_of_recording(const struct recording *recording);

#endif
