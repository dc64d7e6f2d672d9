/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The chunks of a recording, one after the other, in a few kilobytes of memory. What is
 * damaged ends the file, or is skipped up to the next chunk when salvaging.
 */
#ifndef N3STAT_SPE_FILE_H
#define N3STAT_SPE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "spe_format.h"

/**
 * struct spe_file - a file that is open
 * @fd: of it
 * @name: for messages
 * @size: in bytes
 * @at: where the next byte is read
 * @body_end: where the body of the current chunk ends
 * @next: where the next chunk starts
 * @skipped: bytes that belong to no chunk
 * @damaged: places with such bytes
 * @damaged_at: the first one
 * @is_bare: no recording: bytes of an AUX buffer and nothing else
 * @is_cut: ends inside a chunk, at @damaged_at
 * @salvage: go on after damage
 */
struct spe_file {
	int fd;
	const char *name;
	uint64_t size, at, body_end, next;
	uint64_t skipped, damaged, damaged_at;
	bool is_bare, is_cut, salvage;
};

/* Dies if there is nothing to be read, or a file of another kind that is known. */
void spe_file_open(struct spe_file *file, const char *name);
void spe_file_close(struct spe_file *file);
/* To the first chunk again. */
void spe_file_rewind(struct spe_file *file);

/* Return: whether there is one more chunk; its body is read next. */
bool spe_file_next(struct spe_file *file, struct spe_chunk *chunk);

/* Another file, which is not to be the recording itself. */
FILE *spe_file_create(const struct spe_file *file, const char *name, const char *what);
/* On stderr: that the file is cut or damaged, if it is. */
void spe_file_warn(const struct spe_file *file);

/* What is left of the chunk's body, at most @size bytes. Return: how many, 0 at its end. */
size_t spe_file_read(struct spe_file *file, void *buf, size_t size);
/* All of a header in the body. Return: whether it is there. */
bool spe_file_read_all(struct spe_file *file, void *buf, size_t size);
/* The rest of the chunk's body with a 0 after it, to be freed. */
char *spe_file_read_text(struct spe_file *file, size_t *size);

#endif
