/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Arrays of names. */
#ifndef LIB_NAMES_H
#define LIB_NAMES_H

#include <stddef.h>

/* Frees a NULL-terminated array, or NULL, and its strings. */
void free_names(char **names);
/* Sorts by strverscmp(): cpu2 before cpu10. */
void sort_names(char **names, size_t nr);

#endif
