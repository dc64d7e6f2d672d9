// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Files mapped by the processes of a recording. */
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "objects.h"

/* Field offsets in a PERF_RECORD_MMAP and MMAP2. */
enum place {
	AT_START		= 8,
	AT_LENGTH		= 16,
	AT_OFFSET		= 24,
	AT_NAME			= 32,
	AT_BUILD_ID_SIZE	= 32,
	AT_BUILD_ID		= 36,
	AT_MAJOR		= 32,
	AT_MINOR		= 36,
	AT_INODE		= 40,
	AT_GENERATION		= 48,
	AT_PROTECTION		= 56,
	AT_NAME_2		= 64,
};

void spe_objects_init(struct spe_objects *objects)
{
	*objects = (struct spe_objects) { .nr_slots = 1024 };
	objects->slots = xcalloc(objects->nr_slots, sizeof(*objects->slots));
}

void spe_objects_free(struct spe_objects *objects)
{
	for (size_t i = 0; i < objects->nr; i++)
		free(objects->v[i].name);
	for (size_t i = 0; i < objects->nr_listed; i++)
		free(objects->listed[i].name);
	free(objects->v);
	free(objects->listed);
	free(objects->slots);
}

/* FNV-1a */
static uint32_t hash_bytes(uint32_t hash, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ ((const unsigned char *)bytes)[i]) * 16777619u;
	return hash;
}

/* Records synthesised from /proc have no generation. */
static bool are_same(const struct spe_object *a, const struct spe_object *b)
{
	size_t size = a->is_listed ? 0 : a->build_id_size;

	return size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, size) && a->major == b->major &&
	       a->minor == b->minor && a->inode == b->inode &&
	       (a->generation == b->generation || !a->generation || !b->generation) &&
	       !strcmp(a->name, b->name);
}

static uint32_t *find_slot(const struct spe_objects *objects, const struct spe_object *object)
{
	uint32_t hash = hash_bytes(2166136261u, object->name, strlen(object->name));
	size_t slot;

	hash = hash_bytes(hash, object->build_id, sizeof(object->build_id));
	hash = hash_bytes(hash, &object->inode, sizeof(object->inode));
	for (slot = hash & (objects->nr_slots - 1); objects->slots[slot];
	     slot = (slot + 1) & (objects->nr_slots - 1))
		if (are_same(&objects->v[objects->slots[slot] - 1], object))
			break;
	return &objects->slots[slot];
}

static void grow(struct spe_objects *objects)
{
	objects->max = objects->nr_slots;
	objects->v = xreallocarray(objects->v, objects->max, sizeof(*objects->v));
	objects->nr_slots *= 2;
	free(objects->slots);
	objects->slots = xcalloc(objects->nr_slots, sizeof(*objects->slots));
	for (size_t i = 0; i < objects->nr; i++)
		*find_slot(objects, &objects->v[i]) = (uint32_t)i + 1;
}

static void set_build_id(struct spe_object *object, const uint8_t *build_id, size_t size)
{
	object->build_id_size = size < SPE_BUILD_ID_MAX ? size : SPE_BUILD_ID_MAX;
	memcpy(object->build_id, build_id, object->build_id_size);
}

/* PERF_RECORD_MMAP ends with the name and has no other properties of the file. */
static void identify(struct spe_object *object, const struct spe_perf_record *record)
{
	if (record->header.type != PERF_RECORD_MMAP2 || record->body_size < AT_PROTECTION)
		return;
	if (record->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		set_build_id(object, record->body + AT_BUILD_ID, record->body[AT_BUILD_ID_SIZE]);
		return;
	}
	object->major = spe_perf_u32(record, AT_MAJOR);
	object->minor = spe_perf_u32(record, AT_MINOR);
	object->inode = spe_perf_u64(record, AT_INODE);
	object->generation = spe_perf_u64(record, AT_GENERATION);
}

/* Return: index of the object. */
static uint32_t get_object(struct spe_objects *objects, const struct spe_perf_record *record,
			   const char *name, size_t len)
{
	struct spe_object object = { .name = format_string("%.*s", (int)len, name) };
	uint32_t *slot;

	identify(&object, record);
	slot = find_slot(objects, &object);
	if (*slot) {
		free(object.name);
		if (!objects->v[*slot - 1].generation)
			objects->v[*slot - 1].generation = object.generation;
		return *slot - 1;
	}
	if (objects->nr == objects->max) {
		grow(objects);
		slot = find_slot(objects, &object);
	}
	objects->v[objects->nr++] = object;
	*slot = (uint32_t)objects->nr;
	return *slot - 1;
}

