/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads the module's totals into series. */
#ifndef N3EXPORTER_COLLECT_H
#define N3EXPORTER_COLLECT_H

#include "exposition.h"
#include "libn3telemetry/places.h"
#include "libn3telemetry/source.h"

/* Selection of series, constant while the program runs. */
struct selection {
	enum scope per;
	bool errors;		/* Topdown_L1 by replicate, if the module has replicates */
	bool *groups;		/* of the catalog, in addition to Topdown_L1 */
	unsigned long max_series;
	bool is_virtual;	/* the machine */
	double boot;		/* Unix time at which the monotonic clock was 0 */
};

/*
 * Reads all series. Return: false after an error of the source, or if there are too many series;
 * then only "up" and the duration are left.
 */
bool collect(struct source *source, const struct selection *selection,
	     struct exposition *exposition);

#endif
