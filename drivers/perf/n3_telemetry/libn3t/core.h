/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Cores that can be sampled: Neoverse N3, or others for rehearsal. */
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

/* Slots per cycle of each core: N3T_SLOTS_n3 is 5. */
enum n3t_core_slots {
#define N3T_CORE(part, word, name, slots) N3T_SLOTS_##word = slots,
#include "libn3t/core.def.h"
};

/**
 * struct n3t_core - one row of the table of cores
 * @word: value of the core= parameter
 * @name: name for display
 * @part: MIDR part
 * @slots: slots per cycle, 0 if unknown
 */
struct n3t_core {
	const char *word;
	const char *name;
	u16 part;
	unsigned int slots;
};

/**
 * struct n3t_cores - cores accepted for sampling
 * @nr: number of accepted MIDR parts
 * @part: these parts, all different
 * @found: part of the first accepted CPU, 0 for none
 * @pmmir: slots in a CPU's PMMIR_EL1, if they differ from the table; 0 for none
 * @pmmir_part: part of that CPU
 * @others: an accepted CPU is not a Neoverse N3
 * @slots: slots per cycle common to all of them, 0 if unknown or different
 * @settled: metrics have been chosen for these cores; no further CPU may change that
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
