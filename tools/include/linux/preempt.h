/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the pure units take from the kernel's header of this name: nothing preempts here. */
#ifndef _N3T_SHIM_LINUX_PREEMPT_H
#define _N3T_SHIM_LINUX_PREEMPT_H

static inline void preempt_disable(void)
{
}

static inline void preempt_enable(void)
{
}

#endif /* _N3T_SHIM_LINUX_PREEMPT_H */
