/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Build ids of mapped files, in their records. */
#ifndef N3SPE_RECORD_BUILD_IDS_H
#define N3SPE_RECORD_BUILD_IDS_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

/* All zero at first. */
struct spe_build_ids {
	void *files;		/* tree of struct known_file */
	char *repeated;		/* records to be written */
	size_t nr_repeated;	/* in bytes */
};

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
			uint8_t build_id[20];
		};
	};
	uint32_t prot, flags;
	char name[];
};

/* Replaces the inode in a PERF_RECORD_MMAP2 by the build id of its file, if it has one. */
void spe_build_ids_fill(struct spe_build_ids *ids, struct spe_mmap2 *mmap2);
/* The same from a file with ELF notes, as sysfs has of the kernel and its modules. */
void spe_build_id_of_notes(struct spe_mmap2 *mmap2, const char *path);
/* Repeats a PERF_RECORD_MMAP2 of the kernel without build id, if the file has one. */
void spe_build_ids_note(struct spe_build_ids *ids, const struct perf_event_header *record);
void spe_build_ids_free(struct spe_build_ids *ids);

#endif
