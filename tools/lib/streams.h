/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Standard streams. */
#ifndef LIB_STREAMS_H
#define LIB_STREAMS_H

#include <stdio.h>

/* Opens closed descriptors among 0 to 2, so that no file gets one of their numbers. */
void streams_open(void);
/* atexit() handler: a failed write to the output of any command is an error. */
void streams_close(void);
/* Exits if that fails; the error names the standard output. */
void flush_output(FILE *out);
/* The same for another file. */
void flush_file(FILE *out, const char *name);

#endif
