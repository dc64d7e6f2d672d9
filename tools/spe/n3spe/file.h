/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Sequential reader of the chunks of a recording, with a few kilobytes of memory. Damage ends the
 * file or, when salvaging, is skipped up to the next chunk.
 */
#ifndef N3SPE_FILE_H
#define N3SPE_FILE_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "format.h"

struct output;

/* Arguments of commands that read a file. */
struct spe_input {
	const char *name;
	bool salvage;		/* continue after damage */
};

enum { SPE_OPTION_SALVAGE = 512 };

/* Parses FILE and --salvage; exits unless there is one FILE. */
error_t spe_input_parse(struct spe_input *input, int key, char *arg, const char *command);

struct spe_file {
	struct spe_input input;
	int fd;
	uint64_t size;
	uint64_t at;			/* position of the next byte */
	uint64_t body_end;		/* of the current chunk */
	uint64_t next;			/* start of the next chunk */
	uint64_t skipped;		/* bytes outside chunks */
	uint64_t damaged, damaged_at;	/* places with such bytes, and the first one */
	bool is_bare;			/* not a recording, only the bytes of an AUX buffer */
	bool is_cut;			/* ends inside a chunk, at @damaged_at */
};

/* Exits if the file is unreadable, or of another known kind. */
void spe_file_open(struct spe_file *file, const struct spe_input *input);
void spe_file_close(struct spe_file *file);
/* Back to the first chunk. */
void spe_file_rewind(struct spe_file *file);

/* Return: false at the end; the chunk's body is read next. */
bool spe_file_next(struct spe_file *file, struct spe_chunk *chunk);

/* Opens an output file, or stdout if @name is NULL; refuses to overwrite the recording. */
void spe_file_create(const struct spe_file *file, const char *name, const char *what,
		     struct output *output);
/* Warns on stderr if the file is truncated or damaged. */
void spe_file_warn(const struct spe_file *file);

/* The rest of the chunk's body, at most @size bytes. Return: number of bytes, 0 at its end. */
size_t spe_file_read(struct spe_file *file, void *buf, size_t size);
/* A complete header in the body. Return: false if the body is too short. */
bool spe_file_read_all(struct spe_file *file, void *buf, size_t size);
/* The rest of the chunk's body, NUL-terminated; the caller frees it. */
char *spe_file_read_text(struct spe_file *file);

#endif
