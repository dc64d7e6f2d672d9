// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Requests that the HTTP server refuses, and the document that the others name. */
#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "request.h"

#define MAX_WEIGHT	1000
#define NOT_NAMED	(-1)

struct headers {
	unsigned int nr_hosts;
	unsigned int nr_lengths;
	unsigned int nr_encodings;
	bool has_blank;		/* in a name: another header for libmicrohttpd only */
};

void *request_begin(void *cls __attribute__((__unused__)), const char *url,
		    struct MHD_Connection *connection __attribute__((__unused__)))
{
	static const char has_nul;

	/* The decoded URL ends there. */
	return strstr(url, "%00") ? (void *)&has_nul : NULL;
}

static enum MHD_Result count_header(void *cls, enum MHD_ValueKind kind __attribute__((__unused__)),
				    const char *name,
				    const char *value __attribute__((__unused__)))
{
	struct headers *headers = cls;

	headers->has_blank |= name[strcspn(name, " \t")];
	headers->nr_hosts += !strcasecmp(name, MHD_HTTP_HEADER_HOST);
	headers->nr_lengths += !strcasecmp(name, MHD_HTTP_HEADER_CONTENT_LENGTH);
	headers->nr_encodings += !strcasecmp(name, MHD_HTTP_HEADER_TRANSFER_ENCODING);
	return MHD_YES;
}

bool request_is_bad(struct MHD_Connection *connection, const void *begun)
{
	struct headers headers = { 0 };

	MHD_get_connection_values(connection, MHD_HEADER_KIND, count_header, &headers);
	return begun || headers.has_blank || headers.nr_hosts > 1 || headers.nr_lengths > 1 ||
	       (headers.nr_lengths && headers.nr_encodings);
}

/* Proxies send absolute URLs, which a server accepts, too (RFC 9112, 3.2.2). */
const char *request_path(const char *url)
{
	const char *path;

	if (strncasecmp(url, "http://", 7) && strncasecmp(url, "https://", 8))
		return url;
	path = strchr(strstr(url, "://") + 3, '/');
	return path ? path : "/";
}

/* Weights of Accept-Encoding (RFC 9110, 12.5.3), in thousandths. */
struct codings {
	int gzip;
	int identity;
	int others;
};

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/* Return: the weight in the parameters of a coding, 0 if it is malformed. */
static int parse_weight(const char *text)
{
	int weight = 0;

	text = skip_blanks(text);
	if (*text == ',' || !*text)
		return MAX_WEIGHT;
	if (*text != ';')
		return 0;
	text = skip_blanks(text + 1);
	if (strncasecmp(text, "q=", 2) || (text[2] != '0' && text[2] != '1'))
		return 0;
	weight = (text[2] - '0') * MAX_WEIGHT;
	text += 3;
	if (*text == '.') {
		text++;
		for (int unit = 100; unit && isdigit((unsigned char)*text); unit /= 10)
			weight += unit * (*text++ - '0');
	}
	text = skip_blanks(text);
	return weight <= MAX_WEIGHT && (*text == ',' || !*text) ? weight : 0;
}

static enum MHD_Result note_codings(void *cls, enum MHD_ValueKind kind __attribute__((__unused__)),
				    const char *name, const char *value)
{
	struct codings *codings = cls;

	if (!value || strcasecmp(name, MHD_HTTP_HEADER_ACCEPT_ENCODING))
		return MHD_YES;
	for (const char *at = value; *at; at += strcspn(at, ",")) {
		size_t len;

		at += strspn(at, " \t,");
		len = strcspn(at, " \t,;");
		if (len == 1 && *at == '*')
			codings->others = parse_weight(at + len);
		else if ((len == 4 && !strncasecmp(at, "gzip", len)) ||
			 (len == 6 && !strncasecmp(at, "x-gzip", len)))
			codings->gzip = parse_weight(at + len);
		else if (len == 8 && !strncasecmp(at, "identity", len))
			codings->identity = parse_weight(at + len);
	}
	return MHD_YES;
}

bool request_accepts_gzip(struct MHD_Connection *connection)
{
	struct codings codings = { NOT_NAMED, NOT_NAMED, NOT_NAMED };

	MHD_get_connection_values(connection, MHD_HEADER_KIND, note_codings, &codings);
	if (codings.gzip == NOT_NAMED)
		codings.gzip = codings.others;
	/* The text as it is needs no name, but a client may prefer it. */
	return codings.gzip > 0 && codings.gzip >= codings.identity;
}
