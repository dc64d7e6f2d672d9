// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Lists of CPUs or nodes in the kernel's notation, 0-3,8. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_list.h"
#include "disk.h"
#include "errors.h"
#include "memory.h"

/* Return: 0, -EINVAL or -ERANGE, as in cpu_list_parse(). */
static int parse_number(const char **pos, unsigned long *number)
{
	char *end;

	if (!isdigit((unsigned char)**pos))
		return -EINVAL;
	*number = strtoul(*pos, &end, 10);
	*pos = end;
	return *number < MAX_CPUS ? 0 : -ERANGE;
}

int cpu_list_parse(const char *list, bool *wanted)
{
	unsigned long first, last;
	int ret;

	do {
		ret = parse_number(&list, &first);
		if (ret)
			return ret;
		last = first;
		if (*list == '-') {
			list++;
			ret = parse_number(&list, &last);
		}
		if (ret)
			return ret;
		if (last < first || (*list && *list != ',' && strcmp(list, "\n")))
			return -EINVAL;
		for (; first <= last; first++)
			wanted[first] = true;
	} while (*list++ == ',');
	return 0;
}

void cpu_list_take(const char *list, const char *title, bool *wanted)
{
	switch (cpu_list_parse(list, wanted)) {
	case -ERANGE:
		die(ERR_BAD_VALUE, "bad %s list '%s'; the highest %s is %d", title, list, title,
		    MAX_CPUS - 1);
	case -EINVAL:
		die(ERR_BAD_VALUE, "bad %s list '%s'; write it as 0-3,8", title, list);
	}
}

char *cpu_list_text(const bool *wanted)
{
	char *list = xstrdup("");
	unsigned int first, last;

	for (first = 0; first < MAX_CPUS; first = last + 1) {
		last = first;
		if (!wanted[first])
			continue;
		while (last + 1 < MAX_CPUS && wanted[last + 1])
			last++;
		if (last > first)
			append_text(&list, ",", "%u-%u", first, last);
		else
			append_text(&list, ",", "%u", first);
	}
	return list;
}

int cpu_number_behind(const char *name, const char *prefix)
{
	size_t len = strlen(prefix);
	unsigned long number;

	if (strncmp(name, prefix, len))
		return -1;
	name += len;
	return parse_number(&name, &number) || *name ? -1 : (int)number;
}

bool cpu_is_among(char **names)
{
	for (size_t i = 0; names && names[i]; i++)
		if (cpu_number_behind(names[i], "cpu") >= 0)
			return true;
	return false;
}

void cpus_add(struct cpus *cpus, unsigned int cpu)
{
	cpus->v = xreallocarray(cpus->v, cpus->nr + 1, sizeof(*cpus->v));
	cpus->v[cpus->nr++] = cpu;
}

static void add_wanted(struct cpus *cpus, const bool *wanted)
{
	*cpus = (struct cpus) { 0 };
	for (unsigned int cpu = 0; cpu < MAX_CPUS; cpu++)
		if (wanted[cpu])
			cpus_add(cpus, cpu);
}

void cpus_take(struct cpus *cpus, const char *list)
{
	bool wanted[MAX_CPUS] = { false };

	cpu_list_take(list, "CPU", wanted);
	add_wanted(cpus, wanted);
}

bool cpus_read(struct cpus *cpus, const char *path)
{
	bool wanted[MAX_CPUS] = { false };
	char text[4096];
	ssize_t len = disk_read(path, text, sizeof(text) - 1);

	*cpus = (struct cpus) { 0 };
	text[len < 0 ? 0 : len] = '\0';
	if (cpu_list_parse(text, wanted))
		return false;
	add_wanted(cpus, wanted);
	return true;
}

bool cpus_have(const struct cpus *cpus, unsigned int cpu)
{
	for (size_t i = 0; i < cpus->nr; i++)
		if (cpus->v[i] == cpu)
			return true;
	return false;
}

void cpus_free(struct cpus *cpus)
{
	free(cpus->v);
	*cpus = (struct cpus) { 0 };
}

void cpus_online(struct cpus *cpus)
{
	/* Kernels without hotplug have the file too. */
	if (!cpus_read(cpus, "/sys/devices/system/cpu/online"))
		cpus_take(cpus, "0");
}
