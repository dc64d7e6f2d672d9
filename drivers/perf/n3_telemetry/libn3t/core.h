/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Cores that can be sampled: Neoverse N3, or others for rehearsal. */
#ifndef _N3T_CORE_H
#define _N3T_CORE_H

#include <linux/types.h>

#include "libn3t/n3t.h"

#define N3T_MAX_CORES		8

#define N3T_ARM			0x41	/* implementer */

/* Fields of MIDR_EL1: the model is implementer and part. */
#define N3T_MIDR_MODEL(midr)	((u32)(midr) & 0xff00fff0)
#define N3T_MIDR_PART(midr)	((u32)(midr) >> 4 & 0xfff)
#define N3T_MIDR_REVISION(midr)	N3T_CORE_REVISION((u32)(midr) >> 20 & 0xf, (midr) & 0xf)

#define N3T_MODEL(implementer, part)	((u32)(implementer) << 24 | (part) << 4)
#define N3T_CORE_REVISION(r, p)		((r) << 4 | (p))
#define N3T_CORE_NEVER			N3T_CORE_REVISION(0x10, 0)

/* Model of each core of the table: N3T_CORE_n3 is 0x4100d8e0. */
enum n3t_core_model {
#define N3T_CORE(id, word, name, implementer, part, slots, right, flush, source) \
	N3T_CORE_##id = N3T_MODEL(implementer, part),
#include "libn3t/core.def.h"
};

/* Slots per cycle of each core: N3T_SLOTS_n3 is 5. */
enum n3t_core_slots {
#define N3T_CORE(id, word, name, implementer, part, slots, right, flush, source) \
	N3T_SLOTS_##id = slots,
#include "libn3t/core.def.h"
};

/**
 * struct n3t_core - one row of the table of cores
 * @word: value of the core= parameter, which admits all rows that have it
 * @name: name for display
 * @model: N3T_MIDR_MODEL()
 * @slots: slots per cycle; 0 if unknown, or without events of stalled slots
 * @right: first N3T_CORE_REVISION() whose stall events do not overcount by CPU_CYCLES
 * @has_flush: STALL_FRONTEND_FLUSH exists: see n3t_cores_bounds()
 */
struct n3t_core {
	const char *word;
	const char *name;
	u32 model;
	u16 slots;
	u16 right;
	bool has_flush;
};

/**
 * struct n3t_cores - cores accepted for sampling
 * @nr: number of accepted models
 * @model: these models, all different
 * @found: model of the first accepted CPU, 0 for none
 * @refused: the first CPU of the table that is not accepted, NULL for none
 * @pmmir: slots in a CPU's PMMIR_EL1, if they differ from the table; 0 for none
 * @pmmir_model: model of that CPU
 * @others: an accepted CPU is not a Neoverse N3
 * @lower_bound: one of them lacks STALL_FRONTEND_FLUSH: see n3t_cores_bounds()
 * @slots: slots per cycle common to all of them, 0 if unknown or different
 * @settled: metrics have been chosen for these cores; no further CPU may change that
 */
struct n3t_cores {
	unsigned int nr;
	u32 model[N3T_MAX_CORES];
	u32 found;
	const struct n3t_core *refused;
	unsigned int pmmir;
	u32 pmmir_model;
	bool others;
	bool lower_bound;
	unsigned int slots;
	bool settled;
};

const struct n3t_core *n3t_core_of(u32 midr);
const char *n3t_core_name(u32 midr);
bool n3t_core_overcounts(u32 midr);
const char *n3t_cores_bounds(const struct n3t_cores *cores);
int n3t_cores_parse(struct n3t_cores *cores, const char *text);
bool n3t_cores_accept(struct n3t_cores *cores, u32 midr, unsigned int pmmir_slots);
bool n3t_event_overcounts(u16 code);
bool n3t_event_is_common(u16 code);

#endif /* _N3T_CORE_H */
