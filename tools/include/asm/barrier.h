/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_ASM_BARRIER_H
#define _N3T_SHIM_ASM_BARRIER_H

/* C11 barriers of the compiler: each is at least as strong as the kernel's. */
#define smp_load_acquire(p)		__atomic_load_n(p, __ATOMIC_ACQUIRE)
/* As above. */
#define smp_store_release(p, value)	__atomic_store_n(p, value, __ATOMIC_RELEASE)
/* As above. */
#define smp_rmb()			__atomic_thread_fence(__ATOMIC_ACQUIRE)
/* As above. */
#define smp_wmb()			__atomic_thread_fence(__ATOMIC_RELEASE)

#endif /* _N3T_SHIM_ASM_BARRIER_H */
