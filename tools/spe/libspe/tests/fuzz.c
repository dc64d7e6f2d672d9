// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * fuzz [INPUTS [SEED]] - feeds damaged streams of known records to the decoder. The intact records
 * are known, so a record made of damaged bytes is detected; sanitizers find the rest. Each input is
 * decoded at once and in pieces. The same seed gives the same inputs; "fuzz 1 SEED+N" repeats the
 * N-th one. TAP on stdout.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#define MAX_FOUND	512
/* Failed inputs to report before stopping. */
#define MAX_FAILED	10

/* Decoder result for a stream. */
struct result {
	struct spe_record records[MAX_FOUND];
	size_t nr;
	struct spe_stream stream;
};

static uint64_t state;
static uint64_t reported, intact, alike;
static unsigned long input, failed;
static jmp_buf next_input;

uint32_t fuzz_below(uint32_t limit)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (state >> 32) * limit >> 32;
}

static void fail(const char *what, const struct fuzz_stream *stream, uint64_t offset)
{
	printf("# input %lu, at %" PRIu64 ": %s\n", input, offset, what);
	for (size_t i = 0; i < stream->nr; i++)
		printf("%s%02x", i % 32 ? " " : "\n# ", stream->bytes[i]);
	printf("\n# shape %d\n", stream->shape);
	failed++;
	longjmp(next_input, 1);
}

static int keep(const struct spe_record *record, void *context)
{
	struct result *result = context;

	if (result->nr == MAX_FOUND)
		return 1;
	result->records[result->nr++] = *record;
	return 0;
}

static void feed(struct result *result, const uint8_t *bytes, size_t nr)
{
	/* exact size, so that the sanitizer sees any read beyond it */
	uint8_t *copy = malloc(nr);

	memcpy(copy, bytes, nr);
	spe_stream_feed(&result->stream, copy, nr, keep, result);
	free(copy);
}

/* @limit: maximum piece size; 0 for one piece up to the next gap */
static void decode(struct result *result, const struct fuzz_stream *stream, uint32_t limit)
{
	size_t at = 0;

	result->nr = 0;
	spe_stream_init(&result->stream, stream->aux);
	spe_stream_fixed(&result->stream, stream->fixed);
	for (size_t i = 0; i <= stream->nr_gaps; i++) {
		size_t end = i < stream->nr_gaps ? stream->gaps[i] : stream->nr;

		while (at < end) {
			size_t size = limit ? fuzz_below(limit) : end - at;

			if (size > end - at)
				size = end - at;
			feed(result, stream->bytes + at, size);
			at += size;
		}
		if (i < stream->nr_gaps)
			spe_stream_gap(&result->stream, stream->aux + at);
	}
	spe_stream_end(&result->stream);
}

static bool is_equal(const struct result *a, const struct result *b)
{
	return a->nr == b->nr && a->stream.damaged == b->stream.damaged &&
	       a->stream.bad_bytes == b->stream.bad_bytes &&
	       a->stream.padding == b->stream.padding &&
	       a->stream.unknown == b->stream.unknown &&
	       !memcmp(a->records, b->records, a->nr * sizeof(*a->records));
}

static const struct fuzz_known *find(const struct fuzz_stream *stream, uint64_t offset)
{
	for (size_t i = 0; i < stream->nr_known; i++)
		if (stream->known[i].record.offset == offset)
			return &stream->known[i];
	return NULL;
}

/* Current offset of the record written at @offset. */
static uint64_t start_of(const struct fuzz_stream *stream, uint64_t offset)
{
	uint64_t start = 0;

	for (size_t i = 0; i < stream->nr_known; i++)
		if (stream->known[i].record.offset <= offset)
			start = stream->known[i].record.offset;
	return start;
}

