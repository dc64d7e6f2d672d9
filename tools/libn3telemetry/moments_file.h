/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A CPU's file "moments", which Documentation/ABI describes. */
#ifndef LIBN3TELEMETRY_MOMENTS_FILE_H
#define LIBN3TELEMETRY_MOMENTS_FILE_H

#include <stdbool.h>

#define MOMENTS_FILE	"moments"

struct moments;
struct moments_layout;
struct source;

/*
 * Reads the records that hold one of the @metrics, all if that is NULL. *moments is NULL if the
 * file does not exist, and freed by moments_free(); for *layouts see moments_begin(). Return: false
 * after an error of the source, such as that the tree is of an older version.
 */
bool moments_file_read(struct source *source, unsigned int cpu, const unsigned long *metrics,
		       struct moments_layout **layouts, struct moments **moments);

#endif
