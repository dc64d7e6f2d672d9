/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Build ids of mapped files, in their records. */
#ifndef N3SPE_RECORD_BUILD_IDS_H
#define N3SPE_RECORD_BUILD_IDS_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "file.h"

/* PERF_RECORD_MMAP2, up to the file's name. */
struct spe_mmap2 {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	union {
		struct {
			uint32_t major, minor;
			uint64_t inode, generation;
		};
		struct {	/* with PERF_RECORD_MISC_MMAP_BUILD_ID */
			uint8_t build_id_size, reserved[3];
			uint8_t build_id[SPE_BUILD_ID_MAX];
		};
	};
	uint32_t prot, flags;
	char name[];
};

/*
 * Replaces the inode in a PERF_RECORD_MMAP2 by the build id of its file, if it has one. @files:
 * tree of those already read, NULL at first.
 */
void spe_build_id_of_file(void **files, struct spe_mmap2 *mmap2, const char *name);
/* The same from a file with ELF notes, as sysfs has of the kernel and its modules. */
void spe_build_id_of_notes(struct spe_mmap2 *mmap2, const char *path);
void spe_build_ids_free(void *files);

#endif
