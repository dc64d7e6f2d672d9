// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Names and lines of the kernel and its modules. */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "kernel.h"
#include "lib/disk.h"
#include "lib/files.h"
#include "lib/memory.h"

#define KALLSYMS_MAX	(32u << 20)

struct spe_module {
	const char *name;		/* "[module]" */
	struct spe_binary *binary;	/* NULL if absent */
};

/* /proc/kallsyms has no size. */
char *spe_kernel_read(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	char *text;
	size_t size;

	if (!file)
		return NULL;
	text = xreallocarray(NULL, KALLSYMS_MAX, 1);
	size = fread(text, 1, KALLSYMS_MAX, file);
	if (size == KALLSYMS_MAX)
		errno = EFBIG;
	if (size == KALLSYMS_MAX || !feof(file))
		die_of_file(ERR_CANNOT_READ, name);
	text[size] = '\0';
	fclose(file);
	return text;
}

/* End marks are not code. */
static bool is_end_mark(const char *name)
{
	return !strcmp(name, "_etext") || !strcmp(name, "_einittext");
}

/* A line is "address type name [module]". */
static void take_line(struct spe_kernel *kernel, char *line)
{
	char *name, *end, *module;
	uint64_t address = strtoull(line, &end, 16);

	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ' || !address)
		return;
	name = end + 3;
	module = name + strcspn(name, "\t ");
	if (*module)
		*module++ = '\0';
	if (*name && *name != '$' && (strchr("tTwW", end[1]) || (!*module && is_end_mark(name))))
		spe_symbols_add(&kernel->symbols, (struct spe_symbol) {
			.start = address, .name = name, .module = *module ? module : NULL,
			.rank = (uint32_t)kernel->symbols.nr,
		});
	if (!*module && !strcmp(name, "_etext"))
		kernel->etext = address;
	if (!*module && !strcmp(name, "_stext"))
		kernel->stext = address;
	if (!*module && *name && kernel->id->symbol && kernel->id->address &&
	    !strcmp(name, kernel->id->symbol))
		kernel->shift = kernel->id->address - address;
}

/*
 * KASLR moves the kernel at each boot: kallsyms may be those of another one. Where modules were at
 * the time of the recording is unknown then.
 */
static void move_symbols(struct spe_kernel *kernel)
{
	struct spe_symbols *symbols = &kernel->symbols;
	size_t kept = 0;

	if (!kernel->shift)
		return;
	for (size_t i = 0; i < symbols->nr; i++) {
		if (symbols->symbols[i].module)
			continue;
		symbols->symbols[kept] = symbols->symbols[i];
		symbols->symbols[kept++].start += kernel->shift;
	}
	symbols->nr = kept;
	if (kernel->stext)
		kernel->stext += kernel->shift;
	if (kernel->etext)
		kernel->etext += kernel->shift;
}

/* Whether both belong to the kernel itself or to one module. Each BPF program is separate. */
static bool are_of_one(const struct spe_symbol *a, const struct spe_symbol *b)
{
	if (!a->module || !b->module)
		return !a->module && !b->module;
	return !strcmp(a->module, b->module) && strcmp(a->module, "[bpf]") &&
	       strncmp(a->module, "[__builtin__", 12);
}

/* Module sizes include data elsewhere, so extents may overlap. */
static const struct spe_extent *extent_of(const struct spe_kernel *kernel, uint64_t address)
{
	const struct spe_extent *best = NULL;

	for (size_t i = 0; i < kernel->id->nr_extents; i++) {
		const struct spe_extent *extent = &kernel->id->extents[i];

		if (address - extent->start < extent->end - extent->start &&
		    (!best || extent->start > best->start))
			best = extent;
	}
	return best;
}

/*
 * kallsyms has no sizes. The last function of the kernel ends at _etext, that of a module with the
 * module. For code of unknown extent, such as BPF programs and trampolines, only the rest of the
 * page is assumed.
 */
static uint64_t limit_of(const struct spe_kernel *kernel, const struct spe_symbol *symbol,
			 const struct spe_symbol *next)
{
	const struct spe_extent *extent;

	if (!symbol->module && is_end_mark(symbol->name))
		return symbol->start;
	if (!symbol->module && symbol->start < kernel->etext)
		return kernel->etext;
	extent = extent_of(kernel, symbol->start);
	if (extent)
		return extent->end;
	if (next && are_of_one(symbol, next))
		return next->start;
	return (symbol->start | 4095) + 1;
}

