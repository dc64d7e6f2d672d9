/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Series of containers, from sums that are kept here: the module's are by cgroup, and end. */
#ifndef N3EXPORTER_CONTAINER_SERIES_H
#define N3EXPORTER_CONTAINER_SERIES_H

#include "container_sums.h"
#include "exposition.h"
#include "files.h"

struct container_series {
	bool is_off;		/* the setting was 0, which was reported */
	char *root;		/* of the cgroups */
	struct cgroups cgroups;	/* that were found last */
	double found;		/* when */
	struct container_sums sums;
};

/* Without --containers NULL. Exits if there is no hierarchy @named, or of the source if NULL. */
struct container_series *container_series_start(const char *named);
void container_series_free(struct container_series *series);
/* Reads the module's file and adds the series, as many as the limit permits. */
void container_series_add(struct container_series *series, struct files *files,
			  struct exposition *exposition, unsigned long max_series);

#endif
