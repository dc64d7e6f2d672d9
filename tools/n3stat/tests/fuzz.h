/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The fuzzer: random numbers, texts that are almost right, a tree in memory. */
#ifndef N3STAT_FUZZ_H
#define N3STAT_FUZZ_H

#include <stddef.h>
#include <stdio.h>

unsigned int fuzz_below(unsigned int limit);

/* Changes a text in place or in size; *text stays NUL-terminated, not in the middle. */
void fuzz_mutate(char **text, size_t *size);
void fuzz_number(FILE *out);

/* The tree that source_read() and source_list() show: anew, added to, freed. */
void fuzz_tree_clear(void);
void fuzz_tree_add(char *path, char *text);
void fuzz_tree_make(void);

/* A recording, almost right; to be freed. */
char *fuzz_recording_make(size_t *size);

#endif
