/* SPDX-License-Identifier: GPL-2.0 */
/* Access control for the files in sysfs. */
#ifndef _N3T_ACCESS_H
#define _N3T_ACCESS_H

#include <linux/fs.h>
#include <linux/sysfs.h>

extern const struct sysfs_ops n3t_access_ops;

bool n3t_may_read(const struct file *file);

#endif /* _N3T_ACCESS_H */
