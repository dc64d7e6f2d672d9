/* SPDX-License-Identifier: GPL-2.0 */
/* Access control for the files in sysfs. */
#ifndef _N3T_ACCESS_H
#define _N3T_ACCESS_H

#include <linux/kobject.h>
#include <linux/sysfs.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#define N3T_NO_GID	(-1)

extern const struct sysfs_ops n3t_access_ops;

int n3t_access_init(long gid);
void n3t_access_ownership(n3t_const_kobject *kobj, kuid_t *uid, kgid_t *gid);
umode_t n3t_access_mode(struct kobject *kobj, struct attribute *attr, int index);

#endif /* _N3T_ACCESS_H */
