/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Values of a core that is no Neoverse N3 (core=): whoever shows them says so. */
#ifndef N3STAT_OTHER_CORE_H
#define N3STAT_OTHER_CORE_H

#include <stdio.h>

/* Return: what the text of the file "spec" says of such a core, to be freed, or NULL. */
char *other_core_of(const char *spec);
/*
 * The same of the source, as in "Neoverse V2 (0xd4f): not a Neoverse N3"; NULL for an N3.
 * It is read once, and the text of another file that was read before is gone then.
 */
const char *other_core(void);
/* A line of it, or nothing. */
void print_other_core(FILE *out);

#endif
