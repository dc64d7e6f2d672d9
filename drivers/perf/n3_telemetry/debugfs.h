/* SPDX-License-Identifier: GPL-2.0 */
/* Internals, for developers: /sys/kernel/debug/n3_telemetry. No ABI. */
#ifndef _N3T_DEBUGFS_H
#define _N3T_DEBUGFS_H

void n3t_debugfs_init(void);
void n3t_debugfs_exit(void);

#endif /* _N3T_DEBUGFS_H */
