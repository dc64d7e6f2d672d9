/* SPDX-License-Identifier: GPL-2.0 */
/* /sys/kernel/debug/n3_sim/ */
#ifndef _N3_SIM_DEBUGFS_H
#define _N3_SIM_DEBUGFS_H

#include <linux/types.h>

int n3_sim_debugfs_init(bool split);
void n3_sim_debugfs_exit(void);

#endif /* _N3_SIM_DEBUGFS_H */
