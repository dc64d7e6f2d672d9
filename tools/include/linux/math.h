/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_LINUX_MATH_H
#define _N3T_SHIM_LINUX_MATH_H

#include <linux/types.h>

#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))

static inline u64 int_pow(u64 base, unsigned int exp)
{
	u64 power = 1;

	while (exp--)
		power *= base;
	return power;
}

/* Integer square root, bit by bit. */
static inline u32 int_sqrt64(u64 x)
{
	u64 root = 0;
	int bit;

	for (bit = 31; bit >= 0; bit--) {
		u64 larger = root | 1ULL << bit;

		if (larger * larger <= x)
			root = larger;
	}
	return root;
}

#endif /* _N3T_SHIM_LINUX_MATH_H */
