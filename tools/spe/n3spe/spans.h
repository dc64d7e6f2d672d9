/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Nested and overlapping ranges, searched in O(log n). */
#ifndef N3SPE_SPANS_H
#define N3SPE_SPANS_H

#include <stddef.h>
#include <stdint.h>

#define SPE_NO_RANGE	UINT32_MAX

struct spe_extent {
	uint64_t start, end;
};

/* By start; longest before shorter. */
int spe_extents_compare(const void *a, const void *b);

/* Addresses with the same innermost range. */
struct spe_span {
	uint64_t start, end;
	uint32_t range;
};

struct spe_spans {
	struct spe_span *v;	/* by start, not overlapping */
	size_t nr;
};

/**
 * spe_spans_make() - splits ranges into spans; the innermost range is the one that starts last
 * @ranges: elements of @size bytes that begin with uint64_t start, end; by start, outer first
 */
void spe_spans_make(struct spe_spans *spans, const void *ranges, size_t nr, size_t size);
/* Return: index of the innermost range, or SPE_NO_RANGE. */
uint32_t spe_spans_find(const struct spe_spans *spans, uint64_t address);

#endif
