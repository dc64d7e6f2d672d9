/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Quoting of text as a word of a shell command. */
#ifndef LIB_SHELL_WORD_H
#define LIB_SHELL_WORD_H

/* Quotes the text if the shell requires it. The caller frees the result. */
char *shell_word(const char *text);

#endif
