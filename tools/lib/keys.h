/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Words and values in text. */
#ifndef LIB_KEYS_H
#define LIB_KEYS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Return: whether a list, of words in any case between blanks, tabs, commas and newlines, has this
 * word of @len characters.
 */
bool words_have(const char *words, const char *word, size_t len);
/* Return: the rest of the line that begins with a key, not terminated, or NULL. */
const char *find_value(const char *lines, const char *key, size_t *len);
/* The same as a copy, which the caller frees. */
char *value_of_key(const char *lines, const char *key);
/* Return: the number at the start of a key's value, 0 if there is none. */
long number_of_key(const char *lines, const char *key);
/* Return: whether the key has this value. */
bool key_has(const char *lines, const char *key, const char *value);

#endif
