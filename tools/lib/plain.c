// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Text from files, made safe for terminals. */
#include <stddef.h>

#include "plain.h"

/*
 * mbrtowc() would need the files of a UTF-8 locale (C.UTF-8 is not built into glibc), which
 * a small system with a static program lacks.
 *
 * Return: the length of the UTF-8 character that starts here, 0 if it is invalid or a
 * control character.
 */
static size_t character_length(const char *text)
{
	unsigned char first = (unsigned char)*text, second = (unsigned char)text[!!first];
	size_t len = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

	if (first < ' ' || first == 127 || first > 0xf4)
		return 0;
	/* C1 controls, overlong forms, surrogates, beyond U+10FFFF. */
	if ((first == 0xc2 && second < 0xa0) || (first == 0xe0 && second < 0xa0) ||
	    (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
	    (first == 0xf4 && second > 0x8f))
		return 0;
	for (size_t i = 1; i < len; i++)
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

void plain_text(char *text)
{
	while (*text) {
		size_t len = character_length(text);

		if (!len)
			*text = '?';
		text += len ? len : 1;
	}
}
