/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Names and lines of the kernel and its modules. */
#ifndef N3SPE_KERNEL_H
#define N3SPE_KERNEL_H

#include "binary.h"

struct spe_extent {
	uint64_t start, end;
};

/* The kernel of a recording. */
struct spe_kernel_id {
	uint8_t build_id[SPE_BUILD_ID_MAX];
	size_t build_id_size;		/* 0: unknown, so that no vmlinux is its own */
	const char *release;		/* as of uname -r; "" if unknown */
	/* Address of a symbol, as "[kernel.kallsyms]_stext" has it; NULL if unknown. */
	char *symbol;
	uint64_t address;
	struct spe_extent *extents;	/* of the kernel and its modules */
	size_t nr_extents;
};

struct spe_kernel {
	struct spe_symbols symbols;
	/* private: */
	const struct spe_kernel_id *id;
	const struct spe_search *search;
	char *text;			/* of kallsyms, with the names */
	uint64_t stext, etext;		/* of the running kernel; 0 if unknown */
	uint64_t shift;			/* from kallsyms to the recording */
	struct spe_kernel_file *files;	/* opened when needed */
};

/**
 * spe_kernel_open() - finds the names
 * @text: in the format of /proc/kallsyms, freed with @kernel; NULL: those of the running kernel or
 *	  of vmlinux, if it is that of the recording
 */
void spe_kernel_open(struct spe_kernel *kernel, const struct spe_kernel_id *id,
		     const struct spe_search *search, char *text);
void spe_kernel_close(struct spe_kernel *kernel);
/* Return: the text of a file, which the caller frees; NULL if it cannot be opened. */
char *spe_kernel_read(const char *name);

/* Return: whether the line is known, from vmlinux or the module's debug file. */
bool spe_kernel_line(struct spe_kernel *kernel, uint64_t address, const char **file, int *line);

#endif
