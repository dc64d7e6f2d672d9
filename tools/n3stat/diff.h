/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What changed from one recording to another. */
#ifndef N3STAT_DIFF_H
#define N3STAT_DIFF_H

#include "summary.h"

/* Of a place, NULL for the system. Ends the program if one has no such place. */
void diff_print(const struct recording *a, const struct summary *sa, const struct recording *b,
		const struct summary *sb, const char *place);

#endif
