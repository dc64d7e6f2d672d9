// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Quoting of text as a word of a shell command. */
#include <ctype.h>
#include <string.h>

#include "shell_word.h"
#include "util.h"

char *shell_word(const char *text)
{
	const char *at = text;
	char *to, *all;

	while (isalnum((unsigned char)*at) || (*at && strchr("_./:@%+=,-", *at)))
		at++;
	if (*text && !*at)
		return xstrdup(text);
	all = xreallocarray(NULL, strlen(text) * 4 + 3, 1);
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
