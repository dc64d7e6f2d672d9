/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Appending strings to a buffer, where parsing a format would dominate the cost. */
#ifndef _N3T_TEXT_H
#define _N3T_TEXT_H

#include <linux/minmax.h>
#include <linux/string.h>

#include "libn3t/fixed.h"

/**
 * struct n3t_text - text in a buffer, always terminated
 * @buf: the buffer
 * @size: its size in bytes, not 0; longer text is truncated
 * @len: length of the text
 */
struct n3t_text {
	char *buf;
	size_t size;
	size_t len;
};

/* Always inline, so that strlen() of a literal is a constant. */
static __always_inline void n3t_text_add(struct n3t_text *text, const char *string)
{
	size_t nr = strlen(string), space = text->size - 1 - text->len;

	if (nr <= space) {
		memcpy(text->buf + text->len, string, nr);
		text->len += nr;
	} else {
		memcpy(text->buf + text->len, string, space);
		text->len += space;
	}
	text->buf[text->len] = '\0';
}

static inline void n3t_text_add_ratio(struct n3t_text *text, const struct n3t_ratio *ratio,
				      unsigned int decimals)
{
	size_t space = text->size - text->len;
	size_t len = n3t_ratio_print(text->buf + text->len, space, ratio, decimals);

	text->len += min(len, space - 1);
}

#endif /* _N3T_TEXT_H */
