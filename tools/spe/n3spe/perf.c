// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Records of a perf.data file. */
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "perf.h"

#define BUFFER_SIZE	4096
/* Place of the size of the data behind a PERF_RECORD_AUXTRACE. */
#define AUXTRACE_SIZE_AT	0

static uint64_t number_at(const struct spe_perf_record *record, size_t at, size_t size)
{
	uint64_t value = 0;

	if (at + size <= record->body_size)
		memcpy(&value, record->body + at, size);
	return value;
}

uint32_t spe_perf_u32(const struct spe_perf_record *record, size_t at)
{
	return (uint32_t)number_at(record, at, sizeof(uint32_t));
}

uint64_t spe_perf_u64(const struct spe_perf_record *record, size_t at)
{
	return number_at(record, at, sizeof(uint64_t));
}

size_t spe_perf_text(const struct spe_perf_record *record, size_t at, const char **text)
{
	if (at >= record->body_size)
		return 0;
	*text = (const char *)record->body + at;
	return strnlen(*text, record->body_size - at);
}

/* Number of the record's event: at the end, or 0 if it is not needed. */
static uint64_t event_of(const struct spe_file *file, const struct spe_perf_record *record)
{
	if (!file->nr_ids || record->body_size < sizeof(uint64_t))
		return 0;
	return spe_perf_u64(record, record->body_size - sizeof(uint64_t));
}

/* Removes the sample_id fields from the end of the body, in the kernel's order. */
static void split_id(const struct spe_file *file, struct spe_perf_record *record)
{
	static const uint64_t bits[] = {
		PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID,
		PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER
	};
	uint64_t type = spe_file_attr(file, event_of(file, record))->sample_type;
	size_t size = 8 * (size_t)__builtin_popcountll(type), at;

	record->id = (struct spe_perf_id) { .cpu = -1 };
	/* Records of perf itself, and samples, have none. */
	if (record->header.type >= SPE_PERF_FIRST ||
	    record->header.type == PERF_RECORD_SAMPLE || size > record->body_size)
		return;
	at = record->body_size - size;
	for (size_t i = 0; i < NR(bits); i++) {
		if (!(type & bits[i]))
			continue;
		if (bits[i] == PERF_SAMPLE_TID) {
			record->id.pid = spe_perf_u32(record, at);
			record->id.tid = spe_perf_u32(record, at + 4);
		} else if (bits[i] == PERF_SAMPLE_TIME) {
			record->id.time = spe_perf_u64(record, at);
		} else if (bits[i] == PERF_SAMPLE_CPU) {
			record->id.cpu = (int32_t)spe_perf_u32(record, at);
		}
		at += 8;
	}
	record->body_size -= size;
}

void spe_records_init(struct spe_records *records, const struct spe_file *file, uint64_t at,
		      uint64_t end)
{
	*records = (struct spe_records) { .file = file, .at = at, .end = end };
}

void spe_records_free(struct spe_records *records)
{
	free(records->buf);
	records->buf = NULL;
}

/* Return: the bytes at records->at, NULL if fewer than @size are there. */
static unsigned char *window(struct spe_records *records, size_t size)
{
	uint64_t offset = records->at - records->buf_at, left = records->end - records->at;

	if (size > left)
		return NULL;
	if (offset <= records->nr && size <= records->nr - offset)
		return records->buf + offset;
	if (records->size < size || !records->buf) {
		/* Of short runs, very many may be open. */
		records->size = left < BUFFER_SIZE ? left : BUFFER_SIZE;
		if (records->size < size)
			records->size = size;
		records->buf = xreallocarray(records->buf, records->size, 1);
	}
	records->buf_at = records->at;
	records->nr = spe_file_read(records->file, records->buf,
				    left < records->size ? left : records->size, records->at);
	return size <= records->nr ? records->buf : NULL;
}

/* Return: bytes behind the record that belong to it, or more than the file has. */
static uint64_t trailing(const struct spe_perf_record *record)
{
	return record->header.type == SPE_PERF_AUXTRACE ?
	       spe_perf_u64(record, AUXTRACE_SIZE_AT) : 0;
}

bool spe_records_next(struct spe_records *records, struct spe_perf_record *record)
{
	unsigned char *bytes = window(records, sizeof(record->header));
	uint64_t size;

	if (!bytes)
		return false;
	memcpy(&record->header, bytes, sizeof(record->header));
	size = record->header.size;
	if (size < sizeof(record->header))
		return false;
	bytes = window(records, size);
	if (!bytes)
		return false;
	record->at = records->at;
	record->body = bytes + sizeof(record->header);
	record->body_size = size - sizeof(record->header);
	size += trailing(record);
	split_id(records->file, record);
	/* The data may be cut off: what is there of them is used. */
	records->at = size <= records->end - records->at ? records->at + size : records->end;
	return true;
}
