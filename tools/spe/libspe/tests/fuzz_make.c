// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Streams of records, and ways to damage them. */
#include <string.h>

#include "fuzz.h"

#define SIZE	64
#define LOW	((1ull << 56) - 1)

static uint64_t any_bits(unsigned int bytes)
{
	/* ends and starts of records, to be frequent in payloads */
	static const uint8_t odd[] = { 0x00, 0x01, 0x71, 0xb0 };
	uint64_t value = 0;
	bool often = fuzz_below(8) == 0;

	for (unsigned int i = 0; i < bytes; i++)
		value = value << 8 | (often && fuzz_below(4) == 0 ? odd[fuzz_below(4)] :
				      fuzz_below(256));
	return value;
}

/* Little endian on any machine. */
static uint64_t put(uint8_t *to, uint8_t header, unsigned int size)
{
	uint64_t value = any_bits(size);

	*to = header;
	for (unsigned int i = 0; i < size; i++)
		to[1 + i] = value >> 8 * i;
	return value;
}

static uint64_t canonical(uint64_t value)
{
	value &= LOW;
	return value >> 55 ? value | 0xffull << 56 : value;
}

static void make_data(uint8_t *to, struct spe_record *record)
{
	uint64_t value;

	if (record->op_class == SPE_BRANCH) {
		record->target = canonical(put(to + 30, 0xb1, 8));
		record->has |= SPE_HAS_TARGET;
		return;
	}
	value = put(to + 30, 0xb2, 8);
	record->va = canonical(value);
	record->tag = value >> 56;
	record->translation = put(to + 39, 0x9a, 2);
	record->has |= SPE_HAS_VA | SPE_HAS_TRANSLATION;
	if (fuzz_below(2)) {
		record->pa = put(to + 42, 0xb3, 8) & LOW;
		record->has |= SPE_HAS_PA;
	}
	if (fuzz_below(2)) {
		record->source = put(to + 51, 0x43, 1);
		record->has |= SPE_HAS_SOURCE;
	}
}

static void make_context(uint8_t *to, struct spe_record *record)
{
	if (fuzz_below(3) == 0) {
		record->context[0] = put(to + 9, 0x64, 4);
		record->has |= SPE_HAS_CONTEXT1;
	}
	if (fuzz_below(3) == 0) {
		record->context[1] = put(to + 14, 0x65, 4);
		record->has |= SPE_HAS_CONTEXT2;
	}
}

/* 64 bytes in the layout of Neoverse cores. */
static void make_record(uint8_t *to, struct spe_record *record)
{
	uint64_t value;

	memset(to, 0, SIZE);
	memset(record, 0, sizeof(*record));
	record->has = SPE_HAS_PC | SPE_HAS_OPERATION | SPE_HAS_EVENTS | SPE_HAS_ISSUE |
		      SPE_HAS_TOTAL;
	record->length = SIZE;
	value = put(to, 0xb0, 8);
	record->pc = canonical(value);
	record->el = value >> 61 & 3;
	make_context(to, record);
	record->op_class = fuzz_below(3);
	record->op = put(to + 19, 0x48 | record->op_class, 1);
	record->events = put(to + 21, 0x52, 2);
	record->issue = put(to + 24, 0x99, 2);
	record->total = put(to + 27, 0x98, 2);
	if (record->op_class != SPE_OTHER)
		make_data(to, record);
	if (fuzz_below(4)) {
		record->time = put(to + 55, 0x71, 8);
		record->has |= SPE_HAS_TIME;
	} else {
		to[63] = 1;
	}
}

static void append(struct fuzz_stream *stream, const uint8_t *bytes, size_t nr)
{
	memcpy(stream->bytes + stream->nr, bytes, nr);
	stream->nr += nr;
}

/* Offsets of headers in the layout; only those present are changed. */
static void damage_header(uint8_t *record)
{
	static const uint8_t places[] = { 0, 9, 14, 19, 21, 24, 27, 30, 39, 42, 51, 55 };
	static const uint8_t bad[] = { 0x02, 0x10, 0x24, 0x40, 0x50, 0x68, 0x7a, 0x80, 0xa0,
				       0xc0, 0xff };
	size_t at;

	do {
		at = places[fuzz_below(sizeof(places))];
	} while (!record[at]);
	record[at] = bad[fuzz_below(sizeof(bad))];
}

