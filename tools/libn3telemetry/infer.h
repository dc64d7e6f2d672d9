/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Inference from the moments of CPUs: values with their quality of a CPU, a node, the system or any
 * set of CPUs. A source keeps the moments that it has read until
 * infer_forget().
 */
#ifndef LIBN3TELEMETRY_INFER_H
#define LIBN3TELEMETRY_INFER_H

#include <stdbool.h>
#include <stddef.h>

#include "places.h"

#define INFER_COUNTS	32	/* areas and words */

struct inference;
struct source;

/*
 * A group's file that will be asked for, in addition to those before: records without any of their
 * metrics are not read. The source is read again, at another time, if others
 * are asked for all the same. Return: false if out of memory.
 */
bool infer_expect(struct source *source, const char *name);
/*
 * Reads the moments of the CPUs of @cpus (MAX_PLACES) that have any, with the expected metrics
 * only. *inference is NULL if there are none; it is valid until another place is inferred, or
 * something else expected. Return: false after an error of the source.
 */
bool infer_begin_cpus(struct source *source, const bool *cpus, struct inference **inference);
/* Whether the CPU is one of those inferred from. */
bool infer_has(const struct inference *inference, unsigned int cpu);
/* Discards what was read: later calls read again. */
void infer_forget(struct source *source);

/* The same for the CPUs of a place. */
bool infer_begin(struct source *source, const struct place *place, struct inference **inference);

/* Lines of a group's metrics, see n3t_quality_print(); valid until the next call. */
char *infer_group(struct source *source, struct inference *inference, int group);
/*
 * The same for a place and a group's file. *text is NULL without moments or such a group. Return:
 * as infer_begin_cpus().
 */
bool infer_file(struct source *source, const struct place *place, const char *name, char **text);

/* Numbers of CPUs by their area (see answer.h), "mixed", or the word instead; the largest first. */
struct infer_counts {
	size_t nr;
	struct infer_count {
		const char *name;
		unsigned int cpus;
	} v[INFER_COUNTS];
};

void infer_count(const struct inference *inference, struct infer_counts *counts);

#endif
