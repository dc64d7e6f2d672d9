// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Cores that can be sampled: Neoverse N3, or others for rehearsal.
 *
 * The tables describe the N3. On other cores the architectural events count the
 * same things, so only metrics of these are available there, with the slots of
 * that core. See Documentation/silicon.rst.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <kunit/visibility.h>

#include "libn3t/core.h"

#define SEPARATORS	", \t\n"
#define HEX_DIGITS	3	/* of a part */

static const struct n3t_core known[] = {
#define N3T_CORE(id, text, title, implementer, part, nr, first, flush, source) \
	{ .word = text, .name = title, .model = N3T_MODEL(implementer, part), .slots = nr, \
	  .right = first, .has_flush = flush },
#include "libn3t/core.def.h"
};

/*
 * Event numbers defined by the architecture: Arm ARM (DDI 0487), section D13.12.1. The
 * gaps between them are implementation defined.
 */
static const struct {
	u16 first;
	u16 last;
} common[] = {
	{ 0x0000, 0x00bf },
	{ 0x4000, 0x40bf },
	{ 0x8000, 0xbfff },
};

/**
 * n3t_event_is_common() - does an event number have the same meaning on all cores
 * @code: the event number
 *
 * Return: true if the architecture defines the event or, from 0x0040 and 0x4040
 * on, recommends it; false if it is implementation defined.
 */
bool n3t_event_is_common(u16 code)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(common); i++)
		if (code >= common[i].first && code <= common[i].last)
			return true;
	return false;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_event_is_common);

/* The events that overcount by CPU_CYCLES where n3t_core_overcounts(). */
bool n3t_event_overcounts(u16 code)
{
	return code == N3T_CODE_STALL_SLOT || code == N3T_CODE_STALL_SLOT_FRONTEND;
}

/* The core of a CPU, or NULL if it is not in the table. */
const struct n3t_core *n3t_core_of(u32 midr)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i].model == N3T_MIDR_MODEL(midr))
			return &known[i];
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_core_of);

/* Marketing name of a core, "unknown core" if it is not in the table. */
const char *n3t_core_name(u32 midr)
{
	const struct n3t_core *core = n3t_core_of(midr);

	return core ? core->name : "unknown core";
}

/* Do STALL_SLOT and STALL_SLOT_FRONTEND of a CPU overcount by CPU_CYCLES? */
bool n3t_core_overcounts(u32 midr)
{
	const struct n3t_core *core = n3t_core_of(midr);

	return core && N3T_MIDR_REVISION(midr) < core->right;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_core_overcounts);

/*
 * Text about metrics that are bounds, "" if none is: STALL_FRONTEND_FLUSH, taken as 0 where a
 * core lacks it, is added to the one and subtracted from the other.
 */
const char *n3t_cores_bounds(const struct n3t_cores *cores)
{
	return cores->slots && cores->lower_bound ?
	       ", bad_speculation is a lower bound, frontend_bound an upper bound" : "";
}
EXPORT_SYMBOL_IF_KUNIT(n3t_cores_bounds);

static int hex_digit(char c)
{
	if (isdigit(c))
		return c - '0';
	c = tolower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -EINVAL;
}

/* Hexadecimal with "0x", as in /proc/cpuinfo. */
static int parse_part(const char *word, size_t len)
{
	int part = 0, digit;
	size_t i;

	if (len < 3 || len > 2 + HEX_DIGITS || word[0] != '0' || tolower(word[1]) != 'x')
		return -EINVAL;
	for (i = 2; i < len; i++) {
		digit = hex_digit(word[i]);
		if (digit < 0)
			return -EINVAL;
		part = part << 4 | digit;
	}
	return part ?: -EINVAL;
}

static bool accepts(const struct n3t_cores *cores, u32 midr)
{
	unsigned int i;

	for (i = 0; i < cores->nr; i++)
		if (cores->model[i] == N3T_MIDR_MODEL(midr))
			return true;
	return false;
}

static int add_model(struct n3t_cores *cores, u32 model)
{
	if (accepts(cores, model))
		return 0;
	if (cores->nr == N3T_MAX_CORES)
		return -EINVAL;
	cores->model[cores->nr++] = model;
	return 0;
}

/* All rows with a word or a part, or Arm's core with the part. */
static int add_word(struct n3t_cores *cores, const char *word, size_t len)
{
	int part = parse_part(word, len);
	bool found = false;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		if (part != (int)N3T_MIDR_PART(known[i].model) &&
		    (strlen(known[i].word) != len || strncasecmp(known[i].word, word, len)))
			continue;
		found = true;
		if (add_model(cores, known[i].model))
			return -EINVAL;
	}
	if (found || part < 0)
		return found ? 0 : -EINVAL;
	return add_model(cores, N3T_MODEL(N3T_ARM, part));
}

/**
 * n3t_cores_parse() - parse the list of accepted cores
 * @cores: the result, with no core found yet
 * @text: MIDR parts in hexadecimal or words of the table, separated by commas or
 *	whitespace; "" for only the Neoverse N3
 *
 * Return: 0; -EINVAL for an invalid list or too many cores, which leaves @cores
 * undefined.
 */
int n3t_cores_parse(struct n3t_cores *cores, const char *text)
{
	size_t len;

	memset(cores, 0, sizeof(*cores));
	if (!*text)
		return add_model(cores, N3T_CORE_n3);
	for (text += strspn(text, SEPARATORS); *text; text += strspn(text, SEPARATORS)) {
		len = strcspn(text, SEPARATORS);
		if (add_word(cores, text, len))
			return -EINVAL;
		text += len;
	}
	return cores->nr ? 0 : -EINVAL;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_cores_parse);

/*
 * KVM shows guests a PMMIR_EL1 of 0, so a value can only contradict the table. The
 * specification defines the slots of an N3; on another core with a contradiction, metrics
 * that depend on slots are not available.
 */
static unsigned int slots_of(struct n3t_cores *cores, u32 midr, unsigned int pmmir_slots)
{
	const struct n3t_core *core = n3t_core_of(midr);
	unsigned int slots = core ? core->slots : 0;

	if (!slots || !pmmir_slots || pmmir_slots == slots)
		return slots;
	if (!cores->settled) {
		cores->pmmir = pmmir_slots;
		cores->pmmir_model = core->model;
	}
	return core->model == N3T_CORE_n3 ? slots : 0;
}

/**
 * n3t_cores_accept() - decide whether to sample a CPU
 * @cores: the accepted cores; records this one
 * @midr: MIDR_EL1 of the CPU
 * @pmmir_slots: PMMIR_EL1.SLOTS of the CPU; 0 if absent or zero
 *
 * Return: true if accepted. Once @cores->settled, a CPU unlike those before is rejected.
 */
bool n3t_cores_accept(struct n3t_cores *cores, u32 midr, unsigned int pmmir_slots)
{
	bool other = N3T_MIDR_MODEL(midr) != N3T_CORE_n3;
	const struct n3t_core *core = n3t_core_of(midr);
	unsigned int slots;

	if (!accepts(cores, midr)) {
		cores->refused = cores->refused ?: core;
		return false;
	}
	slots = slots_of(cores, midr, pmmir_slots);
	if (cores->settled)
		return (cores->others || !other) && (!cores->slots || cores->slots == slots);

	if (!cores->found)
		cores->slots = slots;
	else if (cores->slots != slots)
		cores->slots = 0;
	/* @found prefers a core other than the N3. */
	if (!cores->found || (other && !cores->others))
		cores->found = N3T_MIDR_MODEL(midr);
	cores->others |= other;
	cores->lower_bound |= core && !core->has_flush;
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_cores_accept);
