/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Mappings of a process, without overlaps. Processes share them after a fork, and a change copies
 * only the path to it: the cost of a look-up, a change and a fork does not depend on how many
 * mappings and generations came before.
 */
#ifndef N3SPE_MAPS_H
#define N3SPE_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct spe_map {
	uint64_t start, end, offset;	/* @offset of @start in the file */
	uint32_t object;
	bool is_anonymous;
};

/* A root; NULL: no mappings. */
struct spe_maps;

/* Return: another reference. */
struct spe_maps *spe_maps_share(struct spe_maps *maps);
void spe_maps_drop(struct spe_maps *maps);

/*
 * Adds a mapping that replaces others at its addresses. @seed: any state of random numbers.
 *
 * Return: the mappings; the reference passed in is gone.
 */
struct spe_maps *spe_maps_put(struct spe_maps *maps, const struct spe_map *map, uint64_t *seed);

/* Return: the mapping of an address, or NULL. */
const struct spe_map *spe_maps_find(const struct spe_maps *maps, uint64_t address);

#endif
