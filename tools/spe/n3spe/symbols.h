/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Functions of a program, a library or the kernel, by address: one sorted table. */
#ifndef N3SPE_SYMBOLS_H
#define N3SPE_SYMBOLS_H

#include <libelf.h>

#include "spans.h"

/* Addresses are file offsets, or kernel addresses. */
struct spe_symbol {
	uint64_t start, end;
	const char *name;
	const char *module;	/* "[module]"; NULL: the kernel itself, or a file */
	uint32_t rank;		/* among aliases: lowest first, then by name */
	bool has_size;		/* else @end is an upper limit until all are read */
	bool is_demangled;	/* and @name allocated */
};

struct spe_symbols {
	struct spe_symbol *symbols;	/* by start, outer before inner */
	size_t nr, max;
	/* private: */
	struct spe_spans spans;
};

/* Names are valid until the table is freed. */
void spe_symbols_add(struct spe_symbols *symbols, struct spe_symbol symbol);
/* Functions in all symbol tables of a file, which stays open as long as @symbols. */
void spe_symbols_add_elf(struct spe_symbols *symbols, Elf *elf,
			 const struct spe_segments *segments);
void spe_symbols_add_sym(struct spe_symbols *symbols, Elf *elf, const void *sym, const char *name,
			 const struct spe_segments *segments);
/*
 * Call after the last symbol: settles aliases and labels. @limit: end of the code of a symbol
 * without a size at the latest; @next: the symbol behind it, or NULL. NULL: already in the symbols.
 */
void spe_symbols_ready(struct spe_symbols *symbols,
		       uint64_t (*limit)(const void *context, const struct spe_symbol *symbol,
					 const struct spe_symbol *next), const void *context);
void spe_symbols_free(struct spe_symbols *symbols);

/* Return: the innermost function there, or NULL. */
const struct spe_symbol *spe_symbols_find(const struct spe_symbols *symbols, uint64_t address);
/* Return: the name; that of the source for C++ and Rust if @demangle. */
const char *spe_symbols_name(struct spe_symbols *symbols, const struct spe_symbol *symbol,
			     bool demangle);

#endif
