// SPDX-License-Identifier: GPL-2.0
/*
 * Access control for the files in sysfs.
 *
 * Values of whole CPUs reveal the programs of other users. A file's mode, owner
 * and group cannot protect them: uid 0 in a container has no capability over the
 * host, and may choose its groups. So everyone can open a file, and every read
 * checks the capability that perf_event_open() requires for a whole CPU. kernfs
 * calls show() in the context of the reader, on each read from the start of the
 * file: a descriptor opened earlier by a more privileged process grants nothing. After
 * a shorter read, any holder of the descriptor can read the rest of the same text:
 * checking that, too, takes a new text for each read, and a number could be torn.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/kobject.h>
#include <linux/sysfs.h>
#include <linux/user_namespace.h>

#include "access.h"

static ssize_t access_show(struct kobject *kobj, struct attribute *attr, char *buf)
{
	if (!perfmon_capable())
		return -EPERM;
	return kobj_sysfs_ops.show(kobj, attr, buf);
}

/* CAP_PERFMON permits to observe; settings affect all users of the PMU. */
static ssize_t access_store(struct kobject *kobj, struct attribute *attr, const char *buf,
			    size_t size)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	return kobj_sysfs_ops.store(kobj, attr, buf, size);
}

/* Do the reader and the opener of a binary file have the capability? */
bool n3t_may_read(const struct file *file)
{
	return perfmon_capable() && (file_ns_capable(file, &init_user_ns, CAP_PERFMON) ||
				     file_ns_capable(file, &init_user_ns, CAP_SYS_ADMIN));
}

/* sysfs operations of all directories. */
const struct sysfs_ops n3t_access_ops = {
	.show = access_show,
	.store = access_store,
};
