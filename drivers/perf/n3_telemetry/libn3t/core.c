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
#define N3T_CORE(number, id, text, nr)	\
	{ .word = #id, .name = text, .part = number, .slots = nr },
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

/* The core with a MIDR part, or NULL if it is not in the table. */
const struct n3t_core *n3t_core_by_part(u16 part)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i].part == part)
			return &known[i];
	return NULL;
}

/* Marketing name of a core, "unknown core" if it is not in the table. */
const char *n3t_core_name(u16 part)
{
	const struct n3t_core *core = n3t_core_by_part(part);

	return core ? core->name : "unknown core";
}

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

static int part_of_word(const char *word, size_t len)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (strlen(known[i].word) == len && !strncasecmp(known[i].word, word, len))
			return known[i].part;
	return parse_part(word, len);
}

static bool accepts(const struct n3t_cores *cores, u16 part)
{
	unsigned int i;

	for (i = 0; i < cores->nr; i++)
		if (cores->part[i] == part)
			return true;
	return false;
}

/**
 * n3t_cores_parse() - parse the list of accepted cores
 * @cores: the result, with no core found yet
 * @text: MIDR parts in hexadecimal or words of the table, separated by commas or
 *	whitespace; "" for only the Neoverse N3
 *
 * Return: 0; -EINVAL for an invalid list or too many parts, which leaves @cores
 * undefined.
 */
int n3t_cores_parse(struct n3t_cores *cores, const char *text)
{
	size_t len;
	int part;

	memset(cores, 0, sizeof(*cores));
	if (!*text) {
		cores->part[cores->nr++] = N3T_CORE_n3;
		return 0;
	}
	for (text += strspn(text, SEPARATORS); *text; text += strspn(text, SEPARATORS)) {
		len = strcspn(text, SEPARATORS);
		part = part_of_word(text, len);
		if (part < 0)
			return -EINVAL;
		text += len;
		if (accepts(cores, part))
			continue;
		if (cores->nr == N3T_MAX_CORES)
			return -EINVAL;
		cores->part[cores->nr++] = part;
	}
	return cores->nr ? 0 : -EINVAL;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_cores_parse);

/*
 * KVM shows guests a PMMIR_EL1 of 0, so a value can only contradict the table. The
 * specification defines the slots of an N3; on another core with a contradiction, metrics
 * that depend on slots are not available.
 */
static unsigned int slots_of(struct n3t_cores *cores, u16 part, unsigned int pmmir_slots)
{
	const struct n3t_core *core = n3t_core_by_part(part);
	unsigned int slots = core ? core->slots : 0;

	if (!slots || !pmmir_slots || pmmir_slots == slots)
		return slots;
	if (!cores->settled) {
		cores->pmmir = pmmir_slots;
		cores->pmmir_part = part;
	}
	return part == N3T_CORE_n3 ? slots : 0;
}

/**
 * n3t_cores_accept() - decide whether to sample a CPU
 * @cores: the accepted cores; records this one
 * @part: MIDR part of the CPU, whose implementer is Arm
 * @pmmir_slots: PMMIR_EL1.SLOTS of the CPU; 0 if absent or zero
 *
 * Return: true if accepted. Once @cores->settled, a CPU unlike those before is rejected.
 */
bool n3t_cores_accept(struct n3t_cores *cores, u16 part, unsigned int pmmir_slots)
{
	bool other = part != N3T_CORE_n3;
	unsigned int slots;

	if (!accepts(cores, part))
		return false;
	slots = slots_of(cores, part, pmmir_slots);
	if (cores->settled)
		return (cores->others || !other) && (!cores->slots || cores->slots == slots);

	if (!cores->found)
		cores->slots = slots;
	else if (cores->slots != slots)
		cores->slots = 0;
	/* @found prefers a core other than the N3. */
	if (!cores->found || (other && !cores->others))
		cores->found = part;
	cores->others |= other;
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_cores_accept);
