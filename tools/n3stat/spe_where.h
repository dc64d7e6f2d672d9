/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Whose an address is, and what its name is. */
#ifndef N3STAT_SPE_WHERE_H
#define N3STAT_SPE_WHERE_H

#include "spe_recording.h"
#include "spe_symbols.h"

/* Owners of addresses; all others are lives of processes. */
#define SPE_OWNER_KERNEL	0xffffffffu
#define SPE_OWNER_PHYSICAL	0xfffffffeu
#define SPE_OWNER_OBJECTS	0x80000000u	/* and the number of the file: addresses are
						 * offsets in it
						 */

/* Of an address that no symbol covers. */
#define SPE_NO_FUNCTION		UINT64_MAX

struct spe_where {
	uint32_t owner;
	uint64_t address;
	uint64_t function;	/* its number among the owner's */
};

struct spe_resolver {
	struct spe_recording *recording;
	const char *root;		/* --symfs */
	struct spe_resolved *objects;	/* by the number of the file */
	size_t nr_objects;
	struct spe_symbols kernel;
	struct spe_where_cached *cache;
};

/* @kallsyms: a file instead of what is in the recording, or NULL. */
void spe_resolver_init(struct spe_resolver *resolver, struct spe_recording *recording,
		       const char *root, const char *kallsyms);
void spe_resolver_free(struct spe_resolver *resolver);

/* Where a sample's code is: an address of it, as its PC. */
struct spe_where spe_resolve(struct spe_resolver *resolver, const struct spe_sample *sample,
			     uint64_t pc);
/* Whose a data address is. */
uint32_t spe_data_owner(const struct spe_sample *sample);

/* Return: the name of a function, NULL for SPE_NO_FUNCTION. */
const char *spe_function_name(struct spe_resolver *resolver, uint32_t owner, uint64_t function);
/* Return: the same of an address; where it starts is in @start then. */
const char *spe_function_at(struct spe_resolver *resolver, uint32_t owner, uint64_t address,
			    uint64_t *start);
/* Whether an owner is a file that ran, in whose place there is or may be another one. */
bool spe_is_other_file(struct spe_resolver *resolver, uint32_t owner);
/* Return: the address as tools for ELF files have it, where that is known. */
uint64_t spe_shown_address(struct spe_resolver *resolver, uint32_t owner, uint64_t address);
/* Return: a file's name, "[kernel]", "[process 5 make]" or "[unknown]"; up to the next call. */
const char *spe_owner_name(const struct spe_resolver *resolver, uint32_t owner);
bool spe_line_of(struct spe_resolver *resolver, uint32_t owner, uint64_t address,
		 const char **file, int *line);
/* On stderr: files whose symbols are not there, and why. */
void spe_resolver_warn(const struct spe_resolver *resolver);

#endif
