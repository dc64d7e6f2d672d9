// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Reader of snapshots, robust against damaged files. It only decompresses the number of bytes
 * that the cells require, so memory is bounded by the number of cells.
 */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "lib/plain.h"
#include "recording.h"

#define CHUNK	65536

struct recording_packed {
	z_stream z;
	uint32_t left;			/* bytes of the snapshot not yet read */
	struct recording_cell *cells;	/* by place and column */
	unsigned char *kinds;
	size_t nr_cells;
	uint64_t *numbers;
	size_t room;			/* numbers in both arrays */
	unsigned char *planes;
	unsigned char chunk[CHUNK];
};

struct recording_packed *recording_packed_new(size_t nr_cells)
{
	struct recording_packed *packed = xcalloc(1, sizeof(*packed));

	packed->nr_cells = nr_cells;
	packed->cells = xcalloc(nr_cells, sizeof(*packed->cells));
	packed->kinds = xcalloc(nr_cells, 1);
	if (inflateInit2(&packed->z, -MAX_WBITS) != Z_OK)
		out_of_memory();
	return packed;
}

void recording_packed_free(struct recording_packed *packed)
{
	for (size_t i = 0; i < packed->nr_cells; i++)
		free(packed->cells[i].text);
	inflateEnd(&packed->z);
	free(packed->cells);
	free(packed->kinds);
	free(packed->numbers);
	free(packed->planes);
	free(packed);
}

/* Return: whether the file has so many bytes. */
static bool read_bytes(struct recording *recording, void *to, size_t size)
{
	size_t nr = fread(to, 1, size, recording->file);

	recording->cut |= nr < size;
	recording->crc = crc32_z(recording->crc, to, nr);
	recording->end += nr;
	return nr == size;
}

static bool read_word(struct recording *recording, uint32_t *word)
{
	if (!read_bytes(recording, word, sizeof(*word)))
		return false;
	*word = le32toh(*word);
	return true;
}

static bool fill(struct recording *recording)
{
	struct recording_packed *packed = recording->packed;
	size_t size = packed->left < CHUNK ? packed->left : CHUNK;

	if (!size || !read_bytes(recording, packed->chunk, size))
		return false;
	packed->left -= (uint32_t)size;
	packed->z.next_in = packed->chunk;
	packed->z.avail_in = (unsigned int)size;
	return true;
}

/* Decompresses up to @size bytes. Return: zlib's status. */
static int inflate_to(struct recording *recording, void *to, size_t size)
{
	z_stream *z = &recording->packed->z;
	int status;

	z->next_out = to;
	z->avail_out = (unsigned int)size;
	/* First without more input, as zlib may hold output back. */
	do
		status = inflate(z, Z_NO_FLUSH);
	while ((status == Z_OK || status == Z_BUF_ERROR) && z->avail_out &&
	       (z->avail_in || fill(recording)));
	return status;
}

/* Return: whether @size bytes were available. */
static bool take(struct recording *recording, void *to, size_t size)
{
	int status = inflate_to(recording, to, size);

	return (status == Z_OK || status == Z_STREAM_END) && !recording->packed->z.avail_out;
}

/* Return: whether both the compressed data and the snapshot end here. */
static bool take_end(struct recording *recording)
{
	const struct recording_packed *packed = recording->packed;
	unsigned char byte;

	return inflate_to(recording, &byte, 1) == Z_STREAM_END && packed->z.avail_out &&
	       !packed->z.avail_in && !packed->left;
}

static void set_kind(struct recording_cell *cell, unsigned char kind)
{
	if (kind & KIND_NUMBER) {
		free(cell->text);
		cell->text = NULL;
	}
	cell->kind = recording_kind_has_text(kind) ? kind & ~KIND_TEXT : kind;
}

/* Counts the snapshot's cells with each part. Return: false if it is damaged. */
static bool take_kinds(struct recording *recording, size_t nr[NR_PARTS])
{
	struct recording_packed *packed = recording->packed;

	if (!take(recording, packed->kinds, packed->nr_cells))
		return false;
	for (size_t i = 0; i < packed->nr_cells; i++) {
		unsigned char kind = packed->kinds[i];

		if (kind == KIND_SAME)
			continue;
		set_kind(&packed->cells[i], kind);
		for (enum recording_part part = 0; part < NR_PARTS; part++)
			nr[part] += recording_cell_has(kind, part);
	}
	return true;
}

static void make_room(struct recording_packed *packed, size_t nr)
{
	if (nr <= packed->room)
		return;
	packed->room = nr;
	packed->numbers = xreallocarray(packed->numbers, nr, sizeof(*packed->numbers));
	packed->planes = xreallocarray(packed->planes, nr, 1);
}

/* maps 0, 1, 2, 3, ... to 0, -1, 1, -2, ... */
static uint64_t unfold(uint64_t number)
{
	return number >> 1 ^ (number & 1 ? ~0ULL : 0);
}

