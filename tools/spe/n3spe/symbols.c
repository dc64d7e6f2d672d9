// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Functions of a program, a library or the kernel, by address. */
#include <gelf.h>
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "symbols.h"

void spe_symbols_add(struct spe_symbols *symbols, struct spe_symbol symbol)
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

void spe_symbols_add_sym(struct spe_symbols *symbols, Elf *elf, const void *sym, const char *name,
			 const struct spe_segments *segments)
{
	const GElf_Sym *symbol = sym;
	const struct spe_segment *segment = spe_segment_of(segments, symbol->st_value);
	uint64_t start, room, at;
	GElf_Shdr section;

	if (!segment || !is_function(elf, symbol, name))
		return;
	start = symbol->st_value - segment->address + segment->offset;
	/* Code does not go beyond its segment and its section. */
	room = segment->size - (symbol->st_value - segment->address);
	if (symbol->st_shndx < SHN_LORESERVE &&
	    gelf_getshdr(elf_getscn(elf, symbol->st_shndx), &section)) {
		at = symbol->st_value - section.sh_addr;
		if (at < section.sh_size && section.sh_size - at < room)
			room = section.sh_size - at;
	}
	spe_symbols_add(symbols, (struct spe_symbol) {
		.start = start,
		.end = start + (symbol->st_size && symbol->st_size < room ? symbol->st_size : room),
		.name = name,
		.rank = (uint32_t)strspn(name, "_"),
		.has_size = symbol->st_size,
	});
}

void spe_symbols_add_elf(struct spe_symbols *symbols, Elf *elf,
			 const struct spe_segments *segments)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;

	while (elf && (section = elf_nextscn(elf, section))) {
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || !header.sh_entsize ||
		    (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; data && gelf_getsym(data, i, &symbol); i++)
			spe_symbols_add_sym(symbols, elf, &symbol,
					    elf_strptr(elf, header.sh_link, symbol.st_name),
					    segments);
	}
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
	if (left->rank != right->rank)
		return left->rank < right->rank ? -1 : 1;
	return strcmp(left->name, right->name);
}

/* Drops aliases and labels: symbols without a size in code of a sized one. */
static void drop_labels(struct spe_symbols *symbols)
{
	uint64_t covered = 0;
	size_t kept = 0;

	for (size_t i = 0; i < symbols->nr; i++) {
		struct spe_symbol *symbol = &symbols->symbols[i];
		const struct spe_symbol *last = kept ? &symbols->symbols[kept - 1] : NULL;

		if (symbol->end <= symbol->start ||
		    (!symbol->has_size && symbol->start < covered) ||
		    (last && last->start == symbol->start && last->end == symbol->end))
			continue;
		if (symbol->has_size && symbol->end > covered)
			covered = symbol->end;
		symbols->symbols[kept++] = *symbol;
	}
	symbols->nr = kept;
}

void spe_symbols_ready(struct spe_symbols *symbols,
		       uint64_t (*limit)(const void *context, const struct spe_symbol *symbol,
					 const struct spe_symbol *next), const void *context)
{
	const struct spe_symbol *next = NULL;

	if (symbols->nr)
		qsort(symbols->symbols, symbols->nr, sizeof(*symbols->symbols), compare_symbols);
	/* A symbol without a size ends at the next one. */
	for (size_t i = symbols->nr; i-- > 0;) {
		struct spe_symbol *symbol = &symbols->symbols[i];

		if (i + 1 < symbols->nr && symbol[1].start != symbol->start)
			next = symbol + 1;
		if (limit)
			symbol->end = limit(context, symbol, next);
		if (!symbol->has_size && next && symbol->end > next->start)
			symbol->end = next->start;
	}
	drop_labels(symbols);
	spe_spans_make(&symbols->spans, symbols->symbols, symbols->nr, sizeof(*symbols->symbols));
}

void spe_symbols_free(struct spe_symbols *symbols)
{
	for (size_t i = 0; i < symbols->nr; i++)
		if (symbols->symbols[i].is_demangled)
			free((char *)symbols->symbols[i].name);
	free(symbols->symbols);
	free(symbols->spans.v);
}

const struct spe_symbol *spe_symbols_find(const struct spe_symbols *symbols, uint64_t address)
{
	uint32_t found = spe_spans_find(&symbols->spans, address);

	return found == SPE_NO_RANGE ? NULL : &symbols->symbols[found];
}

const char *spe_symbols_name(struct spe_symbols *symbols, const struct spe_symbol *symbol,
			     bool demangle)
{
	struct spe_symbol *own = &symbols->symbols[symbol - symbols->symbols];
	char *name = NULL;

	/* cplus_demangle() does both, but brings an xcalloc() along. */
	if (demangle && !own->is_demangled)
		name = rust_demangle(own->name, DMGL_PARAMS) ?:
		       cplus_demangle_v3(own->name, DMGL_PARAMS | DMGL_ANSI);
	if (name) {
		own->name = name;
		own->is_demangled = true;
	}
	return own->name;
}
