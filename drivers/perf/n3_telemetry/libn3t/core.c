// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Which cores are sampled: Neoverse N3, or others, for rehearsal.
 *
 * All that the tables say is of the N3. Of another core the events that the
 * architecture defines count the same things, so metrics of these alone are
 * formed there, with that core's slots. See Documentation/silicon.rst.
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
 * Event numbers that the architecture defines: Arm ARM (DDI 0487), section D13.12.1. Between
 * them are those that each core is free to use for what it likes.
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
 * n3t_event_is_common() - does an event number mean the same on all cores
 * @code: the event number
 *
 * Return: true if the architecture defines what it counts or, from 0x0040 and 0x4040
 * on, recommends it; false if a core may use it for anything.
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

/**
 * n3t_core_by_part() - find a core
 * @part: its MIDR part
 *
 * Return: the core, or NULL if the table does not have it.
 */
const struct n3t_core *n3t_core_by_part(u16 part)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i].part == part)
			return &known[i];
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_core_by_part);

/**
 * n3t_core_name() - what people call a core
 * @part: its MIDR part
 *
 * Return: its name, "unknown core" if the table does not have it.
 */
const char *n3t_core_name(u16 part)
{
	const struct n3t_core *core = n3t_core_by_part(part);

	return core ? core->name : "unknown core";
}
EXPORT_SYMBOL_IF_KUNIT(n3t_core_name);

static int hex_digit(char c)
{
	if (isdigit(c))
		return c - '0';
	c = tolower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -EINVAL;
}

/* Hexadecimal: with "0x", as /proc/cpuinfo writes it. */
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
 * n3t_cores_parse() - read which cores are accepted
 * @cores: the answer, with none found yet
 * @text: MIDR parts in hexadecimal or words of the table, separated by commas or
 *	whitespace; "" for the Neoverse N3 alone
 *
 * Return: 0; -EINVAL for a text that is not understood or has too many parts, then
 * @cores is not to be used.
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
 * KVM shows guests a PMMIR_EL1 of 0, so it can only contradict. What an N3 has is in its
 * specification; of another core nothing is shown then that depends on slots.
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
 * n3t_cores_accept() - is a CPU one of those to sample
 * @cores: which cores are accepted; notes this one
 * @part: MIDR part of the CPU, whose implementer is Arm
 * @pmmir_slots: PMMIR_EL1.SLOTS of the CPU; 0 if it has none or does not tell
 *
 * Return: true if so. Once @cores->settled a CPU that is unlike those before is not.
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
	/* One that is no N3 is named rather than one that is. */
	if (!cores->found || (other && !cores->others))
		cores->found = part;
	cores->others |= other;
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_cores_accept);
