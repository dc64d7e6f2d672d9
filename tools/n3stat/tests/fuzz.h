/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The fuzzer: random numbers, texts that are almost right, files in memory. */
#ifndef N3STAT_FUZZ_H
#define N3STAT_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

unsigned int fuzz_below(unsigned int limit);

/* Changes a text in place or in size; *text stays NUL-terminated, not in the middle. */
void fuzz_mutate(char **text, size_t *size);
/* A text to be written, which is there when the file is closed; to be freed. */
FILE *fuzz_begin(char **text, size_t *size);
const char *fuzz_word(void);
void fuzz_number(FILE *out);
/* A group's file or its quality; to be freed. */
char *fuzz_file_make(const char *file, bool quality);

/*
 * The files that there are, by whole paths without the first '/': freed, one added,
 * and all made anew, those of the module or those of a machine.
 */
#define FUZZ_MODULE	"sys/kernel/n3_telemetry"

void fuzz_tree_clear(void);
void fuzz_tree_add(char *path, char *text);
void fuzz_tree_make(void);
void fuzz_machine_make(void);
/* Processes, besides what there is. */
void fuzz_proc_make(void);

/* A recording of SPE, almost right, and what reads one. */
void fuzz_spe(void);

/* A baseline that is almost right, and what reads one. */
void fuzz_baseline(void);

/* A screen of any size for top, and who presses its keys. */
void fuzz_screen_make(void);

/* A recording, almost right; to be freed. Of lines of text, and compressed. */
char *fuzz_recording_make(size_t *size);
char *fuzz_packed_make(size_t *size);

#endif