static bool take_numbers(struct recording *recording, size_t nr)
{
	struct recording_packed *packed = recording->packed;
	unsigned char nr_planes;

	make_room(packed, nr);
	if (!take(recording, &nr_planes, 1) || nr_planes > sizeof(*packed->numbers))
		return false;
	memset(packed->numbers, 0, nr * sizeof(*packed->numbers));
	for (unsigned char plane = 0; plane < nr_planes; plane++) {
		if (!take(recording, packed->planes, nr))
			return false;
		for (size_t i = 0; i < nr; i++)
			packed->numbers[i] |= (uint64_t)packed->planes[i] << 8 * plane;
	}
	return true;
}

static bool take_part(struct recording *recording, enum recording_part part, size_t nr)
{
	const struct recording_packed *packed = recording->packed;
	const uint64_t *number;
	int64_t *value;

	if (!nr)
		return true;
	if (!take_numbers(recording, nr))
		return false;
	number = packed->numbers;
	for (size_t i = 0; i < packed->nr_cells; i++) {
		if (!recording_cell_has(packed->kinds[i], part))
			continue;
		value = &packed->cells[i].part[part];
		*value = (int64_t)((uint64_t)*value + unfold(*number++));
	}
	return true;
}

static bool take_text(struct recording *recording, struct recording_cell *cell)
{
	char text[VALUE_TEXT];
	size_t len = 0;

	do {
		if (len == sizeof(text) || !take(recording, &text[len], 1))
			return false;
	} while (text[len++] != '\n');
	text[len - 1] = '\0';
	plain_text(text);
	free(cell->text);
	cell->text = xstrdup(text);
	return true;
}

static bool take_texts(struct recording *recording)
{
	const struct recording_packed *packed = recording->packed;

	for (size_t i = 0; i < packed->nr_cells; i++)
		if (recording_kind_has_text(packed->kinds[i]) &&
		    !take_text(recording, &packed->cells[i]))
			return false;
	return true;
}

static bool is_same(const unsigned char *kinds, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (kinds[i] != KIND_SAME)
			return false;
	return true;
}

/* Return: whether all cells of the place are valid. */
static bool set_row(struct recording *recording, size_t place)
{
	size_t nr = recording->nr_columns, at = place * nr;
	const unsigned char *kinds = &recording->packed->kinds[at];
	struct recording_row *row = &recording->rows[place];
	bool is_new = !row->v;

	if (is_same(kinds, nr))
		return true;
	if (is_new)
		row->v = xcalloc(nr, sizeof(*row->v));
	for (size_t i = 0; i < nr; i++) {
		const struct recording_cell *cell = &recording->packed->cells[at + i];

		if (kinds[i] == KIND_SAME && !is_new)
			continue;
		if (!recording_cell_value(&row->v[i], cell))
			return false;
		recording->estimated |= cell->kind & KIND_ESTIMATE;
	}
	while (nr > 0 && !strcmp(row->v[nr - 1].text, NO_VALUE))
		nr--;
	row->nr = nr;
	return true;
}

/* Decompresses a snapshot. */
static bool take_snapshot(struct recording *recording, uint64_t *time)
{
	size_t nr[NR_PARTS] = { 0 };

	inflateReset(&recording->packed->z);
	recording->packed->z.avail_in = 0;
	if (!take(recording, time, sizeof(*time)) || !take_kinds(recording, nr))
		return false;
	for (enum recording_part part = 0; part < NR_PARTS; part++)
		if (!take_part(recording, part, nr[part]))
			return false;
	return take_texts(recording) && take_end(recording);
}

/* Return: whether the time is valid. */
static bool take_time(double *time, double when)
{
	if (when < 0 || when > 1e12)
		return false;
	/* A clock that was set back would reverse charts. */
	if (when > *time)
		*time = when;
	return true;
}

/* Return: whether the snapshot is complete and undamaged. */
static bool read_snapshot(struct recording *recording)
{
	uint32_t crc, expected;
	uint64_t time;

	if (!read_word(recording, &recording->packed->left) || !take_snapshot(recording, &time))
		return false;
	expected = recording->crc;
	if (!read_word(recording, &crc) || crc != expected ||
	    !take_time(&recording->time, (double)(int64_t)le64toh(time) / 1000))
		return false;
	for (size_t place = 0; place < recording->places.nr; place++)
		if (!set_row(recording, place))
			return false;
	return true;
}

bool recording_next(struct recording *recording)
{
	recording->at = recording->end;
	if (read_snapshot(recording)) {
		recording->nr++;
		return true;
	}
	/* A file that ends here is complete. */
	recording->cut &= recording->end > recording->at;
	recording->broken = !recording->cut && recording->end > recording->at;
	return false;
}
