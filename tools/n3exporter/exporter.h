/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The series of this machine as text, and the outputs that write it. */
#ifndef N3EXPORTER_EXPORTER_H
#define N3EXPORTER_EXPORTER_H

#include "exposition.h"
#include "files.h"
#include "lib/errors.h"
#include "libn3telemetry/places.h"

/* Selection of series, constant while the program runs. */
struct selection {
	enum scope per;
	bool errors;		/* Topdown_L1 by replicate, if the module has replicates */
	bool *groups;		/* of the catalog, in addition to Topdown_L1 */
	unsigned long max_series;
	bool is_virtual;	/* the machine */
};

struct access;
struct container_series;

struct exporter {
	struct selection selection;
	struct exposition exposition;
	struct files files;
	struct container_series *containers;	/* NULL without --containers */
	const struct error_kind *reported;	/* error of the previous read, or NULL */
};

/*
 * Reads the series from the module's totals and returns their text, which the caller frees, with a
 * warning about each new file that is unreadable. *ok: false after an error, also if there are too
 * many series or no file of totals is readable; then the text has "up 0", and the source has the
 * error.
 */
char *exporter_read(struct exporter *exporter, size_t *len, bool *ok);
/* The same, with a warning about each new error. */
char *exporter_read_and_warn(struct exporter *exporter, size_t *len, bool *ok);

/*
 * Serves clients of a listening socket over HTTP until a signal, in one thread. Frees @access,
 * which is NULL without --web.config.file.
 */
void server_run(struct exporter *exporter, int listener, struct access *access);

/*
 * Files for the textfile collector of node_exporter. The first writes one and exits if that fails
 * or the series cannot be read; the second writes it every @interval seconds until a signal, after
 * which it has "up 0".
 */
void textfile_once(struct exporter *exporter, const char *name);
void textfile_run(struct exporter *exporter, const char *name, double interval);

#endif
