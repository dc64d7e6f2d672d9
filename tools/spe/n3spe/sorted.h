/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Binary search in arrays sorted by a uint64_t at offset 0 of each element, see static_assert(). */
#ifndef N3SPE_SORTED_H
#define N3SPE_SORTED_H

#include <stddef.h>
#include <stdint.h>

/* Return: number of elements, of @size bytes, up to and including @value. */
static inline size_t sorted_up_to(const void *array, size_t nr, size_t size, uint64_t value)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const uint64_t *key = (const void *)((const char *)array + middle * size);

		if (*key <= value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
