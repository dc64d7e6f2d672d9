/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reader of a recording's snapshots, whose format recording.h describes. */
#ifndef N3REC_RECORDING_PACKED_H
#define N3REC_RECORDING_PACKED_H

#include <stdint.h>
#include <stdio.h>

#include "libn3telemetry/values.h"

struct recording_packed;

/* Estimates of a place in the current snapshot; missing ones are NO_VALUE. */
struct recording_row {
	struct value *v;
	size_t nr;
};

/* State after the last snapshot. */
struct recording_state {
	double time;
	bool estimated;			/* estimates other than the values were read */
	bool cut;			/* the last snapshot is truncated */
	bool broken;			/* the file is damaged */
};

/* The file position is @head, after the columns; crc covers everything before. */
struct recording_packed *recording_packed_new(FILE *file, size_t nr_places, size_t nr_columns,
					      unsigned long long head, uint32_t crc);
void recording_packed_free(struct recording_packed *packed);
/*
 * Updates the row of each place, whose values the caller frees, and the state. Return: false
 * after the last complete snapshot.
 */
bool recording_packed_next(struct recording_packed *packed, struct recording_row *rows,
			   struct recording_state *state);
/* Return: the file offset of the last snapshot, even if read only in part. */
unsigned long long recording_packed_at(const struct recording_packed *packed);

#endif
