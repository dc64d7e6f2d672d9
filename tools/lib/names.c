// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Arrays of names. */
#include <stdlib.h>
#include <string.h>

#include "names.h"

void free_names(char **names)
{
	for (size_t i = 0; names && names[i]; i++)
		free(names[i]);
	free(names);
}

static int compare(const void *a, const void *b)
{
	return strverscmp(*(char * const *)a, *(char * const *)b);
}

void sort_names(char **names, size_t nr)
{
	if (nr)
		qsort(names, nr, sizeof(*names), compare);
}
