/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Privileges that this process lacks to count, or to read or write the module's files: perf and
 * the module require CAP_PERFMON in the initial user namespace, the module's settings
 * CAP_SYS_ADMIN. uid 0 of a container may lack both, and open(2) and access(2) do not show it.
 */
#ifndef LIB_PRIVILEGE_H
#define LIB_PRIVILEGE_H

#include "machine.h"

struct error_kind;

/* Return: whether the process has this capability in the initial user namespace. */
bool privilege_has(const struct machine *machine, unsigned int capability);
/* The same for CAP_PERFMON, or CAP_SYS_ADMIN, which includes it. */
bool privilege_may_count(const struct machine *machine);

/* Cause of a refusal, and advice to follow it in the message. */
struct privilege {
	const struct error_kind *kind;
	char advice[512];
};

/* To count, or to read a file of the module. */
struct privilege privilege_to_count(const struct machine *machine);
/* To write a setting, which failed with @error. */
struct privilege privilege_to_change(const struct machine *machine, int error);
/* Return: an n3stat command with the missing privileges; the caller frees it. */
char *privilege_command(const struct machine *machine, const char *command);

#endif
