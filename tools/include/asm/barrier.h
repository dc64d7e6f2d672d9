/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the pure units take from the kernel's header of this name. */
#ifndef _N3T_SHIM_ASM_BARRIER_H
#define _N3T_SHIM_ASM_BARRIER_H

/* The compiler's barriers of C11: each is at least as strong as the kernel's. */
#define smp_load_acquire(p)		__atomic_load_n(p, __ATOMIC_ACQUIRE)
/* As above. */
#define smp_store_release(p, value)	__atomic_store_n(p, value, __ATOMIC_RELEASE)
/* As above. */
#define smp_rmb()			__atomic_thread_fence(__ATOMIC_ACQUIRE)
/* As above. */
#define smp_wmb()			__atomic_thread_fence(__ATOMIC_RELEASE)

#endif /* _N3T_SHIM_ASM_BARRIER_H */
