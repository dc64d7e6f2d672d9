/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_LINUX_BITMAP_H
#define _N3T_SHIM_LINUX_BITMAP_H

#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

#define BITS_PER_LONG	((int)(8 * sizeof(long)))
#define BITS_TO_LONGS(nr)	(((nr) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define DECLARE_BITMAP(name, bits)	unsigned long name[BITS_TO_LONGS(bits)]

static inline bool test_bit(long nr, const unsigned long *map)
{
	return map[nr / BITS_PER_LONG] >> (nr % BITS_PER_LONG) & 1;
}

static inline void __set_bit(long nr, unsigned long *map)
{
	map[nr / BITS_PER_LONG] |= 1UL << (nr % BITS_PER_LONG);
}

static inline void __clear_bit(long nr, unsigned long *map)
{
	map[nr / BITS_PER_LONG] &= ~(1UL << (nr % BITS_PER_LONG));
}

static inline void bitmap_copy(unsigned long *to, const unsigned long *from, unsigned int bits)
{
	memcpy(to, from, BITS_TO_LONGS(bits) * sizeof(*to));
}

static inline void bitmap_or(unsigned long *to, const unsigned long *a, const unsigned long *b,
			     unsigned int bits)
{
	for (unsigned int i = 0; i < BITS_TO_LONGS(bits); i++)
		to[i] = a[i] | b[i];
}

static inline unsigned int find_next_bit(const unsigned long *map, unsigned int size,
					 unsigned int bit)
{
	while (bit < size) {
		unsigned long rest = map[bit / BITS_PER_LONG] >> bit % BITS_PER_LONG;

		if (rest) {
			bit += __builtin_ctzl(rest);
			return bit < size ? bit : size;
		}
		bit += BITS_PER_LONG - bit % BITS_PER_LONG;
	}
	return size;
}

#define for_each_set_bit(bit, map, size)		\
	for ((bit) = find_next_bit(map, size, 0);	\
	     (bit) < (size);				\
	     (bit) = find_next_bit(map, size, (bit) + 1))

static inline unsigned int bitmap_weight(const unsigned long *map, unsigned int bits)
{
	unsigned int i, weight = 0;

	for_each_set_bit(i, map, bits)
		weight++;
	return weight;
}

static inline bool bitmap_empty(const unsigned long *map, unsigned int bits)
{
	return find_next_bit(map, bits, 0) >= bits;
}

static inline bool bitmap_subset(const unsigned long *a, const unsigned long *b, unsigned int bits)
{
	unsigned int i;

	for_each_set_bit(i, a, bits)
		if (!test_bit(i, b))
			return false;
	return true;
}

static inline void bitmap_zero(unsigned long *map, unsigned int bits)
{
	memset(map, 0, BITS_TO_LONGS(bits) * sizeof(*map));
}

static inline void bitmap_fill(unsigned long *map, unsigned int bits)
{
	unsigned int i;

	for (i = 0; i < bits; i++)
		__set_bit(i, map);
}

#endif /* _N3T_SHIM_LINUX_BITMAP_H */
