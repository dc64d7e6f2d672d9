// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Reader of snapshots, robust against damaged files. It only decompresses the number of bytes
 * that the cells require, so memory is bounded by the number of cells.
 */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "lib/errors.h"
#include "lib/memory.h"
#include "lib/plain.h"
#include "recording_cell.h"
#include "recording_packed.h"

#define CHUNK	65536

struct recording_packed {
	FILE *file;
	z_stream z;
	uint32_t crc;
	uint32_t left;			/* bytes of the snapshot not yet read */
	unsigned long long begin;	/* of the current snapshot */
	unsigned long long at;
	bool cut;
	size_t nr_places;
	size_t nr_columns;
	struct recording_cell **rows;	/* per place, NULL until it has a cell */
	bool *is_set;			/* whether its values have been set from cells */
	unsigned char *kinds;
	uint64_t *numbers;
	size_t room;			/* numbers in both arrays */
	unsigned char *planes;
	unsigned char chunk[CHUNK];
};

struct recording_packed *recording_packed_new(FILE *file, size_t nr_places, size_t nr_columns,
					      unsigned long long head, uint32_t crc)
{
	struct recording_packed *packed = xcalloc(1, sizeof(*packed));

	packed->file = file;
	packed->nr_places = nr_places;
	packed->nr_columns = nr_columns;
	packed->rows = xcalloc(packed->nr_places, sizeof(*packed->rows));
	packed->is_set = xcalloc(packed->nr_places, sizeof(*packed->is_set));
	packed->kinds = xcalloc(packed->nr_places, packed->nr_columns);
	if (inflateInit2(&packed->z, -MAX_WBITS) != Z_OK)
		out_of_memory();
	packed->crc = crc;
	packed->at = head;
	packed->begin = head;
	return packed;
}

static void free_cells(struct recording_packed *packed)
{
	for (size_t place = 0; place < packed->nr_places; place++) {
		for (size_t i = 0; packed->rows[place] && i < packed->nr_columns; i++)
			free(packed->rows[place][i].text);
		free(packed->rows[place]);
		packed->rows[place] = NULL;
		packed->is_set[place] = false;
	}
}

void recording_packed_free(struct recording_packed *packed)
{
	free_cells(packed);
	inflateEnd(&packed->z);
	free(packed->rows);
	free(packed->is_set);
	free(packed->kinds);
	free(packed->numbers);
	free(packed->planes);
	free(packed);
}

static size_t read_bytes(struct recording_packed *packed, void *to, size_t size)
{
	size_t nr = fread(to, 1, size, packed->file);

	packed->cut |= nr < size;
	packed->at += nr;
	return nr;
}

static bool read_word(struct recording_packed *packed, uint32_t *word)
{
	if (read_bytes(packed, word, sizeof(*word)) < sizeof(*word))
		return false;
	*word = le32toh(*word);
	return true;
}

static bool fill(struct recording_packed *packed)
{
	size_t size = packed->left < CHUNK ? packed->left : CHUNK;

	if (!size || read_bytes(packed, packed->chunk, size) < size)
		return false;
	packed->crc = crc32_z(packed->crc, packed->chunk, size);
	packed->left -= (uint32_t)size;
	packed->z.next_in = packed->chunk;
	packed->z.avail_in = (unsigned int)size;
	return true;
}

/* Decompresses up to @size bytes. Return: zlib's status. */
static int inflate_to(struct recording_packed *packed, void *to, size_t size)
{
	z_stream *z = &packed->z;
	int status;

	z->next_out = to;
	z->avail_out = (unsigned int)size;
	/* First without more input, as zlib may hold output back. */
	do
		status = inflate(z, Z_NO_FLUSH);
	while ((status == Z_OK || status == Z_BUF_ERROR) && z->avail_out &&
	       (z->avail_in || fill(packed)));
	return status;
}

/* Return: whether @size bytes were available. */
static bool take(struct recording_packed *packed, void *to, size_t size)
{
	int status = inflate_to(packed, to, size);

	return (status == Z_OK || status == Z_STREAM_END) && !packed->z.avail_out;
}

/* Return: whether both the compressed data and the snapshot end here. */
static bool take_end(struct recording_packed *packed)
{
	unsigned char byte;

	return inflate_to(packed, &byte, 1) == Z_STREAM_END && packed->z.avail_out &&
	       !packed->z.avail_in && !packed->left;
}

