/* SPDX-License-Identifier: GPL-2.0 */
/* Files with values, one per metric group. */
#ifndef _N3T_GROUP_FILES_H
#define _N3T_GROUP_FILES_H

#include <linux/kobject.h>
#include <linux/sysfs.h>

#include "libn3t/n3t.h"

struct n3t_group_info;

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

extern const struct attribute_group n3t_group_files;

const struct n3t_group_info *n3t_group_of(struct kobj_attribute *attr);
void n3t_group_attributes_init(struct n3t_group_attribute *files, struct attribute **attrs,
			       n3t_show_fn *show);
void n3t_group_files_init(void);

#endif /* _N3T_GROUP_FILES_H */
