// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Counts of edges between addresses. */
#include <stdlib.h>
#include <string.h>

#include "edges.h"
#include "lib/memory.h"

#define SLOTS_START	1024

void spe_edges_init(struct spe_edges *edges)
{
	*edges = (struct spe_edges) { .nr_slots = SLOTS_START };
	edges->slots = xreallocarray(NULL, edges->nr_slots, sizeof(*edges->slots));
	memset(edges->slots, 0, edges->nr_slots * sizeof(*edges->slots));
}

void spe_edges_free(struct spe_edges *edges)
{
	free(edges->edges);
	free(edges->slots);
}

/* Return: slot of the edge, or the free slot for it. */
static uint32_t *find_slot(const struct spe_edges *edges, enum spe_edge_kind kind, uint64_t from,
			   uint64_t to)
{
	uint64_t hash = (from * 31 + to * 2 + kind) * 0x9e3779b97f4a7c15ULL;
	size_t slot = (hash >> 32) & (edges->nr_slots - 1);

	for (; edges->slots[slot]; slot = (slot + 1) & (edges->nr_slots - 1)) {
		const struct spe_edge *edge = &edges->edges[edges->slots[slot] - 1];

		if (edge->from == from && edge->to == to && edge->kind == kind)
			break;
	}
	return &edges->slots[slot];
}

static void grow(struct spe_edges *edges)
{
	edges->max = edges->max ? edges->max * 2 : SLOTS_START / 2;
	edges->edges = xreallocarray(edges->edges, edges->max, sizeof(*edges->edges));
	edges->nr_slots = edges->max * 2;
	edges->slots = xreallocarray(edges->slots, edges->nr_slots, sizeof(*edges->slots));
	memset(edges->slots, 0, edges->nr_slots * sizeof(*edges->slots));
	for (size_t i = 0; i < edges->nr; i++)
		*find_slot(edges, edges->edges[i].kind, edges->edges[i].from,
			   edges->edges[i].to) = (uint32_t)i + 1;
}

void spe_edges_add(struct spe_edges *edges, enum spe_edge_kind kind, uint64_t from, uint64_t to,
		   bool mispredicted)
{
	uint32_t *slot = find_slot(edges, kind, from, to);
	struct spe_edge *edge;

	if (!*slot && edges->nr == SPE_EDGES_MAX) {
		edges->dropped++;
		return;
	}
	if (!*slot && edges->nr == edges->max) {
		grow(edges);
		slot = find_slot(edges, kind, from, to);
	}
	if (!*slot) {
		edges->edges[edges->nr++] = (struct spe_edge) {
			.from = from, .to = to, .kind = kind
		};
		*slot = (uint32_t)edges->nr;
	}
	edge = &edges->edges[*slot - 1];
	edge->count++;
	edge->mispredicted += mispredicted;
}

static int compare_edges(const void *a, const void *b)
{
	const struct spe_edge *left = a, *right = b;

	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;
	if (left->from != right->from)
		return left->from < right->from ? -1 : 1;
	return (left->to > right->to) - (left->to < right->to);
}

const struct spe_edge *spe_edges_sort(const struct spe_edges *edges, size_t *nr)
{
	*nr = edges->nr;
	if (edges->nr)
		qsort(edges->edges, edges->nr, sizeof(*edges->edges), compare_edges);
	return edges->edges;
}
