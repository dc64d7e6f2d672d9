// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A hierarchy of cgroups, version 2: its directories, sorted by id. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgroups.h"
#include "lib/disk.h"
#include "lib/keys.h"
#include "lib/names.h"
#include "proc_file.h"
#include "source.h"
#include "who_set.h"

#define HIERARCHY	"/fs/cgroup"
#define MODULE		"/kernel/n3_telemetry"	/* of the same sysfs */
#define UNIFIED		"/unified"		/* beside the directories of version 1 */
#define ROOT_ID		1
#define MAX_DEPTH	32
#define MAX_TEXT	4096

/* Return: the directory's path; NULL without one, or with a failure. */
static char *directory_of(struct failure *failure, const struct source *source, const char *named)
{
	const int module = strlen(MODULE);
	int len = (int)strlen(source->root);
	char *path = NULL;

	while (len && source->root[len - 1] == '/')
		len--;
	len -= module;
	if (named)
		path = strdup(named);
	else if (len >= 0 && !strncmp(source->root + len, MODULE, module) &&
		 asprintf(&path, "%.*s" HIERARCHY, len, source->root) < 0)
		path = NULL;
	else if (!path)
		failure_set(failure, ERR_NO_CGROUP2,
			    "%s is not in a sysfs: name the directory of cgroups (--cgroups)",
			    source->root);
	if (!path && !failure->kind)
		failure_no_memory(failure);
	return path;
}

/* Another directory's tree, as that of a namespace, lacks most cgroups. */
static bool check(struct failure *failure, const struct source *source, const char *root)
{
	unsigned long long id;

	if (source_is_live(source) ? !disk_is_cgroup2(root) : disk_find_directory(root))
		return failure_set(failure, ERR_NO_CGROUP2,
				   "no cgroups of version 2 in %s; boot with systemd.unified_cgroup_hierarchy=1, or name their directory (--cgroups)",
				   root);
	if (disk_is_cgroup2(root) && disk_find_inode(root, &id) && id != ROOT_ID)
		return failure_set(failure, ERR_NO_CGROUP2,
				   "%s is not the root of all cgroups: name the host's directory (--cgroups)",
				   root);
	return true;
}

bool cgroups_open(struct failure *failure, const struct source *source, const char *named,
		  char **root)
{
	char *path, *unified;

	failure_clear(failure);
	*root = NULL;
	path = directory_of(failure, source, named);
	if (!path)
		return false;
	if (asprintf(&unified, "%s" UNIFIED, path) < 0) {
		free(path);
		return failure_no_memory(failure);
	}
	if (disk_is_cgroup2(path) || (!disk_is_cgroup2(unified) &&
				      (source_is_live(source) || disk_find_directory(unified)))) {
		*root = path;
		free(unified);
	} else {
		*root = unified;
		free(path);
	}
	if (check(failure, source, *root))
		return true;
	free(*root);
	*root = NULL;
	return false;
}

struct walk {
	struct cgroups *cgroups;
	size_t root;		/* letters of the root's path */
	char path[PATH_MAX];
};

/* Return: false if out of memory. */
static bool add(struct walk *walk)
{
	struct cgroups *cgroups = walk->cgroups;
	struct cgroup *v;

	if (cgroups->nr == MAX_CGROUPS) {
		cgroups->cut_off = true;
		return true;
	}
	v = reallocarray(cgroups->v, cgroups->nr + 1, sizeof(*v));
	if (!v)
		return false;
	cgroups->v = v;
	v += cgroups->nr;
	/* Removed meanwhile. */
	if (!disk_find_inode(walk->path, &v->id))
		return true;
	v->path = strdup(walk->path[walk->root] ? &walk->path[walk->root] : "/");
	if (!v->path)
		return false;
	cgroups->nr++;
	return true;
}

/* The path is changed behind its end. Return: false if out of memory. */
static bool walk_down(struct walk *walk, unsigned int depth)
{
	size_t len = strlen(walk->path), room = sizeof(walk->path) - len;
	bool ok = add(walk);
	char **names;

	if (!ok || walk->cgroups->cut_off)
		return ok;
	if (disk_list_directories(walk->path, &names) == -ENOMEM)
		return false;
	for (size_t i = 0; names && names[i] && ok; i++) {
		if (depth == MAX_DEPTH ||
		    snprintf(&walk->path[len], room, "/%s", names[i]) >= (int)room)
			walk->cgroups->cut_off = true;
		else
			ok = walk_down(walk, depth + 1);
		walk->path[len] = '\0';
	}
	free_names(names);
	return ok;
}

static int compare(const void *a, const void *b)
{
	const struct cgroup *first = a, *second = b;

	return first->id < second->id ? -1 : first->id > second->id;
}

bool cgroups_read(struct failure *failure, const char *root, struct cgroups *cgroups)
{
	struct walk walk = { .cgroups = cgroups };

	*cgroups = (struct cgroups) { 0 };
	walk.root = strlen(root);
	if (walk.root >= sizeof(walk.path) || disk_find_directory(root))
		return failure_set(failure, ERR_NO_CGROUP2, "%s: no such directory", root);
	memcpy(walk.path, root, walk.root + 1);
	if (!walk_down(&walk, 0)) {
		cgroups_free(cgroups);
		return failure_no_memory(failure);
	}
	if (cgroups->nr)
		qsort(cgroups->v, cgroups->nr, sizeof(*cgroups->v), compare);
	return true;
}

void cgroups_free(struct cgroups *cgroups)
{
	for (size_t i = 0; i < cgroups->nr; i++)
		free(cgroups->v[i].path);
	free(cgroups->v);
	*cgroups = (struct cgroups) { 0 };
}

const struct cgroup *cgroups_find(const struct cgroups *cgroups, unsigned long long id)
{
	const struct cgroup key = { .id = id };

	return cgroups->nr ? bsearch(&key, cgroups->v, cgroups->nr, sizeof(key), compare) : NULL;
}

bool cgroup_time(const char *root, const char *path, unsigned long long *usec)
{
	char text[MAX_TEXT];
	const char *value;
	size_t len;

	proc_file_read(text, sizeof(text), "%s%s/cpu.stat", root, path);
	value = find_value(text, "usage_usec", &len);
	*usec = value ? strtoull(value, NULL, 10) : 0;
	return value;
}
