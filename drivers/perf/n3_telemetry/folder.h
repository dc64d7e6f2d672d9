/* SPDX-License-Identifier: GPL-2.0 */
/* The folders cpuN, nodeN and system. */
#ifndef _N3T_FOLDER_H
#define _N3T_FOLDER_H

#include <linux/completion.h>
#include <linux/kobject.h>

#include "spec.h"
#include "values.h"

/**
 * struct n3t_folder - a folder with the values of one scope
 * @kobj: the folder
 * @released: nobody uses @kobj any more
 * @scope: what the values are of
 * @id: which
 */
struct n3t_folder {
	struct kobject kobj;
	struct completion released;
	enum n3t_scope scope;
	unsigned int id;
};

/**
 * struct n3t_group_attribute - a file for a metric group
 * @attr: the file
 * @group: the group
 */
struct n3t_group_attribute {
	struct kobj_attribute attr;
	enum n3t_group group;
};

typedef ssize_t (n3t_show_fn)(struct kobject *kobj, struct kobj_attribute *attr, char *buf);

const struct n3t_group_info *n3t_group_of(struct kobj_attribute *attr);
void n3t_group_files_init(struct n3t_group_attribute *files, struct attribute **attrs,
			  n3t_show_fn *show);

struct n3t_folder *n3t_folder_of(struct kobject *kobj);
void n3t_folder_init_files(void);
int n3t_folder_add(struct n3t_folder *folder, struct kobject *parent, enum n3t_scope scope,
		   unsigned int id);
void n3t_folder_remove(struct n3t_folder *folder);
void n3t_folder_ownership(n3t_const_kobject *kobj, kuid_t *uid, kgid_t *gid);

extern kgid_t n3t_folder_gid;

#endif /* _N3T_FOLDER_H */
