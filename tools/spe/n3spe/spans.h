/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Sorted ranges of addresses, also nested and overlapping ones, searched in O(log n). */
#ifndef N3SPE_SPANS_H
#define N3SPE_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPE_NO_RANGE	UINT32_MAX

/* Piece of a file, and where it is loaded. */
struct spe_segment {
	uint64_t offset, size, address;
	bool is_code;
};

struct spe_segments {
	struct spe_segment *v;
	size_t nr;
};

/* Return: the segment containing the address, or NULL. */
const struct spe_segment *spe_segment_of(const struct spe_segments *segments, uint64_t address);

/*
 * Return: number of elements, of @size bytes, up to and including @value. They are sorted by a
 * uint64_t at offset 0 of each, see static_assert().
 */
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

/* Addresses with the same innermost range. */
struct spe_span {
	uint64_t start, end;
	uint32_t range;
};

struct spe_spans {
	struct spe_span *v;	/* by start, not overlapping */
	size_t nr;
};

/* Order of ranges that begin with uint64_t start, end: by start, outer first. */
int spe_compare_ranges(const void *a, const void *b);
/**
 * spe_spans_make() - splits ranges into spans; the innermost range is the one that starts last
 * @ranges: elements of @size bytes in this order
 */
void spe_spans_make(struct spe_spans *spans, const void *ranges, size_t nr, size_t size);
/* Return: index of the innermost range, or SPE_NO_RANGE. */
uint32_t spe_spans_find(const struct spe_spans *spans, uint64_t address);

#endif
