/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Processes of a cgroup and of all below it, in either hierarchy. */
#ifndef CLI_WHO_CGROUP_H
#define CLI_WHO_CGROUP_H

#include <sys/types.h>

/*
 * The directory of a cgroup: a path as it is, or as /proc/PID/cgroup has it. Ends the
 * program if there is none. To be freed.
 */
char *cgroup_find(const char *name);
void cgroup_for_each(const char *directory, void (*call)(void *of, pid_t pid), void *of);

#endif
