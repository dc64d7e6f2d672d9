/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Access to the HTTP server by the file of --web.config.file: TLS, certificates and passwords. NULL
 * in place of struct access admits everybody.
 */
#ifndef N3EXPORTER_ACCESS_H
#define N3EXPORTER_ACCESS_H

#include <microhttpd.h>
#include <stdbool.h>

#include "credentials.h"

struct access;

/* Exits on errors. Starts a thread. */
struct access *access_start(const char *file);
bool access_has_tls(const struct access *access);
/* Reads the file again; after an error, there is a warning and nothing has changed. */
void access_reload(struct access *access);

/* At the start of a connection, before its first byte. */
void access_start_peer(struct access *access, struct peer *peer, struct MHD_Connection *connection);

/*
 * Return: whether to answer a request, of which all is there. Otherwise *ret is the result of the
 * callback: this has replied, or suspended the connection until access_resume().
 */
bool access_permits(struct access *access, struct peer *peer, struct MHD_Connection *connection,
		    enum MHD_Result *ret);
/* Return: a descriptor that becomes readable when access_resume() is due, or -1. */
int access_descriptor(const struct access *access);
void access_resume(struct access *access);

/* No connection is suspended any more; then, after the last one was closed. */
void access_stop(struct access *access);
void access_free(struct access *access);

#endif
