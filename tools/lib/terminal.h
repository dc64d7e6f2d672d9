/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Size and abilities of the terminal. */
#ifndef LIB_TERMINAL_H
#define LIB_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* "±", or "+-" if the user's locale lacks it. */
const char *plus_minus(void);
bool use_colour(FILE *out);
size_t screen_width(size_t otherwise);
size_t screen_height(size_t otherwise);
/* Notes changes of the size from now on. */
void watch_screen(void);
/* Return: whether the size changed since the last call of screen_has_changed(). */
bool screen_has_changed(void);
/* The same; the next call returns it again. */
bool screen_resized(void);

#endif
