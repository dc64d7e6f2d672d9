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
	free(objects->v);
	free(objects->by_name);
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

static int compare_names(const void *a, const void *b)
{
	const struct spe_object *left = *(struct spe_object * const *)a;
	const struct spe_object *right = *(struct spe_object * const *)b;
	int order = strcmp(left->name, right->name);

	return order ? order : (left > right) - (left < right);
}

void spe_objects_ready(struct spe_objects *objects)
{
	struct spe_object **by_name = xcalloc(objects->nr + 1, sizeof(*by_name));

	for (size_t i = 0; i < objects->nr; i++)
		by_name[i] = &objects->v[i];
	if (objects->nr)
		qsort(by_name, objects->nr, sizeof(*by_name), compare_names);
	for (size_t i = 0; i < objects->nr; i++) {
		struct spe_object *object = by_name[i], *last = i ? by_name[i - 1] : NULL;

		object->first = (uint32_t)(object - objects->v);
		if (!last || strcmp(last->name, object->name))
			continue;
		object->first = last->first;
		object->others = true;
		last->others = true;
	}
	/* Without a build id, several are indistinguishable. */
	for (size_t i = 0; i < objects->nr; i++)
		objects->v[i].ambiguous = objects->v[i].others && !objects->v[i].build_id_size;
	objects->by_name = by_name;
}

static int compare_name(const void *name, const void *b)
{
	return strcmp(name, (*(struct spe_object * const *)b)->name);
}

void spe_objects_add_build_id(struct spe_objects *objects, const char *name,
			      const uint8_t *build_id, size_t size)
{
	struct spe_object **found = bsearch(name, objects->by_name, objects->nr,
					    sizeof(*found), compare_name), *object;

	if (!found || !size || (*found)->others)
		return;
	object = *found;
	if (!object->build_id_size && !object->ambiguous) {
		set_build_id(object, build_id, size);
		object->is_listed = true;
	} else if (object->is_listed && (size != object->build_id_size ||
					 memcmp(object->build_id, build_id, size))) {
		object->build_id_size = 0;
		object->ambiguous = true;
	}
}
