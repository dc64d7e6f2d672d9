/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_LINUX_SCHED_H
#define _N3T_SHIM_LINUX_SCHED_H

/* User space is always preemptible. */
#include_next <linux/sched.h>

#define cond_resched()	((void)0)

#endif /* _N3T_SHIM_LINUX_SCHED_H */
