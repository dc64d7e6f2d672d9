// SPDX-License-Identifier: GPL-2.0
/*
 * File moments of a CPU: sums for statistics in user space.
 *
 * kernfs calls the handler on each read, with at most a page. So each read gets one record,
 * which is consistent; a reader compares the run and the number of slices in several.
 */
#include <linux/kobject.h>
#include <linux/math64.h>
#include <linux/sysfs.h>

#include "access.h"
#include "directory.h"
#include "libn3t/moments.h"
#include "libn3t/plan.h"
#include "moments_file.h"
#include "values.h"

/* A binary file has no open(): the opener is checked on each read, like the reader. */
static ssize_t moments_read(struct file *file, struct kobject *kobj, n3t_bin_attribute *attr,
			    char *buf, loff_t at, size_t size)
{
	unsigned int cpu = n3t_directory_of(kobj)->id;
	u64 record;
	u32 rest;
	int ret;

	if (!n3t_may_read(file))
		return -EPERM;
	record = div_u64_rem(at, N3T_MOMENTS_RECORD, &rest);
	if (rest || size < N3T_MOMENTS_RECORD)
		return -EINVAL;
	if (record > N3T_MAX_SETS)
		return 0;

	ret = n3t_moments_read(cpu, record, buf);
	return ret > 0 ? N3T_MOMENTS_RECORD : ret;
}

static n3t_bin_attribute moments_attribute = {
	.attr = { .name = "moments", .mode = 0444 },
	.read = moments_read,
};

static n3t_bin_attribute *moments_attributes[] = {
	&moments_attribute,
	NULL
};

const struct attribute_group n3t_moments_file = {
	.bin_attrs = moments_attributes,
};
