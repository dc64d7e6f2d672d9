// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * doctor checks of a module that is not loaded: its file, the kernel log, the tree of DKMS, and the
 * signature that Secure Boot and lockdown require.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "lib/finding.h"
#include "lib/machine_kernel.h"
#include "lib/memory.h"
#include "lib/names.h"

#define FILE_NAME	"n3_telemetry.ko"
#define VARIABLES	"/sys/firmware/efi/efivars"
#define SECURE_BOOT	VARIABLES "/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define CERTIFICATE	"/var/lib/dkms/mok.pub"
#define MAX_CERTIFICATE	4096	/* typically 800 */
#define TREE		"/var/lib/dkms/n3-telemetry"
#define MAX_PATH	4096

static bool is_filled(const struct machine *machine, const char *directory)
{
	char **names = machine_list(machine, directory);
	bool filled = names[0];

	free_names(names);
	return filled;
}

/* Version of the module that DKMS has. Return: NULL if it has none; the caller frees it. */
static char *dkms_version(const struct machine *machine)
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

/* A file or directory of the kernel's headers, such as ".config". */
static bool headers_have(const struct machine *machine, const char *release, const char *name)
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

/* Cause of a module that DKMS has not installed. Return: false if DKMS does not have it. */
static bool check_dkms(const struct machine *machine, const char *release)
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

enum rejection {
	NO_REJECTION,
	NO_SIGNATURE,
	NO_KEY,
	LOCKED_DOWN,	/* for either reason */
};

static bool is_compressed(const char *file)
{
	return strcmp(file + strlen(file) - 3, ".ko");
}

static bool is_signed(const struct machine *machine, const char *file)
{
	static const char mark[] = "~Module signature appended~\n";
	char end[sizeof(mark) - 1];

	return machine_read_end(machine, file, end, sizeof(end)) &&
	       !memcmp(end, mark, sizeof(end));
}

/* Four bytes of attributes precede the value of the variable. */
static bool secure_boot(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];

	return machine_read(machine, SECURE_BOOT, text, sizeof(text)) >= 5 && text[4] == 1;
}

static bool is_enforced(const struct machine *machine)
{
	return secure_boot(machine) ||
	       machine_contains(machine, "/sys/module/module/parameters/sig_enforce", "Y") ||
	       machine_contains(machine, "/sys/kernel/security/lockdown", "[integrity]") ||
	       machine_contains(machine, "/sys/kernel/security/lockdown", "[confidentiality]");
}

/* The last one in the kernel log, which does not name the module. */
static enum rejection last_rejection(const struct machine *machine)
{
	static const char * const messages[] = {
		[NO_SIGNATURE] = "Loading of unsigned module is rejected",
		[NO_KEY] = "Loading of module with unavailable key is rejected",
		[LOCKED_DOWN] = "unsigned module loading is restricted",
	};
	char *log = machine_kernel_log(machine);
	enum rejection last = NO_REJECTION;
	const char *at = log;

	for (size_t i = NO_SIGNATURE; i < NR(messages); i++)
		for (const char *next = at; (next = strstr(next, messages[i])); next++) {
			at = next;
			last = i;
		}
	free(log);
	return last;
}

static bool is_trusted_list(const char *variable)
{
	return !strncmp(variable, "MokListRT", 9) || !strncmp(variable, "db-", 3);
}

/*
 * Machine owner keys and those of the firmware contain whole certificates. Return: whether DKMS has
 * a certificate and none of them contains it.
 */
static bool lacks_key(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];
	char certificate[MAX_CERTIFICATE];
	ssize_t size = machine_read(machine, CERTIFICATE, certificate, sizeof(certificate));
	char **names = machine_list(machine, VARIABLES);
	bool lacks = size > 0 && names[0];

	for (size_t i = 0; names[i] && lacks; i++) {
		char *path = format_string(VARIABLES "/%s", names[i]);
		ssize_t len = is_trusted_list(names[i]) ?
			      machine_read(machine, path, text, sizeof(text)) : 0;

		lacks = len <= 0 || !memmem(text, len, certificate, size);
		free(path);
	}
	free_names(names);
	return lacks;
}

/* DKMS leaves a module unsigned, without an error, if it finds no key or no configuration. */
static char *dkms_signs(const struct machine *machine, const char *release)
{
	char *version = dkms_version(machine), *command;
	bool config = headers_have(machine, release, ".config");
	char byte[2];

	if (!version)
		return NULL;
	if (!config)
		finding(FINDING_WARNING, "kernel_config_missing", NULL,
			"/lib/modules/%s/build/.config is missing: without it DKMS may leave modules "
			"unsigned", release);
	command = format_string("%sdkms unbuild n3-telemetry/%s -k %s; "
				"dkms install n3-telemetry/%s -k %s%s%s",
				machine_read(machine, CERTIFICATE, byte, sizeof(byte)) > 0 ? "" :
				"apt install openssl; ", version, release, version, release,
				config ? "" : " --config /boot/config-", config ? "" : release);
	free(version);
	return command;
}

static void report_unsigned(const struct machine *machine, const char *release, const char *file)
{
	char *command = dkms_signs(machine, release);

	finding(FINDING_ERROR, "module_unsigned", command,
		"%s is not signed, and this kernel rejects unsigned modules (Secure Boot, "
		"lockdown or module.sig_enforce)", file);
	free(command);
}

/*
 * A compressed module cannot be inspected, and lockdown reports a missing signature and an unknown
 * key alike.
 */
static bool lacks_signature(const struct machine *machine, const char *file,
			    enum rejection rejection)
{
	if (!is_compressed(file))
		return !is_signed(machine, file);
	return rejection == NO_SIGNATURE || (rejection == LOCKED_DOWN && !lacks_key(machine));
}

/* A signature that the kernel requires and the module's file lacks, or has by another key. */
static void check_signature(const struct machine *machine, const char *release, const char *file)
{
	enum rejection rejection;

	if (!is_enforced(machine))
		return;
	rejection = last_rejection(machine);
	if (lacks_signature(machine, file, rejection))
		report_unsigned(machine, release, file);
	else if (rejection == NO_KEY || rejection == LOCKED_DOWN || lacks_key(machine))
		finding(FINDING_ERROR, "key_not_enrolled", NULL,
			"%s is signed with a key that this kernel does not know", file);
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
		check_signature(machine, release, file);
	} else if (!*release || !check_dkms(machine, release)) {
		report_absent_file(machine, release);
	}
	free(file);
	free(directory);
	free(release);
}
