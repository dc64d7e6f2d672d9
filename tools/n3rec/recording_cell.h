/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Cells of recordings: a value and its estimate as integers; see recording.h. */
#ifndef N3REC_RECORDING_CELL_H
#define N3REC_RECORDING_CELL_H

#include <stdint.h>

#include "libn3telemetry/values.h"

enum recording_kind {
	KIND_SAME = 0,			/* same as in the previous snapshot */
	KIND_NUMBER = 0x01,
	KIND_QUALITY = 0x02,		/* coverage and slices */
	KIND_RANGE = 0x04,
	KIND_ESTIMATE = 0x08,		/* an estimate other than the value */
	KIND_ESTIMATE_RANGE = 0x10,
	KIND_TEXT = 0x20,		/* a new word */
	KIND_DECIMALS = 0xe0,		/* of a number; distinct from KIND_TEXT */
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

/* The kinds of cells that have the part. */
extern const unsigned char recording_parts[NR_PARTS];

/* Parts that the current cell lacks keep their last number. */
struct recording_cell {
	unsigned char kind;
	int64_t part[NR_PARTS];
	char *text;			/* of a cell without a number; NULL is NO_VALUE */
};

static inline bool recording_cell_has(unsigned char kind, enum recording_part part)
{
	return kind & recording_parts[part];
}

static inline bool recording_kind_has_text(unsigned char kind)
{
	return !(kind & KIND_NUMBER) && kind & KIND_TEXT;
}

/* Updates the cell. Return: its kind relative to the previous one. */
unsigned char recording_cell_take(struct recording_cell *cell, const struct value *value,
				  const struct value *estimate);
/*
 * Sets the estimate, or the value if the cell has none; a number has no text. Return: false if the
 * cell is damaged.
 */
bool recording_cell_value(struct value *value, const struct recording_cell *cell);

#endif
