/* SPDX-License-Identifier: GPL-2.0 */
/* The directories cpuN, nodeN and system. */
#ifndef _N3T_DIRECTORY_H
#define _N3T_DIRECTORY_H

#include <linux/completion.h>
#include <linux/kobject.h>

#include "values.h"

/**
 * struct n3t_directory - a directory with the values of one scope
 * @kobj: the directory
 * @released: @kobj is no longer used
 * @scope: scope of the values
 * @id: number of the CPU or node
 */
struct n3t_directory {
	struct kobject kobj;
	struct completion released;
	enum n3t_scope scope;
	unsigned int id;
};

struct n3t_directory *n3t_directory_of(struct kobject *kobj);
int n3t_directory_add(struct n3t_directory *directory, struct kobject *parent,
		      enum n3t_scope scope, unsigned int id,
		      const struct attribute_group **groups);
void n3t_directory_remove(struct n3t_directory *directory);

#endif /* _N3T_DIRECTORY_H */
