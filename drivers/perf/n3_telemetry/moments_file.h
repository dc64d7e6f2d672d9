/* SPDX-License-Identifier: GPL-2.0 */
/* File moments of a CPU. */
#ifndef _N3T_MOMENTS_FILE_H
#define _N3T_MOMENTS_FILE_H

#include <linux/sysfs.h>

extern const struct attribute_group n3t_moments_file;

#endif /* _N3T_MOMENTS_FILE_H */
