/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Header and events of a perf.data file. */
#ifndef N3SPE_HEADER_H
#define N3SPE_HEADER_H

#include "file.h"

/* Reads all but the records. Exits unless it is a perf.data file that can be read. */
void spe_file_open(struct spe_file *file, const struct spe_input *input);

#endif
