/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Inference from the moments of CPUs: values with their quality, and the bottleneck, of a CPU, a
 * node, the system or any set of CPUs. A source keeps the moments that it has read until
 * infer_forget().
 */
#ifndef LIBN3TELEMETRY_INFER_H
#define LIBN3TELEMETRY_INFER_H

#include <stdbool.h>
#include <stddef.h>

#include "places.h"

#define BOTTLENECK_FILE	"bottleneck"

struct inference;
struct source;

/*
 * A group's file, or the bottleneck, that will be asked for, in addition to those before: records
 * without any of their metrics are not read. The source is read again, at another time, if others
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

/* The bottleneck as text: see n3t_bottleneck_print(). Return: its length. */
size_t infer_bottleneck(struct inference *inference, char *text, size_t size);
/*
 * A group's file: a line for each metric, see n3t_quality_print(), or the bottleneck. *text is NULL
 * without moments or such a group, and valid until the next call. Return: as
 * infer_begin_cpus().
 */
bool infer_file(struct source *source, const struct place *place, const char *name, char **text);

/* *slices: of an expected metric, on the place's CPUs on which it has a value. */
bool infer_slices(struct source *source, const struct place *place, unsigned int metric,
		  unsigned long *slices);

#endif
