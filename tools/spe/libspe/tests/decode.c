// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * decode [-a AUX] [-f SIZE] [-s SEED | -b BYTES] [-g AT,AUX]... packets|text|records
 *
 * Decoder output for the tests, of the standard input: packets as numbers, as text, or records and
 * totals. AUX: its position in the AUX buffer. SIZE: fixed record size. The bytes are fed at once,
 * in pieces of BYTES or in random pieces; -g reports a gap before byte AT, after which the AUX
 * buffer position is AUX.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libspe/spe.h"
#include "print.h"

#define INPUT_MAX	(64u << 20)

struct gap {
	size_t at;
	uint64_t aux;
};

static struct {
	uint64_t aux;
	size_t fixed, piece;
	unsigned int seed;
	struct gap gaps[1000];
	size_t nr_gaps;
} options;

/* Return: the standard input, in memory of its size, so that the sanitizer sees any read beyond. */
static uint8_t *read_input(size_t *size)
{
	uint8_t *bytes = malloc(INPUT_MAX), *exact;

	*size = bytes ? fread(bytes, 1, INPUT_MAX, stdin) : 0;
	exact = malloc(*size);
	if (!bytes || !exact || ferror(stdin) || *size == INPUT_MAX)
		errx(1, "the input cannot be read");
	memcpy(exact, bytes, *size);
	free(bytes);
	return exact;
}

static void print_packet(const struct spe_packet *packet, size_t at, bool as_text)
{
	char text[SPE_TEXT_MAX];

	if (as_text) {
		spe_packet_print(packet, text, sizeof(text));
		printf("%zu %u %s\n", at, packet->length, text);
		return;
	}
	printf("%zu %u %u %u %u %" PRIu64 "\n", at, packet->length, packet->type, packet->index,
	       packet->size, packet->payload);
}

static void decode_packets(const uint8_t *bytes, size_t nr, bool as_text)
{
	struct spe_packet packet;
	size_t at = 0;

	while (at < nr) {
		size_t length = spe_packet_get(&packet, bytes + at, nr - at, options.aux + at);

		if (!length)
			break;
		print_packet(&packet, at, as_text);
		at += length;
	}
}

static int print_record(const struct spe_record *r, void *context)
{
	const uint64_t values[] = {
		r->offset, r->length, r->has, r->pc, r->target, r->va, r->pa, r->previous,
		r->total, r->issue, r->translation, r->alternate, r->events, r->op_class, r->op,
		r->source, r->context[0], r->context[1], r->time, r->el, r->tag
	};
	unsigned long *nr = context;

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		printf("%s%" PRIu64, i ? " " : "", values[i]);
	putchar('\n');
	++*nr;
	return 0;
}

/* Number of bytes to feed next, up to @end. */
static size_t piece(size_t at, size_t end)
{
	size_t size = end - at;

	if (options.seed) {
		unsigned int scale = rand_r(&options.seed) % 4 ? 20 : 2000;

		size = rand_r(&options.seed) % scale;
	} else if (options.piece) {
		size = options.piece;
	}
	return size < end - at ? size : end - at;
}

static void decode_records(const uint8_t *bytes, size_t nr)
{
	static struct spe_stream stream;
	unsigned long printed = 0;
	size_t at = 0;

	spe_stream_init(&stream, options.aux);
	spe_stream_fixed(&stream, options.fixed);
	for (size_t i = 0; i <= options.nr_gaps; i++) {
		size_t end = i < options.nr_gaps ? options.gaps[i].at : nr;

		while (at < end) {
			size_t size = piece(at, end);
			/* exact size, so that the sanitizer sees any read beyond it */
			uint8_t *copy = malloc(size);

			memcpy(copy, bytes + at, size);
			if (spe_stream_feed(&stream, copy, size, print_record, &printed))
				errx(1, "the decoder returned what nobody gave it");
			free(copy);
			at += size;
		}
		if (i < options.nr_gaps)
			spe_stream_gap(&stream, options.gaps[i].aux);
	}
	spe_stream_end(&stream);
	if (printed != stream.records)
		errx(1, "%lu records, but it counts %" PRIu64, printed, stream.records);
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", stream.records,
	       stream.damaged, stream.bad_bytes, stream.padding, stream.unknown);
}

static void add_gap(const char *text)
{
	struct gap *gap = &options.gaps[options.nr_gaps];
	char *end;

	if (options.nr_gaps++ >= sizeof(options.gaps) / sizeof(*options.gaps))
		errx(1, "too many gaps");
	gap->at = strtoull(text, &end, 0);
	gap->aux = *end ? strtoull(end + 1, NULL, 0) : gap->at;
}

int main(int argc, char **argv)
{
	uint8_t *bytes;
	size_t nr;
	int option;

	while ((option = getopt(argc, argv, "a:b:f:g:s:")) != -1) {
		switch (option) {
		case 'a':
			options.aux = strtoull(optarg, NULL, 0);
			break;
		case 'b':
			options.piece = strtoul(optarg, NULL, 0);
			break;
		case 'f':
			options.fixed = strtoul(optarg, NULL, 0);
			break;
		case 'g':
			add_gap(optarg);
			break;
		case 's':
			options.seed = strtoul(optarg, NULL, 0);
			break;
		default:
			return 2;
		}
	}
	if (optind + 1 != argc)
		errx(2, "usage: decode [OPTION...] packets|text|records");
	bytes = read_input(&nr);
	if (argv[optind][0] == 'r')
		decode_records(bytes, nr);
	else
		decode_packets(bytes, nr, argv[optind][0] == 't');
	free(bytes);
	return 0;
}
