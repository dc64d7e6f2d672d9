/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_LINUX_COMPILER_H
#define _N3T_SHIM_LINUX_COMPILER_H

#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value)	__atomic_store_n(&(x), value, __ATOMIC_RELAXED)

#define unlikely(condition)	__builtin_expect(!!(condition), 0)
#define noinline		__attribute__((noinline))
#define OPTIMIZER_HIDE_VAR(x)	__asm__("" : "+r" (x))

/* No race detector is involved; a test has its own. */
#ifndef data_race
#define data_race(expression)	(expression)
#endif

#endif /* _N3T_SHIM_LINUX_COMPILER_H */