static void take_kallsyms(struct spe_kernel *kernel, char *text)
{
	struct spe_symbols *symbols = &kernel->symbols;
	const struct spe_symbol *next = NULL;
	char *line = text, *end;

	kernel->text = text;
	for (; line && *line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		take_line(kernel, line);
	}
	move_symbols(kernel);
	if (symbols->nr)
		qsort(symbols->symbols, symbols->nr, sizeof(*symbols->symbols),
		      spe_symbols_compare);
	for (size_t i = symbols->nr; i-- > 0;) {
		struct spe_symbol *symbol = &symbols->symbols[i];

		if (i + 1 < symbols->nr && symbol[1].start != symbol->start)
			next = symbol + 1;
		symbol->end = limit_of(kernel, symbol, next);
	}
	spe_symbols_ready(symbols);
}

/* Whether the running kernel is that of the recording, by its notes. */
static bool is_running(const struct spe_kernel_id *id)
{
	char notes[4096];
	ssize_t size = disk_read("/sys/kernel/notes", notes, sizeof(notes));

	return id->build_id_size && size > 0 &&
	       memmem(notes, (size_t)size, id->build_id, id->build_id_size);
}

static struct spe_binary *open_binary(const struct spe_search *search, struct spe_object *object)
{
	struct spe_binary *binary = xcalloc(1, sizeof(*binary));

	if (spe_binary_open(binary, search, object) == SPE_BINARY_GOOD)
		return binary;
	spe_binary_close(binary);
	free(binary);
	return NULL;
}

/* The vmlinux with the build ID of the recording's kernel. */
static void find_vmlinux(struct spe_kernel *kernel)
{
	static const char * const places[][2] = {
		{ "/boot/vmlinux-", "" }, { "/usr/lib/debug/boot/vmlinux-", "" },
		{ "/usr/lib/debug/lib/modules/", "/vmlinux" },
		{ "/lib/modules/", "/build/vmlinux" },
		/* For the last resort, the build ID alone. */
		{ "/usr/lib/debug/vmlinux-", "" },
	};
	const struct spe_kernel_id *id = kernel->id;
	struct spe_object object = { .build_id_size = id->build_id_size };

	if (!id->build_id_size || id->build_id_size > sizeof(object.build_id))
		return;
	memcpy(object.build_id, id->build_id, id->build_id_size);
	for (size_t i = 0; i < NR(places) && !kernel->vmlinux; i++) {
		char *path;

		object.name = format_string("%s%s%s", places[i][0], id->release, places[i][1]);
		path = format_string("%s%s", kernel->search->root, object.name);
		if (i == NR(places) - 1 || disk_may_read(path))
			kernel->vmlinux = open_binary(kernel->search, &object);
		free(path);
		free(object.name);
	}
}

/* Return: whether vmlinux is there, and where the kernel has been moved to (KASLR) is known. */
static bool open_vmlinux(struct spe_kernel *kernel)
{
	const char *symbol = kernel->stext ? "_stext" : kernel->id->symbol;
	uint64_t running = kernel->stext ? kernel->stext : kernel->id->address, linked;

	if (kernel->tried)
		return kernel->vmlinux;
	kernel->tried = true;
	if (!symbol)
		return false;
	find_vmlinux(kernel);
	if (!kernel->vmlinux)
		return false;
	if (!spe_binary_symbol(kernel->vmlinux, symbol, &linked)) {
		spe_binary_close(kernel->vmlinux);
		free(kernel->vmlinux);
		kernel->vmlinux = NULL;
		return false;
	}
	/* From here on, its places are addresses of the running kernel, not in the file. */
	for (size_t i = 0; i < kernel->vmlinux->segments.nr; i++) {
		struct spe_segment *segment = &kernel->vmlinux->segments.v[i];

		segment->offset = segment->address + running - linked;
	}
	return true;
}

