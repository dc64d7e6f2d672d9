/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name; there are no interrupts. */
#ifndef _N3T_SHIM_LINUX_SPINLOCK_H
#define _N3T_SHIM_LINUX_SPINLOCK_H

#include <linux/compiler.h>

typedef struct {
	int held;
} raw_spinlock_t;

#define raw_spin_lock_init(lock)	((void)((lock)->held = 0))
#define raw_spin_unlock(lock)		__atomic_store_n(&(lock)->held, 0, __ATOMIC_RELEASE)
/* A test may run others before. */
#define raw_spin_lock(lock) do { \
	(void)data_race(0); \
} while (__atomic_exchange_n(&(lock)->held, 1, __ATOMIC_ACQUIRE))
#define raw_spin_lock_irqsave(lock, flags) do { \
	(flags) = 0; \
	raw_spin_lock(lock); \
} while (0)
#define raw_spin_unlock_irqrestore(lock, flags)	((void)(flags), raw_spin_unlock(lock))

#endif /* _N3T_SHIM_LINUX_SPINLOCK_H */
