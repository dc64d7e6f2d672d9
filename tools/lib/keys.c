// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Words and values in text. */
#include <stdlib.h>
#include <string.h>

#include "keys.h"
#include "memory.h"

#define SEPARATORS	" ,\t\n"

bool words_have(const char *words, const char *word, size_t len)
{
	for (const char *at = words; *at; at += strspn(at, SEPARATORS)) {
		size_t n = strcspn(at, SEPARATORS);

		if (n == len && !strncasecmp(at, word, len))
			return true;
		at += n;
	}
	return false;
}

const char *find_value(const char *lines, const char *key, size_t *len)
{
	size_t key_len = strlen(key);

	for (const char *line = lines; *line; line += strspn(line, "\n")) {
		size_t line_len = strcspn(line, "\n");

		if (!strncmp(line, key, key_len) && line[key_len] == ' ') {
			*len = line_len - key_len - 1;
			return line + key_len + 1;
		}
		line += line_len;
	}
	return NULL;
}

char *value_of_key(const char *lines, const char *key)
{
	size_t len;
	const char *value = find_value(lines, key, &len);

	return value ? format_string("%.*s", (int)len, value) : NULL;
}

long number_of_key(const char *lines, const char *key)
{
	size_t len;
	const char *value = find_value(lines, key, &len);

	return value && len ? strtol(value, NULL, 10) : 0;
}

bool key_has(const char *lines, const char *key, const char *value)
{
	size_t len;
	const char *found = find_value(lines, key, &len);

	return found && len == strlen(value) && !strncmp(found, value, len);
}
