/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_LINUX_MINMAX_H
#define _N3T_SHIM_LINUX_MINMAX_H

#define min_t(type, x, y) ({			\
	type __x = (x), __y = (y);		\
						\
	__x < __y ? __x : __y; })
#define max_t(type, x, y) ({			\
	type __x = (x), __y = (y);		\
						\
	__x > __y ? __x : __y; })
#define min(x, y)		min_t(__typeof__(x), x, y)
#define max(x, y)		max_t(__typeof__(x), x, y)
#define clamp_t(type, value, low, high) ({				\
	type value_ = (value), low_ = (low), high_ = (high);		\
									\
	value_ < low_ ? low_ : value_ > high_ ? high_ : value_; })
#define clamp(value, low, high)	clamp_t(__typeof__(value), value, low, high)

#define swap(a, b) do {			\
	__typeof__(a) kept_ = (a);	\
					\
	(a) = (b);			\
	(b) = kept_;			\
} while (0)

#endif /* _N3T_SHIM_LINUX_MINMAX_H */
