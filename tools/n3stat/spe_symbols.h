/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Functions of a program, a library or the kernel, by address. */
#ifndef N3STAT_SPE_SYMBOLS_H
#define N3STAT_SPE_SYMBOLS_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spe_symbol {
	uint64_t start;		/* offset in the file; of the kernel: address */
	uint32_t size;		/* 0: up to the next one */
	uint32_t name;
};

struct spe_segment {
	uint64_t offset, size, address;
};

struct spe_symbols {
	struct spe_symbol *symbols;	/* by start */
	size_t nr, max;
	/* private: */
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
};

/**
 * spe_symbols_open() - those of a file
 * @root: directory that @name is in, as the path of a system; "" for this one
 * @name: path
 * @build_id: that it must have
 * @size: of @build_id, 0 if any will do
 */
enum spe_symbols_state spe_symbols_open(struct spe_symbols *symbols, const char *root,
					const char *name, const uint8_t *build_id, size_t size);
/* Those of a text as in /proc/kallsyms, which is freed with them. */
void spe_symbols_of_kernel(struct spe_symbols *symbols, char *text);
void spe_symbols_close(struct spe_symbols *symbols);

/* Return: the function there, NULL if there is none. */
const struct spe_symbol *spe_symbols_find(const struct spe_symbols *symbols, uint64_t offset);
const char *spe_symbols_name(const struct spe_symbols *symbols, const struct spe_symbol *symbol);

/* Return: whether it has an address when loaded, which is in @address then. */
bool spe_symbols_address(const struct spe_symbols *symbols, uint64_t offset, uint64_t *address);

#endif
