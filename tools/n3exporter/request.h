/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Requests that the HTTP server refuses, and the document that the others name. */
#ifndef N3EXPORTER_REQUEST_H
#define N3EXPORTER_REQUEST_H

#include <microhttpd.h>
#include <stdbool.h>

/* For MHD_OPTION_URI_LOG_CALLBACK. Return: first value of the request's pointer. */
void *request_begin(void *cls, const char *url, struct MHD_Connection *connection);
/*
 * Whether proxies and libmicrohttpd may read the request differently; @begun is the result of
 * request_begin().
 */
bool request_is_bad(struct MHD_Connection *connection, const void *begun);

/* Return: the path of a decoded URL. */
const char *request_path(const char *url);
bool request_accepts_gzip(struct MHD_Connection *connection);

#endif
