/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Build ids of mapped files: in the records, and once each as a line. */
#ifndef N3SPE_RECORD_BUILD_IDS_H
#define N3SPE_RECORD_BUILD_IDS_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

struct spe_sink;

struct spe_pending {
	char *bytes;
	size_t nr;
};

/* All zero at first. */
struct spe_build_ids {
	void *seen;		/* tree of lines */
	void *files;		/* tree of struct known_file */
	struct spe_pending lines;
	struct spe_pending repeated;	/* records */
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
/*
 * Stores the build id of a PERF_RECORD_MMAP2 of the kernel. If only its file has one, repeats the
 * record with it.
 */
void spe_build_ids_note(struct spe_build_ids *ids, const struct perf_event_header *record);
void spe_build_ids_note_kernel(struct spe_build_ids *ids);
/* Writes new records and build ids. */
void spe_build_ids_put(struct spe_build_ids *ids, struct spe_sink *sink);
void spe_build_ids_free(struct spe_build_ids *ids);

#endif
