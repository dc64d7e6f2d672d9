/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* HTTP server of the series, in one thread. */
#ifndef N3EXPORTER_SERVER_H
#define N3EXPORTER_SERVER_H

#include "exporter.h"

/* Serves clients of a listening socket until a signal. */
void server_run(struct exporter *exporter, int listener);

#endif
