// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Privileges that this process lacks to count, or to read or write the module's files. */
#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "memory.h"
#include "privilege.h"

/* The kernel's PROC_USER_INIT_INO, which is fixed. */
#define INITIAL_NAMESPACE	"user:[4026531837]"

enum holder { USER, ROOT, CONTAINER };

static bool is_in_container(const struct machine *machine)
{
	char to[64];

	/* A kernel without user namespaces lacks this link. */
	return machine_read_link(machine, "/proc/self/ns/user", to, sizeof(to)) &&
	       strcmp(to, INITIAL_NAMESPACE);
}

#define MAX_STATUS	4096

/* Return: the value of a key in /proc/self/status, which @text holds, "" if missing. */
static const char *status_of(const struct machine *machine, const char *key, char text[MAX_STATUS])
{
	const char *at;

	machine_read(machine, "/proc/self/status", text, MAX_STATUS);
	at = strstr(text, key);
	return at ? at + strlen(key) : "";
}

static enum holder holder_of(const struct machine *machine)
{
	unsigned int real, effective;
	char text[MAX_STATUS];

	if (is_in_container(machine))
		return CONTAINER;
	if (sscanf(status_of(machine, "\nUid:", text), "%u %u", &real, &effective) < 2 || effective)
		return USER;
	return ROOT;
}

bool privilege_has(const struct machine *machine, unsigned int capability)
{
	char text[MAX_STATUS];
	uint64_t mask = strtoull(status_of(machine, "\nCapEff:", text), NULL, 16);

	return mask & 1ULL << capability && !is_in_container(machine);
}

bool privilege_may_count(const struct machine *machine)
{
	return privilege_has(machine, CAP_PERFMON) || privilege_has(machine, CAP_SYS_ADMIN);
}

/* File capabilities belong to one program: n3stat executes others for most commands. */
static struct privilege missing_of_user(const struct machine *machine)
{
	struct privilege missing = { ERR_PERMISSION_DENIED, "be root, or have CAP_PERFMON" };
	char path[sizeof(missing.advice) - 64];

	/* not a part of a long path */
	if (machine_read_link(machine, "/proc/self/exe", path, sizeof(path)) &&
	    strlen(path) < sizeof(path) - 1)
		snprintf(missing.advice, sizeof(missing.advice),
			 "be root, or have CAP_PERFMON (setcap cap_perfmon+ep %s)", path);
	return missing;
}

struct privilege privilege_to_count(const struct machine *machine)
{
	if (privilege_may_count(machine))
		return (struct privilege) { ERR_POLICY_REFUSES, "CAP_PERFMON is not missing: "
					    "a security module, seccomp or lockdown refuses" };
	switch (holder_of(machine)) {
	case USER:
		return missing_of_user(machine);
	case ROOT:
		return (struct privilege) {
			ERR_CAPABILITY_MISSING,
			"uid 0 is not enough, CAP_PERFMON is missing: run it on the host, or in a "
			"container with --cap-add=PERFMON"
		};
	default:
		return (struct privilege) {
			ERR_USER_NAMESPACE,
			"CAP_PERFMON in the initial user namespace is missing, uid 0 of this one "
			"is not enough: run it on the host"
		};
	}
}

struct privilege privilege_to_change(const struct machine *machine, int error)
{
	static const struct privilege missing[] = {
		[USER] = { ERR_PERMISSION_DENIED, "be root" },
		[ROOT] = { ERR_CAPABILITY_MISSING,
			   "uid 0 is not enough, CAP_SYS_ADMIN is missing: run it on the host" },
		[CONTAINER] = { ERR_USER_NAMESPACE,
				"CAP_SYS_ADMIN in the initial user namespace is missing, uid 0 of "
				"this one is not enough: run it on the host" },
	};
	enum holder holder = holder_of(machine);

	if (error == EROFS)
		return (struct privilege) {
			ERR_SYSFS_READ_ONLY,
			"run it on the host: in a container sysfs is read-only"
		};
	if (holder == ROOT && privilege_has(machine, CAP_SYS_ADMIN))
		return (struct privilege) { ERR_POLICY_REFUSES, "CAP_SYS_ADMIN is not missing: "
					    "a security module or lockdown refuses" };
	return missing[holder];
}

char *privilege_command(const struct machine *machine, const char *command)
{
	bool user = holder_of(machine) == USER;

	return format_string("%s%s%s", user ? "sudo " : "", command, user ? "" : " on the host");
}
