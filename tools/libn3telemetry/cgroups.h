/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A hierarchy of cgroups, version 2: directories by id, and their names. */
#ifndef LIBN3TELEMETRY_CGROUPS_H
#define LIBN3TELEMETRY_CGROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "errors.h"

#define CGROUP_NAME	128
#define CGROUP_KERNEL	"(kernel)"	/* name of the root, where kernel threads are */
#define CGROUP_REMOVED	"(removed)"	/* stands for ids without a directory */

struct source;

struct cgroup {
	unsigned long long id;	/* inode of the directory */
	char *path;		/* from the root of the hierarchy: "/", "/system.slice" */
};

struct cgroups {
	struct cgroup *v;	/* sorted by id */
	size_t nr;
	bool cut_off;		/* there are more than MAX_CGROUPS, or deeper ones */
};

/*
 * Finds the hierarchy's directory: @named, or else fs/cgroup of the sysfs that the source is in; or
 * its subdirectory "unified". The caller frees it. Return: false without one, if this is not the
 * root of all cgroups or, in a copy, no directory.
 */
bool cgroups_open(struct failure *failure, const struct source *source, const char *named,
		  char **root);
/* Return: false if there is no such directory any more, or out of memory; all is freed then. */
bool cgroups_read(struct failure *failure, const char *root, struct cgroups *cgroups);
void cgroups_free(struct cgroups *cgroups);
const struct cgroup *cgroups_find(const struct cgroups *cgroups, unsigned long long id);
/* CPU time of a directory and all below, in microseconds. Return: false if unknown. */
bool cgroup_time(const char *root, const char *path, unsigned long long *usec);

/*
 * A row has a container or a unit with all below it; a directory that is in neither has a row of
 * its own. Return: how many letters of a directory's path are that of its row.
 */
size_t cgroup_row(const char *path);
/*
 * Short name of a row: "pod-1a2b3c4d/0123456789ab", "docker-0123456789ab", "ssh.service",
 * "user-1000/session-3.scope".
 */
void cgroup_name(char name[CGROUP_NAME], const char *path);
/*
 * Other characters than those of ASCII as systemd writes them, "\x1b". Two texts have two results,
 * of at most four times the length; cut off at @size.
 */
void cgroup_escape(char *to, size_t size, const char *text);

#endif
