/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_LINUX_OVERFLOW_H
#define _N3T_SHIM_LINUX_OVERFLOW_H

#define check_add_overflow(a, b, sum)	__builtin_add_overflow(a, b, sum)

#endif /* _N3T_SHIM_LINUX_OVERFLOW_H */