void spe_kernel_open(struct spe_kernel *kernel, const struct spe_kernel_id *id,
		     const struct spe_search *search, char *text)
{
	*kernel = (struct spe_kernel) { .id = id, .search = search };
	if (!text && !*search->root && is_running(id))
		text = spe_kernel_read("/proc/kallsyms");
	take_kallsyms(kernel, text);
	/* Without privilege, /proc/kallsyms has no addresses. */
	if (kernel->symbols.nr || !open_vmlinux(kernel))
		return;
	spe_symbols_free(&kernel->symbols);
	spe_binary_read_names(kernel->vmlinux);
	kernel->symbols = kernel->vmlinux->symbols;
	kernel->vmlinux->symbols = (struct spe_symbols) { 0 };
}

static void close_binary(struct spe_binary *binary)
{
	if (binary)
		spe_binary_close(binary);
	free(binary);
}

void spe_kernel_close(struct spe_kernel *kernel)
{
	spe_symbols_free(&kernel->symbols);
	for (size_t i = 0; i < kernel->nr_modules; i++)
		close_binary(kernel->modules[i].binary);
	close_binary(kernel->vmlinux);
	free(kernel->modules);
	free(kernel->text);
}

/* Whether a file is "name.ko" or "name.ko.debug"; - and _ are the same. */
static bool is_module(const char *file, const char *name)
{
	for (; *name && *name != ']'; name++, file++)
		if (*file != *name && !(*name == '_' && *file == '-'))
			return false;
	return !strcmp(file, ".ko") || !strcmp(file, ".ko.debug");
}

/* Return: the file of a module of this release, with lines, or NULL. */
static struct spe_binary *find_module(const struct spe_kernel *kernel, const char *name)
{
	const struct spe_search *search = kernel->search;
	char *debug = format_string("%s/usr/lib/debug/lib/modules/%s", search->root,
				    kernel->id->release);
	char *plain = format_string("%s/lib/modules/%s", search->root, kernel->id->release);
	char *folders[3] = { debug, plain };
	FTS *tree = fts_open(folders, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	struct spe_binary *binary = NULL;
	FTSENT *entry;

	while (tree && !(binary && binary->lines) && (entry = fts_read(tree))) {
		struct spe_object object = { .name = entry->fts_path + strlen(search->root) };

		if (entry->fts_info != FTS_F || !is_module(entry->fts_name, name + 1))
			continue;
		close_binary(binary);
		binary = open_binary(search, &object);
	}
	if (tree)
		fts_close(tree);
	if (binary)
		spe_binary_read_names(binary);
	free(debug);
	free(plain);
	return binary;
}

/* The binary of a module, or NULL. */
static struct spe_binary *module_of(struct spe_kernel *kernel, const char *name)
{
	struct spe_module *module;

	for (size_t i = 0; i < kernel->nr_modules; i++)
		if (!strcmp(kernel->modules[i].name, name))
			return kernel->modules[i].binary;
	kernel->modules = xreallocarray(kernel->modules, kernel->nr_modules + 1,
					sizeof(*kernel->modules));
	module = &kernel->modules[kernel->nr_modules++];
	*module = (struct spe_module) { .name = name };
	if (*kernel->id->release && *name == '[')
		module->binary = find_module(kernel, name);
	return module->binary;
}

/* Where a module was loaded is not known, only where its functions are, which need unique names. */
static bool module_line(struct spe_kernel *kernel, const struct spe_symbol *symbol,
			uint64_t address, const char **file, int *line)
{
	struct spe_binary *binary = module_of(kernel, symbol->module);
	const struct spe_symbol *found = NULL;

	for (size_t i = 0; binary && i < binary->symbols.nr; i++) {
		if (strcmp(binary->symbols.symbols[i].name, symbol->name))
			continue;
		if (found)
			return false;
		found = &binary->symbols.symbols[i];
	}
	return found && address - symbol->start < found->end - found->start &&
	       spe_binary_line(binary, found->start + address - symbol->start, file, line);
}

bool spe_kernel_line(struct spe_kernel *kernel, uint64_t address, const char **file, int *line)
{
	const struct spe_symbol *symbol = spe_symbols_find(&kernel->symbols, address);

	if (symbol && symbol->module)
		return module_line(kernel, symbol, address, file, line);
	return open_vmlinux(kernel) && spe_binary_line(kernel->vmlinux, address, file, line);
}
