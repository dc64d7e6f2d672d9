// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Functions of a program, a library or the kernel, by address. */
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/memory.h"
#include "perf.h"
#include "sorted.h"
#include "symbols.h"

static Elf *open_elf(const char *path, int *fd)
{
	Elf *elf;

	elf_version(EV_CURRENT);
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0)
		return NULL;
	elf = elf_begin(*fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		return elf;
	elf_end(elf);
	return NULL;
}

/* Return: size of the build id, 0 if absent. */
static size_t find_build_id(Elf *elf, const uint8_t **id)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		size_t at = 0, name, desc;
		Elf_Data *data;
		GElf_Nhdr note;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE)
			continue;
		data = elf_getdata(section, NULL);
		while (data && (at = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
			if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
			    memcmp((char *)data->d_buf + name, "GNU", 4))
				continue;
			*id = (uint8_t *)data->d_buf + desc;
			return note.n_descsz;
		}
	}
	return 0;
}

/* The kernel pads short build ids with zeros, and truncates them to SPE_BUILD_ID_MAX bytes. */
static bool has_build_id(Elf *elf, const uint8_t *id, size_t size)
{
	const uint8_t *found;
	size_t found_size = find_build_id(elf, &found);

	if (!found_size || memcmp(found, id, found_size < size ? found_size : size))
		return false;
	if (found_size > size)
		return size == SPE_BUILD_ID_MAX;
	for (size_t i = found_size; i < size; i++)
		if (id[i])
			return false;
	return true;
}

static void read_segments(struct spe_symbols *symbols)
{
	size_t nr;
	GElf_Phdr header;

	if (elf_getphdrnum(symbols->elf, &nr))
		return;
	symbols->segments = xreallocarray(NULL, nr, sizeof(*symbols->segments));
	for (size_t i = 0; i < nr; i++) {
		if (!gelf_getphdr(symbols->elf, (int)i, &header) || header.p_type != PT_LOAD)
			continue;
		symbols->segments[symbols->nr_segments++] = (struct spe_segment) {
			header.p_offset, header.p_filesz, header.p_vaddr
		};
	}
}

bool spe_symbols_address(const struct spe_symbols *symbols, uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < symbols->nr_segments; i++) {
		const struct spe_segment *segment = &symbols->segments[i];

		if (offset - segment->offset >= segment->size)
			continue;
		*address = offset - segment->offset + segment->address;
		return true;
	}
	return false;
}

/* Return: the segment containing the address, or NULL. */
static const struct spe_segment *segment_of(const struct spe_symbols *symbols, uint64_t address)
{
	for (size_t i = 0; i < symbols->nr_segments; i++)
		if (address - symbols->segments[i].address < symbols->segments[i].size)
			return &symbols->segments[i];
	return NULL;
}

static void add_symbol(struct spe_symbols *symbols, struct spe_symbol symbol)
{
	symbols->symbols = xgrow(symbols->symbols, symbols->nr, &symbols->max,
				 sizeof(*symbols->symbols));
	symbols->symbols[symbols->nr++] = symbol;
}

/* Assembly functions may lack a type; $x and $d mark code and data. */
static bool is_function(Elf *elf, const GElf_Sym *symbol, const char *name)
{
	int type = GELF_ST_TYPE(symbol->st_info);
	GElf_Shdr section;

	if (symbol->st_shndx == SHN_UNDEF || !name || !*name)
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return true;
	return type == STT_NOTYPE && *name != '$' && symbol->st_shndx < SHN_LORESERVE &&
	       gelf_getshdr(elf_getscn(elf, symbol->st_shndx), &section) &&
	       section.sh_flags & SHF_EXECINSTR;
}

/* Return: end of the code that a symbol can cover. */
static uint64_t limit_of(Elf *elf, const GElf_Sym *symbol, const struct spe_segment *segment)
{
	uint64_t limit = segment->address + segment->size;
	GElf_Shdr section;

	if (symbol->st_shndx < SHN_LORESERVE &&
	    gelf_getshdr(elf_getscn(elf, symbol->st_shndx), &section) &&
	    symbol->st_value - section.sh_addr < section.sh_size &&
	    section.sh_size < limit - section.sh_addr)
		limit = section.sh_addr + section.sh_size;
	return limit;
}

