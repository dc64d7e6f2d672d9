/* SPDX-License-Identifier: GPL-2.0 */
/* The files under /sys/kernel/n3_telemetry. */
#ifndef _N3T_SYSFS_H
#define _N3T_SYSFS_H

int n3t_sysfs_init(void);
void n3t_sysfs_exit(void);

#endif /* _N3T_SYSFS_H */
