/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Sequential reader of the chunks of a recording, with a few kilobytes of memory. Damage ends the
 * file or, when salvaging, is skipped up to the next chunk.
 */
#ifndef N3SPE_FILE_H
#define N3SPE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "format.h"

/**
 * struct spe_file - an open file
 * @fd: descriptor
 * @name: for messages
 * @size: in bytes
 * @at: position of the next byte
 * @body_end: end of the current chunk's body
 * @next: start of the next chunk
 * @skipped: bytes outside chunks
 * @damaged: places with such bytes
 * @damaged_at: the first one
 * @is_bare: not a recording, only the bytes of an AUX buffer
 * @is_cut: ends inside a chunk, at @damaged_at
 * @salvage: continue after damage
 */
struct spe_file {
	int fd;
	const char *name;
	uint64_t size, at, body_end, next;
	uint64_t skipped, damaged, damaged_at;
	bool is_bare, is_cut, salvage;
};

/* Exits if the file is unreadable, or of another known kind. */
void spe_file_open(struct spe_file *file, const char *name);
void spe_file_close(struct spe_file *file);
/* Back to the first chunk. */
void spe_file_rewind(struct spe_file *file);

/* Return: false at the end; the chunk's body is read next. */
bool spe_file_next(struct spe_file *file, struct spe_chunk *chunk);

/* Creates an output file; refuses to overwrite the recording. */
FILE *spe_file_create(const struct spe_file *file, const char *name, const char *what);
/* Warns on stderr if the file is truncated or damaged. */
void spe_file_warn(const struct spe_file *file);

/* The rest of the chunk's body, at most @size bytes. Return: number of bytes, 0 at its end. */
size_t spe_file_read(struct spe_file *file, void *buf, size_t size);
/* A complete header in the body. Return: false if the body is too short. */
bool spe_file_read_all(struct spe_file *file, void *buf, size_t size);
/* The rest of the chunk's body, NUL-terminated; the caller frees it. */
char *spe_file_read_text(struct spe_file *file, size_t *size);

#endif
