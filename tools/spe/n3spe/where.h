/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Owners and names of addresses. */
#ifndef N3SPE_WHERE_H
#define N3SPE_WHERE_H

#include "kernel.h"
#include "samples.h"

/* Set in addresses of the kernel. */
#define SPE_KERNEL_BIT		63

/* Owners of addresses; all others are lives of processes. */
#define SPE_OWNER_KERNEL	0xffffffffu
#define SPE_OWNER_PHYSICAL	0xfffffffeu
#define SPE_OWNER_OBJECTS	0x80000000u	/* plus the file; for file offsets */

/* Address without a symbol. */
#define SPE_NO_FUNCTION		UINT64_MAX

struct spe_where {
	uint32_t owner;
	uint64_t address;
	uint64_t function;	/* index among the owner's functions */
};

/* Places of names and lines. */
struct spe_sources {
	const char *root;		/* --symfs */
	const char *kallsyms;		/* used instead of FILE.kallsyms; NULL for none */
	bool mangled, no_debuginfod;
};

struct spe_resolver {
	struct spe_recording *recording;
	struct spe_sources sources;
	struct spe_search search;
	struct spe_binary *objects;	/* by index of the file; opened when needed */
	size_t nr_objects;
	struct spe_kernel kernel;
	bool kernel_asked;
	struct spe_where_cached *cache;
};

void spe_resolver_init(struct spe_resolver *resolver, struct spe_recording *recording,
		       const struct spe_sources *sources);
void spe_resolver_free(struct spe_resolver *resolver);

/* Location of a sample's code address, such as its PC. */
struct spe_where spe_resolve(struct spe_resolver *resolver, const struct spe_sample *sample,
			     uint64_t pc);

/* Return: the name of a function, NULL for SPE_NO_FUNCTION. */
const char *spe_function_name(struct spe_resolver *resolver, uint32_t owner, uint64_t function);
/* Return: the name for an address; *start: the start of the function. */
const char *spe_function_at(struct spe_resolver *resolver, uint32_t owner, uint64_t address,
			    uint64_t *start);
/* Whether the owner is a file that ran and has been, or may have been, replaced. */
bool spe_is_other_file(struct spe_resolver *resolver, uint32_t owner);
/* Address as shown by ELF tools. Return: false if only the offset in the file is known. */
bool spe_elf_address(struct spe_resolver *resolver, uint32_t owner, uint64_t address,
		     uint64_t *elf);
/* Return: a file's name, "[kernel]", "[process 5 make]" or "[unknown]"; the caller frees it. */
char *spe_owner_name(const struct spe_resolver *resolver, uint32_t owner);
bool spe_line_of(struct spe_resolver *resolver, uint32_t owner, uint64_t address,
		 const char **file, int *line);
/* Reports files without usable lines, addresses or, if @names, names on stderr. */
void spe_resolver_warn(const struct spe_resolver *resolver, bool names);

#endif
