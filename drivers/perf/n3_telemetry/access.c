// SPDX-License-Identifier: GPL-2.0
/*
 * Access control for the files in sysfs.
 *
 * File modes do not restrict uid 0 in a container, which has no capability over
 * the host. Every read and write in sysfs therefore also checks the capability
 * that perf_event_open() requires for a whole CPU. kernfs calls show() in the
 * context of the reader, on each read from the start of the file, so a
 * descriptor opened earlier by a more privileged process grants nothing.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/kobject.h>
#include <linux/limits.h>
#include <linux/printk.h>
#include <linux/sysfs.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "access.h"

/* Group whose members may read without a capability; written at load. */
static kgid_t readers = INVALID_GID;

/**
 * n3t_access_init() - set the group that may read
 * @gid: value of the parameter gid, N3T_NO_GID for none
 *
 * Group 0 is refused: some container runtimes give it to every program.
 *
 * Context: any; before the first file exists.
 * Return: 0, or -EINVAL with the reason in the kernel log.
 */
int n3t_access_init(long gid)
{
	if (gid == N3T_NO_GID)
		return 0;

	if (gid > 0 && gid <= U32_MAX)
		readers = make_kgid(&init_user_ns, gid);
	if (gid_valid(readers))
		return 0;
	pr_err("invalid gid %ld, must be -1 (none) or 1 to %u%s\n", gid, U32_MAX - 1,
	       gid ? "" : ": containers run with group 0, use a dedicated group");
	return -EINVAL;
}

/**
 * n3t_access_ownership() - get_ownership() of all directories
 * @kobj: a directory
 * @uid: root
 * @gid: the group that may read, root's if there is none
 */
void n3t_access_ownership(n3t_const_kobject *kobj, kuid_t *uid, kgid_t *gid)
{
	*uid = GLOBAL_ROOT_UID;
	*gid = gid_valid(readers) ? readers : GLOBAL_ROOT_GID;
}

/**
 * n3t_access_mode() - is_visible() of all files
 * @kobj: the directory
 * @attr: the file, with its mode for the owner
 * @index: unused
 *
 * Return: the mode of the file.
 */
umode_t n3t_access_mode(struct kobject *kobj, struct attribute *attr, int index)
{
	return gid_valid(readers) ? attr->mode | 0040 : attr->mode;
}

static ssize_t access_show(struct kobject *kobj, struct attribute *attr, char *buf)
{
	bool is_member = gid_valid(readers) && in_group_p(readers);

	if (!is_member && !perfmon_capable())
		return -EPERM;
	return kobj_sysfs_ops.show(kobj, attr, buf);
}

static ssize_t access_store(struct kobject *kobj, struct attribute *attr, const char *buf,
			    size_t size)
{
	if (!perfmon_capable())
		return -EPERM;
	return kobj_sysfs_ops.store(kobj, attr, buf, size);
}

/* sysfs operations of all directories. */
const struct sysfs_ops n3t_access_ops = {
	.show = access_show,
	.store = access_store,
};
