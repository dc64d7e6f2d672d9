/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Which cores are sampled: Neoverse N3, or others, for rehearsal. */
#ifndef _N3T_CORE_H
#define _N3T_CORE_H

#include <linux/types.h>

#include "libn3t/n3t.h"

/* MIDR_EL1.PartNum has 12 bits. */
#define N3T_CORE_PART_MAX	0xfff
#define N3T_MAX_CORES		8

/* The MIDR part of each core of the table: N3T_CORE_n3 is 0xd8e. */
enum n3t_core_part {
#define N3T_CORE(part, word, name, slots) N3T_CORE_##word = part,
#include "libn3t/core.def.h"
};

/* The slots of a cycle of each: N3T_SLOTS_n3 is 5. */
enum n3t_core_slots {
#define N3T_CORE(part, word, name, slots) N3T_SLOTS_##word = slots,
#include "libn3t/core.def.h"
};

/**
 * struct n3t_core - one row of the table of cores
 * @word: what the parameter core= calls it
 * @name: for people
 * @part: its MIDR part
 * @slots: slots of a cycle, 0 if unknown
 */
struct n3t_core {
	const char *word;
	const char *name;
	u16 part;
	unsigned int slots;
};

/**
 * struct n3t_cores - the cores that are sampled
 * @nr: number of MIDR parts that are accepted
 * @part: these parts, all different
 * @found: part of the first CPU that was accepted, 0 for none
 * @pmmir: the slots that PMMIR_EL1 of a CPU told, where they are not those of the table;
 *	0 for none
 * @pmmir_part: part of that CPU
 * @others: a CPU that was accepted is no Neoverse N3
 * @slots: slots of a cycle of all of them, 0 if unknown or not the same
 * @settled: metrics were chosen for what was accepted: no CPU may change that any more
 */
struct n3t_cores {
	unsigned int nr;
	u16 part[N3T_MAX_CORES];
	u16 found;
	unsigned int pmmir;
	u16 pmmir_part;
	bool others;
	unsigned int slots;
	bool settled;
};

const struct n3t_core *n3t_core_by_part(u16 part);
const char *n3t_core_name(u16 part);
int n3t_cores_parse(struct n3t_cores *cores, const char *text);
bool n3t_cores_accept(struct n3t_cores *cores, u16 part, unsigned int pmmir_slots);
bool n3t_event_is_common(u16 code);

#endif /* _N3T_CORE_H */
