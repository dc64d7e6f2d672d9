/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Set of selected processes: by pid, name or cgroup, as they come and go. */
#ifndef LIBN3TELEMETRY_WHO_SET_H
#define LIBN3TELEMETRY_WHO_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "errors.h"

#define WHO_MAX_NAMES	128	/* per kind */
#define MAX_CGROUPS	16384	/* more are ignored: scanning them takes about a second */

/* As given by the user; the caller keeps ownership of the strings. */
struct who_names {
	const char *pids[WHO_MAX_NAMES], *comms[WHO_MAX_NAMES], *cgroups[WHO_MAX_NAMES];
	size_t nr_pids, nr_comms, nr_cgroups;
};

bool who_names_any(const struct who_names *names);

/* All processes, including the selected ones, sorted by pid. */
struct who_process {
	pid_t pid;
	bool named;		/* by pid or name, or a child of one */
	bool in_cgroup;
	unsigned int looks;	/* remaining checks, as a name comes with exec() */
};

struct who_set {
	const struct who_names *names;
	const char *proc;
	struct failure *failure;
	struct who_process *v;
	size_t nr;
	char **cgroups;		/* their directories */
	const char *cut_off;	/* one with too many cgroups below it, or NULL */
	bool scanned;
};

/*
 * Return: false if a process, name or cgroup does not exist, and after another error;
 * who_set_free() is due nevertheless. The arguments must stay valid.
 */
bool who_set_open(struct failure *failure, struct who_set *set, const struct who_names *names,
		  const char *proc);
/* Adds new processes and drops ended ones. Return: false if out of memory. */
bool who_set_scan(struct who_set *set);
bool who_is_meant(const struct who_process *process);
size_t who_set_count(const struct who_set *set);
/* Whether none is left, nor can come. */
bool who_set_is_over(const struct who_set *set);
void who_set_free(struct who_set *set);

/*
 * Cgroups of both hierarchies: the directory of one, from a path or a name as in /proc/PID/cgroup;
 * the caller frees it. Return: false if the cgroup does not exist, and after another error.
 */
bool cgroup_find(struct failure *failure, const char *name, char **directory);
/*
 * Calls for the processes of a cgroup and its descendants. Return: the number of cgroups, at most
 * MAX_CGROUPS, or -ENOMEM.
 */
ssize_t cgroup_for_each(const char *directory, void (*call)(void *data, pid_t pid), void *data);

#endif
