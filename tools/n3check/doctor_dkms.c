// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* doctor checks of DKMS, by the files in its tree: reasons why the module is not installed. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "lib/finding.h"
#include "lib/memory.h"
#include "lib/names.h"

#define TREE		"/var/lib/dkms/n3-telemetry"
#define MAX_PATH	4096

static bool is_filled(const struct machine *machine, const char *directory)
{
	char **names = machine_list(machine, directory);
	bool filled = names[0];

	free_names(names);
	return filled;
}

char *dkms_version(const struct machine *machine)
{
	char **names = machine_list(machine, TREE);
	const char *newest = NULL;
	char *version;

	/* Other names are links of installed modules, "kernel-6.1.0-aarch64". */
	for (size_t i = 0; names[i]; i++)
		if (isdigit((unsigned char)names[i][0]) &&
		    (!newest || strverscmp(names[i], newest) > 0))
			newest = names[i];
	version = newest ? xstrdup(newest) : NULL;
	free_names(names);
	return version;
}

bool headers_have(const struct machine *machine, const char *release, const char *name)
{
	char *build = format_string("/lib/modules/%s/build", release);
	char to[MAX_PATH], byte[2], *path;
	bool have;

	/* In a copy of a machine, an absolute link leads elsewhere. */
	if (machine_read_link(machine, build, to, sizeof(to)) && *to == '/')
		path = format_string("%s/%s", to, name);
	else
		path = format_string("%s/%s", build, name);
	have = is_filled(machine, path) || machine_read(machine, path, byte, sizeof(byte)) > 0;
	free(path);
	free(build);
	return have;
}

/* The link to the sources leads nowhere: "broken" in dkms status. */
static bool source_is_there(const struct machine *machine, const char *version)
{
	char *path = format_string(TREE "/%s/source", version);
	char to[MAX_PATH];
	bool there = machine_read_link(machine, path, to, sizeof(to)) && is_filled(machine, to);

	free(path);
	return there;
}

static bool is_built(const struct machine *machine, const char *version, const char *release)
{
	char *path = format_string(TREE "/%s/%s", version, release);
	bool built = is_filled(machine, path);

	free(path);
	return built;
}

/*
 * Later errors follow from the first. Return: the line of the build's log that reports the first
 * error, "" if none does.
 */
static const char *first_error(char *log)
{
	static const char * const marks[] = { "error:", "not found", "No such file", "***" };
	char *first = NULL, *found, *start;

	for (size_t i = 0; i < NR(marks); i++) {
		found = strstr(log, marks[i]);
		if (found && (!first || found < first))
			first = found;
	}
	if (!first)
		return "";
	first[strcspn(first, "\n")] = '\0';
	start = memrchr(log, '\n', first - log);
	return start ? start + 1 : log;
}

/* DKMS deletes the build directory before and after a successful build. */
static bool find_failed_build(const struct machine *machine, const char *version,
			      const char *release)
{
	char log[MACHINE_MAX_TEXT];
	char *path = format_string(TREE "/%s/build/make.log", version);
	char *title = format_string(" for kernel %s (", release);
	bool failed;

	machine_read(machine, path, log, sizeof(log));
	failed = strstr(log, title);
	if (failed)
		finding(FINDING_ERROR, "dkms_build_failed", NULL,
			"DKMS could not build the module for this kernel (%s): %.200s", release,
			first_error(log));
	free(title);
	free(path);
	return failed;
}

static void report_state(const struct machine *machine, const char *version, const char *release)
{
	char *install = format_string("dkms install n3-telemetry/%s -k %s", version, release);
	char *again = format_string("dkms uninstall n3-telemetry/%s -k %s; %s", version, release,
				    install);
	char *headers = format_string("apt install linux-headers-%s; %s", release, install);

	if (is_built(machine, version, release))
		finding(FINDING_ERROR, "dkms_not_installed", again,
			"DKMS has built the module for this kernel (%s), but it is not in /lib/modules",
			release);
	else if (!headers_have(machine, release, "include"))
		finding(FINDING_ERROR, "kernel_headers_missing", headers,
			"DKMS cannot build the module: the headers of this kernel (%s) are missing",
			release);
	else if (!find_failed_build(machine, version, release))
		finding(FINDING_ERROR, "dkms_not_built", install,
			"DKMS has not built the module for this kernel (%s)", release);
	free(headers);
	free(again);
	free(install);
}

bool doctor_dkms(const struct machine *machine, const char *release)
{
	char *version = dkms_version(machine);

	if (!version)
		return false;
	if (source_is_there(machine, version))
		report_state(machine, version, release);
	else
		finding(FINDING_ERROR, "dkms_source_missing", NULL,
			"DKMS cannot build the module: its sources (version %s) are missing",
			version);
	free(version);
	return true;
}
