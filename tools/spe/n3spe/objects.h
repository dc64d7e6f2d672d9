/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Files mapped by the processes of a recording. Paths are ambiguous, since containers have their
 * own and files are replaced; build ids or, without one, device and inode identify a file.
 */
#ifndef N3SPE_OBJECTS_H
#define N3SPE_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "maps.h"
#include "perf.h"

struct spe_object {
	char *name;		/* its path, as seen by its processes */
	uint8_t build_id[SPE_BUILD_ID_MAX];
	size_t build_id_size;	/* 0 if unknown */
	bool is_listed;		/* the build id is the section's: records have none */
	/* from the kernel; 0 with a build id, or if unknown */
	uint32_t major, minor;
	uint64_t inode, generation;
	bool others;		/* other files of that name ran as well */
	bool ambiguous;		/* and the recording does not identify which a given file is */
	uint32_t first;		/* index of the first object of that name, common to them */
};

struct spe_objects {
	struct spe_object *v;
	size_t nr;
	/* private: */
	size_t max;
	uint32_t *slots;	/* by identity: 0, or 1 + the index of an object */
	size_t nr_slots;
	struct spe_object **by_name;
};

void spe_objects_init(struct spe_objects *objects);
void spe_objects_free(struct spe_objects *objects);

/*
 * Mapping of code in a PERF_RECORD_MMAP or MMAP2, whose object is added if new. Return: false if it
 * has none.
 */
bool spe_objects_map(struct spe_objects *objects, const struct spe_perf_record *record,
		     struct spe_map *map);
/* Call after the last record: finds objects that share a name. */
void spe_objects_ready(struct spe_objects *objects);
/* Then adds a file name and its build id from the file's section. */
void spe_objects_add_build_id(struct spe_objects *objects, const char *name,
			      const uint8_t *build_id, size_t size);

#endif
