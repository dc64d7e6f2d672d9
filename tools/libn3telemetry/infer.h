/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Inference from the moments of CPUs: values with their quality, and the bottleneck, of a CPU, a
 * node or the system. A source keeps the moments that it has read until infer_forget().
 */
#ifndef LIBN3TELEMETRY_INFER_H
#define LIBN3TELEMETRY_INFER_H

#include <stdbool.h>
#include <stddef.h>

#include "places.h"

#define BOTTLENECK_FILE	"bottleneck"

struct inference;
struct moments;
struct n3t_quality;
struct source;

/*
 * Reads the moments of the place's CPUs. *inference is NULL if there are none; it is valid until
 * another place is inferred. Return: false after an error of the source.
 */
bool infer_begin(struct source *source, const struct place *place, struct inference **inference);
/* What was read is of the past: later calls read again. */
void infer_forget(struct source *source);

void infer_quality(struct inference *inference, unsigned int metric,
		   struct n3t_quality *quality);
/* The bottleneck as text: see n3t_bottleneck_print(). Return: its length. */
size_t infer_bottleneck(struct inference *inference, char *text, size_t size);
/*
 * A group's file: a line for each metric, see n3t_quality_print(), or the bottleneck. *text is NULL
 * without moments or such a group, and valid until the next call. Return: as infer_begin().
 */
bool infer_file(struct source *source, const struct place *place, const char *name, char **text);

unsigned int infer_nr(const struct inference *inference);
/* The moments of one of the place's CPUs, by its position among them. */
const struct moments *infer_moments(const struct inference *inference, unsigned int position);

#endif
