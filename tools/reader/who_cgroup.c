// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Processes of a cgroup and its descendants, in both hierarchies. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "lib/disk.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "libn3telemetry/proc_task.h"
#include "who_set.h"

#define CGROUPS		"/sys/fs/cgroup"
#define PROCESSES	"cgroup.procs"
#define MAX_TEXT	(1024 * 1024)
#define MAX_DEPTH	32
#define MAX_CGROUPS	16384	/* scanning them takes about a second */

static ssize_t read_processes(const char *directory, char *text)
{
	char *path = format_string("%s/" PROCESSES, directory);
	ssize_t len = disk_read(path, text, MAX_TEXT);

	free(path);
	text[len > 0 ? len : 0] = '\0';
	return len;
}

/* Version 2 alone or with version 1, which has a directory per controller. */
static const char * const hierarchies[] = {
	"", CGROUPS "/", CGROUPS "/unified/", CGROUPS "/cpu,cpuacct/", CGROUPS "/cpu/",
	CGROUPS "/cpuacct/", CGROUPS "/systemd/", CGROUPS "/pids/", CGROUPS "/memory/",
};

char *cgroup_find(const char *name)
{
	char *text = xreallocarray(NULL, MAX_TEXT + 1, 1);

	for (size_t i = 0; i < NR(hierarchies); i++) {
		const char *below = i ? name + strspn(name, "/") : name;
		char *directory = format_string("%s%s", hierarchies[i], below);
		ssize_t len = read_processes(directory, text);

		if (len == -EOPNOTSUPP)
			die(ERR_NO_SUCH_CGROUP, "%s: a threaded cgroup; name the one above it",
			    directory);
		if (len == -EACCES || len == -EPERM)
			die(ERR_PERMISSION_DENIED,
			    "%s/" PROCESSES ": permission denied", directory);
		if (len >= 0) {
			free(text);
			return directory;
		}
		free(directory);
	}
	die(ERR_NO_SUCH_CGROUP, "no cgroup %s: neither a directory with " PROCESSES
	    " nor one below " CGROUPS, name);
}

static void call_for_lines(char *text, void (*call)(void *data, pid_t pid), void *data)
{
	char *line;

	while ((line = strsep(&text, "\n"))) {
		pid_t pid = task_number(line);

		if (pid)
			call(data, pid);
	}
}

struct walk {
	void (*call)(void *data, pid_t pid);
	void *data;
	char *text;
	size_t nr;		/* directories so far */
};

/* cgroups have no links; a lookalike directory may have cyclic ones. */
static bool is_directory(const char *path)
{
	char to;

	return !disk_find_directory(path) && disk_read_link(path, &to, 1) < 0;
}

static void walk_down(struct walk *walk, const char *directory, unsigned int depth)
{
	char **names;

	/* Threads below a threaded cgroup belong to processes above it. */
	if (walk->nr == MAX_CGROUPS || read_processes(directory, walk->text) < 0)
		return;
	walk->nr++;
	call_for_lines(walk->text, walk->call, walk->data);
	if (depth == MAX_DEPTH)
		return;
	xdisk_list(directory, &names);
	for (size_t i = 0; names[i]; i++) {
		char *path = format_string("%s/%s", directory, names[i]);

		if (is_directory(path))
			walk_down(walk, path, depth + 1);
		free(path);
	}
	free_names(names);
}

void cgroup_for_each(const char *directory, void (*call)(void *data, pid_t pid), void *data)
{
	static bool told;
	struct walk walk = {
		.call = call, .data = data, .text = xreallocarray(NULL, MAX_TEXT + 1, 1)
	};

	walk_down(&walk, directory, 0);
	free(walk.text);
	if (walk.nr == MAX_CGROUPS && !told) {
		told = true;
		warn(ERR_TOO_MANY_CGROUPS,
		     "%s: %d cgroups, no more are looked at", directory, MAX_CGROUPS);
	}
}
