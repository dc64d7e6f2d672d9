/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Recordings: writing them, in the format that recording.h describes. */
#ifndef N3STAT_RECORDING_WRITER_H
#define N3STAT_RECORDING_WRITER_H

#include <stdio.h>

#include "snapshot.h"

struct recording_writer {
	FILE *file;
	char **last;		/* the line of each place before */
	size_t nr_places;
	unsigned long long bytes;
};

/* Ends the program when writing fails. */
void recording_begin(struct recording_writer *writer, const struct choice *choice);
void recording_write_about(struct recording_writer *writer, const char *key, const char *value);
void recording_add(struct recording_writer *writer, const struct snapshot *snapshot,
		   const struct choice *choice);
void recording_end(struct recording_writer *writer);

#endif
