/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Sums of containers since the program started, by directory, which outlive cgroups in it. */
#ifndef N3EXPORTER_CONTAINER_SUMS_H
#define N3EXPORTER_CONTAINER_SUMS_H

#include <stdbool.h>
#include <stddef.h>

#include "libn3telemetry/cgroups.h"
#include "libn3telemetry/containers_file.h"

/* Weighted sums, which may exceed 64 bits: as enum n3t_slots, in cycles; then time. */
enum { CONTAINER_CYCLES, CONTAINER_NS = CONTAINERS_COUNTS + 1, CONTAINER_SUMS };

/* A row of cgroups.h: a container or a unit. */
struct container {
	unsigned long long pieces;
	double sums[CONTAINER_SUMS];
	double gone;		/* when its directory was found to be absent, 0: it exists */
	bool is_shown;		/* as series, until it ends */
};

/* Zeroed at first. */
struct container_sums {
	struct containers_file last;	/* reading */
	bool has_base;
	struct container_growth *unknown;	/* of ids whose directories are not known yet */
	size_t nr_unknown, max_unknown;
	struct lh_table *rows;	/* by path, or NULL */
	unsigned long long removed;	/* pieces of directories that no series had or will have */
};

/*
 * Takes over a reading and adds what has grown since the one before. The first one is the base;
 * @known has ids found earlier.
 */
void container_sums_take(struct container_sums *sums, struct containers_file *file,
			 const struct cgroups *known);
/* Ids that are unknown and not in @cgroups, which was read since, are of removed directories. */
void container_sums_name(struct container_sums *sums, const struct cgroups *cgroups);
/* Removes directories that are gone: at once without series, otherwise after five minutes. */
void container_sums_expire(struct container_sums *sums, const char *root, double now);
void container_sums_free(struct container_sums *sums);

#endif
