// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Mappings of a process: a treap by start, whose nodes are shared and counted. A node is changed in
 * place if it has one reference.
 */
#include <stddef.h>
#include <stdlib.h>

#include "lib/memory.h"
#include "maps.h"

struct spe_maps {
	struct spe_map map;
	struct spe_maps *left, *right;
	uint32_t refs, priority;
};

/* xorshift64. The seed is random, so that no file can make the tree deep. */
static uint32_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (uint32_t)(*seed >> 32);
}

struct spe_maps *spe_maps_share(struct spe_maps *maps)
{
	if (maps)
		maps->refs++;
	return maps;
}

void spe_maps_drop(struct spe_maps *maps)
{
	if (!maps || --maps->refs)
		return;
	spe_maps_drop(maps->left);
	spe_maps_drop(maps->right);
	free(maps);
}

static struct spe_maps *new_node(const struct spe_map *map, uint64_t *seed)
{
	struct spe_maps *node = xcalloc(1, sizeof(*node));

	node->map = *map;
	node->refs = 1;
	node->priority = next_random(seed);
	return node;
}

/* Return: a node without other references. */
static struct spe_maps *own(struct spe_maps *node)
{
	struct spe_maps *copy;

	if (node->refs == 1)
		return node;
	copy = xcalloc(1, sizeof(*copy));
	*copy = *node;
	copy->refs = 1;
	spe_maps_share(copy->left);
	spe_maps_share(copy->right);
	node->refs--;
	return copy;
}

/* Mappings that start before @at go to the left. */
static void split(struct spe_maps *node, uint64_t at, struct spe_maps **left,
		  struct spe_maps **right)
{
	if (!node) {
		*left = NULL;
		*right = NULL;
		return;
	}
	node = own(node);
	if (node->map.start < at) {
		split(node->right, at, &node->right, right);
		*left = node;
	} else {
		split(node->left, at, left, &node->left);
		*right = node;
	}
}

static struct spe_maps *join(struct spe_maps *left, struct spe_maps *right)
{
	if (!left || !right)
		return left ? left : right;
	if (left->priority > right->priority) {
		left = own(left);
		left->right = join(left->right, right);
		return left;
	}
	right = own(right);
	right->left = join(left, right->left);
	return right;
}

static const struct spe_map *last_of(const struct spe_maps *maps)
{
	while (maps && maps->right)
		maps = maps->right;
	return maps ? &maps->map : NULL;
}

/* Return: a node with the part of a mapping from @start on, NULL if there is none. */
static struct spe_maps *rest_of(const struct spe_map *map, uint64_t start, uint64_t *seed)
{
	struct spe_map rest;

	if (!map || map->end <= start)
		return NULL;
	rest = *map;
	rest.offset += start - rest.start;
	rest.start = start;
	return new_node(&rest, seed);
}

/* Huge pages for a program's text are copies at its addresses. */
static bool is_known(const struct spe_maps *maps, const struct spe_map *map)
{
	const struct spe_map *old = spe_maps_find(maps, map->start);

	if (!old || map->end > old->end)
		return false;
	if (map->is_anonymous && !old->is_anonymous)
		return true;
	return old->start == map->start && old->end == map->end && old->offset == map->offset &&
	       old->object == map->object;
}

/* Shortens the last mapping to end at @end. */
static struct spe_maps *cut_last(struct spe_maps *maps, uint64_t end)
{
	struct spe_maps *node;

	if (!maps || last_of(maps)->end <= end)
		return maps;
	maps = own(maps);
	for (node = maps; node->right; node = node->right)
		node->right = own(node->right);
	node->map.end = end;
	return maps;
}

struct spe_maps *spe_maps_put(struct spe_maps *maps, const struct spe_map *map, uint64_t *seed)
{
	struct spe_maps *before, *covered, *behind, *rest;

	if (is_known(maps, map))
		return maps;
	split(maps, map->start, &before, &covered);
	split(covered, map->end, &covered, &behind);
	/* One of both, if any, reaches beyond the end. */
	rest = rest_of(last_of(covered), map->end, seed);
	if (!rest)
		rest = rest_of(last_of(before), map->end, seed);
	spe_maps_drop(covered);
	before = cut_last(before, map->start);
	return join(join(before, new_node(map, seed)), join(rest, behind));
}

const struct spe_map *spe_maps_find(const struct spe_maps *maps, uint64_t address)
{
	while (maps && address - maps->map.start >= maps->map.end - maps->map.start)
		maps = address < maps->map.start ? maps->left : maps->right;
	return maps ? &maps->map : NULL;
}
