// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Writer of recordings, in the format described by recording.h. */
#include <endian.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/errors.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "recording.h"

#define LEVEL	6	/* costs 0.4 ms more than 1 with 128 CPUs, and saves 8 % */
#define CHUNK	65536

static void __noreturn cannot_write(const struct recording_writer *writer)
{
	/* A closed pipe is not an error. */
	if (errno == EPIPE)
		exit(EXIT_SUCCESS);
	die_of_file(ERR_CANNOT_WRITE, writer->file == stdout ? "standard output" : writer->name);
}

static void put(struct recording_writer *writer, const void *data, size_t size)
{
	if (fwrite(data, 1, size, writer->file) != size)
		cannot_write(writer);
	writer->crc = crc32_z(writer->crc, data, size);
	writer->bytes += size;
}

static void put_text(struct recording_writer *writer, const char *text)
{
	put(writer, text, strlen(text));
}

static void put_word(struct recording_writer *writer, uint32_t word)
{
	word = htole32(word);
	put(writer, &word, sizeof(word));
}

void recording_begin(struct recording_writer *writer, FILE *file, const char *name)
{
	*writer = (struct recording_writer) { .file = file, .name = name };
	if (deflateInit2(&writer->z, LEVEL, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL,
			 Z_FILTERED) != Z_OK)
		out_of_memory();
	put_text(writer, RECORDING_MAGIC);
}

void recording_write_about(struct recording_writer *writer, const char *key, const char *value)
{
	char *line = format_string("about %s %s\n", key, value);

	put_text(writer, line);
	free(line);
}

static void make_room(struct recording_writer *writer, const struct choice *choice)
{
	size_t nr = choice->places.nr * choice->nr_columns;

	writer->nr_cells = nr;
	writer->cells = xcalloc(nr, sizeof(*writer->cells));
	writer->kinds = xreallocarray(NULL, nr, 1);
	writer->plane = xreallocarray(NULL, nr, 1);
	for (enum recording_part part = 0; part < NR_PARTS; part++)
		writer->numbers[part] = xreallocarray(NULL, nr, sizeof(*writer->numbers[part]));
}

void recording_write_columns(struct recording_writer *writer, const struct choice *choice)
{
	make_room(writer, choice);
	put_text(writer, "places");
	for (size_t i = 0; i < choice->places.nr; i++) {
		put_text(writer, " ");
		put_text(writer, choice->places.v[i].name);
	}
	put_text(writer, "\ncolumns");
	for (size_t i = 0; i < choice->nr_columns; i++) {
		put_text(writer, " ");
		put_text(writer, choice->files[choice->columns[i].file].name);
		put_text(writer, ".");
		put_text(writer, choice->columns[i].name);
	}
	put_text(writer, "\n");
}

/* Z_BLOCK ends a block before data with other statistics. */
static void compress_bytes(struct recording_writer *writer, const void *data, size_t size,
			   int flush)
{
	z_stream *z = &writer->z;

	z->next_in = (z_const unsigned char *)data;
	z->avail_in = (unsigned int)size;
	do {
		if (writer->room - z->total_out < CHUNK) {
			writer->room += 2 * CHUNK;
			writer->out = xreallocarray(writer->out, writer->room, 1);
		}
		z->next_out = writer->out + z->total_out;
		z->avail_out = CHUNK;
		deflate(z, flush);
	} while (!z->avail_out);
}

/* Maps 0, -1, 1, -2, ... to 0, 1, 2, 3, ... */
static uint64_t fold(uint64_t number)
{
	return number << 1 ^ (number >> 63 ? ~0ULL : 0);
}

static void take_cell(struct recording_writer *writer, size_t at, const struct value *value,
		      const struct value *estimate)
{
	struct recording_cell *cell = &writer->cells[at], before = *cell;
	uint64_t rise;

	writer->kinds[at] = recording_cell_take(cell, value, estimate);
	for (enum recording_part part = 0; part < NR_PARTS; part++) {
		if (!recording_cell_has(writer->kinds[at], part))
			continue;
		rise = (uint64_t)cell->part[part] - (uint64_t)before.part[part];
		writer->numbers[part][writer->nr_numbers[part]++] = fold(rise);
	}
}

/* Compresses the lowest bytes of all numbers, then the next ones, up to the highest nonzero. */
static void compress_part(struct recording_writer *writer, enum recording_part part)
{
	size_t nr = writer->nr_numbers[part];
	unsigned char nr_planes = 0;
	uint64_t all = 0;

	if (!nr)
		return;
	for (size_t i = 0; i < nr; i++)
		all |= writer->numbers[part][i];
	for (; all; all >>= 8)
		nr_planes++;
	compress_bytes(writer, &nr_planes, 1, Z_NO_FLUSH);
	for (unsigned char plane = 0; plane < nr_planes; plane++) {
		for (size_t i = 0; i < nr; i++)
			writer->plane[i] = (unsigned char)(writer->numbers[part][i] >> 8 * plane);
		compress_bytes(writer, writer->plane, nr, Z_BLOCK);
	}
}

static void compress_texts(struct recording_writer *writer)
{
	for (size_t i = 0; i < writer->nr_cells; i++) {
		if (!recording_kind_has_text(writer->kinds[i]))
			continue;
		compress_bytes(writer, writer->cells[i].text, strlen(writer->cells[i].text),
			       Z_NO_FLUSH);
		compress_bytes(writer, "\n", 1, Z_NO_FLUSH);
	}
}

static void write_snapshot(struct recording_writer *writer)
{
	size_t size = writer->z.total_out;

	put_word(writer, (uint32_t)size);
	put(writer, writer->out, size);
	put_word(writer, writer->crc);
	/* Keeps complete snapshots in the file even if the program is killed. */
	if (fflush(writer->file))
		cannot_write(writer);
}

void recording_add(struct recording_writer *writer, const struct snapshot *snapshot)
{
	uint64_t time = htole64((uint64_t)llround(snapshot->time * 1000));

	deflateReset(&writer->z);
	memset(writer->nr_numbers, 0, sizeof(writer->nr_numbers));
	for (size_t i = 0; i < writer->nr_cells; i++)
		take_cell(writer, i, &snapshot->v[i], &snapshot->estimates[i]);
	compress_bytes(writer, &time, sizeof(time), Z_NO_FLUSH);
	compress_bytes(writer, writer->kinds, writer->nr_cells, Z_BLOCK);
	for (enum recording_part part = 0; part < NR_PARTS; part++)
		compress_part(writer, part);
	compress_texts(writer);
	compress_bytes(writer, NULL, 0, Z_FINISH);
	write_snapshot(writer);
}

void recording_end(struct recording_writer *writer)
{
	for (size_t i = 0; i < writer->nr_cells; i++)
		free(writer->cells[i].text);
	for (enum recording_part part = 0; part < NR_PARTS; part++)
		free(writer->numbers[part]);
	free(writer->cells);
	free(writer->kinds);
	free(writer->plane);
	free(writer->out);
	deflateEnd(&writer->z);
	/* Standard output is closed at exit, as for every command. */
	if (writer->file != stdout && fclose(writer->file))
		cannot_write(writer);
}
