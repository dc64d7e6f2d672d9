/* SPDX-License-Identifier: GPL-2.0 */
/* The folders cpuN, nodeN and system. */
#ifndef _N3T_FOLDER_H
#define _N3T_FOLDER_H

#include <linux/completion.h>
#include <linux/kobject.h>

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

struct n3t_folder *n3t_folder_of(struct kobject *kobj);
void n3t_folder_init_files(void);
int n3t_folder_add(struct n3t_folder *folder, struct kobject *parent, enum n3t_scope scope,
		   unsigned int id);
void n3t_folder_remove(struct n3t_folder *folder);
void n3t_folder_ownership(n3t_const_kobject *kobj, kuid_t *uid, kgid_t *gid);

extern kgid_t n3t_folder_gid;

#endif /* _N3T_FOLDER_H */
