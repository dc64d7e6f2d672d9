/* SPDX-License-Identifier: GPL-2.0 */
/* Files with values: one per metric group, quality/ and bottleneck. */
#ifndef _N3T_GROUP_FILES_H
#define _N3T_GROUP_FILES_H

struct attribute_group;

extern const struct attribute_group n3t_group_files;
extern const struct attribute_group n3t_quality_files;
extern const struct attribute_group n3t_bottleneck_file;

void n3t_group_files_init(void);

#endif /* _N3T_GROUP_FILES_H */