static struct recording_cell *row_of(struct recording_packed *packed, size_t place)
{
	if (!packed->rows[place])
		packed->rows[place] = xcalloc(packed->nr_columns, sizeof(**packed->rows));
	return packed->rows[place];
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
static bool take_kinds(struct recording_packed *packed, size_t nr[NR_PARTS])
{
	if (!take(packed, packed->kinds, packed->nr_places * packed->nr_columns))
		return false;
	for (size_t i = 0; i < packed->nr_places * packed->nr_columns; i++) {
		unsigned char kind = packed->kinds[i];

		if (kind == KIND_SAME)
			continue;
		set_kind(&row_of(packed, i / packed->nr_columns)[i % packed->nr_columns], kind);
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

static bool take_numbers(struct recording_packed *packed, size_t nr)
{
	unsigned char nr_planes;

	make_room(packed, nr);
	if (!take(packed, &nr_planes, 1) || nr_planes > sizeof(*packed->numbers))
		return false;
	memset(packed->numbers, 0, nr * sizeof(*packed->numbers));
	for (unsigned char plane = 0; plane < nr_planes; plane++) {
		if (!take(packed, packed->planes, nr))
			return false;
		for (size_t i = 0; i < nr; i++)
			packed->numbers[i] |= (uint64_t)packed->planes[i] << 8 * plane;
	}
	return true;
}

/* Sets a part of the cells of a place that have it. Return: the next number. */
static const uint64_t *give_row(struct recording_packed *packed, enum recording_part part,
				size_t place, const uint64_t *number)
{
	const unsigned char *kinds = &packed->kinds[place * packed->nr_columns];
	uint64_t drift = 0;

	for (size_t i = 0; i < packed->nr_columns; i++) {
		int64_t *value;
		uint64_t before;

		if (!recording_cell_has(kinds[i], part))
			continue;
		value = &packed->rows[place][i].part[part];
		before = recording_parts[part].less == LESS_NOTHING ? 0 : (uint64_t)*value;
		*value = (int64_t)(before + drift + unfold(*number++));
		if (recording_parts[part].less == LESS_DRIFT)
			drift = (uint64_t)*value - before;
	}
	return number;
}

static bool take_part(struct recording_packed *packed, enum recording_part part, size_t nr)
{
	const uint64_t *number;

	if (!nr)
		return true;
	if (!take_numbers(packed, nr))
		return false;
	number = packed->numbers;
	for (size_t place = 0; place < packed->nr_places; place++)
		number = give_row(packed, part, place, number);
	return true;
}

static bool take_text(struct recording_packed *packed, struct recording_cell *cell)
{
	char text[CELL_TEXT];
	size_t len = 0;

	do {
		if (len == sizeof(text) || !take(packed, &text[len], 1))
			return false;
	} while (text[len++] != '\n');
	text[len - 1] = '\0';
	plain_text(text);
	free(cell->text);
	cell->text = xstrdup(text);
	return true;
}

static bool take_texts(struct recording_packed *packed)
{
	for (size_t i = 0; i < packed->nr_places * packed->nr_columns; i++)
		if (recording_kind_has_text(packed->kinds[i]) &&
		    !take_text(packed, &packed->rows[i / packed->nr_columns]
						   [i % packed->nr_columns]))
			return false;
	return true;
}

/* Return: whether the cell is valid. */
static bool set_value(struct value *value, const struct recording_cell *cell, bool *estimated)
{
	char text[CELL_TEXT];

	if (!recording_cell_is_sane(cell))
		return false;
	*estimated |= cell->kind & KIND_ESTIMATE;
	if (cell->kind & KIND_NUMBER) {
		*value = recording_cell_estimate(cell);
		return true;
	}
	snprintf(text, sizeof(text), "%s", cell->text ? cell->text : NO_VALUE);
	if (!recording_cell_parse(value, text, estimated))
		return false;
	recording_cell_quality(value, cell);
	return true;
}

static bool set_row(struct recording_packed *packed, size_t place, struct recording_row *row,
		    bool *estimated)
{
	const unsigned char *kinds = &packed->kinds[place * packed->nr_columns];
	size_t nr = packed->nr_columns;

	if (!packed->rows[place])
		return true;
	if (!row->v)
		row->v = xcalloc(nr, sizeof(*row->v));
	for (size_t i = 0; i < nr; i++)
		if ((kinds[i] != KIND_SAME || !packed->is_set[place]) &&
		    !set_value(&row->v[i], &packed->rows[place][i], estimated))
			return false;
	packed->is_set[place] = true;
	while (nr > 0 && !strcmp(row->v[nr - 1].text, NO_VALUE))
		nr--;
	row->nr = nr;
	return true;
}

/* Decompresses a snapshot. */
static bool take_snapshot(struct recording_packed *packed, uint64_t *time)
{
	size_t nr[NR_PARTS] = { 0 };

	inflateReset(&packed->z);
	packed->z.avail_in = 0;
	if (!take(packed, time, sizeof(*time)) || !take_kinds(packed, nr))
		return false;
	for (enum recording_part part = 0; part < NR_PARTS; part++)
		if (!take_part(packed, part, nr[part]))
			return false;
	return take_texts(packed) && take_end(packed);
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
static bool read_snapshot(struct recording_packed *packed, struct recording_row *rows,
			  struct recording_state *state)
{
	uint32_t word, expected;
	uint64_t time;

	word = htole32(packed->left);
	packed->crc = crc32_z(packed->crc, (unsigned char *)&word, sizeof(word));
	if (!take_snapshot(packed, &time))
		return false;
	expected = packed->crc;
	if (!read_word(packed, &word) || word != expected ||
	    !take_time(&state->time, (double)(int64_t)le64toh(time) / 1000))
		return false;
	word = htole32(word);
	packed->crc = crc32_z(packed->crc, (unsigned char *)&word, sizeof(word));
	for (size_t place = 0; place < packed->nr_places; place++)
		if (!set_row(packed, place, &rows[place], &state->estimated))
			return false;
	return true;
}

bool recording_packed_next(struct recording_packed *packed, struct recording_row *rows,
			   struct recording_state *state)
{
	size_t nr;
	uint32_t size;

	packed->begin = packed->at;
	nr = read_bytes(packed, &size, sizeof(size));
	if (nr == sizeof(size)) {
		packed->left = le32toh(size);
		if (read_snapshot(packed, rows, state))
			return true;
	}
	state->cut = nr && packed->cut;
	state->broken = nr && !packed->cut;
	return false;
}

unsigned long long recording_packed_at(const struct recording_packed *packed)
{
	return packed->begin;
}
