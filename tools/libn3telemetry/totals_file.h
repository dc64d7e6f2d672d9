/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Files of the module's totals. */
#ifndef LIBN3TELEMETRY_TOTALS_FILE_H
#define LIBN3TELEMETRY_TOTALS_FILE_H

#include "source.h"

/* Of a place. */
#define TOTALS_DIRECTORY	"counters"

#define TOTAL_KEY	96	/* room for any key */

/* Sets the key of a metric's total. Return: false if it has none with this index. */
bool total_key(int metric, unsigned int index, char key[TOTAL_KEY]);
/* Whether the totals of a metric are those of its group, in slots, by enum n3t_slots. */
bool total_is_of_slots(int metric);
/* Keys of Topdown_L1 without a replicate. Return: NULL after the last one. */
const char *total_slots_key(size_t index);
/* Whether its event counts cycles, each of which has the slots of the core. */
bool total_is_in_cycles(size_t index);
/* These slots, by the file "spec", which lacks them if the PMU was named. Return: 0 if unknown. */
unsigned int total_slots_per_cycle(const char *spec);
/* Number of the event of such a total. */
unsigned int total_slots_code(unsigned int index);
/* Replicates of Topdown_L1: the same totals over groups of slices. */
#define REPLICATES_FILE		"topdown_l1.replicates"

/*
 * Sets the key of a replicate's total, with the index of Topdown_L1's; after the last of these,
 * that of its number of slices. Return: false if there is none with this index, and after the last
 * replicate.
 */
bool total_replicate_key(unsigned int replicate, unsigned int index, char key[TOTAL_KEY]);

/*
 * Reads a file as source_read() does; *text is NULL if it does not exist. Return: false after an
 * error of the source.
 */
bool totals_file_read(struct source *source, const char *place, const char *file,
		      const char **text);
/*
 * Takes a total from this text, modulo 2^64; *known is cleared if its key, or the text, is absent.
 * Return: false if it is not a number.
 */
bool total_take(struct source *source, const char *text, const char *key,
		unsigned long long *total, bool *known);

#endif
