/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Output file of record. */
#ifndef N3REC_RECORD_OUTPUT_H
#define N3REC_RECORD_OUTPUT_H

#include <stdio.h>

/*
 * Opens the file, or stdout if its name is "-". A regular file with contents is renamed to
 * NAME.old before. Exits if it cannot be opened, or if another recorder writes to it.
 */
FILE *record_output_open(const char *name);

#endif
