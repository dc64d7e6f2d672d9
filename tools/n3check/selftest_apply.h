/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest --apply: the setting distrust. */
#ifndef N3CHECK_SELFTEST_APPLY_H
#define N3CHECK_SELFTEST_APPLY_H

#include <stdio.h>

#include "selftest_report.h"

/* Exits unless the setting is writable. */
void selftest_check_setting(const char *root);
/* Writes the setting and reports the change; exits on failure. */
void selftest_apply(const struct selftest_report *report, const char *root, FILE *out);

#endif
