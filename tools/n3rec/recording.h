/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Recordings: files of snapshots over time. A file starts with lines of text:
 *
 *	n3stat-recording 4
 *	about window_ms 2000			any number of these lines
 *	places cpu0 cpu1 system
 *	columns topdown_l1.frontend_bound topdown_l1.backend_bound ...
 *
 * "about covers interval" is there if values are of the time since the snapshot before, which is
 * window_ms long, and not of the module's window. Those that still are have coverage and slices.
 *
 * The lines are followed by snapshots, each of
 *
 *	4 bytes: the size of the compressed data
 *	the compressed data: zlib's raw deflate
 *	4 bytes: zlib's CRC-32 of everything in the file before these
 *
 * Numbers are little-endian. The uncompressed data are:
 *
 *	8 bytes: the time, in milliseconds since 1970
 *	a byte for each cell, i.e. the value of a column at a place, by place:
 *		0	unchanged since the previous snapshot (initially: the word "-")
 *		+1	a number; the upper three bits are its decimals
 *		+2	coverage and slices are known
 *		+4	it has an interval
 *		+8	it has an estimate other than the value
 *		+16	which has an interval
 *		+32	without +1: a new word from the texts; without both: the same word as
 *			before
 *	six parts, each with the numbers of its cells in their order:
 *		1 NUMBER	of +1: the estimate if there is one, otherwise the value
 *		2 VALUE		of +8: the value minus the estimate
 *		3 HALF		of +4: half of the interval's width, as a code
 *		4 HALF		of +16: the same for the estimate
 *		5 COVERAGE	of +2: in 1/100 %
 *		6 SLICES	of +2
 *	the texts: one for each cell with +32 and without +1, each followed by '\n'
 *
 * Numbers, estimates and half widths are integers in units of the last decimal. Numbers and
 * estimates are exact. Intervals are rounded outwards: they are symmetric, and half of one
 * exceeds the inferred one by less than 1/64 of itself or, as those are printed rounded, by
 * up to 2 units. Half widths below 128 are their own codes; above, 64 codes divide each
 * power of two evenly: with s = code / 64 - 1, rounded down, the half width is
 * (code - 64 s) 2^s.
 *
 * Each is stored as the difference from the cell's last one (initially 0); differences 0, -1, 1,
 * -2, ... as 0, 1, 2, 3, ... A part without cells is empty. Otherwise it is a byte n, the lowest
 * bytes of all its numbers, all second bytes, and so on up to n bytes of each.
 *
 * A text is a word, or a number that the parts cannot represent.
 *
 * Columns of the group "rates" hold what rates.h computes: utilisation, frequency, instructions
 * per second.
 *
 * "about who pid 4711, comm make" names processes. The column rates.theirs is the percentage of
 * time in which a CPU ran them since the snapshot before; of several CPUs the mean.
 *
 * A truncated last snapshot is ignored.
 */
#ifndef N3REC_RECORDING_H
#define N3REC_RECORDING_H

#include <stdint.h>
#include <stdio.h>
#include <zlib.h>

#include "libn3telemetry/snapshot.h"
#include "recording_cell.h"

#define RECORDING_DEFAULT	"n3stat.rec"
#define RECORDING_NAME		"n3stat-recording "
#define RECORDING_MAGIC		RECORDING_NAME "4\n"
#define RECORDING_MAX_COLUMNS	1024
#define RECORDING_MAX_CELLS	2000000
#define RECORDING_MAX_ABOUT	16
#define RECORDING_MAX_LINE	1000000

struct recording_column {
	char group[VALUE_NAME];
	char name[VALUE_NAME];
	int metric;
	const char *unit;
	const char *short_unit;
};

/* Estimates of a place in the current snapshot; missing ones are NO_VALUE. */
struct recording_row {
	struct value *v;
	size_t nr;
};

struct recording {
	FILE *file;
	char *name;			/* of the file, printable */
	struct {
		char *key;
		char *value;
	} about[RECORDING_MAX_ABOUT];
	size_t nr_about;
	struct places places;
	struct recording_column *columns;
	size_t nr_columns;
	struct recording_row *rows;
	double time;
	size_t nr;			/* snapshots read so far */
	bool estimated;			/* estimates other than the values were read */
	bool cut;			/* the last snapshot is truncated */
	bool broken;			/* the file is damaged */
	unsigned long long at;		/* offset of the last snapshot, even if read only in part */
	unsigned long long end;		/* offset of what follows */
	uint32_t crc;			/* of everything before */
	unsigned long line;		/* number of the current line before the snapshots */
	char *text;			/* the line */
	struct recording_packed *packed;
};

/* Exits if the file cannot be read or is not a recording. */
void recording_open(struct recording *recording, const char *name);
/* Return: false after the last complete snapshot. */
bool recording_next(struct recording *recording);
void recording_close(struct recording *recording);

/* State of recording_next(), for this number of cells. */
struct recording_packed *recording_packed_new(size_t nr_cells);
void recording_packed_free(struct recording_packed *packed);

const char *recording_about(const struct recording *recording, const char *key);
/*
 * Return: the place; for NULL the system if recorded, otherwise the first place. Exits if it was
 * not recorded.
 */
size_t recording_place(const struct recording *recording, const char *name);
/* Return: the column, or -1. */
int recording_find(const struct recording *recording, const char *group, const char *name);
/* Return: the first column of this metric in any group, or -1. */
int recording_find_values(const struct recording *recording, const char *name);
/* A metric of several groups is shown once. */
bool recording_is_first(const struct recording *recording, size_t column);
/* Return: the estimate in the current snapshot, the value if it has none, or NULL. */
const struct value *recording_value(const struct recording *recording, size_t place,
				    size_t column);

struct recording_writer {
	FILE *file;
	const char *name;
	unsigned long long bytes;
	uint32_t crc;			/* of all parts */
	struct recording_cell *cells;	/* from the previous snapshot, by place and column */
	size_t nr_cells;
	unsigned char *kinds;
	uint64_t *numbers[NR_PARTS];
	size_t nr_numbers[NR_PARTS];
	unsigned char *plane;
	z_stream z;
	unsigned char *out;		/* compressed snapshot */
	size_t room;
};

/* All exit if writing fails; the error has the name, which must stay valid. */
void recording_begin(struct recording_writer *writer, FILE *file, const char *name);
void recording_write_about(struct recording_writer *writer, const char *key, const char *value);
void recording_write_columns(struct recording_writer *writer, const struct choice *choice);
/* @snapshot is of the columns' choice. */
void recording_add(struct recording_writer *writer, const struct snapshot *snapshot);
void recording_end(struct recording_writer *writer);

#endif