/* Return: the new length. */
static size_t damage_any(uint8_t *record)
{
	size_t at = 1 + fuzz_below(SIZE - 2), nr = 1 + fuzz_below(30);

	switch (fuzz_below(4)) {
	case 0:
		record[at] = fuzz_below(256);
		return SIZE;
	case 1:
		record[at] ^= 1 << fuzz_below(8);
		return SIZE;
	case 2:
		if (nr > SIZE - at)
			nr = SIZE - at;
		memmove(record + at, record + at + nr, SIZE - at - nr);
		return SIZE - nr;
	default:
		memmove(record + at + nr, record + at, SIZE - at);
		for (size_t i = 0; i < nr; i++)
			record[at + i] = fuzz_below(4) ? fuzz_below(256) : 0;
		return SIZE + nr;
	}
}

/* Truncates a record and reports a gap before or after it. */
static size_t damage_gap(struct fuzz_stream *stream, uint8_t *record)
{
	size_t from = 1 + fuzz_below(SIZE - 1), to = 1 + fuzz_below(SIZE - 1);

	if (fuzz_below(2)) {
		stream->gaps[stream->nr_gaps++] = stream->nr;
		memmove(record, record + from, SIZE - from);
		return SIZE - from;
	}
	stream->gaps[stream->nr_gaps++] = stream->nr + to;
	return to;
}

static size_t damage(struct fuzz_stream *stream, uint8_t *record)
{
	switch (stream->shape) {
	case FUZZ_BAD_HEADERS:
		damage_header(record);
		return SIZE;
	case FUZZ_GAPS_IN:
		return damage_gap(stream, record);
	default:
		return damage_any(record);
	}
}

static void make_records(struct fuzz_stream *stream)
{
	size_t nr = 1 + fuzz_below(FUZZ_RECORDS);
	bool before = false;

	for (size_t i = 0; i < nr; i++) {
		struct fuzz_known *known = &stream->known[stream->nr_known++];
		uint8_t record[SIZE * 2];
		size_t length = SIZE;

		make_record(record, &known->record);
		known->record.offset = stream->nr;
		/* two records that lose and gain bytes may cancel out */
		known->damaged = !before && stream->nr_gaps < FUZZ_GAPS && fuzz_below(4) == 0;
		before = known->damaged && stream->shape == FUZZ_ANY;
		if (known->damaged)
			length = damage(stream, record);
		append(stream, record, length);
		if (fuzz_below(16) == 0) {
			memset(record, 0, SIZE);
			append(stream, record, SIZE);
		}
	}
}

/* Random bytes and bytes that start packets. */
static void make_garbage(struct fuzz_stream *stream)
{
	static const uint8_t heads[] = {
		0x00, 0x01, 0x71, 0x42, 0x52, 0x62, 0x72, 0x43, 0x53, 0x48, 0x49, 0x4a, 0x4b,
		0x64, 0x65, 0x66, 0x98, 0x99, 0x9a, 0x9c, 0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0xb7,
		0x20, 0x21, 0x22, 0x23
	};
	unsigned int share = 1 + fuzz_below(16);
	size_t nr = fuzz_below(400);

	while (stream->nr < nr)
		stream->bytes[stream->nr++] = fuzz_below(16) < share ?
			heads[fuzz_below(sizeof(heads))] : fuzz_below(256);
}

void fuzz_make(struct fuzz_stream *stream)
{
	memset(stream, 0, sizeof(*stream));
	stream->shape = fuzz_below(FUZZ_NR_SHAPES);
	stream->strict = stream->shape == FUZZ_BAD_HEADERS || stream->shape == FUZZ_GAPS_IN;
	stream->aux = fuzz_below(1000);
	if (stream->shape == FUZZ_ANY || fuzz_below(2))
		stream->fixed = SIZE;
	if (stream->shape == FUZZ_GARBAGE)
		make_garbage(stream);
	else
		make_records(stream);
}
