/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the pure units take from the kernel's header of this name. */
#ifndef _N3T_SHIM_LINUX_SCHED_H
#define _N3T_SHIM_LINUX_SCHED_H

/* A program is preempted anyway. */
#define cond_resched()	((void)0)

#endif /* _N3T_SHIM_LINUX_SCHED_H */
