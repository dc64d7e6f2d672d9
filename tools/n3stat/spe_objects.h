/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Files that processes of a recording had mapped. A path does not tell them apart, as
 * containers have their own and files are replaced: build id or, without it, device and inode do.
 */
#ifndef N3STAT_SPE_OBJECTS_H
#define N3STAT_SPE_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spe_perf.h"

/**
 * struct spe_object - one file
 * @name: its path, as its processes see it
 * @build_id: with @build_id_size bytes
 * @build_id_size: 0 if it is not known
 * @major, @minor, @inode, @generation: as the kernel had them; 0 with a build id, or if unknown
 * @others: other files of that name ran as well
 * @ambiguous: and nothing in the recording tells which of them a file of that name is
 * @first: the number of the first object of that name, the same for all of them
 */
struct spe_object {
	char *name;
	uint8_t build_id[SPE_BUILD_ID_MAX];
	size_t build_id_size;
	uint32_t major, minor;
	uint64_t inode, generation;
	bool others, ambiguous;
	uint32_t first;
};

struct spe_objects {
	struct spe_object *v;
	size_t nr;
	/* private: */
	size_t max;
	uint32_t *slots;	/* by identity: 0, or 1 + the number of an object */
	size_t nr_slots;
	struct spe_object *told;	/* names with build ids, by BUILD_IDS */
	size_t nr_told, max_told;
};

void spe_objects_init(struct spe_objects *objects);
void spe_objects_free(struct spe_objects *objects);

/* Return: the number of the object that a PERF_RECORD_MMAP or MMAP2 names; a new one if need be. */
uint32_t spe_objects_get(struct spe_objects *objects, const struct spe_perf_record *record,
			 const char *name, size_t len);
/* A line of BUILD_IDS: a file of this name has this build id. */
void spe_objects_tell(struct spe_objects *objects, const char *name, const uint8_t *build_id,
		      size_t size);
/* After the last of both: which objects share a name, and what build ids follow. */
void spe_objects_ready(struct spe_objects *objects);

#endif
