// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Nested and overlapping ranges of addresses. */
#include <assert.h>
#include <stdlib.h>

#include "lib/memory.h"
#include "spans.h"

static_assert(!offsetof(struct spe_span, start));

const struct spe_segment *spe_segment_of(const struct spe_segments *segments, uint64_t address)
{
	for (size_t i = 0; i < segments->nr; i++)
		if (address - segments->v[i].address < segments->v[i].size)
			return &segments->v[i];
	return NULL;
}

static const uint64_t *limits(const void *ranges, size_t i, size_t size)
{
	return (const void *)((const char *)ranges + i * size);
}

int spe_compare_ranges(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	if (left[0] != right[0])
		return left[0] < right[0] ? -1 : 1;
	return (left[1] < right[1]) - (left[1] > right[1]);
}

/* Open ranges are on a stack, innermost on top. */
void spe_spans_make(struct spe_spans *spans, const void *ranges, size_t nr, size_t size)
{
	uint32_t *stack = xreallocarray(NULL, nr + 1, sizeof(*stack));
	uint64_t at = 0;
	size_t depth = 0;

	spans->nr = 0;
	spans->v = xreallocarray(NULL, 2 * nr + 1, sizeof(*spans->v));
	for (size_t i = 0; i <= nr; i++) {
		uint64_t next = i < nr ? limits(ranges, i, size)[0] : UINT64_MAX;

		while (depth && at < next) {
			uint32_t top = stack[depth - 1];
			uint64_t end = limits(ranges, top, size)[1];

			if (end <= next)
				depth--;
			else
				end = next;
			if (end <= at)
				continue;
			spans->v[spans->nr++] = (struct spe_span) { at, end, top };
			at = end;
		}
		at = next;
		stack[depth++] = (uint32_t)i;
	}
	free(stack);
}

uint32_t spe_spans_find(const struct spe_spans *spans, uint64_t address)
{
	size_t nr = sorted_up_to(spans->v, spans->nr, sizeof(*spans->v), address);

	return nr && address < spans->v[nr - 1].end ? spans->v[nr - 1].range : SPE_NO_RANGE;
}
