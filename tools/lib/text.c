// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Text for terminals and shells: folded, quoted. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "plain.h"
#include "text.h"

char *plain_copy(const char *text)
{
	char *copy = xstrdup(text);

	plain_text(copy);
	return copy;
}

const char *plural(unsigned long nr, const char *one, const char *other)
{
	return nr == 1 ? one : other;
}

char *shell_quote(const char *text)
{
	const char *at = text;
	char *to, *all;

	while (isalnum((unsigned char)*at) || (*at && strchr("_./:@%+=,-", *at)))
		at++;
	if (*text && !*at)
		return strdup(text);
	all = malloc(strlen(text) * 4 + 3);
	if (!all)
		return NULL;
	to = all;
	*to++ = '\'';
	for (; *text; text++) {
		if (*text == '\'')
			to = stpcpy(to, "'\\'");
		*to++ = *text;
	}
	strcpy(to, "'");
	return all;
}

char *shell_word(const char *text)
{
	char *word = shell_quote(text);

	if (!word)
		out_of_memory();
	return word;
}

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
