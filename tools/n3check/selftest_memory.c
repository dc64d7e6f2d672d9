// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: limit of the memory to use. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/keys.h"
#include "lib/memory.h"
#include "selftest_cpus.h"

#define CGROUPS		"/sys/fs/cgroup"

/* Return: the number in a file of a cgroup, or the default for "max". */
static size_t number_in(const struct machine *machine, const char *group, const char *file,
			size_t otherwise)
{
	char *path = format_string(CGROUPS "%s/%s", group, file);
	char text[64];

	machine_read(machine, path, text, sizeof(text));
	free(path);
	return isdigit((unsigned char)*text) ? strtoull(text, NULL, 10) : otherwise;
}

/* Return: bytes of reclaimable page cache. */
static size_t cached(const struct machine *machine, const char *group)
{
	char *path = format_string(CGROUPS "%s/memory.stat", group), *number;
	char text[8192];
	size_t size;

	machine_read(machine, path, text, sizeof(text));
	number = value_of_key(text, "inactive_file");
	size = number ? strtoull(number, NULL, 10) : 0;
	free(number);
	free(path);
	return size;
}

static size_t left_in(const struct machine *machine, const char *group)
{
	size_t max = number_in(machine, group, "memory.max", SIZE_MAX);
	size_t current = number_in(machine, group, "memory.current", 0);
	size_t cache = max == SIZE_MAX ? 0 : cached(machine, group);

	current -= cache < current ? cache : current;
	return current < max ? max - current : 0;
}

/* Return: the path of this process's cgroup, "/" for the root. */
static char *own_group(const struct machine *machine)
{
	char text[4096], *at;

	machine_read(machine, "/proc/self/cgroup", text, sizeof(text));
	at = strstr(text, "0::/");
	/* Lines of version 1 have other numbers, and controller names. */
	if (!at || (at != text && at[-1] != '\n'))
		return xstrdup("/");
	at += strlen("0::");
	at[strcspn(at, "\n")] = '\0';
	return xstrdup(at);
}

size_t selftest_free_memory(const struct machine *machine)
{
	char text[4096], *at, *group = own_group(machine), *slash;
	size_t size;

	machine_read(machine, "/proc/meminfo", text, sizeof(text));
	at = strstr(text, "MemAvailable:");
	size = at ? strtoull(at + strlen("MemAvailable:"), NULL, 10) * 1024 : 0;
	/* Its own cgroup and all ancestors, which may have tighter limits. */
	while ((slash = strrchr(group, '/'))) {
		size_t left = left_in(machine, group);

		size = left < size ? left : size;
		*slash = '\0';
	}
	free(group);
	return size;
}
