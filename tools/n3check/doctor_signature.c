// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* doctor checks of the module's signature, which Secure Boot and lockdown require. */
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "lib/finding.h"
#include "lib/machine_kernel.h"
#include "lib/memory.h"
#include "lib/names.h"

#define VARIABLES	"/sys/firmware/efi/efivars"
#define SECURE_BOOT	VARIABLES "/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define CERTIFICATE	"/var/lib/dkms/mok.pub"
#define MAX_CERTIFICATE	4096	/* typically 800 */

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

void doctor_signature(const struct machine *machine, const char *release, const char *file)
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
