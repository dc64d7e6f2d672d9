/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest --apply: the setting distrust. */
#ifndef N3STAT_SELFTEST_APPLY_H
#define N3STAT_SELFTEST_APPLY_H

#include <stdio.h>

#include "selftest_report.h"

/* Ends the program unless the setting can be written. */
void selftest_check_setting(const char *root);
/* Writes it, and says so; ends the program if that fails. */
void selftest_apply(const struct selftest_report *report, const char *root, FILE *out);

#endif
