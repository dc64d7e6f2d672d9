// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* JSON members shared by commands that examine a machine. */
#include "lib/json.h"
#include "libn3telemetry/values.h"
#include "machine_json.h"

json_object *json_of_simulated(const struct machine *machine)
{
	static char text[MACHINE_MAX_TEXT];

	if (module_read(machine, "spec", text, sizeof(text)) <= 0)
		return machine->has_module ? json_object_new_boolean(false) : NULL;
	return json_object_new_boolean(spec_is_simulated(text));
}
