/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Which processes are meant: by number, by name, by cgroup; as they come and go. */
#ifndef CLI_WHO_SET_H
#define CLI_WHO_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define WHO_MAX_NAMES	128	/* of a kind */

/* As the user gave them; the texts stay the caller's. */
struct who_names {
	const char *pids[WHO_MAX_NAMES], *comms[WHO_MAX_NAMES], *cgroups[WHO_MAX_NAMES];
	size_t nr_pids, nr_comms, nr_cgroups;
};

bool who_names_any(const struct who_names *names);
/* As the user would type them: "--pid 1 --comm 'a b'". To be freed. */
char *who_names_text(const struct who_names *names);

/* All processes that there are, those that are meant among them; sorted by number. */
struct who_process {
	pid_t pid;
	bool named;		/* by number or name, or a child of one */
	bool in_cgroup;
	unsigned int looks;	/* at it that are left: a name comes with exec() */
};

struct who_set {
	const struct who_names *names;
	const char *proc;
	struct who_process *v;
	size_t nr;
	char **cgroups;		/* their directories */
	bool scanned;
};

/* Ends the program if a process, name or cgroup is not there. */
void who_set_open(struct who_set *set, const struct who_names *names, const char *proc);
/* Looks for new ones, and drops those that ended. */
void who_set_scan(struct who_set *set);
bool who_is_meant(const struct who_process *process);
size_t who_set_count(const struct who_set *set);
void who_set_free(struct who_set *set);

#endif
