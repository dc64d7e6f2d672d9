// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Processes of a cgroup and its descendants, in both hierarchies. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/disk.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "proc_file.h"
#include "proc_task.h"
#include "who_set.h"

#define CGROUPS		"/sys/fs/cgroup"
#define PROCESSES	"cgroup.procs"
#define MAX_TEXT	(1024 * 1024)
#define MAX_DEPTH	32

/* Version 2 alone or with version 1, which has a directory per controller. */
static const char * const hierarchies[] = {
	"", CGROUPS "/", CGROUPS "/unified/", CGROUPS "/cpu,cpuacct/", CGROUPS "/cpu/",
	CGROUPS "/cpuacct/", CGROUPS "/systemd/", CGROUPS "/pids/", CGROUPS "/memory/",
};

/* Return: whether it exists, or the search has failed. */
static bool is_found(struct failure *failure, const char *directory)
{
	char text[2];
	ssize_t len = proc_file_read(text, sizeof(text), "%s/" PROCESSES, directory);

	if (len == -EOPNOTSUPP)
		failure_set(failure, ERR_NO_SUCH_CGROUP,
			    "%s: a threaded cgroup; name the one above it", directory);
	else if (len == -EACCES || len == -EPERM)
		failure_set(failure, ERR_PERMISSION_DENIED,
			    "%s/" PROCESSES ": permission denied", directory);
	return len >= 0 || failure->kind;
}

bool cgroup_find(struct failure *failure, const char *name, char **directory)
{
	failure_clear(failure);
	for (size_t i = 0; i < NR(hierarchies); i++) {
		const char *below = i ? name + strspn(name, "/") : name;

		if (asprintf(directory, "%s%s", hierarchies[i], below) < 0) {
			*directory = NULL;
			return failure_no_memory(failure);
		}
		if (is_found(failure, *directory))
			return !failure->kind;
		free(*directory);
	}
	*directory = NULL;
	return failure_set(failure, ERR_NO_SUCH_CGROUP, "no cgroup %s: neither a directory with "
			   PROCESSES " nor one below " CGROUPS, name);
}

struct walk {
	void (*call)(void *data, pid_t pid);
	void *data;
	size_t nr;		/* directories so far */
	char path[PATH_MAX];
	char text[MAX_TEXT + 1];
};

static void call_for_lines(struct walk *walk)
{
	char *text = walk->text, *line;

	while ((line = strsep(&text, "\n"))) {
		pid_t pid = task_number(line);

		if (pid)
			walk->call(walk->data, pid);
	}
}

/* cgroups have no links; a lookalike directory may have cyclic ones. */
static bool is_directory(const char *path)
{
	char to;

	return !disk_find_directory(path) && disk_read_link(path, &to, 1) < 0;
}

/* Return: whether the name fits behind the first @len characters of the path. */
static bool append(struct walk *walk, size_t len, const char *name)
{
	size_t room = sizeof(walk->path) - len;

	return snprintf(&walk->path[len], room, "/%s", name) < (int)room;
}

/* The path is changed behind its end. Return: false if out of memory. */
static bool walk_down(struct walk *walk, unsigned int depth)
{
	size_t len = strlen(walk->path);
	bool ok = true;
	char **names;

	/* Threads below a threaded cgroup belong to processes above it. */
	if (walk->nr == MAX_CGROUPS || proc_file_read(walk->text, sizeof(walk->text),
						      "%s/" PROCESSES, walk->path) < 0)
		return true;
	walk->nr++;
	call_for_lines(walk);
	if (depth == MAX_DEPTH)
		return true;
	if (disk_list(walk->path, &names) == -ENOMEM)
		return false;
	for (size_t i = 0; names && names[i] && ok; i++)
		if (append(walk, len, names[i]) && is_directory(walk->path))
			ok = walk_down(walk, depth + 1);
	free_names(names);
	return ok;
}

ssize_t cgroup_for_each(const char *directory, void (*call)(void *data, pid_t pid), void *data)
{
	struct walk *walk = malloc(sizeof(*walk));
	ssize_t nr = -ENOMEM;

	if (!walk)
		return nr;
	walk->call = call;
	walk->data = data;
	walk->nr = 0;
	if (snprintf(walk->path, sizeof(walk->path), "%s", directory) >= PATH_MAX ||
	    walk_down(walk, 0))
		nr = (ssize_t)walk->nr;
	free(walk);
	return nr;
}
