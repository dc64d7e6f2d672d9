// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * n3stat spe decode: one line per packet, as in "perf report -D". Offsets are relative to the
 * window, as perf's are to the auxtrace event.
 */
#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "errors.h"
#include "file.h"
#include "lib/arguments.h"
#include "lib/memory.h"
#include "lib/streams.h"
#include "lib/text.h"
#include "libspe/spe.h"

#define PIECE		(256u << 10)
#define STREAMS_MAX	65536
#define BYTES_SHOWN	16

/* Start of a packet that continues in the next window. */
struct carry {
	uint8_t bytes[SPE_PACKET_MAX];
	size_t nr;
	uint64_t next;		/* stream offset of the expected continuation */
	uint64_t shown;		/* offset printed in the line */
};

struct decoding {
	struct spe_file file;
	struct carry *carries;	/* by stream */
	size_t nr_carries;
	uint64_t bad_bytes, bad_headers;
};

static const char doc[] =
	"Print all SPE packets of a recording, or of a file with only records, one per line, in "
	"the format of perf report -D."
	"\vEach byte that cannot be decoded is a line with \"Bad packet!\", and makes the exit "
	"status 1. Errors go to standard error. See n3stat-spe-decode(1).";

static const struct argp_option options[] = {
	{ "salvage", SPE_OPTION_SALVAGE, NULL, 0, "skip damaged parts of the file", 1 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	return spe_input_parse(state->input, key, arg, "decode");
}

/*
 * Bytes in columns, followed by the packet's text; hand-coded, since printf() would dominate the
 * run time.
 */
static void print_packet(const struct spe_packet *packet, const uint8_t *bytes, uint64_t offset)
{
	static const char digits[] = "0123456789abcdef";
	char line[16 + 3 * BYTES_SHOWN + SPE_TEXT_MAX + 2];
	int at = snprintf(line, 32, ".  %08x: ", (uint32_t)offset);

	memset(line + at, ' ', 3 * BYTES_SHOWN + 1);
	for (size_t i = 0; i < packet->length && i < BYTES_SHOWN; i++) {
		line[at + 3 * i + 1] = digits[bytes[i] >> 4];
		line[at + 3 * i + 2] = digits[bytes[i] & 15];
	}
	at += 3 * BYTES_SHOWN + 1;
	at += spe_packet_print(packet, line + at, SPE_TEXT_MAX);
	line[at++] = '\n';
	fwrite(line, 1, (size_t)at, stdout);
}

/* Prints the packets of a buffer. @more: more bytes follow. Return: number of bytes printed. */
static size_t print_packets(struct decoding *decoding, const uint8_t *bytes, size_t nr,
			    uint64_t aux, uint64_t shown, bool more)
{
	struct spe_packet packet;
	size_t at = 0, len;

	/* Padding is printed in units of up to 16 bytes: wait for a full one. */
	while (at < nr && (!more || nr - at >= SPE_PACKET_MAX)) {
		len = spe_packet_get(&packet, bytes + at, nr - at, aux + at);
		if (!len)
			break;
		if (packet.type == SPE_BAD)
			decoding->bad_bytes++;
		print_packet(&packet, bytes + at, shown + at);
		at += len;
	}
	return at;
}

/* A packet cut off by a gap or by the end of the file. */
static void drop_carry(struct decoding *decoding, struct carry *carry)
{
	const struct spe_packet bad = { .type = SPE_BAD, .length = 1 };

	for (size_t i = 0; i < carry->nr; i++)
		print_packet(&bad, carry->bytes + i, carry->shown + i);
	decoding->bad_bytes += carry->nr;
	carry->nr = 0;
}

/* Completes the carried packet. Return: number of bytes used. */
static size_t print_carried(struct carry *carry, const uint8_t *bytes, size_t nr, uint64_t aux)
{
	uint8_t both[2 * SPE_PACKET_MAX];
	size_t rest = nr < SPE_PACKET_MAX ? nr : SPE_PACKET_MAX, len;
	struct spe_packet packet;

	memcpy(both, carry->bytes, carry->nr);
	memcpy(both + carry->nr, bytes, rest);
	len = spe_packet_get(&packet, both, carry->nr + rest, aux - carry->nr);
	if (!len) {
		/* One of several short windows. */
		memcpy(carry->bytes, both, carry->nr + rest);
		carry->nr += rest;
		return rest;
	}
	print_packet(&packet, both, carry->shown);
	len -= carry->nr;
	carry->nr = 0;
	return len;
}

/* One window, or a whole bare file, starting at @aux. */
static void print_window(struct decoding *decoding, struct carry *carry, uint64_t aux)
{
	uint8_t piece[PIECE];
	size_t nr = 0, used, len;
	uint64_t shown = 0;

	if (aux != carry->next)
		drop_carry(decoding, carry);
	do {
		len = spe_file_read(&decoding->file, piece + nr, sizeof(piece) - nr);
		nr += len;
		used = carry->nr && nr ? print_carried(carry, piece, nr, aux) : 0;
		used += print_packets(decoding, piece + used, nr - used, aux + used, shown + used,
				      len);
		aux += used;
		shown += used;
		nr -= used;
		memmove(piece, piece + used, nr);
	} while (len);
	carry->next = aux + nr;
	if (!nr)
		return;
	carry->nr = nr;
	carry->shown = shown;
	memcpy(carry->bytes, piece, nr);
}

static struct carry *carry_of(struct decoding *decoding, uint32_t stream)
{
	while (decoding->nr_carries <= stream) {
		decoding->carries = xreallocarray(decoding->carries, decoding->nr_carries + 1,
						  sizeof(*decoding->carries));
		decoding->carries[decoding->nr_carries++] = (struct carry) { 0 };
	}
	return &decoding->carries[stream];
}

static void print_chunk(struct decoding *decoding)
{
	struct spe_aux_header header;

	if (!spe_file_read_all(&decoding->file, &header, sizeof(header)) ||
	    le32toh(header.stream) >= STREAMS_MAX) {
		decoding->bad_headers++;
		return;
	}
	print_window(decoding, carry_of(decoding, le32toh(header.stream)), le64toh(header.offset));
}

static void print_file(struct decoding *decoding)
{
	struct spe_chunk chunk;

	if (decoding->file.is_bare)
		print_window(decoding, carry_of(decoding, 0), 0);
	else
		while (spe_file_next(&decoding->file, &chunk))
			if (chunk.type == SPE_CHUNK_AUX)
				print_chunk(decoding);
	for (size_t i = 0; i < decoding->nr_carries; i++)
		drop_carry(decoding, &decoding->carries[i]);
}

int spe_command_decode(int argc, char **argv)
{
	static const struct argp argp = { options, parse, "FILE", doc, NULL, NULL, NULL };
	struct spe_input input = { 0 };
	struct decoding decoding = { 0 };
	int ret = EXIT_SUCCESS;

	arguments_parse(&argp, argc, argv, 0, &input);
	spe_file_open(&decoding.file, &input);
	print_file(&decoding);
	flush_output(stdout);
	spe_file_warn(&decoding.file);
	if (decoding.bad_headers)
		warn(ERR_DAMAGED_DATA,
		     "%s: %" PRIu64 " damaged %s of windows", input.name, decoding.bad_headers,
		     plural(decoding.bad_headers, "header", "headers"));
	if (decoding.bad_bytes)
		warn(ERR_DAMAGED_DATA, "%s: %" PRIu64 " bad %s", input.name, decoding.bad_bytes,
		     plural(decoding.bad_bytes, "byte", "bytes"));
	if (decoding.bad_bytes || decoding.bad_headers || decoding.file.damaged)
		ret = EXIT_OTHER;
	free(decoding.carries);
	spe_file_close(&decoding.file);
	return ret;
}
