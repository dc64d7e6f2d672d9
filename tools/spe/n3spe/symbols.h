/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Functions and source lines of a program, a library or the kernel, by address. */
#ifndef N3SPE_SYMBOLS_H
#define N3SPE_SYMBOLS_H

#include <assert.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "objects.h"

struct spe_lines;

/* Addresses are file offsets, or kernel addresses. */
struct spe_symbol {
	uint64_t start, end;
	uint32_t name;
	uint32_t module;	/* module name in brackets; 0: the kernel itself */
	bool has_size;		/* else @end is an upper limit until all are read */
};

/* Code with the same innermost symbol. */
struct spe_span {
	uint64_t start, end;
	uint32_t symbol;
};

static_assert(!offsetof(struct spe_span, start));

/* Extent of the kernel or a module. */
struct spe_extent {
	uint64_t start, end;
};

struct spe_segment {
	uint64_t offset, size, address;
};

struct spe_symbols {
	struct spe_symbol *symbols;	/* by start, outer before inner */
	size_t nr, max;
	/* private: */
	struct spe_span *spans;		/* by start, not overlapping */
	size_t nr_spans;
	char *text;			/* of kallsyms, with the names */
	Elf *elf, *debug;		/* debug: source of .debug_* sections, if any */
	Elf *names;			/* either of them */
	size_t strings;			/* section of names */
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
	SPE_SYMBOLS_AMBIGUOUS,		/* one of several that ran, unknown which */
	SPE_SYMBOLS_STATES
};

/**
 * spe_symbols_open() - opens the symbols of a file
 * @root: directory that @object's path is relative to; "" for this system
 * @object: expected identity of the file
 */
enum spe_symbols_state spe_symbols_open(struct spe_symbols *symbols, const char *root,
					const struct spe_object *object);
/* Symbols of a text in the format of /proc/kallsyms, which is freed with them. */
void spe_symbols_of_kernel(struct spe_symbols *symbols, char *text,
			   const struct spe_extent *extents, size_t nr_extents);
void spe_symbols_close(struct spe_symbols *symbols);

/* Return: the innermost function there, or NULL. */
const struct spe_symbol *spe_symbols_find(const struct spe_symbols *symbols, uint64_t offset);
const char *spe_symbols_name(const struct spe_symbols *symbols, const struct spe_symbol *symbol);

/* Return: whether it has a load address, stored in @address. */
bool spe_symbols_address(const struct spe_symbols *symbols, uint64_t offset, uint64_t *address);

/* Source lines. Return: NULL if neither has debug information; @debug may be NULL. */
struct spe_lines *spe_lines_open(Elf *elf, Elf *debug);
void spe_lines_close(struct spe_lines *lines);

/* Return: whether the line is known. The name is valid until @lines is closed. */
bool spe_lines_find(struct spe_lines *lines, uint64_t address, const char **file, int *line);

#endif
