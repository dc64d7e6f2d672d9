/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Random numbers, cheap and sufficient to avoid aliasing, their only purpose. */
#ifndef _N3T_RANDOM_H
#define _N3T_RANDOM_H

#include <linux/types.h>

/* 2^32 divided by the golden ratio: Knuth's multiplier for hashing. */
#define N3T_GOLDEN_RATIO	0x9e3779b9u

/*
 * Initial state for n3t_random(): adjacent seeds are spread; never 0, which xorshift does not
 * leave.
 */
static inline u32 n3t_random_state(u32 seed)
{
	return (seed + 1) * N3T_GOLDEN_RATIO ?: N3T_GOLDEN_RATIO;
}

/* 1 to 2^32 - 1, by Marsaglia's xorshift32 ("Xorshift RNGs", 2003). */
static inline u32 n3t_random(u32 *state)
{
	u32 x = *state;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	*state = x;
	return x;
}

#endif /* _N3T_RANDOM_H */
