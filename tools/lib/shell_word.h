/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Texts as words of a shell's command. */
#ifndef LIB_SHELL_WORD_H
#define LIB_SHELL_WORD_H

/* Quotes as the shell wants them, only where it does. To be freed. */
char *shell_word(const char *text);

#endif