static void take_symbol(struct spe_symbols *symbols, Elf *elf, const GElf_Sym *symbol)
{
	const struct spe_segment *segment = segment_of(symbols, symbol->st_value);
	uint64_t start, room;

	if (!segment)
		return;
	start = symbol->st_value - segment->address + segment->offset;
	room = limit_of(elf, symbol, segment) - symbol->st_value;
	add_symbol(symbols, (struct spe_symbol) {
		.start = start,
		.end = start + (symbol->st_size && symbol->st_size < room ? symbol->st_size : room),
		.name = symbol->st_name,
		.has_size = symbol->st_size,
	});
}

static void read_table(struct spe_symbols *symbols, Elf *elf, Elf_Scn *section,
		       const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t nr = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	GElf_Sym symbol;

	symbols->names = elf;
	symbols->strings = header->sh_link;
	for (size_t i = 0; data && i < nr; i++)
		if (gelf_getsym(data, (int)i, &symbol) &&
		    is_function(elf, &symbol, elf_strptr(elf, header->sh_link, symbol.st_name)))
			take_symbol(symbols, elf, &symbol);
}

/* Return: whether a table of this type has names. */
static bool read_tables(struct spe_symbols *symbols, Elf *elf, uint32_t type)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (elf && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == type && !symbols->nr)
			read_table(symbols, elf, section, &header);
	return symbols->nr;
}

/* By start; sized symbols first, longest before shorter. */
static int compare_symbols(const void *a, const void *b)
{
	const struct spe_symbol *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	if (left->has_size != right->has_size)
		return left->has_size ? -1 : 1;
	if (left->has_size && left->end != right->end)
		return left->end > right->end ? -1 : 1;
	return (left->name > right->name) - (left->name < right->name);
}

/* A symbol without a size ends at the next one. */
static void end_symbols(struct spe_symbols *symbols)
{
	uint64_t next = UINT64_MAX;

	for (size_t i = symbols->nr; i-- > 0;) {
		struct spe_symbol *symbol = &symbols->symbols[i];

		if (i + 1 < symbols->nr && symbol[1].start != symbol->start)
			next = symbol[1].start;
		if (!symbol->has_size && symbol->end > next)
			symbol->end = next;
	}
}

/* Drops aliases and labels: symbols without a size in code of a sized one. */
static void drop_labels(struct spe_symbols *symbols)
{
	uint64_t covered = 0;
	size_t kept = 0;

	for (size_t i = 0; i < symbols->nr; i++) {
		struct spe_symbol *symbol = &symbols->symbols[i], *last = symbol;

		if (kept)
			last = &symbols->symbols[kept - 1];
		if (symbol->end <= symbol->start ||
		    (!symbol->has_size && symbol->start < covered) ||
		    (last != symbol && last->start == symbol->start && last->end == symbol->end))
			continue;
		if (symbol->has_size && symbol->end > covered)
			covered = symbol->end;
		symbols->symbols[kept++] = *symbol;
	}
	symbols->nr = kept;
}

static void add_span(struct spe_symbols *symbols, uint64_t start, uint64_t end, uint32_t symbol)
{
	if (end > start)
		symbols->spans[symbols->nr_spans++] = (struct spe_span) { start, end, symbol };
}

/*
 * Splits code into spans of one innermost symbol each: the one that starts last. Open symbols are
 * on a stack, innermost on top.
 */
