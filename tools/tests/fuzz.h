/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The fuzzer: random numbers, nearly valid texts, files in memory. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The inputs of a program; their shares add up to FUZZ_SHARES. */
#define FUZZ_SHARES	32

struct fuzz_kind {
	const char *name;
	unsigned int share;
	void (*try)(void);
};

extern const struct fuzz_kind fuzz_kinds[];
extern const size_t fuzz_nr_kinds;
void fuzz_start(void);

unsigned int fuzz_below(unsigned int limit);

/* Changes the content or size of a text; *text stays NUL-terminated. */
void fuzz_mutate(char **text, size_t *size);
/* Opens a text for writing, complete when the file is closed; the caller frees it. */
FILE *fuzz_begin(char **text, size_t *size);
const char *fuzz_word(void);
void fuzz_number(FILE *out);

/*
 * All files, by full path without the leading '/': free all, add one, and make those of the module
 * or of a machine.
 */
#define FUZZ_MODULE	"sys/kernel/n3_telemetry"

void fuzz_tree_clear(void);
void fuzz_tree_add(char *path, char *text);
/* The same, now and then with a changed text or path. */
void fuzz_add_damaged(char *path, char *text);
void fuzz_tree_make(void);
void fuzz_machine_make(void);
/* Adds processes to the files. */
void fuzz_proc_make(void);
/* All files of n3stat containers. */
void fuzz_containers_make(void);

/* A screen of random size for top, with random keys. */
void fuzz_screen_make(void);

/* A nearly valid recording; the caller frees it. */
char *fuzz_packed_make(size_t *size);

#endif
