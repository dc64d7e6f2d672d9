/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Counts of edges between addresses. */
#ifndef N3SPE_EDGES_H
#define N3SPE_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPE_EDGES_MAX	1048576	/* distinct edges: 48 MB */

enum spe_edge_kind {
	SPE_EDGE_BRANCH,
	SPE_EDGE_RUN,
};

struct spe_edge {
	uint64_t from, to, count;
	uint32_t mispredicted;
	enum spe_edge_kind kind;
};

struct spe_edges {
	struct spe_edge *edges;
	size_t nr, max;
	uint32_t *slots;	/* 0, or 1 + the index of an edge */
	size_t nr_slots;
	uint64_t dropped;
};

void spe_edges_init(struct spe_edges *edges);
void spe_edges_free(struct spe_edges *edges);
void spe_edges_add(struct spe_edges *edges, enum spe_edge_kind kind, uint64_t from, uint64_t to,
		   bool mispredicted);

/* Return: all edges by kind and address. Adding edges is not possible afterwards. */
const struct spe_edge *spe_edges_sort(const struct spe_edges *edges, size_t *nr);

#endif