static void make_spans(struct spe_symbols *symbols)
{
	uint32_t *stack = xreallocarray(NULL, symbols->nr + 1, sizeof(*stack));
	uint64_t at = 0;
	size_t depth = 0;

	symbols->spans = xreallocarray(NULL, 2 * symbols->nr + 1, sizeof(*symbols->spans));
	for (size_t i = 0; i <= symbols->nr; i++) {
		uint64_t next = i < symbols->nr ? symbols->symbols[i].start : UINT64_MAX;

		while (depth && symbols->symbols[stack[depth - 1]].end <= next) {
			uint32_t top = stack[--depth];

			add_span(symbols, at, symbols->symbols[top].end, top);
			if (symbols->symbols[top].end > at)
				at = symbols->symbols[top].end;
		}
		if (depth)
			add_span(symbols, at, next, stack[depth - 1]);
		at = next;
		stack[depth++] = (uint32_t)i;
	}
	free(stack);
}

static void sort_symbols(struct spe_symbols *symbols)
{
	if (symbols->nr)
		qsort(symbols->symbols, symbols->nr, sizeof(*symbols->symbols), compare_symbols);
	end_symbols(symbols);
	drop_labels(symbols);
	make_spans(symbols);
}

/* Separate debug files of distributions: root/usr/lib/debug/.build-id/ab/cdef.debug */
static void open_debug(struct spe_symbols *symbols, const char *root)
{
	const uint8_t *id;
	size_t size = find_build_id(symbols->elf, &id);
	char *path, hex[2 * 64 + 1] = "";

	if (size < 2 || size > 64)
		return;
	for (size_t i = 1; i < size; i++)
		snprintf(hex + 2 * (i - 1), 3, "%02x", id[i]);
	path = format_string("%s/usr/lib/debug/.build-id/%02x/%s.debug", root, id[0], hex);
	symbols->debug = open_elf(path, &symbols->debug_fd);
	free(path);
	if (!symbols->debug || has_build_id(symbols->debug, id, size))
		return;
	elf_end(symbols->debug);
	symbols->debug = NULL;
}

/* Whether the open file is the same inode; meaningful only on the machine where it ran. */
static bool is_inode(int fd, const struct spe_object *object)
{
	struct stat st;

	return object->inode && !fstat(fd, &st) && st.st_ino == object->inode &&
	       major(st.st_dev) == object->major && minor(st.st_dev) == object->minor;
}

enum spe_symbols_state spe_symbols_open(struct spe_symbols *symbols, const char *root,
					const struct spe_object *object)
{
	char *path = format_string("%s%s", root, object->name);

	*symbols = (struct spe_symbols) { .fd = -1, .debug_fd = -1 };
	symbols->elf = open_elf(path, &symbols->fd);
	free(path);
	if (!symbols->elf)
		return symbols->fd < 0 ? SPE_SYMBOLS_NO_FILE : SPE_SYMBOLS_NO_ELF;
	if (object->build_id_size &&
	    !has_build_id(symbols->elf, object->build_id, object->build_id_size))
		return SPE_SYMBOLS_OTHER_BUILD;
	if (object->ambiguous && !is_inode(symbols->fd, object))
		return SPE_SYMBOLS_AMBIGUOUS;
	read_segments(symbols);
	open_debug(symbols, root);
	if (!read_tables(symbols, symbols->elf, SHT_SYMTAB) &&
	    !read_tables(symbols, symbols->debug, SHT_SYMTAB))
		read_tables(symbols, symbols->elf, SHT_DYNSYM);
	sort_symbols(symbols);
	symbols->lines = spe_lines_open(symbols->elf, symbols->debug);
	return SPE_SYMBOLS_GOOD;
}

struct spe_kernel {
	const struct spe_extent *extents;
	size_t nr_extents;
	uint64_t etext;		/* end of the kernel's own code; 0 if unknown */
};

/* End marks are not code. */
static bool is_end_mark(const char *name)
{
	return !strcmp(name, "_etext") || !strcmp(name, "_einittext");
}

/* A line is "address type name [module]". Return: the address if it is _etext, else 0. */
static uint64_t take_line(struct spe_symbols *symbols, char *line)
{
	char *name, *end, *module;
	uint64_t address = strtoull(line, &end, 16);

	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ' || !address)
		return 0;
	name = end + 3;
	module = name + strcspn(name, "\t ");
	if (*module)
		*module++ = '\0';
	if (*name && *name != '$' && (strchr("tTwW", end[1]) || (!*module && is_end_mark(name))))
		add_symbol(symbols, (struct spe_symbol) {
			.start = address,
			.name = (uint32_t)(name - symbols->text),
			.module = *module ? (uint32_t)(module - symbols->text) : 0,
		});
	return *module || strcmp(name, "_etext") ? 0 : address;
}

