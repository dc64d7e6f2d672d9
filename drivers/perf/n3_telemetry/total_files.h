/* SPDX-License-Identifier: GPL-2.0 */
/* Files in counters/: totals since the module was loaded. */
#ifndef _N3T_TOTAL_FILES_H
#define _N3T_TOTAL_FILES_H

struct attribute_group;

extern const struct attribute_group n3t_total_files;

void n3t_total_files_init(void);

#endif /* _N3T_TOTAL_FILES_H */
