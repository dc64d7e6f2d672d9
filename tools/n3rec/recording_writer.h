/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Writer of recordings, in the format described by recording.h. */
#ifndef N3REC_RECORDING_WRITER_H
#define N3REC_RECORDING_WRITER_H

#include <stdio.h>
#include <zlib.h>

#include "libn3telemetry/snapshot.h"
#include "recording_cell.h"

struct recording_writer {
	FILE *file;
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

/* All exit if writing fails. */
void recording_begin(struct recording_writer *writer, FILE *file);
void recording_write_about(struct recording_writer *writer, const char *key, const char *value);
void recording_write_columns(struct recording_writer *writer, const struct choice *choice);
/* @snapshot is of the columns' choice. */
void recording_add(struct recording_writer *writer, const struct snapshot *snapshot);
void recording_end(struct recording_writer *writer);

#endif
