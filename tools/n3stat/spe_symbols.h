/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Functions of a program, a library or the kernel, by address. */
#ifndef N3STAT_SPE_SYMBOLS_H
#define N3STAT_SPE_SYMBOLS_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spe_objects.h"

/* Addresses are offsets in the file; those of the kernel are its own. */
struct spe_symbol {
	uint64_t start, end;
	uint32_t name;
	uint32_t module;	/* of a kernel module: its name in brackets; 0: the kernel itself */
	bool has_size;		/* else @end is the latest end possible until all are read */
};

/* Code of which a symbol is the innermost one. */
struct spe_span {
	uint64_t start, end;
	uint32_t symbol;
};

/* Where the kernel or one of its modules lies. */
struct spe_extent {
	uint64_t start, end;
};

struct spe_segment {
	uint64_t offset, size, address;
};

struct spe_symbols {
	struct spe_symbol *symbols;	/* by start, the outer of two before the inner */
	size_t nr, max;
	/* private: */
	struct spe_span *spans;		/* by start, none overlaps another */
	size_t nr_spans;
	char *text;			/* of kallsyms, which has the names */
	Elf *elf, *debug;		/* debug: what .debug_* sections are in, if any */
	Elf *names;			/* one of the two */
	size_t strings;			/* the section of names */
	int fd, debug_fd;
	struct spe_segment *segments;
	size_t nr_segments;
	struct spe_lines *lines;
};

enum spe_symbols_state {
	SPE_SYMBOLS_GOOD,
	SPE_SYMBOLS_NO_FILE,
	SPE_SYMBOLS_NO_ELF,
	SPE_SYMBOLS_OTHER_BUILD,	/* not the file that ran */
	SPE_SYMBOLS_AMBIGUOUS,		/* one of several that ran, but which one is not known */
	SPE_SYMBOLS_STATES
};

/**
 * spe_symbols_open() - those of a file
 * @root: directory that @object's name is in, as the path of a system; "" for this one
 * @object: what the file must be
 */
enum spe_symbols_state spe_symbols_open(struct spe_symbols *symbols, const char *root,
					const struct spe_object *object);
/* Those of a text as in /proc/kallsyms, which is freed with them. */
void spe_symbols_of_kernel(struct spe_symbols *symbols, char *text,
			   const struct spe_extent *extents, size_t nr_extents);
void spe_symbols_close(struct spe_symbols *symbols);

/* Return: the innermost function there, NULL if there is none. */
const struct spe_symbol *spe_symbols_find(const struct spe_symbols *symbols, uint64_t offset);
const char *spe_symbols_name(const struct spe_symbols *symbols, const struct spe_symbol *symbol);

/* Return: whether it has an address when loaded, which is in @address then. */
bool spe_symbols_address(const struct spe_symbols *symbols, uint64_t offset, uint64_t *address);

#endif
