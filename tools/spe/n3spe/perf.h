/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* perf records in a recording: tasks and their mappings. */
#ifndef N3SPE_PERF_H
#define N3SPE_PERF_H

#include <linux/perf_event.h>

#include "file.h"

/* Size of a file's build id in a PERF_RECORD_MMAP2. */
#define SPE_BUILD_ID_MAX	20

/* Fields that sample_id_all appends to a record; 0 or -1 if absent from sample_type. */
struct spe_perf_id {
	uint64_t time;
	uint32_t pid;
	int32_t cpu;
};

struct spe_perf_record {
	struct perf_event_header header;
	const unsigned char *body;	/* bytes after the header */
	size_t body_size;		/* without the sample_id at its end */
	struct spe_perf_id id;
};

typedef void (*spe_perf_fn)(const struct spe_perf_record *record, void *context);

/*
 * All records of the current chunk, of type PERF. Return: false if it holds anything but records.
 */
bool spe_perf_each(struct spe_file *file, uint64_t sample_type, spe_perf_fn fn, void *context);

/* Numbers in a record's body; 0 if it is too short. */
uint32_t spe_perf_u32(const struct spe_perf_record *record, size_t at);
uint64_t spe_perf_u64(const struct spe_perf_record *record, size_t at);
/* NUL-terminated text, or up to the end of the body. Return: its length, 0 if absent. */
size_t spe_perf_text(const struct spe_perf_record *record, size_t at, const char **text);

#endif
