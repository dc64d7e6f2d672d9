/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the pure units take from the kernel's header of this name. */
#ifndef _N3T_SHIM_LINUX_COMPILER_H
#define _N3T_SHIM_LINUX_COMPILER_H

#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value)	__atomic_store_n(&(x), value, __ATOMIC_RELAXED)

#define unlikely(condition)	__builtin_expect(!!(condition), 0)
#define noinline		__attribute__((noinline))
#define OPTIMIZER_HIDE_VAR(x)	__asm__("" : "+r" (x))

/* Where a writer may meet a reader: a test runs it there. */
__attribute__((weak)) void (*shim_race)(void);

static inline void shim_meet(void)
{
	if (shim_race)
		shim_race();
}

/* No race detector checks this. */
#define data_race(expression)	(shim_meet(), (expression))

#endif /* _N3T_SHIM_LINUX_COMPILER_H */
