/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Arrays of names. */
#ifndef LIB_NAMES_H
#define LIB_NAMES_H

/* Frees a NULL-terminated array, or NULL, and its strings. */
void free_names(char **names);

#endif
