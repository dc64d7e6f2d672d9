// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* perf records in a recording. */
#include <endian.h>
#include <string.h>

#include "lib/memory.h"
#include "perf.h"

/* Longest record; its size field has 16 bits. */
#define RECORD_MAX	65536

static uint64_t number_at(const struct spe_perf_record *record, size_t at, size_t size)
{
	uint64_t value = 0;

	if (at + size <= record->body_size)
		memcpy(&value, record->body + at, size);
	return le64toh(value);
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

/* Removes the sample_id fields from the end of the body, in the kernel's order. */
static void split_id(struct spe_perf_record *record, uint64_t sample_type)
{
	static const uint64_t bits[] = {
		PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID,
		PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER
	};
	size_t size = 0, at;

	record->id = (struct spe_perf_id) { .cpu = -1 };
	for (size_t i = 0; i < NR(bits); i++)
		if (sample_type & bits[i])
			size += 8;
	if (size > record->body_size)
		return;
	at = record->body_size - size;
	for (size_t i = 0; i < NR(bits); i++) {
		if (!(sample_type & bits[i]))
			continue;
		if (bits[i] == PERF_SAMPLE_TID)
			record->id.pid = spe_perf_u32(record, at);
		else if (bits[i] == PERF_SAMPLE_TIME)
			record->id.time = spe_perf_u64(record, at);
		else if (bits[i] == PERF_SAMPLE_CPU)
			record->id.cpu = (int32_t)spe_perf_u32(record, at);
		at += 8;
	}
	record->body_size -= size;
}

static bool take_header(struct perf_event_header *header, const unsigned char *bytes)
{
	memcpy(header, bytes, sizeof(*header));
	header->type = le32toh(header->type);
	header->misc = le16toh(header->misc);
	header->size = le16toh(header->size);
	return header->size >= sizeof(*header);
}

bool spe_perf_each(struct spe_file *file, uint64_t sample_type, spe_perf_fn fn, void *context)
{
	unsigned char buf[2 * RECORD_MAX];
	struct spe_perf_record record;
	size_t nr = 0, at, len;

	do {
		len = spe_file_read(file, buf + nr, sizeof(buf) - nr);
		nr += len;
		for (at = 0; at + sizeof(record.header) <= nr; at += record.header.size) {
			if (!take_header(&record.header, buf + at))
				return false;
			if (at + record.header.size > nr)
				break;
			record.body = buf + at + sizeof(record.header);
			record.body_size = record.header.size - sizeof(record.header);
			split_id(&record, sample_type);
			fn(&record, context);
		}
		nr -= at;
		memmove(buf, buf + at, nr);
	} while (len);
	return !nr;
}
