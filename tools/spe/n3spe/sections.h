/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Sections behind the data of a perf.data file, and its list of build IDs. */
#ifndef N3SPE_SECTIONS_H
#define N3SPE_SECTIONS_H

#include "file.h"

struct spe_section {
	uint64_t offset, size;
};

/* Reads the sections whose bits, of @nr, are set. */
void spe_sections_read(struct spe_file *file, const uint64_t *bits, unsigned int nr);

/* @name: of a file or the kernel */
typedef void (*spe_build_id_fn)(const char *name, const uint8_t *build_id, size_t size,
				void *context);
void spe_build_ids_each(const struct spe_file *file, spe_build_id_fn fn, void *context);

#endif
