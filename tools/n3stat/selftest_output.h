/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest --output: a report that takes the place of an older one when it is whole. */
#ifndef N3STAT_SELFTEST_OUTPUT_H
#define N3STAT_SELFTEST_OUTPUT_H

/* Ends the program unless the file can be written; changes nothing. */
void selftest_check_output(const char *path);
/* Writes it, for nobody else to read; ends the program if that fails. */
void selftest_write(const char *path, const char *text);

#endif
