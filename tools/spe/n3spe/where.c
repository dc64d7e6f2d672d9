// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Owners and names of addresses. */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "errors.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "where.h"

#define CACHED		4096
/* Names that the kernel gives to memory that is no file, such as [vdso] and //anon */
#define NO_FILES	"@([!/]|//|/memfd:|/SYSV|/dev/zero|/anon_hugepage|/\\[aio])*"

/* Valid until the life's next mapping. */
struct spe_where_cached {
	uint64_t pc;
	uint32_t life, changes;
	struct spe_where where;
};

void spe_resolver_init(struct spe_resolver *resolver, struct spe_recording *recording,
		       const struct spe_sources *sources)
{
	char *beside = format_string("%s.kallsyms", recording->file.input.name);
	char *text = spe_kernel_read(sources->kallsyms ? sources->kallsyms : beside);

	if (sources->kallsyms && !text)
		die_of_file(ERR_CANNOT_READ, sources->kallsyms);
	free(beside);
	*resolver = (struct spe_resolver) {
		.recording = recording, .sources = *sources,
		.nr_objects = recording->tasks.objects.nr
	};
	resolver->objects = xcalloc(resolver->nr_objects, sizeof(*resolver->objects));
	resolver->cache = xcalloc(CACHED, sizeof(*resolver->cache));
	spe_search_init(&resolver->search, sources->root, !sources->no_debuginfod);
	spe_kernel_open(&resolver->kernel, &recording->kernel, &resolver->search, text);
	if (sources->kallsyms && !resolver->kernel.symbols.nr)
		die(ERR_KERNEL_ADDRESSES_HIDDEN, "%s: no addresses of functions in it: copy "
		    "/proc/kallsyms as root", sources->kallsyms);
}

void spe_resolver_free(struct spe_resolver *resolver)
{
	for (size_t i = 0; i < resolver->nr_objects; i++)
		spe_binary_close(&resolver->objects[i]);
	spe_kernel_close(&resolver->kernel);
	spe_search_free(&resolver->search);
	free(resolver->objects);
	free(resolver->cache);
}

static const struct spe_object *object_of(const struct spe_resolver *resolver, uint32_t owner)
{
	return &resolver->recording->tasks.objects.v[owner - SPE_OWNER_OBJECTS];
}

/* Return: the file, opened once, or NULL if the owner is not a file. */
static struct spe_binary *binary_of(struct spe_resolver *resolver, uint32_t owner)
{
	struct spe_binary *binary;
	size_t number = owner - SPE_OWNER_OBJECTS;

	if (owner < SPE_OWNER_OBJECTS || number >= resolver->nr_objects)
		return NULL;
	binary = &resolver->objects[number];
	if (!binary->state &&
	    spe_binary_open(binary, &resolver->search, object_of(resolver, owner)))
		spe_binary_read_names(binary);
	return binary;
}

static struct spe_symbols *symbols_of(struct spe_resolver *resolver, uint32_t owner)
{
	struct spe_binary *binary;

	resolver->kernel_asked |= owner == SPE_OWNER_KERNEL;
	if (owner == SPE_OWNER_KERNEL)
		return &resolver->kernel.symbols;
	binary = binary_of(resolver, owner);
	return binary ? &binary->symbols : NULL;
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

	/* No code is at 0, as all unused entries have it. */
	if (pc && cached->pc == pc && cached->life == sample->life &&
	    cached->changes == changes)
		return cached->where;
	*cached = (struct spe_where_cached) {
		.pc = pc, .life = sample->life, .changes = changes,
		.where = place_pc(resolver, sample->life, pc),
	};
	return cached->where;
}

const char *spe_function_name(struct spe_resolver *resolver, uint32_t owner, uint64_t function)
{
	struct spe_symbols *symbols = symbols_of(resolver, owner);

	if (!symbols || function >= symbols->nr)
		return NULL;
	return spe_symbols_name(symbols, &symbols->symbols[function], !resolver->sources.mangled);
}

const char *spe_function_at(struct spe_resolver *resolver, uint32_t owner, uint64_t address,
			    uint64_t *start)
{
	struct spe_symbols *symbols = symbols_of(resolver, owner);
	const struct spe_symbol *symbol = symbols ? spe_symbols_find(symbols, address) : NULL;

	if (!symbol)
		return NULL;
	*start = symbol->start;
	return spe_symbols_name(symbols, symbol, !resolver->sources.mangled);
}

