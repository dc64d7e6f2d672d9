/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Processes of a cgroup and its descendants, in both hierarchies. */
#ifndef CLI_WHO_CGROUP_H
#define CLI_WHO_CGROUP_H

#include <sys/types.h>

/*
 * The directory of a cgroup, from a path or a name as in /proc/PID/cgroup; the caller frees
 * it. Exits if the cgroup does not exist.
 */
char *cgroup_find(const char *name);
void cgroup_for_each(const char *directory, void (*call)(void *of, pid_t pid), void *of);

#endif
