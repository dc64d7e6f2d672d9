/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The series of this machine as text, for all outputs. */
#ifndef N3EXPORTER_EXPORTER_H
#define N3EXPORTER_EXPORTER_H

#include "collect.h"
#include "libn3telemetry/source.h"

struct exporter {
	struct source *source;
	struct selection selection;
	struct exposition exposition;
	const struct error_kind *reported;	/* error of the previous read, or NULL */
};

/*
 * Reads the series and returns their text, which the caller frees. *ok: whether they were read; if
 * not, the text has "up 0", and the source has the error.
 */
char *exporter_read(struct exporter *exporter, size_t *len, bool *ok);
/* The same, with a warning about each new error. */
char *exporter_read_and_warn(struct exporter *exporter, size_t *len, bool *ok);

#endif
