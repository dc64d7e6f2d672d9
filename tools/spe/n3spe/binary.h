/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A program, a library or the kernel: the file, its debug file, names and lines. */
#ifndef N3SPE_BINARY_H
#define N3SPE_BINARY_H

#include <elfutils/libdwfl.h>

#include "lines.h"
#include "objects.h"
#include "symbols.h"

/* Places of files. */
struct spe_search {
	const char *root;	/* --symfs, that paths are relative to; "" for this system */
	char *debug;		/* directory of debug files */
	char *urls;		/* of debuginfod; NULL: not asked */
};

/* Takes DEBUGINFOD_URLS from the environment, so that no library asks without a word. */
void spe_search_init(struct spe_search *search, const char *root, bool debuginfod);
void spe_search_free(struct spe_search *search);

enum spe_binary_state {
	SPE_BINARY_CLOSED,
	SPE_BINARY_GOOD,
	SPE_BINARY_NO_FILE,
	SPE_BINARY_NO_ELF,
	SPE_BINARY_NO_BUILD_ID,		/* to compare with that of the file that ran */
	SPE_BINARY_OTHER_BUILD,		/* not the file that ran */
	SPE_BINARY_AMBIGUOUS,		/* one of several that ran, unknown which */
	SPE_BINARY_STATES
};

struct spe_binary {
	enum spe_binary_state state;
	struct spe_symbols symbols;
	struct spe_segments segments;
	const char *trouble;	/* reason why debug information cannot be read, or NULL */
	int error;			/* errno of SPE_BINARY_NO_FILE */
	bool fetched, fetched_debug, server_failed;	/* by debuginfod */
	/* private: */
	const struct spe_search *search;
	char *name;
	Dwfl_Callbacks callbacks;
	char *path;			/* directories of debug files */
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf, *debug, *mini;	/* mini: of .gnu_debugdata */
	void *mini_bytes;
	int debug_fd;			/* 0: none */
	uint64_t shift;			/* from addresses of the file to those of its lines */
	struct spe_lines *lines;
};

/* Finds a file, by its path and identity, and its debug file. Return: whether the state is good. */
bool spe_binary_open(struct spe_binary *binary, const struct spe_search *search,
		     const struct spe_object *object);
/* Reads the names, with addresses of binary->segments. */
void spe_binary_read_names(struct spe_binary *binary);
void spe_binary_close(struct spe_binary *binary);

/*
 * Return: whether there is a symbol with this name. NULL: adds all that libdwfl finds, also without
 * section headers, and relocates.
 */
bool spe_binary_symbol(struct spe_binary *binary, const char *name, uint64_t *address);
/* Return: whether it is code with a load address, stored in @address. */
bool spe_binary_address(const struct spe_binary *binary, uint64_t offset, uint64_t *address);
/* Return: whether the line is known; the name is valid until the file is closed. */
bool spe_binary_line(struct spe_binary *binary, uint64_t address, const char **file, int *line);

#endif
