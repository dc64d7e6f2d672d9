/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Source lines from a program's debug information. */
#ifndef N3SPE_LINES_H
#define N3SPE_LINES_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

struct spe_lines;

/* Return: NULL if neither has debug information; @debug may be NULL. */
struct spe_lines *spe_lines_open(Elf *elf, Elf *debug);
void spe_lines_close(struct spe_lines *lines);

/* Return: whether the line is known. The name is valid until @lines is closed. */
bool spe_lines_find(struct spe_lines *lines, uint64_t address, const char **file, int *line);

#endif
