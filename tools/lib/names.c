// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Arrays of names. */
#include <stdlib.h>

#include "names.h"

void free_names(char **names)
{
	for (size_t i = 0; names && names[i]; i++)
		free(names[i]);
	free(names);
}
