// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Notice for values of a core other than Neoverse N3 (core=). */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/util.h"
#include "other_core.h"
#include "source.h"
#include "values.h"

/* The module's suffix for such a core. */
#define MARK	": not a Neoverse N3"

char *other_core_of(const char *spec)
{
	char *core = value_of_key(spec, "core");

	if (core && strstr(core, MARK))
		return core;
	free(core);
	return NULL;
}

const char *other_core(void)
{
	static bool was_read;
	static char core[VALUE_NAME];
	const char *text;
	char *of;

	if (!was_read && source_read("spec", &text) > 0) {
		of = other_core_of(text);
		snprintf(core, sizeof(core), "%s", of ? of : "");
		free(of);
	}
	was_read = true;
	return *core ? core : NULL;
}
