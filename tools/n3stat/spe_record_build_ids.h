/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Build ids of what was mapped, each once. */
#ifndef N3STAT_SPE_RECORD_BUILD_IDS_H
#define N3STAT_SPE_RECORD_BUILD_IDS_H

#include <linux/perf_event.h>
#include <stdint.h>

struct spe_sink;

/* PERF_RECORD_MMAP2, up to the file's name. */
struct spe_mmap2 {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint8_t build_id_size, reserved[3];
	uint8_t build_id[20];
	uint32_t prot, flags;
	char name[];
};

/* Keeps the build id that a PERF_RECORD_MMAP2 has, or that its file has. */
void spe_build_ids_see(const struct perf_event_header *record);
void spe_build_ids_see_kernel(void);
/* Those that are new. */
void spe_build_ids_put(struct spe_sink *sink);

#endif
