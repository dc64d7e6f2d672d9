// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* SPE properties of a machine, from the kernel and the module. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cpu_list.h"
#include "lib/keys.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "lib/plain.h"
#include "machine.h"

/* A copy of a machine may hold escape sequences; the terminal must not interpret them. */
static void read_line(const struct machine *machine, const char *device, const char *file,
		      char *line, size_t size)
{
	char *path = format_string(SPE_DEVICES "/%s/%s", device, file);

	machine_read(machine, path, line, size);
	line[strcspn(line, "\n")] = '\0';
	plain_text(line);
	free(path);
}

unsigned long spe_device_number(const struct machine *machine, const char *device,
				const char *file)
{
	char line[32];

	read_line(machine, device, file, line, sizeof(line));
	return strtoul(line, NULL, 10);
}

/* Return: the sorted names in a directory; free with free_names(). */
static char **sorted(const struct machine *machine, const char *path)
{
	char **names = machine_list(machine, path);
	size_t nr = 0;

	while (names[nr])
		nr++;
	sort_names(names, nr);
	return names;
}

static void read_device(const struct machine *machine, const char *name,
			struct spe_device *device)
{
	char *path = format_string(SPE_DEVICES "/%s/format", name);
	char **settings = sorted(machine, path);
	size_t at = 0;

	for (size_t i = 0; settings[i] && at < sizeof(device->settings); i++)
		at += snprintf(device->settings + at, sizeof(device->settings) - at, "%s%s",
			       i ? " " : "", settings[i]);
	plain_text(device->settings);
	snprintf(device->name, sizeof(device->name), "%s", name);
	plain_text(device->name);
	read_line(machine, name, "cpumask", device->cpus, sizeof(device->cpus));
	device->min_interval = spe_device_number(machine, name, "caps/min_interval");
	device->counter_bits = spe_device_number(machine, name, "caps/count_size");
	free_names(settings);
	free(path);
}

static void read_devices(const struct machine *machine, struct spe_machine *spe)
{
	char **names = sorted(machine, SPE_DEVICES);

	for (size_t i = 0; names[i] && spe->nr_devices < SPE_MAX_DEVICES; i++)
		if (!strncmp(names[i], SPE_DEVICE, strlen(SPE_DEVICE)))
			read_device(machine, names[i], &spe->devices[spe->nr_devices++]);
	free_names(names);
}

static void count_reason(struct spe_machine *spe, const char *word)
{
	unsigned int i = 0;

	while (i < spe->nr_reasons && strcmp(spe->reasons[i].word, word))
		i++;
	if (i == SPE_MAX_REASONS)
		return;
	if (i == spe->nr_reasons)
		snprintf(spe->reasons[spe->nr_reasons++].word, sizeof(spe->reasons->word), "%s",
			 word);
	spe->reasons[i].cpus++;
}

static void read_properties(struct spe_machine *spe, const char *text)
{
	char *usable = value_of_key(text, "usable");
	char *reason = value_of_key(text, "reason");

	if (usable && strcmp(usable, "yes"))
		count_reason(spe, reason ? reason : "");
	else if (usable && !spe->usable++)
		snprintf(spe->properties, sizeof(spe->properties), "%s", text);
	spe->has_files |= !!usable;
	free(reason);
	free(usable);
}

static void read_module(const struct machine *machine, struct spe_machine *spe)
{
	char **names = module_list(machine);
	char text[sizeof(spe->properties)];

	for (size_t i = 0; names[i]; i++) {
		ssize_t len;
		char *path;

		if (cpu_number_behind(names[i], "cpu") < 0)
			continue;
		path = format_string("%s/spe", names[i]);
		len = module_read(machine, path, text, sizeof(text));
		if (len > 0)
			read_properties(spe, text);
		else if (len == -EACCES || len == -EPERM)
			spe->refused = -len;
		free(path);
	}
	free_names(names);
}

void spe_machine_read(const struct machine *machine, struct spe_machine *spe)
{
	memset(spe, 0, sizeof(*spe));
	read_devices(machine, spe);
	read_module(machine, spe);
}
