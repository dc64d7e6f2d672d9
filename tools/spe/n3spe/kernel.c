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

/* vmlinux or a module, as it was looked for once. */
struct spe_kernel_file {
	struct spe_kernel_file *next;
	const char *module;		/* "[module]"; "" for vmlinux */
	struct spe_binary binary;
};

char *spe_kernel_read(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	char *text;
	size_t size;

	if (!file)
		return NULL;
	/* /proc/kallsyms has no size. */
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
	kernel->stext += kernel->stext ? kernel->shift : 0;
	kernel->etext += kernel->etext ? kernel->shift : 0;
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
static uint64_t limit_of(const void *context, const struct spe_symbol *symbol,
			 const struct spe_symbol *next)
{
	const struct spe_kernel *kernel = context;
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
	char *line = text, *end;

	kernel->text = text;
	for (; line && *line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		take_line(kernel, line);
	}
	move_symbols(kernel);
	spe_symbols_ready(&kernel->symbols, limit_of, kernel);
}

/* Whether the running kernel is that of the recording, by its notes. */
static bool is_running(const struct spe_kernel_id *id)
{
	char notes[4096];
	ssize_t size = disk_read("/sys/kernel/notes", notes, sizeof(notes));

	return id->build_id_size && size > 0 &&
	       memmem(notes, (size_t)size, id->build_id, id->build_id_size);
}

/* Opens the vmlinux of the recording's kernel, if it is known where that was moved to (KASLR). */
static void open_vmlinux(const struct spe_kernel *kernel, struct spe_binary *binary)
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
	const char *symbol = kernel->stext ? "_stext" : id->symbol;
	uint64_t running = kernel->stext ? kernel->stext : id->address, linked = 0;

	if (!symbol || !id->build_id_size || id->build_id_size > sizeof(object.build_id))
		return;
	memcpy(object.build_id, id->build_id, id->build_id_size);
	for (size_t i = 0; i < NR(places) && binary->state != SPE_BINARY_GOOD; i++) {
		char *path;

		object.name = format_string("%s%s%s", places[i][0], id->release, places[i][1]);
		path = format_string("%s%s", kernel->search->root, object.name);
		spe_binary_close(binary);
		if (i == NR(places) - 1 || disk_may_read(path))
			spe_binary_open(binary, kernel->search, &object);
		free(path);
		free(object.name);
	}
	if (binary->state == SPE_BINARY_GOOD && !spe_binary_symbol(binary, symbol, &linked))
		spe_binary_close(binary);
	/* From here on, its places are addresses of the running kernel, not in the file. */
	for (size_t i = 0; i < binary->segments.nr; i++)
		binary->segments.v[i].offset = binary->segments.v[i].address + running - linked;
}

/* Whether a file is "name.ko" or "name.ko.debug"; - and _ are the same. */
static bool is_module(const char *file, const char *name)
{
	for (; *name && *name != ']'; name++, file++)
		if (*file != *name && !(*name == '_' && *file == '-'))
			return false;
	return !strcmp(file, ".ko") || !strcmp(file, ".ko.debug");
}

/* Opens the file of a module of this release, with lines if there is one. */
static void open_module(const struct spe_kernel *kernel, const char *name,
			struct spe_binary *binary)
{
	const char *root = kernel->search->root, *release = kernel->id->release;
	char *debug = format_string("%s/usr/lib/debug/lib/modules/%s", root, release);
	char *plain = format_string("%s/lib/modules/%s", root, release);
	char *folders[3] = { debug, plain };
	FTS *tree = *release && *name == '[' ?
		    fts_open(folders, FTS_PHYSICAL | FTS_NOCHDIR, NULL) : NULL;
	FTSENT *entry;

	while (tree && !binary->lines && (entry = fts_read(tree))) {
		struct spe_object object = { .name = entry->fts_path + strlen(root) };

		if (entry->fts_info != FTS_F || !is_module(entry->fts_name, name + 1))
			continue;
		spe_binary_close(binary);
		spe_binary_open(binary, kernel->search, &object);
	}
	if (tree)
		fts_close(tree);
	if (binary->state == SPE_BINARY_GOOD)
		spe_binary_read_names(binary);
	free(debug);
	free(plain);
}

/* Return: vmlinux or the file of a module, opened once, or NULL. */
static struct spe_binary *file_of(struct spe_kernel *kernel, const char *module)
{
	struct spe_kernel_file *file = kernel->files;

	while (file && strcmp(module, file->module))
		file = file->next;
	if (!file) {
		file = xcalloc(1, sizeof(*file));
		file->module = module;
		file->next = kernel->files;
		kernel->files = file;
		if (*module)
			open_module(kernel, module, &file->binary);
		else
			open_vmlinux(kernel, &file->binary);
	}
	return file->binary.state == SPE_BINARY_GOOD ? &file->binary : NULL;
}

void spe_kernel_open(struct spe_kernel *kernel, const struct spe_kernel_id *id,
		     const struct spe_search *search, char *text)
{
	struct spe_binary *vmlinux;

	*kernel = (struct spe_kernel) { .id = id, .search = search };
	if (!text && !*search->root && is_running(id))
		text = spe_kernel_read("/proc/kallsyms");
	take_kallsyms(kernel, text);
	/* Without privilege, /proc/kallsyms has no addresses. */
	vmlinux = kernel->symbols.nr ? NULL : file_of(kernel, "");
	if (!vmlinux)
		return;
	spe_symbols_free(&kernel->symbols);
	spe_binary_read_names(vmlinux);
	kernel->symbols = vmlinux->symbols;
	vmlinux->symbols = (struct spe_symbols) { 0 };
}

void spe_kernel_close(struct spe_kernel *kernel)
{
	struct spe_kernel_file *file;

	spe_symbols_free(&kernel->symbols);
	while ((file = kernel->files)) {
		kernel->files = file->next;
		spe_binary_close(&file->binary);
		free(file);
	}
	free(kernel->text);
}

bool spe_kernel_line(struct spe_kernel *kernel, uint64_t address, const char **file, int *line)
{
	const struct spe_symbol *symbol = spe_symbols_find(&kernel->symbols, address);
	struct spe_binary *binary = file_of(kernel, symbol && symbol->module ? symbol->module : "");
	const struct spe_symbol *found = NULL, *other;

	if (!symbol || !symbol->module)
		return binary && spe_binary_line(binary, address, file, line);
	/* Where a module was loaded is unknown, only where its functions are; one of its name. */
	for (size_t i = 0; binary && i < binary->symbols.nr; i++) {
		other = &binary->symbols.symbols[i];
		if (strcmp(other->name, symbol->name))
			continue;
		if (found)
			return false;
		found = other;
	}
	return found && address - symbol->start < found->end - found->start &&
	       spe_binary_line(binary, found->start + address - symbol->start, file, line);
}
