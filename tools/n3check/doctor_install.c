// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* doctor checks of a module that is not loaded: its file, the kernel log. */
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "lib/finding.h"
#include "lib/machine_kernel.h"
#include "lib/memory.h"
#include "lib/names.h"

#define FILE_NAME	"n3_telemetry.ko"

/* The module is installed for another kernel than the running one. */
static char *other_kernel(const struct machine *machine, const char *release)
{
	char **names = machine_list(machine, "/lib/modules");
	char *other = NULL;

	for (size_t i = 0; names[i] && !other; i++) {
		char *directory = format_string("/lib/modules/%s", names[i]);
		char *file = strcmp(names[i], release) ?
			     machine_find_module(machine, directory, FILE_NAME) : NULL;

		if (file)
			other = xstrdup(names[i]);
		free(file);
		free(directory);
	}
	free_names(names);
	return other;
}

/* Last message of the module in the kernel log: the reason for a failed load. */
static void report_kernel_log(const struct machine *machine)
{
	static const char mark[] = "n3_telemetry: ";
	char *log = machine_kernel_log(machine);
	const char *line = NULL;

	for (const char *next = log; (next = strstr(next, mark)); next++)
		if (strncmp(next + strlen(mark), "loading out-of-tree", 19) &&
		    strncmp(next + strlen(mark), "module verification", 19))
			line = next;
	if (line)
		finding(FINDING_NOTE, "kernel_log", NULL, "the kernel log says: %.*s",
			(int)strcspn(line, "\n"), line);
	free(log);
}

static void report_absent_file(const struct machine *machine, const char *release)
{
	char *other = other_kernel(machine, release);

	if (other)
		finding(FINDING_ERROR, "module_for_other_kernel", NULL,
			"the module is built for kernel %s, this is %s", other, release);
	else
		finding(FINDING_ERROR, "module_not_installed", NULL,
			"the module is not installed for this kernel (%s)",
			*release ? release : "kernel version unknown");
	free(other);
}

void doctor_install(const struct machine *machine)
{
	char *release = machine_release(machine);
	char *directory = format_string("/lib/modules/%s", release);
	char *file = *release ? machine_find_module(machine, directory, FILE_NAME) : NULL;

	if (file) {
		finding(FINDING_ERROR, "module_not_loaded", NULL,
			"the module is there but not loaded (%s)", file);
		report_kernel_log(machine);
		doctor_signature(machine, release, file);
	} else if (!*release || !doctor_dkms(machine, release)) {
		report_absent_file(machine, release);
	}
	free(file);
	free(directory);
	free(release);
}
