/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Source lines of addresses, from .debug_line. Unlike in libdw, the rows of one sequence stay
 * together, and neither .debug_aranges nor the ranges of units are needed.
 */
#ifndef N3SPE_LINES_H
#define N3SPE_LINES_H

#include <elfutils/libdw.h>

#include "spans.h"

struct spe_lines;

/**
 * spe_lines_open() - opens a section .debug_line, which is read by the first look-up
 * @bytes: the section, little-endian, valid until @lines is closed
 * @dwarf: names of files; NULL for none
 * @segments: sequences outside of the executable ones are of code that the linker dropped
 * @shift: from addresses of segments to those of lines
 */
struct spe_lines *spe_lines_open(const void *bytes, size_t size, Dwarf *dwarf,
				 const struct spe_segments *segments, uint64_t shift);
void spe_lines_close(struct spe_lines *lines);

/* Return: whether the line is known. *file: valid until the Dwarf ends; NULL without a Dwarf. */
bool spe_lines_find(struct spe_lines *lines, uint64_t address, const char **file, int *line);

#endif