/* Whether both belong to the kernel itself or to one module. Each BPF program is separate. */
static bool are_of_one(const struct spe_symbols *symbols, const struct spe_symbol *a,
		       const struct spe_symbol *b)
{
	const char *module = symbols->text + a->module;

	if (!a->module || !b->module)
		return !a->module && !b->module;
	return !strcmp(module, symbols->text + b->module) && strcmp(module, "[bpf]") &&
	       strncmp(module, "[__builtin__", 12);
}

/* Module sizes include data elsewhere, so extents may overlap. */
static const struct spe_extent *extent_of(const struct spe_kernel *kernel, uint64_t address)
{
	const struct spe_extent *best = NULL;

	for (size_t i = 0; i < kernel->nr_extents; i++) {
		const struct spe_extent *extent = &kernel->extents[i];

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
static uint64_t kernel_limit(const struct spe_symbols *symbols, const struct spe_symbol *symbol,
			     const struct spe_symbol *next, const struct spe_kernel *kernel)
{
	const struct spe_extent *extent;

	if (!symbol->module && is_end_mark(symbols->text + symbol->name))
		return symbol->start;
	if (!symbol->module && symbol->start < kernel->etext)
		return kernel->etext;
	extent = extent_of(kernel, symbol->start);
	if (extent)
		return extent->end;
	if (next && are_of_one(symbols, symbol, next))
		return next->start;
	return (symbol->start | 4095) + 1;
}

static void limit_kernel(struct spe_symbols *symbols, const struct spe_kernel *kernel)
{
	const struct spe_symbol *next = NULL;

	if (symbols->nr)
		qsort(symbols->symbols, symbols->nr, sizeof(*symbols->symbols), compare_symbols);
	for (size_t i = symbols->nr; i-- > 0;) {
		struct spe_symbol *symbol = &symbols->symbols[i];

		if (i + 1 < symbols->nr && symbol[1].start != symbol->start)
			next = symbol + 1;
		symbol->end = kernel_limit(symbols, symbol, next, kernel);
	}
}

void spe_symbols_of_kernel(struct spe_symbols *symbols, char *text,
			   const struct spe_extent *extents, size_t nr_extents)
{
	struct spe_kernel kernel = { .extents = extents, .nr_extents = nr_extents };
	char *line = text, *end;
	uint64_t etext;

	*symbols = (struct spe_symbols) { .fd = -1, .debug_fd = -1, .text = text };
	for (; line && *line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		etext = take_line(symbols, line);
		kernel.etext = etext ? etext : kernel.etext;
	}
	limit_kernel(symbols, &kernel);
	sort_symbols(symbols);
}

void spe_symbols_close(struct spe_symbols *symbols)
{
	spe_lines_close(symbols->lines);
	elf_end(symbols->debug);
	elf_end(symbols->elf);
	if (symbols->debug_fd >= 0)
		close(symbols->debug_fd);
	if (symbols->fd >= 0)
		close(symbols->fd);
	free(symbols->segments);
	free(symbols->symbols);
	free(symbols->spans);
	free(symbols->text);
}

const struct spe_symbol *spe_symbols_find(const struct spe_symbols *symbols, uint64_t offset)
{
	const struct spe_span *span = symbols->spans;
	size_t nr = sorted_up_to(span, symbols->nr_spans, sizeof(*span), offset);

	if (!nr)
		return NULL;
	span += nr - 1;
	return offset < span->end ? &symbols->symbols[span->symbol] : NULL;
}

const char *spe_symbols_name(const struct spe_symbols *symbols, const struct spe_symbol *symbol)
{
	const char *name;

	if (symbols->text)
		return symbols->text + symbol->name;
	name = elf_strptr(symbols->names, symbols->strings, symbol->name);
	return name ? name : "?";
}
