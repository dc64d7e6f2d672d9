/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Recordings: snapshots over time in a file. It begins with lines of text:
 *
 *	n3stat-recording 2
 *	about window_ms 2000			any number of such lines
 *	places cpu0 cpu1 system
 *	columns topdown_l1.frontend_bound topdown_l1.backend_bound ...
 *
 * Behind them stand snapshots, each of
 *
 *	4 bytes: how many bytes follow, without the last 4
 *	what zlib calls raw deflate
 *	4 bytes: the CRC-32 (zlib's) of all that stands in the file before these
 *
 * Numbers of several bytes have the lowest first. Uncompressed it is:
 *
 *	8 bytes: when, in milliseconds since 1970
 *	a byte for each cell, which is a value of a column at a place, place by place:
 *		0	the cell is as in the snapshot before (at first: the word "-")
 *		+1	it is a number; the upper three bits are its decimals
 *		+2	coverage and slices are known
 *		+4	it has an interval
 *		+8	it has an estimate that is not the value
 *		+16	which has an interval
 *		+32	without +1: it is a word, which stands in the texts; with neither it
 *			is the word that it was
 *	six parts, each with numbers of those cells that have one, in their order:
 *		1 NUMBER	of +1: the estimate where there is one, otherwise the value
 *		2 VALUE		of +8: the value, less the estimate
 *		3 HALF		of +4: half of the interval's width, as a code
 *		4 HALF		of +16: of that of the estimate
 *		5 COVERAGE	of +2: in 1/100 %
 *		6 SLICES	of +2
 *	the texts: that of each cell with +32 and without +1, and a '\n' behind it
 *
 * Numbers, estimates and half widths are whole: in units of the last decimal. Numbers and
 * estimates are what the module wrote, to the last digit. Intervals are rounded outwards:
 * they are symmetric, and half of one is wider than the module's by less than 1/64 of itself
 * or, as the module shows them rounded, up to 2 units. The code of a half width
 * below 128 is itself; above, 64 codes lie evenly between each power of two and the next:
 * with s = code / 64 - 1, rounded down, it is (code - 64 s) 2^s.
 *
 * All but VALUE are written less what they were when the cell last had them (0 at first);
 * COVERAGE and SLICES also less the rise, between these two, of the cell before at this
 * place that has some in this snapshot. So are differences, 0, -1, 1, -2, ... as 0, 1, 2,
 * 3, ... A part without cells is nothing. Otherwise it is a byte n, the lowest bytes of
 * all its numbers, all second bytes, and so on: n of each.
 *
 * A text is what n3stat report --text prints for a cell. It prints, behind the lines of text:
 *
 *	t 1763772001.125			a snapshot: when,
 *	0 21.3174:20.1:22.5:48.75:24 idle	a line for each place: value, or
 *	1 =					value:low:high:coverage:slices,
 *	end					or = for what it was before
 *
 * An estimate that is not the value stands behind it, with its own interval, as in
 * 21.3174:20.1:22.5:48.75:24:21.2106:20.9:21.5. A row may be shorter than the columns.
 *
 * Columns of the group "bottleneck" are no metrics but words: what bottleneck_file.h
 * keeps of the module's path down the tree.
 *
 * A snapshot without its end was cut off and does not count; all before it do.
 */
#ifndef N3REC_RECORDING_H
#define N3REC_RECORDING_H

#include <stdio.h>

#include "libn3telemetry/snapshot.h"

#define RECORDING_MAGIC		"n3stat-recording 2\n"
#define RECORDING_TEXT_MAGIC	"n3stat-recording 1\n"	/* of report --text */
#define RECORDING_MAX_COLUMNS	1024
#define RECORDING_MAX_CELLS	2000000
#define RECORDING_MAX_ABOUT	16
#define RECORDING_MAX_LINE	1000000

struct recording_column {
	char group[VALUE_NAME];
	char name[VALUE_NAME];
	int metric;
	const char *unit;
};

/* One place's estimates in the current snapshot; what is missing is NO_VALUE. */
struct recording_row {
	struct value *v;
	size_t nr;
};

struct recording_packed;

struct recording {
	FILE *file;
	char *name;			/* of the file, to be shown */
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
	bool estimated;			/* there were estimates that are not the values */
	bool cut;			/* the last snapshot has no end */
	bool broken;			/* something in it is no recording */
	unsigned long line;		/* number of the current line before the snapshots */
	char *text;			/* the line */
	size_t room;
	unsigned long long head;	/* size of these lines in bytes */
	struct recording_packed *packed;
};

/* Ends the program when the file cannot be read or is no recording. */
void recording_open(struct recording *recording, const char *name);
void recording_open_stream(struct recording *recording, FILE *file, const char *name);
/* Return: false behind the last complete snapshot. */
bool recording_next(struct recording *recording);
void recording_close(struct recording *recording);

/* Return: where reading ended, for messages: valid until the next call. */
const char *recording_where(const struct recording *recording);

const char *recording_about(const struct recording *recording, const char *key);
/* The system if it was recorded, else the first place. */
size_t recording_main_place(const struct recording *recording);
/* Return: the column, or -1. */
int recording_column(const struct recording *recording, int metric);
int recording_find(const struct recording *recording, const char *group, const char *name);
/* Return: the first column with values of this metric, of whichever group, or -1. */
int recording_find_values(const struct recording *recording, const char *name);
/* Return: the estimate in the current snapshot, the value if it has none, or NULL. */
const struct value *recording_value(const struct recording *recording, size_t place,
				    size_t column);
/* Whether it is a column of values, not of the module's path. */
bool recording_has_values(const struct recording *recording, size_t column);

#endif
