/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest --output: a complete report replaces an older one atomically. */
#ifndef N3CHECK_SELFTEST_OUTPUT_H
#define N3CHECK_SELFTEST_OUTPUT_H

/* Exits unless the file can be written; changes nothing. */
void selftest_check_output(const char *path);
/* Writes the file with mode 0600; exits on failure. */
void selftest_write(const char *path, const char *text);

#endif
