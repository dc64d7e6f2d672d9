/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name, without preemption. */
#ifndef _N3T_SHIM_LINUX_PREEMPT_H
#define _N3T_SHIM_LINUX_PREEMPT_H

static inline void preempt_disable(void)
{
}

static inline void preempt_enable(void)
{
}

#endif /* _N3T_SHIM_LINUX_PREEMPT_H */
