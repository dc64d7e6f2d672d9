// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Functions of a program, a library or the kernel, by address. */
#include <ctype.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "spe_lines.h"
#include "spe_symbols.h"

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

/* Return: the size of the build id, 0 if there is none. */
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

static bool has_build_id(Elf *elf, const uint8_t *id, size_t size)
{
	const uint8_t *found;
	size_t found_size = find_build_id(elf, &found);

	/* The kernel gives a short one with zeros after it. */
	return found_size && !memcmp(found, id, found_size < size ? found_size : size);
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

static bool offset_of(const struct spe_symbols *symbols, uint64_t address, uint64_t *offset)
{
	for (size_t i = 0; i < symbols->nr_segments; i++) {
		const struct spe_segment *segment = &symbols->segments[i];

		if (address - segment->address >= segment->size)
			continue;
		*offset = address - segment->address + segment->offset;
		return true;
	}
	return false;
}

static void add_symbol(struct spe_symbols *symbols, uint64_t start, uint64_t size, uint32_t name)
{
	if (symbols->nr == symbols->max) {
		symbols->max = symbols->max ? symbols->max * 2 : 256;
		symbols->symbols = xreallocarray(symbols->symbols, symbols->max,
						 sizeof(*symbols->symbols));
	}
	symbols->symbols[symbols->nr++] = (struct spe_symbol) {
		start, size > UINT32_MAX ? UINT32_MAX : (uint32_t)size, name
	};
}

/* Assemblers leave functions without a type; $x and $d mark code and data. */
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

static void read_table(struct spe_symbols *symbols, Elf *elf, Elf_Scn *section,
		       const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t nr = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	GElf_Sym symbol;
	uint64_t offset;

	symbols->names = elf;
	symbols->strings = header->sh_link;
	for (size_t i = 0; data && i < nr; i++)
		if (gelf_getsym(data, (int)i, &symbol) &&
		    is_function(elf, &symbol, elf_strptr(elf, header->sh_link, symbol.st_name)) &&
		    offset_of(symbols, symbol.st_value, &offset))
			add_symbol(symbols, offset, symbol.st_size, symbol.st_name);
}

/* Return: whether there is a table of this type that names any. */
static bool read_tables(struct spe_symbols *symbols, Elf *elf, uint32_t type)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (elf && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == type && !symbols->nr)
			read_table(symbols, elf, section, &header);
	return symbols->nr;
}

/* With a size first: it is the better name. */
static int compare_symbols(const void *a, const void *b)
{
	const struct spe_symbol *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	if (left->size != right->size)
		return left->size > right->size ? -1 : 1;
	return (left->name > right->name) - (left->name < right->name);
}

static void sort_symbols(struct spe_symbols *symbols)
{
	size_t kept = 0;

	if (!symbols->nr)
		return;
	qsort(symbols->symbols, symbols->nr, sizeof(*symbols->symbols), compare_symbols);
	for (size_t i = 0; i < symbols->nr; i++)
		if (!kept || symbols->symbols[kept - 1].start != symbols->symbols[i].start)
			symbols->symbols[kept++] = symbols->symbols[i];
	symbols->nr = kept;
}

/* What distributions keep apart: root/usr/lib/debug/.build-id/ab/cdef.debug */
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
}

enum spe_symbols_state spe_symbols_open(struct spe_symbols *symbols, const char *root,
					const char *name, const uint8_t *build_id, size_t size)
{
	char *path = format_string("%s%s", root, name);

	*symbols = (struct spe_symbols) { .fd = -1, .debug_fd = -1 };
	symbols->elf = open_elf(path, &symbols->fd);
	free(path);
	if (!symbols->elf)
		return symbols->fd < 0 ? SPE_SYMBOLS_NO_FILE : SPE_SYMBOLS_NO_ELF;
	if (size && !has_build_id(symbols->elf, build_id, size))
		return SPE_SYMBOLS_OTHER_BUILD;
	read_segments(symbols);
	open_debug(symbols, root);
	if (!read_tables(symbols, symbols->elf, SHT_SYMTAB) &&
	    !read_tables(symbols, symbols->debug, SHT_SYMTAB))
		read_tables(symbols, symbols->elf, SHT_DYNSYM);
	sort_symbols(symbols);
	symbols->lines = spe_lines_open(symbols->elf, symbols->debug);
	return SPE_SYMBOLS_GOOD;
}

/* A line is "address type name [module]". */
static void take_line(struct spe_symbols *symbols, char *line)
{
	char *name, *end;
	uint64_t address = strtoull(line, &end, 16);

	if (end == line || end[0] != ' ' || !strchr("tTwW", end[1]) || end[2] != ' ' || !address)
		return;
	name = end + 3;
	name[strcspn(name, "\t ")] = '\0';
	if (*name != '$')
		add_symbol(symbols, address, 0, (uint32_t)(name - symbols->text));
}

void spe_symbols_of_kernel(struct spe_symbols *symbols, char *text)
{
	char *line = text, *end;

	*symbols = (struct spe_symbols) { .fd = -1, .debug_fd = -1, .text = text };
	for (; line && *line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		take_line(symbols, line);
	}
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
	free(symbols->text);
}

const struct spe_symbol *spe_symbols_find(const struct spe_symbols *symbols, uint64_t offset)
{
	size_t low = 0, high = symbols->nr;
	const struct spe_symbol *symbol;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols->symbols[middle].start <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	symbol = &symbols->symbols[low - 1];
	if (symbol->size && offset - symbol->start >= symbol->size)
		return NULL;
	return symbol;
}

const char *spe_symbols_name(const struct spe_symbols *symbols, const struct spe_symbol *symbol)
{
	const char *name;

	if (symbols->text)
		return symbols->text + symbol->name;
	name = elf_strptr(symbols->names, symbols->strings, symbol->name);
	return name ? name : "?";
}
