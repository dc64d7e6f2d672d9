/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Means and errors of a recording as a table of text. */
#ifndef N3REC_TABLE_H
#define N3REC_TABLE_H

#include "summary.h"

void table_print(const struct recording *recording, const struct summary *summary, size_t place);

#endif
