/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Recordings as lines of text. */
#ifndef N3REC_RECORDING_PRINT_H
#define N3REC_RECORDING_PRINT_H

#include <stdio.h>

#include "recording.h"

/* Of one that was opened and not read: all of its snapshots, nothing if there are none. */
void recording_print(FILE *out, struct recording *recording);

#endif
