/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Text form of recordings. */
#ifndef N3REC_RECORDING_PRINT_H
#define N3REC_RECORDING_PRINT_H

#include <stdio.h>

#include "recording.h"

/* Prints all snapshots of a recording that was opened but not read yet. */
void recording_print(FILE *out, struct recording *recording);

#endif
