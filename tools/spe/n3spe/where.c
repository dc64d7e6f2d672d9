// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Owners and names of addresses. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "errors.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "symbols.h"
#include "where.h"

#define CACHED		16384
#define KALLSYMS_MAX	(32u << 20)

struct spe_resolved {
	struct spe_symbols symbols;
	enum spe_symbols_state state;
	bool tried;
};

/* Valid until the life's next mapping. */
struct spe_where_cached {
	uint64_t pc;
	uint32_t life, changes;
	bool used;
	struct spe_where where;
};

/* /proc/kallsyms has no size. */
static char *read_file(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	char *text = xreallocarray(NULL, KALLSYMS_MAX, 1);
	size_t size;

	if (!file)
		die_of_file(ERR_CANNOT_READ, name);
	size = fread(text, 1, KALLSYMS_MAX, file);
	if (size == KALLSYMS_MAX)
		errno = EFBIG;
	if (size == KALLSYMS_MAX || !feof(file))
		die_of_file(ERR_CANNOT_READ, name);
	text[size] = '\0';
	fclose(file);
	return text;
}

/* FILE.kallsyms */
static char *read_beside(const struct spe_recording *recording)
{
	char *name = format_string("%s.kallsyms", recording->file.input.name), *text = NULL;

	if (!access(name, F_OK))
		text = read_file(name);
	free(name);
	return text;
}

void spe_resolver_init(struct spe_resolver *resolver, struct spe_recording *recording,
		       const char *root, const char *kallsyms)
{
	*resolver = (struct spe_resolver) {
		.recording = recording, .root = root, .nr_objects = recording->tasks.objects.nr
	};
	resolver->objects = xcalloc(resolver->nr_objects, sizeof(*resolver->objects));
	resolver->cache = xcalloc(CACHED, sizeof(*resolver->cache));
	spe_symbols_of_kernel(&resolver->kernel, kallsyms ? read_file(kallsyms) :
							    read_beside(recording),
			      recording->extents, recording->nr_extents);
	if (kallsyms && !resolver->kernel.nr)
		die(ERR_KERNEL_ADDRESSES_HIDDEN, "%s: no addresses of functions in it", kallsyms);
}

void spe_resolver_free(struct spe_resolver *resolver)
{
	for (size_t i = 0; i < resolver->nr_objects; i++)
		if (resolver->objects[i].tried)
			spe_symbols_close(&resolver->objects[i].symbols);
	spe_symbols_close(&resolver->kernel);
	free(resolver->objects);
	free(resolver->cache);
}

static const struct spe_object *object_of(const struct spe_resolver *resolver, uint32_t owner)
{
	return &resolver->recording->tasks.objects.v[owner - SPE_OWNER_OBJECTS];
}

static struct spe_symbols *symbols_of(struct spe_resolver *resolver, uint32_t owner)
{
	struct spe_resolved *resolved;
	size_t number = owner - SPE_OWNER_OBJECTS;

	if (owner == SPE_OWNER_KERNEL)
		return &resolver->kernel;
	if (owner < SPE_OWNER_OBJECTS || number >= resolver->nr_objects)
		return NULL;
	resolved = &resolver->objects[number];
	if (!resolved->tried) {
		resolved->tried = true;
		resolved->state = spe_symbols_open(&resolved->symbols, resolver->root,
						   object_of(resolver, owner));
	}
	return &resolved->symbols;
}

static struct spe_where place_pc(struct spe_resolver *resolver, uint32_t life, uint64_t pc)
{
	struct spe_where where = { life, pc, SPE_NO_FUNCTION };
	const struct spe_symbols *symbols;
	const struct spe_symbol *symbol;
	struct spe_place place;

	if (pc >> SPE_KERNEL_BIT) {
		where.owner = SPE_OWNER_KERNEL;
	} else if (life != SPE_NO_LIFE &&
		   spe_life_find(&resolver->recording->tasks, life, pc, &place)) {
		where.owner = SPE_OWNER_OBJECTS + place.object;
		where.address = place.offset;
	}
	symbols = symbols_of(resolver, where.owner);
	symbol = symbols ? spe_symbols_find(symbols, where.address) : NULL;
	if (symbol)
		where.function = (uint64_t)(symbol - symbols->symbols);
	return where;
}

struct spe_where spe_resolve(struct spe_resolver *resolver, const struct spe_sample *sample,
			     uint64_t pc)
{
	uint64_t hash = (pc ^ (uint64_t)sample->life << 40) * 0x9e3779b97f4a7c15ULL;
	struct spe_where_cached *cached = &resolver->cache[(hash >> 32) % CACHED];
	uint32_t changes = sample->life == SPE_NO_LIFE ? 0 :
			   spe_life_changes(&resolver->recording->tasks, sample->life);

	if (cached->used && cached->pc == pc && cached->life == sample->life &&
	    cached->changes == changes)
		return cached->where;
	*cached = (struct spe_where_cached) {
		.pc = pc, .life = sample->life, .changes = changes, .used = true,
		.where = place_pc(resolver, sample->life, pc),
	};
	return cached->where;
}