bool spe_is_other_file(struct spe_resolver *resolver, uint32_t owner)
{
	const struct spe_binary *binary = binary_of(resolver, owner);

	return binary && binary->state >= SPE_BINARY_NO_BUILD_ID;
}

bool spe_elf_address(struct spe_resolver *resolver, uint32_t owner, uint64_t address,
		     uint64_t *elf)
{
	const struct spe_binary *binary = binary_of(resolver, owner);

	*elf = address;
	return !binary || spe_binary_address(binary, address, elf);
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
	struct spe_binary *binary;

	if (owner == SPE_OWNER_KERNEL)
		return spe_kernel_line(&resolver->kernel, address, file, line);
	binary = binary_of(resolver, owner);
	return binary && spe_binary_line(binary, address, file, line);
}

static void warn_about(const struct spe_resolver *resolver, const struct spe_object *object,
		       const struct spe_binary *binary, bool *warned)
{
	static const char * const reasons[] = {
		[SPE_BINARY_GOOD] = "no symbols in it, and no debug file of this build: no "
			"names of functions (its -dbgsym package, --symfs?)",
		[SPE_BINARY_NO_FILE] = ": no names of functions (--symfs?)",
		[SPE_BINARY_NO_ELF] = "not an ELF file, or damaged: not used (--symfs?)",
		[SPE_BINARY_NO_BUILD_ID] = "no build ID, unlike the file that ran (--symfs?)",
		[SPE_BINARY_OTHER_BUILD] = "not the file that ran, by its build ID (--symfs?)",
		[SPE_BINARY_AMBIGUOUS] = "several files of this path ran, as in "
			"containers: not used where it is not, or not known to be, the one",
	};
	bool is_other = binary->state == SPE_BINARY_OTHER_BUILD && object->others;
	const char *reason = reasons[is_other ? SPE_BINARY_AMBIGUOUS : binary->state];
	const char *name = object->name;
	bool is_missing = binary->state == SPE_BINARY_NO_FILE;

	if (binary->trouble)
		warn(ERR_DEBUG_UNREADABLE, "%s%s: debug information not readable by elfutils "
		     "libdw %s: %s: no lines (objcopy --decompress-debug-sections)",
		     resolver->search.root, name, dwfl_version(NULL), binary->trouble);
	if (binary->fetched)
		warn(ERR_FETCHED, "%s: program fetched by debuginfod (--no-debuginfod?)", name);
	if (binary->fetched_debug)
		warn(ERR_FETCHED, "%s: debug file fetched by debuginfod (--no-debuginfod?)", name);
	if (!reason || !fnmatch(NO_FILES, name, FNM_EXTMATCH) || warned[binary->state])
		return;
	warned[binary->state] = true;
	warn(ERR_BINARY_UNREADABLE, "%s%s: %s%s%s%s", resolver->search.root, name,
	     is_missing ? "cannot be read: " : "", is_missing ? strerror(binary->error) : "",
	     reason, binary->server_failed ? "; debuginfod failed" : "");
}

/* Once for all files of a path. */
void spe_resolver_warn(const struct spe_resolver *resolver, bool names)
{
	const struct spe_object *objects = resolver->recording->tasks.objects.v;
	bool (*warned)[SPE_BINARY_STATES] = xcalloc(resolver->nr_objects, sizeof(*warned));

	for (size_t i = 0; i < resolver->nr_objects; i++) {
		warned[objects[i].first][SPE_BINARY_GOOD] = !names ||
							    resolver->objects[i].symbols.nr;
		warn_about(resolver, &objects[i], &resolver->objects[i], warned[objects[i].first]);
	}
	free(warned);
	if (names && resolver->kernel_asked && !resolver->kernel.symbols.nr)
		warn(ERR_BINARY_UNREADABLE, "[kernel]: no names of functions: neither %s.kallsyms "
		     "with addresses nor vmlinux (copy it from the recorder, or --kallsyms FILE)",
		     resolver->recording->file.input.name);
}
