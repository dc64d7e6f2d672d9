/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Merge of sorted sequences: a binary heap by time, then by number of the sequence. */
#ifndef N3SPE_HEAP_H
#define N3SPE_HEAP_H

#include <stddef.h>
#include <stdint.h>

struct spe_due {
	uint64_t time;
	size_t number;		/* of the sequence */
};

struct spe_heap {
	struct spe_due *v;	/* v[0]: the next */
	size_t nr, max;
};

void spe_heap_free(struct spe_heap *heap);
void spe_heap_push(struct spe_heap *heap, struct spe_due due);
/* Changes the time of the next one. */
void spe_heap_move(struct spe_heap *heap, uint64_t time);
/* Removes the next one. */
void spe_heap_pop(struct spe_heap *heap);

#endif
