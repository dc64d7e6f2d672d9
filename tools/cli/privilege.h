/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Why this process may not count or read the module's files, and what it takes: perf and the
 * module ask for CAP_PERFMON in the initial user namespace, which uid 0 of a container may lack.
 */
#ifndef CLI_PRIVILEGE_H
#define CLI_PRIVILEGE_H

#include "machine.h"

/* Return: whether the process has that capability in the initial user namespace. */
bool privilege_has(const struct machine *machine, unsigned int capability);
/* The same of CAP_PERFMON, or CAP_SYS_ADMIN, which contains it. */
bool privilege_may_count(const struct machine *machine);

/* Words that follow "permission denied;": what counting takes. */
const char *privilege_to_count(const struct machine *machine);
/* The same for a file of the module that gave this errno; also to write it. To be freed. */
char *privilege_to_read(const struct machine *machine, int error);
const char *privilege_to_write(const struct machine *machine, int error);
/* Return: a command of n3stat with the privileges that it lacks, to be freed. */
char *privilege_command(const struct machine *machine, const char *command);

#endif
