// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Usability of SPE, according to the module and the driver. */
#include <stdlib.h>
#include <string.h>

#include "lib/keys.h"
#include "lib/machine.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "spe_usable.h"
#include "telemetry.h"

/* Return: whether the module has a file of the CPU. */
static bool look_at(const struct machine *machine, const char *cpu, bool *any_usable)
{
	char *path = format_string("%s/spe", cpu), text[1024], *usable;
	bool has_file;

	module_read(machine, path, text, sizeof(text));
	usable = value_of_key(text, "usable");
	has_file = usable;
	*any_usable |= has_file && !strcmp(usable, "yes");
	free(usable);
	free(path);
	return has_file;
}

static bool has_device(void)
{
	char **names = machine_list(&this_machine, SPE_DEVICES);
	bool found = false;

	for (size_t i = 0; names[i]; i++)
		found |= !strncmp(names[i], SPE_DEVICE, strlen(SPE_DEVICE));
	free_names(names);
	return found;
}

static bool is_usable(const struct machine *machine, const struct place *place, bool live)
{
	bool usable = false, has_files = false;
	struct place cpu;
	char **names;

	if (place && place->scope == SCOPE_CPU) {
		has_files = look_at(machine, place->name, &usable);
	} else {
		names = module_list(machine);
		for (size_t i = 0; names[i]; i++)
			if (place_parse(names[i], &cpu) && cpu.scope == SCOPE_CPU)
				has_files |= look_at(machine, cpu.name, &usable);
		free_names(names);
	}
	/* Without the module's files the driver decides. */
	return live ? has_device() && (usable || !has_files) : usable;
}

bool spe_is_here(void)
{
	struct machine machine = { .root = "", .module = SOURCE_DEFAULT };

	return is_usable(&machine, NULL, true);
}

bool spe_is_at_source(const struct place *place)
{
	struct machine machine = { .root = "", .module = telemetry.root };

	return is_usable(&machine, place, source_is_live(&telemetry));
}
