// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: which CPUs n3_telemetry samples, as far as its files tell. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "machine.h"
#include "selftest_sampled.h"
#include "values.h"

/* Return: whether there is such a file, and whether it has another state than "disabled". */
static bool read_state(const char *root, const char *file, bool *is_enabled)
{
	struct machine machine = { .root = "", .module = root };
	char text[4096], *state;

	module_read(&machine, file, text, sizeof(text));
	state = value_of_key(text, "state");
	*is_enabled = state && strcmp(state, "disabled");
	free(state);
	return *text;
}

bool selftest_is_sampled(const char *root, unsigned int cpu)
{
	char *file = format_string("cpu%u/status", cpu);
	bool is_enabled, all_enabled;
	bool is_there = read_state(root, file, &is_enabled);

	free(file);
	/* Where sampling is off, all are disabled, and none tells which are meant. */
	return is_there &&
	       (is_enabled || (read_state(root, "status", &all_enabled) && !all_enabled));
}
