/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Replies of the HTTP server. */
#ifndef N3EXPORTER_REPLY_H
#define N3EXPORTER_REPLY_H

#include <microhttpd.h>
#include <stddef.h>

/* Text that several clients get, compressed or not. */
struct document {
	unsigned int status;
	const char *text;	/* of @plain */
	size_t len;
	struct MHD_Response *plain;	/* NULL: no document */
	struct MHD_Response *compressed;	/* NULL until a client accepts it */
};

/* Takes over @text, which malloc() allocated. */
void document_set(struct document *document, unsigned int status, char *text, size_t len);
void document_free(struct document *document);
enum MHD_Result document_reply(struct document *document, struct MHD_Connection *connection);

/*
 * Replies with a constant text. libmicrohttpd ends the connection after replies to the first call
 * for a request.
 */
enum MHD_Result reply_once(struct MHD_Connection *connection, unsigned int status,
			   const char *type, const char *text);

#endif
