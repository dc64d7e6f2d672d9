/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reader of snapshots, which recording.h describes. */
#ifndef N3REC_RECORDING_PACKED_H
#define N3REC_RECORDING_PACKED_H

#include <stdint.h>

#include "recording.h"
#include "recording_cell.h"

/* The file position is after the columns; crc covers everything before. */
struct recording_packed *recording_packed_new(const struct recording *recording, uint32_t crc);
void recording_packed_free(struct recording_packed *packed);
bool recording_next_packed(struct recording *recording);
/* Return: the file offset of the last snapshot, even if read only in part. */
unsigned long long recording_packed_at(const struct recording_packed *packed);
/* Whether a place is unchanged in the current snapshot. */
bool recording_packed_is_same(const struct recording *recording, size_t place);
/* The cell in the current snapshot, NULL if it has always been NO_VALUE. */
const struct recording_cell *recording_packed_cell(const struct recording *recording,
						   size_t place, size_t column);

#endif
