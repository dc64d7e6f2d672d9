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
#include "machine.h"

/* A copy of a machine may hold escape sequences; the terminal must not interpret them. */
static void make_plain(char *text)
{
	for (; *text; text++)
		if (*text != '\n' && (*text < ' ' || *text > '~'))
			*text = '?';
}

static void read_line(const struct machine *machine, const char *device, const char *file,
		      char *line, size_t size)
{
	char *path = format_string(SPE_DEVICES "/%s/%s", device, file);

	machine_read(machine, path, line, size);
	line[strcspn(line, "\n")] = '\0';
	make_plain(line);
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
static char **sorted(const struct machine *machine, const char *path, size_t *nr)
{
	char **names = machine_list(machine, path);

	for (*nr = 0; names[*nr]; (*nr)++)
		;
	sort_names(names, *nr);
	return names;
}

static void read_settings(const struct machine *machine, struct spe_device *device)
{
	char *path = format_string(SPE_DEVICES "/%s/format", device->name);
	size_t nr, at = 0;
	char **names = sorted(machine, path, &nr);

	for (size_t i = 0; i < nr && at < sizeof(device->settings); i++)
		at += snprintf(device->settings + at, sizeof(device->settings) - at, "%s%s",
			       i ? " " : "", names[i]);
	make_plain(device->settings);
	free_names(names);
	free(path);
}

static void read_device(const struct machine *machine, const char *name,
			struct spe_device *device)
{
	snprintf(device->name, sizeof(device->name), "%s", name);
	make_plain(device->name);
	read_line(machine, name, "cpumask", device->cpus, sizeof(device->cpus));
	device->min_interval = spe_device_number(machine, name, "caps/min_interval");
	device->counter_bits = spe_device_number(machine, name, "caps/count_size");
	read_settings(machine, device);
}

static void read_devices(const struct machine *machine, struct spe_machine *spe)
{
	size_t nr;
	char **names = sorted(machine, SPE_DEVICES, &nr);

	for (size_t i = 0; i < nr && spe->nr_devices < SPE_MAX_DEVICES; i++)
		if (!strncmp(names[i], SPE_DEVICE, strlen(SPE_DEVICE)))
			read_device(machine, names[i], &spe->devices[spe->nr_devices++]);
	free_names(names);
}

static void count_reason(struct spe_machine *spe, const char *word)
{
	struct spe_reason *reason = spe->reasons;

	while (reason < spe->reasons + spe->nr_reasons && strcmp(reason->word, word))
		reason++;
	if (reason == spe->reasons + SPE_MAX_REASONS)
		return;
	if (reason == spe->reasons + spe->nr_reasons) {
		spe->nr_reasons++;
		snprintf(reason->word, sizeof(reason->word), "%s", word);
	}
	reason->cpus++;
}

static void read_properties(struct spe_machine *spe, const char *text)
{
	char *usable = value_of_key(text, "usable");
	char *reason = value_of_key(text, "reason");

	if (usable && !strcmp(usable, "yes")) {
		if (!spe->usable++)
			snprintf(spe->properties, sizeof(spe->properties), "%s", text);
	} else if (usable) {
		count_reason(spe, reason ? reason : "");
	}
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
		if (len > 0) {
			make_plain(text);
			read_properties(spe, text);
		} else if (len == -EACCES || len == -EPERM) {
			spe->refused = -len;
		}
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
