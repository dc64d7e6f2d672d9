/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Recordings: a value with its estimate as whole numbers, which recording.h describes. */
#ifndef N3REC_RECORDING_CELL_H
#define N3REC_RECORDING_CELL_H

#include <stdint.h>
#include <stdio.h>

#include "libn3telemetry/values.h"

enum recording_kind {
	KIND_SAME = 0,			/* as in the snapshot before */
	KIND_NUMBER = 0x01,
	KIND_QUALITY = 0x02,		/* coverage and slices */
	KIND_RANGE = 0x04,
	KIND_ESTIMATE = 0x08,		/* which is not the value */
	KIND_ESTIMATE_RANGE = 0x10,
	KIND_TEXT = 0x20,		/* another word than before */
	KIND_DECIMALS = 0xe0,		/* of a number; so KIND_TEXT is none of them */
};

#define KIND_DECIMALS_SHIFT	5
#define KIND_MAX_DECIMALS	7

enum recording_part {
	PART_NUMBER,
	PART_VALUE,
	PART_HALF,
	PART_ESTIMATE_HALF,
	PART_COVERAGE,
	PART_SLICES,
	NR_PARTS,
};

/* What a part is written less: nothing, what it was, or that and what its neighbour rose by. */
enum recording_less { LESS_NOTHING, LESS_BEFORE, LESS_DRIFT };

extern const struct recording_part_info {
	enum recording_kind of;		/* the cells that have it */
	enum recording_less less;
} recording_parts[NR_PARTS];

#define CELL_TEXT	(8 * VALUE_TEXT)

/* Parts that a cell does not have stay what they were. */
struct recording_cell {
	unsigned char kind;
	int64_t part[NR_PARTS];
	char *text;			/* of one that is no number; NULL is NO_VALUE */
};

static inline bool recording_cell_has(unsigned char kind, enum recording_part part)
{
	return kind & recording_parts[part].of;
}

static inline bool recording_kind_has_text(unsigned char kind)
{
	return !(kind & KIND_NUMBER) && kind & KIND_TEXT;
}

/* Return: how the cell is written behind what it was, which becomes the cell. */
unsigned char recording_cell_take(struct recording_cell *cell, const struct value *value,
				  const struct value *estimate);
/* Whether its kind is one, and its parts are numbers that a double holds. */
bool recording_cell_is_sane(const struct recording_cell *cell);
/* Of a cell that is a number. */
struct value recording_cell_value(const struct recording_cell *cell);
struct value recording_cell_estimate(const struct recording_cell *cell);
/* Sets coverage and slices, if the cell has them. */
void recording_cell_quality(struct value *value, const struct recording_cell *cell);
/* As report --text has it; parsing changes the text. Return: whether it is a cell. */
bool recording_cell_parse(struct value *value, char *text, bool *estimated);
void recording_print_value(FILE *out, const struct value *value, const struct value *estimate);
void recording_print_cell(FILE *out, const struct recording_cell *cell);

#endif
