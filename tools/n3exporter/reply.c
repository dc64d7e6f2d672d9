// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Replies of the HTTP server. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "lib/errors.h"
#include "lib/memory.h"
#include "reply.h"
#include "request.h"

#define TEXT_TYPE	"text/plain; version=0.0.4; charset=utf-8"
/* Below that, compression costs more than it saves. */
#define MIN_COMPRESSED	8192
/* Added to zlib's bits of the window: the format is gzip. */
#define GZIP_BITS	16
#define MEMORY_LEVEL	8	/* zlib's default */

static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
	if (!MHD_add_response_header(response, name, value))
		out_of_memory();
}

static struct MHD_Response *make_response(char *text, size_t len, const char *type)
{
	struct MHD_Response *response;

	response = MHD_create_response_from_buffer(len, text, MHD_RESPMEM_MUST_FREE);
	if (!response)
		out_of_memory();
	add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	return response;
}

static struct MHD_Response *make_document(char *text, size_t len)
{
	struct MHD_Response *response = make_response(text, len, TEXT_TYPE);

	add_header(response, MHD_HTTP_HEADER_VARY, MHD_HTTP_HEADER_ACCEPT_ENCODING);
	return response;
}

static struct MHD_Response *make_compressed(const char *text, size_t len)
{
	z_stream z = { .next_in = (Bytef *)text, .avail_in = (uInt)len };
	struct MHD_Response *response;
	Bytef *packed;

	if (deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + GZIP_BITS, MEMORY_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		out_of_memory();
	z.avail_out = (uInt)deflateBound(&z, len);
	packed = xreallocarray(NULL, z.avail_out, 1);
	z.next_out = packed;
	deflate(&z, Z_FINISH);
	packed = xreallocarray(packed, z.total_out, 1);
	response = make_document((char *)packed, z.total_out);
	deflateEnd(&z);
	add_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
	return response;
}

void document_free(struct document *document)
{
	if (document->plain)
		MHD_destroy_response(document->plain);
	if (document->compressed)
		MHD_destroy_response(document->compressed);
	*document = (struct document) { 0 };
}

void document_set(struct document *document, unsigned int status, char *text, size_t len)
{
	document_free(document);
	*document = (struct document) {
		.status = status, .text = text, .len = len, .plain = make_document(text, len),
	};
}

enum MHD_Result document_reply(struct document *document, struct MHD_Connection *connection)
{
	if (document->len < MIN_COMPRESSED || !request_accepts_gzip(connection))
		return MHD_queue_response(connection, document->status, document->plain);
	if (!document->compressed)
		document->compressed = make_compressed(document->text, document->len);
	return MHD_queue_response(connection, document->status, document->compressed);
}

enum MHD_Result reply_once(struct MHD_Connection *connection, unsigned int status,
			   const char *type, const char *text)
{
	struct MHD_Response *response = make_response(xstrdup(text), strlen(text), type);
	enum MHD_Result ret;

	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		add_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	if (status == MHD_HTTP_UNAUTHORIZED)
		add_header(response, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Basic");
	if (status == MHD_HTTP_SERVICE_UNAVAILABLE)
		add_header(response, MHD_HTTP_HEADER_RETRY_AFTER, "1");
	ret = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return ret;
}
