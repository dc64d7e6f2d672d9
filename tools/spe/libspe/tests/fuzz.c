// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * fuzz [INPUTS [SEED]] - feeds damaged streams of records to the decoder, each at once and in
 * pieces: the results are equal, and sanitizers find the rest; damage_test.py has the records that
 * are expected. The same seed gives the same inputs; "fuzz 1 SEED+N" repeats the N-th one. TAP on
 * stdout.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libspe/spe.h"

#define RECORD		64
#define RECORDS		12
#define BYTES		2048
#define MAX_FOUND	512
/* Failed inputs to report before stopping. */
#define MAX_FAILED	10

struct input {
	uint8_t bytes[BYTES];
	size_t nr;
	uint64_t aux;
	size_t fixed;
	size_t gap;		/* offset of lost bytes; above nr: none */
};

/* Decoder result for an input. */
struct result {
	struct spe_record records[MAX_FOUND];
	size_t nr;
	struct spe_stream stream;
};

static uint64_t state;
static uint64_t reported;
static unsigned long number, failed;
static jmp_buf next_input;

static uint32_t below(uint32_t limit)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (state >> 32) * limit >> 32;
}

static void fail(const char *what, const struct input *input, uint64_t offset)
{
	printf("# input %lu, at %" PRIu64 ": %s\n", number, offset, what);
	for (size_t i = 0; i < input->nr; i++)
		printf("%s%02x", i % 32 ? " " : "\n# ", input->bytes[i]);
	putchar('\n');
	failed++;
	longjmp(next_input, 1);
}

/* Payloads often look like ends or starts of records. */
static uint8_t any_byte(void)
{
	static const uint8_t odd[] = { 0x00, 0x01, 0x71, 0xb0 };

	return below(8) ? below(256) : odd[below(4)];
}

/* A load, store or branch in the layout of Neoverse cores. */
static void make_record(uint8_t *to)
{
	static const uint8_t heads[][3] = {
		/* offset, header, size of the payload */
		{ 0, 0xb0, 8 }, { 9, 0x64, 4 }, { 14, 0x65, 4 }, { 19, 0x49, 1 }, { 21, 0x52, 2 },
		{ 24, 0x99, 2 }, { 27, 0x98, 2 }, { 30, 0xb2, 8 }, { 39, 0x9a, 2 }, { 42, 0xb3, 8 },
		{ 51, 0x43, 1 }, { 55, 0x71, 8 },
	};

	memset(to, 0, RECORD);
	to[RECORD - 1] = 1;
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		if (i && below(8) == 0)
			continue;
		to[heads[i][0]] = heads[i][1];
		for (size_t j = 1; j <= heads[i][2]; j++)
			to[heads[i][0] + j] = any_byte();
	}
	if (below(3) == 0) {
		to[19] = 0x4a;
		to[30] = 0xb1;
	}
}

/* Bytes that start packets. */
static uint8_t any_head(void)
{
	static const uint8_t heads[] = {
		0x00, 0x01, 0x71, 0x42, 0x52, 0x62, 0x72, 0x43, 0x53, 0x48, 0x49, 0x4a, 0x4b,
		0x64, 0x65, 0x66, 0x98, 0x99, 0x9a, 0x9c, 0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0xb7,
		0x20, 0x21, 0x22, 0x23
	};

	return heads[below(sizeof(heads))];
}

/* Changes, removes or inserts bytes. */
static void damage(struct input *input)
{
	size_t at = below(input->nr), nr = 1 + below(30);
	uint8_t *bytes = input->bytes + at;

	switch (below(4)) {
	case 0:
		*bytes = below(2) ? any_head() : any_byte();
		break;
	case 1:
		*bytes ^= 1 << below(8);
		break;
	case 2:
		if (nr > input->nr - at)
			nr = input->nr - at;
		memmove(bytes, bytes + nr, input->nr - at - nr);
		input->nr -= nr;
		break;
	default:
		memmove(bytes + nr, bytes, input->nr - at);
		for (size_t i = 0; i < nr; i++)
			bytes[i] = below(4) ? any_byte() : 0;
		input->nr += nr;
	}
}

static void make(struct input *input)
{
	input->nr = RECORD * (1 + below(RECORDS));
	for (size_t at = 0; at < input->nr; at += RECORD)
		make_record(input->bytes + at);
	if (below(4) == 0)
		for (size_t i = 0; i < input->nr; i++)
			input->bytes[i] = below(3) ? any_head() : any_byte();
	for (unsigned int i = below(5); i > 0 && input->nr; i--)
		damage(input);
	input->aux = below(1000);
	input->fixed = below(2) ? RECORD : 0;
	input->gap = below(2 * BYTES);
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

/* @limit: maximum piece size; 0 for one piece up to the gap */
static void decode(struct result *result, const struct input *input, uint32_t limit)
{
	size_t at = 0;

	result->nr = 0;
	spe_stream_init(&result->stream, input->aux);
	spe_stream_fixed(&result->stream, input->fixed);
	while (at < input->nr) {
		size_t end = at < input->gap && input->gap < input->nr ? input->gap : input->nr;
		size_t size = limit ? below(limit) : end - at;

		if (size > end - at)
			size = end - at;
		feed(result, input->bytes + at, size);
		at += size;
		if (size && at == input->gap)
			spe_stream_gap(&result->stream, input->aux + at);
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

static void check_records(const struct input *input, const struct result *result)
{
	uint64_t next = 0;

	for (size_t i = 0; i < result->nr; i++) {
		const struct spe_record *record = &result->records[i];

		if (record->offset < next)
			fail("overlapping records", input, record->offset);
		next = record->offset + record->length;
		if (next > input->nr)
			fail("a record beyond the end", input, record->offset);
	}
	if (result->nr != result->stream.records)
		fail("uncounted records", input, 0);
	reported += result->nr;
}

static void check_packets(const struct input *input)
{
	char text[SPE_TEXT_MAX];
	struct spe_packet packet;
	size_t at = 0, length;

	while (at < input->nr) {
		length = spe_packet_get(&packet, input->bytes + at, input->nr - at,
					input->aux + at);
		if (!length)
			return;
		if (length > input->nr - at || length != packet.length)
			fail("a packet of a wrong length", input, at);
		if ((size_t)spe_packet_print(&packet, text, sizeof(text)) != strlen(text))
			fail("a text of a wrong length", input, at);
		at += length;
	}
}

static void try_one(void)
{
	static struct result whole, pieces;
	static struct input input;

	make(&input);
	decode(&whole, &input, 0);
	decode(&pieces, &input, below(4) ? 100 : 4);
	if (!is_equal(&whole, &pieces))
		fail("a different result in pieces", &input, 0);
	check_records(&input, &whole);
	if (below(16) == 0)
		check_packets(&input);
}

int main(int argc, char **argv)
{
	unsigned long inputs = argc > 1 ? strtoul(argv[1], NULL, 0) : 100000;
	unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;

	puts("1..1");
	for (number = seed; number < seed + inputs && failed < MAX_FAILED; number++) {
		state = number * 0x9e3779b97f4a7c15ULL;
		below(1);
		if (!setjmp(next_input))
			try_one();
	}
	/* four on average, without garbage */
	if (inputs > 1000 && reported < inputs)
		failed = inputs;
	printf("%sok 1 - no crash, the same records in pieces\n# %lu inputs, %" PRIu64 " records\n",
	       failed ? "not " : "", inputs, reported);
	return failed ? 1 : 0;
}