/* Undetectable damage: another value of a payload. */
static void check_alike(const struct fuzz_stream *stream, const struct spe_record *record)
{
	if (stream->strict)
		fail("a record from damaged bytes", stream, record->offset);
	if (!fuzz_is_sound(stream, record->offset, record->length))
		fail("a malformed record", stream, record->offset);
	if (stream->shape == FUZZ_ANY &&
	    (record->offset + record->length - start_of(stream, record->offset)) % stream->fixed)
		fail("a record of another size", stream, record->offset);
	alike++;
}

static void check_records(const struct fuzz_stream *stream, const struct result *result)
{
	size_t next = 0;

	for (size_t i = 0; i < result->nr; i++) {
		const struct spe_record *record = &result->records[i];
		const struct fuzz_known *known = find(stream, record->offset);

		if (i && record->offset < next)
			fail("overlapping records", stream, record->offset);
		next = record->offset + record->length;
		if (!known || known->damaged)
			check_alike(stream, record);
		else if (memcmp(record, &known->record, sizeof(*record)))
			fail("a changed intact record", stream, record->offset);
		else
			reported++;
	}
}

static bool is_reported(const struct result *result, uint64_t offset)
{
	for (size_t i = 0; i < result->nr; i++)
		if (result->records[i].offset == offset)
			return true;
	return false;
}

/* Every intact record that follows an intact reported one is reported. */
static void check_missing(const struct fuzz_stream *stream, const struct result *result)
{
	bool before = true;

	for (size_t i = 0; i < stream->nr_known; i++) {
		const struct fuzz_known *known = &stream->known[i];
		bool there = !known->damaged && is_reported(result, known->record.offset);

		intact += !known->damaged;
		if (before && !known->damaged && !there)
			fail("an intact record is missing", stream, known->record.offset);
		before = there;
	}
}

static void print_packets(const struct fuzz_stream *stream)
{
	char text[SPE_TEXT_MAX];
	struct spe_packet packet;
	size_t at = 0, length;

	while (at < stream->nr) {
		length = spe_packet_get(&packet, stream->bytes + at, stream->nr - at,
					stream->aux + at);
		if (!length)
			return;
		if (length > stream->nr - at || length != packet.length)
			fail("a packet of a wrong length", stream, at);
		if ((size_t)spe_packet_print(&packet, text, sizeof(text)) != strlen(text))
			fail("a text of a wrong length", stream, at);
		at += length;
	}
}

static void try_one(void)
{
	static struct fuzz_stream stream;
	static struct result whole, pieces;

	fuzz_make(&stream);
	decode(&whole, &stream, 0);
	decode(&pieces, &stream, fuzz_below(4) ? 100 : 4);
	if (!is_equal(&whole, &pieces))
		fail("a different result in pieces", &stream, 0);
	if (whole.nr != whole.stream.records)
		fail("uncounted records", &stream, 0);
	check_records(&stream, &whole);
	check_missing(&stream, &whole);
	if (fuzz_below(16) == 0)
		print_packets(&stream);
}

int main(int argc, char **argv)
{
	unsigned long inputs = argc > 1 ? strtoul(argv[1], NULL, 0) : 100000;
	unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;

	puts("1..1");
	for (input = seed; input < seed + inputs && failed < MAX_FAILED; input++) {
		state = input * 0x9e3779b97f4a7c15ULL;
		fuzz_below(1);
		if (!setjmp(next_input))
			try_one();
	}
	if (failed) {
		printf("not ok 1 - %lu inputs\n", failed);
		return 1;
	}
	if (inputs > 1000 && reported < intact / 10 * 9) {
		printf("not ok 1 - only %" PRIu64 " of %" PRIu64 " intact records\n", reported,
		       intact);
		return 1;
	}
	printf("ok 1 - no crash, no record from damaged bytes\n"
	       "# %lu inputs, %" PRIu64 " of %" PRIu64 " intact records, "
	       "%" PRIu64 " with undetectable damage\n",
	       inputs, reported, intact, alike);
	return 0;
}
