/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Records of a perf.data file. */
#ifndef N3SPE_PERF_H
#define N3SPE_PERF_H

#include <linux/perf_event.h>

#include "file.h"

/* Records of perf itself: tools/lib/perf/include/perf/event.h */
enum spe_perf_type {
	SPE_PERF_FIRST		= 64,
	SPE_PERF_FINISHED_ROUND	= 68,
	SPE_PERF_ID_INDEX	= 69,
	SPE_PERF_AUXTRACE_INFO	= 70,
	SPE_PERF_AUXTRACE	= 71,
	SPE_PERF_AUXTRACE_ERROR	= 72,
	SPE_PERF_TIME_CONV	= 79,
	SPE_PERF_COMPRESSED	= 81,
	SPE_PERF_FINISHED_INIT	= 82,
	SPE_PERF_COMPRESSED2	= 83,
};

/* PERF_AUXTRACE_ARM_SPE */
#define SPE_AUXTRACE_TYPE	4
/* Before the words of each CPU in PERF_RECORD_AUXTRACE_INFO: tools/perf/util/arm-spe.h */
#define SPE_CPU_MAGIC		0x1010101010101010ULL

/* Fields that sample_id_all appends to a record; 0 or -1 if absent. */
struct spe_perf_id {
	uint64_t time;
	uint32_t pid, tid;
	int32_t cpu;
};

struct spe_perf_record {
	struct perf_event_header header;
	const unsigned char *body;	/* bytes after the header */
	size_t body_size;		/* without the sample_id at its end */
	uint64_t at;			/* position in the file */
	struct spe_perf_id id;
};

/* Sequential reader of the records between two positions. */
struct spe_records {
	const struct spe_file *file;
	uint64_t at, end;
	unsigned char *buf;
	uint64_t buf_at;
	size_t nr, size;		/* bytes in the buffer, and its size */
};

void spe_records_init(struct spe_records *records, const struct spe_file *file, uint64_t at,
		      uint64_t end);
void spe_records_free(struct spe_records *records);

/*
 * The next record, valid until the next call. Data behind a PERF_RECORD_AUXTRACE are skipped.
 *
 * Return: false at the end, or if the record at records->at is damaged or cut off.
 */
bool spe_records_next(struct spe_records *records, struct spe_perf_record *record);

/* Numbers in a record's body; 0 if it is too short. */
uint32_t spe_perf_u32(const struct spe_perf_record *record, size_t at);
uint64_t spe_perf_u64(const struct spe_perf_record *record, size_t at);
/* NUL-terminated text, or up to the end of the body. Return: its length, 0 if absent. */
size_t spe_perf_text(const struct spe_perf_record *record, size_t at, const char **text);

#endif
