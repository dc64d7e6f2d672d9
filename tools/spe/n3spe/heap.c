// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Merge of sorted sequences: a binary heap. */
#include <stdbool.h>
#include <stdlib.h>

#include "heap.h"
#include "lib/memory.h"

static bool is_before(struct spe_due a, struct spe_due b)
{
	return a.time < b.time || (a.time == b.time && a.number < b.number);
}

void spe_heap_free(struct spe_heap *heap)
{
	free(heap->v);
	*heap = (struct spe_heap) { 0 };
}

void spe_heap_push(struct spe_heap *heap, struct spe_due due)
{
	size_t i = heap->nr;

	heap->v = xgrow(heap->v, heap->nr++, &heap->max, sizeof(*heap->v));
	for (; i && is_before(due, heap->v[(i - 1) / 2]); i = (i - 1) / 2)
		heap->v[i] = heap->v[(i - 1) / 2];
	heap->v[i] = due;
}

static void sink(struct spe_heap *heap, struct spe_due due)
{
	size_t i = 0, child;

	while ((child = 2 * i + 1) < heap->nr) {
		if (child + 1 < heap->nr && is_before(heap->v[child + 1], heap->v[child]))
			child++;
		if (!is_before(heap->v[child], due))
			break;
		heap->v[i] = heap->v[child];
		i = child;
	}
	heap->v[i] = due;
}

void spe_heap_move(struct spe_heap *heap, uint64_t time)
{
	sink(heap, (struct spe_due) { time, heap->v->number });
}

void spe_heap_pop(struct spe_heap *heap)
{
	heap->nr--;
	if (heap->nr)
		sink(heap, heap->v[heap->nr]);
}
