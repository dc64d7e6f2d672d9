// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Text folded to the width of a screen. */
#include <string.h>

#include "folded.h"

void print_command(FILE *out, const char *first, const char *indent, const char *command,
		   size_t width)
{
	const char *next = strlen(indent) + strlen(command) <= width ? indent : "";

	if (strlen(first) + strlen(command) <= width)
		fprintf(out, "%s%s\n", first, command);
	else
		fprintf(out, "%.*s\n%s%s\n", (int)strcspn(first, ":") + 1, first, next, command);
}

void print_folded(FILE *out, const char *first, const char *indent, const char *text,
		  size_t width)
{
	const char *lead = first;
	size_t room, len;

	do {
		room = width > strlen(lead) + 10 ? width - strlen(lead) : 10;
		len = strlen(text);
		if (len > room) {
			for (len = room; len > 0 && text[len] != ' '; len--)
				;
			/* A word longer than the line. */
			if (!len)
				len = strcspn(text, " ");
		}
		fprintf(out, "%s%.*s\n", lead, (int)len, text);
		text += len;
		text += strspn(text, " ");
		lead = indent;
	} while (*text);
}
