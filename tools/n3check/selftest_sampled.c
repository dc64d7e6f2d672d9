// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: the CPUs sampled by n3_telemetry, from its files. */
#include <stdlib.h>
#include <string.h>

#include "cli/machine.h"
#include "lib/util.h"
#include "libn3telemetry/values.h"
#include "selftest_sampled.h"

/* Return: false without the file; *is_enabled: its state is not "disabled". */
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
	/* With sampling off, all are disabled, and any of them may be meant. */
	return is_there &&
	       (is_enabled || (read_state(root, "status", &all_enabled) && !all_enabled));
}