const char *spe_function_name(struct spe_resolver *resolver, uint32_t owner, uint64_t function)
{
	const struct spe_symbols *symbols = symbols_of(resolver, owner);

	if (!symbols || function >= symbols->nr)
		return NULL;
	return spe_symbols_name(symbols, &symbols->symbols[function]);
}

const char *spe_function_at(struct spe_resolver *resolver, uint32_t owner, uint64_t address,
			    uint64_t *start)
{
	const struct spe_symbols *symbols = symbols_of(resolver, owner);
	const struct spe_symbol *symbol = symbols ? spe_symbols_find(symbols, address) : NULL;

	if (!symbol)
		return NULL;
	*start = symbol->start;
	return spe_symbols_name(symbols, symbol);
}

bool spe_is_other_file(struct spe_resolver *resolver, uint32_t owner)
{
	enum spe_symbols_state state;

	if (owner < SPE_OWNER_OBJECTS || owner >= SPE_OWNER_PHYSICAL)
		return false;
	symbols_of(resolver, owner);
	state = resolver->objects[owner - SPE_OWNER_OBJECTS].state;
	return state == SPE_SYMBOLS_OTHER_BUILD || state == SPE_SYMBOLS_AMBIGUOUS;
}

bool spe_elf_address(struct spe_resolver *resolver, uint32_t owner, uint64_t address,
		     uint64_t *elf)
{
	const struct spe_symbols *symbols;

	if (owner < SPE_OWNER_OBJECTS || owner >= SPE_OWNER_PHYSICAL) {
		*elf = address;
		return true;
	}
	symbols = symbols_of(resolver, owner);
	return symbols && spe_symbols_address(symbols, address, elf);
}

char *spe_owner_name(const struct spe_resolver *resolver, uint32_t owner)
{
	char *label, *text;

	if (owner == SPE_OWNER_KERNEL)
		return xstrdup("[kernel]");
	if (owner == SPE_OWNER_PHYSICAL)
		return xstrdup("[physical]");
	if (owner >= SPE_OWNER_OBJECTS)
		return xstrdup(object_of(resolver, owner)->name);
	if (owner == SPE_NO_LIFE)
		return xstrdup("[unknown]");
	label = spe_life_label(&resolver->recording->tasks, owner);
	text = format_string("[process %s]", label);
	free(label);
	return text;
}

bool spe_line_of(struct spe_resolver *resolver, uint32_t owner, uint64_t address,
		 const char **file, int *line)
{
	const struct spe_symbols *symbols = symbols_of(resolver, owner);
	uint64_t loaded;

	return symbols && symbols->lines && spe_symbols_address(symbols, address, &loaded) &&
	       spe_lines_find(symbols->lines, loaded, file, line);
}

static void warn_about(const struct spe_resolver *resolver, const struct spe_object *object,
		       enum spe_symbols_state state)
{
	static const char * const reasons[] = {
		[SPE_SYMBOLS_NO_FILE] = "cannot be read: no names of functions (--symfs?)",
		[SPE_SYMBOLS_NO_ELF] = "not an ELF file: no names of functions",
		[SPE_SYMBOLS_OTHER_BUILD] = "not the file that ran, by its build ID: not used",
		[SPE_SYMBOLS_AMBIGUOUS] =
			"several files of this path ran, as in containers, and which one this is "
			"is not known: not used",
	};
	const char *reason = reasons[state];

	if (state == SPE_SYMBOLS_OTHER_BUILD && object->others)
		reason = "several files of this path ran, as in containers: those with another "
			 "build ID than this one have no names of functions";
	warn(ERR_BINARY_UNREADABLE, "%s%s: %s", resolver->root, object->name, reason);
}

/* Once for all files of a path. */
void spe_resolver_warn(const struct spe_resolver *resolver)
{
	const struct spe_object *objects = resolver->recording->tasks.objects.v;
	bool (*warned)[SPE_SYMBOLS_STATES] = xcalloc(resolver->nr_objects, sizeof(*warned));

	for (size_t i = 0; i < resolver->nr_objects; i++) {
		const struct spe_resolved *resolved = &resolver->objects[i];
		const char *name = objects[i].name;

		/* [vdso] and //anon are not files. */
		if (!resolved->tried || *name != '/' || name[1] == '/' ||
		    resolved->state == SPE_SYMBOLS_GOOD ||
		    warned[objects[i].first][resolved->state])
			continue;
		warned[objects[i].first][resolved->state] = true;
		warn_about(resolver, &objects[i], resolved->state);
	}
	free(warned);
}
