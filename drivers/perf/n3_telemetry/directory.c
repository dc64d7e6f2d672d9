// SPDX-License-Identifier: GPL-2.0
/* Lifetime of the directories cpuN, nodeN and system. */
#include <linux/kobject.h>
#include <linux/sysfs.h>

#include "access.h"
#include "directory.h"

/* The directory of a file, from the @kobj of its show(). */
struct n3t_directory *n3t_directory_of(struct kobject *kobj)
{
	return container_of(kobj, struct n3t_directory, kobj);
}

static void directory_release(struct kobject *kobj)
{
	complete(&n3t_directory_of(kobj)->released);
}

static const struct kobj_type directory_ktype = {
	.release = directory_release,
	.sysfs_ops = &n3t_access_ops,
};

static int name_and_add(struct n3t_directory *directory, struct kobject *parent)
{
	switch (directory->scope) {
	case N3T_SCOPE_CPU:
		return kobject_init_and_add(&directory->kobj, &directory_ktype, parent, "cpu%u",
					    directory->id);
	case N3T_SCOPE_NODE:
		return kobject_init_and_add(&directory->kobj, &directory_ktype, parent, "node%u",
					    directory->id);
	default:
		return kobject_init_and_add(&directory->kobj, &directory_ktype, parent, "system");
	}
}

/* Adds a directory, zeroed, with its files; on error nothing is left. */
int n3t_directory_add(struct n3t_directory *directory, struct kobject *parent,
		      enum n3t_scope scope, unsigned int id,
		      const struct attribute_group **groups)
{
	int ret;

	directory->scope = scope;
	directory->id = id;
	init_completion(&directory->released);

	ret = name_and_add(directory, parent);
	if (!ret)
		ret = sysfs_create_groups(&directory->kobj, groups);
	if (ret)
		n3t_directory_remove(directory);
	return ret;
}

/**
 * n3t_directory_remove() - remove a directory with its files
 * @directory: a directory passed to n3t_directory_add(), even if that failed
 *
 * Context: may sleep; waits for readers of the files, and for other users of the
 * directory.
 */
void n3t_directory_remove(struct n3t_directory *directory)
{
	kobject_del(&directory->kobj);
	kobject_put(&directory->kobj);
	wait_for_completion(&directory->released);
}
