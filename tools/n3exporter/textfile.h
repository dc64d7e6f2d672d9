/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The series in a file, for the textfile collector of node_exporter. */
#ifndef N3EXPORTER_TEXTFILE_H
#define N3EXPORTER_TEXTFILE_H

#include "exporter.h"

/* Writes the file once; exits if that fails or the series cannot be read. */
void textfile_once(struct exporter *exporter, const char *name);
/* Writes the file every @interval seconds until a signal; then it has "up 0". */
void textfile_run(struct exporter *exporter, const char *name, double interval);

#endif