/* Names that the kernel gives to mappings without a file, with huge pages or without. */
static bool is_anonymous(const char *name, size_t len)
{
	static const char * const names[] = { "//anon", "/anon_hugepage", "[heap]" };

	for (size_t i = 0; i < NR(names); i++)
		if (len >= strlen(names[i]) && !strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

bool spe_objects_map(struct spe_objects *objects, const struct spe_perf_record *record,
		     struct spe_map *map)
{
	bool is_2 = record->header.type == PERF_RECORD_MMAP2;
	const char *name;
	size_t len = spe_perf_text(record, is_2 ? AT_NAME_2 : AT_NAME, &name);

	*map = (struct spe_map) {
		.start = spe_perf_u64(record, AT_START),
		.offset = spe_perf_u64(record, AT_OFFSET),
	};
	map->end = map->start + spe_perf_u64(record, AT_LENGTH);
	if (!len || map->end <= map->start || record->header.misc & PERF_RECORD_MISC_MMAP_DATA)
		return false;
	map->object = get_object(objects, record, name, len);
	map->is_anonymous = is_anonymous(name, len);
	return true;
}

void spe_objects_add_build_id(struct spe_objects *objects, const char *name,
			      const uint8_t *build_id, size_t size)
{
	struct spe_object *listed;

	if (!size)
		return;
	objects->listed = xgrow(objects->listed, objects->nr_listed, &objects->max_listed,
				sizeof(*objects->listed));
	listed = &objects->listed[objects->nr_listed++];
	*listed = (struct spe_object) { .name = xstrdup(name) };
	set_build_id(listed, build_id, size);
}

static int compare_names(const void *a, const void *b)
{
	const struct spe_object *left = *(struct spe_object * const *)a;
	const struct spe_object *right = *(struct spe_object * const *)b;
	int order = strcmp(left->name, right->name);

	return order ? order : (left > right) - (left < right);
}

static int compare_build_ids(const void *a, const void *b)
{
	const struct spe_object *left = a, *right = b;
	int order = strcmp(left->name, right->name);

	if (order)
		return order;
	if (left->build_id_size != right->build_id_size)
		return left->build_id_size < right->build_id_size ? -1 : 1;
	return memcmp(left->build_id, right->build_id, sizeof(left->build_id));
}

/*
 * Return: the only build id that the section has for a name; NULL if there are none or several.
 * *at: where to start, advanced past the name; names are looked up in their order.
 */
static const struct spe_object *unique_build_id(const struct spe_objects *objects, const char *name,
						size_t *at, size_t *nr)
{
	const struct spe_object *listed = objects->listed, *only = NULL;
	int order;

	*nr = 0;
	for (; *at < objects->nr_listed; ++*at) {
		order = strcmp(listed[*at].name, name);
		if (order > 0)
			break;
		if (order < 0)
			continue;
		if (!only || compare_build_ids(only, &listed[*at]))
			++*nr;
		only = &listed[*at];
	}
	return *nr == 1 ? only : NULL;
}

/*
 * Objects of one name. A single one without a build id takes that of the section, if unique for the
 * name; several, or another one with a build id, are indistinguishable.
 */
static void settle_name(const struct spe_objects *objects, struct spe_object **same, size_t nr,
			size_t *at)
{
	size_t nr_listed;
	const struct spe_object *only = unique_build_id(objects, same[0]->name, at, &nr_listed);

	same[0]->is_listed = nr == 1 && !same[0]->build_id_size && only;
	if (same[0]->is_listed)
		set_build_id(same[0], only->build_id, only->build_id_size);
	for (size_t i = 0; i < nr; i++) {
		same[i]->first = (uint32_t)(same[0] - objects->v);
		same[i]->others = nr > 1;
		same[i]->ambiguous = !same[i]->build_id_size && (nr > 1 || nr_listed > 1);
	}
}

void spe_objects_ready(struct spe_objects *objects)
{
	struct spe_object **by_name = xreallocarray(NULL, objects->nr + 1, sizeof(*by_name));
	size_t first = 0, at = 0;

	for (size_t i = 0; i < objects->nr; i++)
		by_name[i] = &objects->v[i];
	if (objects->nr)
		qsort(by_name, objects->nr, sizeof(*by_name), compare_names);
	if (objects->nr_listed)
		qsort(objects->listed, objects->nr_listed, sizeof(*objects->listed),
		      compare_build_ids);
	for (size_t i = 1; i <= objects->nr; i++) {
		if (i < objects->nr && !strcmp(by_name[first]->name, by_name[i]->name))
			continue;
		settle_name(objects, by_name + first, i - first, &at);
		first = i;
	}
	free(by_name);
}
