/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Computation of baselines from recordings. */
#ifndef N3REC_BASELINE_MAKE_H
#define N3REC_BASELINE_MAKE_H

#include "cli/baseline.h"

/* Exits if a recording cannot be read or does not match the others. */
void baseline_make(struct baseline *baseline, char **recordings, size_t nr);

#endif
