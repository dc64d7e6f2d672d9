/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_LINUX_BITOPS_H
#define _N3T_SHIM_LINUX_BITOPS_H

#include <linux/types.h>

/* Position of the highest bit set, counted from 1; 0 for none. */
static inline int fls64(u64 word)
{
	return word ? 64 - __builtin_clzll(word) : 0;
}

static inline int fls(unsigned int word)
{
	return fls64(word);
}

/* Number of bits set. */
static inline unsigned int hweight64(u64 word)
{
	return __builtin_popcountll(word);
}

/* Position of the lowest bit set, counted from 0; undefined for 0. */
static inline unsigned long __ffs64(unsigned long long word)
{
	return __builtin_ctzll(word);
}

#endif /* _N3T_SHIM_LINUX_BITOPS_H */
