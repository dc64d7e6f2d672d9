// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Capabilities of a CPU's SPE, from its registers: Arm ARM (DDI 0487), PMSIDR_EL1 and
 * PMBIDR_EL1.
 */
#include <linux/build_bug.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <kunit/visibility.h>

#include "libn3t/spe.h"

#define PMSIDR_INTERVAL		8
#define PMSIDR_MAXSIZE		12
#define PMSIDR_COUNTSIZE	16
#define PMSIDR_FORMAT		20
#define PMSIDR_ALTCLK		28
#define PMBIDR_ALIGN		0
#define PMBIDR_P		4
#define PMBIDR_F		5
#define PMBIDR_EA		8

#define LOG2_RECORD_MIN		4
#define LOG2_SIZE_MAX		11	/* of a record, and of the alignment */

/* ABI: see Documentation/ABI/testing/sysfs-kernel-n3_telemetry. */
static const char * const reason_words[] = {
	[N3T_SPE_USABLE] = "none",
	[N3T_SPE_OFFLINE] = "offline",
	[N3T_SPE_NO_FEATURE] = "no_feature",
	[N3T_SPE_GUEST] = "guest",
	[N3T_SPE_OWNED] = "owned",
	[N3T_SPE_UNKNOWN_FORMAT] = "unknown_format",
	[N3T_SPE_UNKNOWN_SIZE] = "unknown_size",
};

static_assert(ARRAY_SIZE(reason_words) == N3T_SPE_NR_REASONS);

static const char * const versions[N3T_SPE_VERSION_MAX + 1] = {
	[0] = "none",
	[1] = "1.0",
	[2] = "1.1",
	[3] = "1.2",
	[4] = "1.3",
	[5] = "1.4",
	[6] = "1.5",
};

/* PMSIDR_EL1.Interval; values not listed are reserved. */
static const unsigned int intervals[16] = {
	[0] = 256, [2] = 512, [3] = 768, [4] = 1024, [5] = 1536, [6] = 2048, [7] = 3072,
	[8] = 4096,
};

static const unsigned int counter_bits[16] = { [2] = 12, [3] = 16 };

static const char * const aborts[16] = { "not_described", "ignored", "serror" };

/* Fields of ID registers are four bits wide. */
static unsigned int field(u64 reg, unsigned int shift)
{
	return reg >> shift & 0xf;
}

static bool is_set(u64 reg, unsigned int bit)
{
	return reg >> bit & 1;
}

static const char *known(const char *word)
{
	return word ? word : "unknown";
}

/* Does a higher exception level own the buffer? Then no other register of SPE may be read. */
bool n3t_spe_is_owned(u64 pmbidr)
{
	return is_set(pmbidr, PMBIDR_P);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_spe_is_owned);

static void decode_pmbidr(u64 pmbidr, struct n3t_spe *spe)
{
	unsigned int align = field(pmbidr, PMBIDR_ALIGN);

	spe->align = align <= LOG2_SIZE_MAX ? 1U << align : 0;
	spe->buffer_flags = is_set(pmbidr, PMBIDR_F);
	spe->external_abort = known(aborts[field(pmbidr, PMBIDR_EA)]);
}

static void decode_pmsidr(u64 pmsidr, struct n3t_spe *spe)
{
	unsigned int size = field(pmsidr, PMSIDR_MAXSIZE);

	spe->min_interval = intervals[field(pmsidr, PMSIDR_INTERVAL)];
	spe->max_record = size >= LOG2_RECORD_MIN && size <= LOG2_SIZE_MAX ? 1U << size : 0;
	spe->fixed_records = spe->max_record && spe->max_record == spe->align;
	spe->counter_bits = counter_bits[field(pmsidr, PMSIDR_COUNTSIZE)];
	spe->format = field(pmsidr, PMSIDR_FORMAT);
	spe->alternate_clock = field(pmsidr, PMSIDR_ALTCLK);
}

static enum n3t_spe_reason judge(const struct n3t_spe_regs *regs, const struct n3t_spe *spe)
{
	if (!regs->were_read)
		return N3T_SPE_OFFLINE;
	/* Every N3 has SPE; only a hypervisor can hide it in the ID registers. */
	if (!regs->has_pmbidr)
		return regs->is_n3 ? N3T_SPE_GUEST : N3T_SPE_NO_FEATURE;
	if (!regs->has_pmsidr)
		return N3T_SPE_OWNED;
	if (spe->format)
		return N3T_SPE_UNKNOWN_FORMAT;
	if (!spe->max_record || !spe->align)
		return N3T_SPE_UNKNOWN_SIZE;
	return N3T_SPE_USABLE;
}

/**
 * n3t_spe_decode() - decode the registers
 * @regs: the registers; those not read are ignored
 * @spe: the result, all zero except @spe.version if nothing was read
 */
void n3t_spe_decode(const struct n3t_spe_regs *regs, struct n3t_spe *spe)
{
	memset(spe, 0, sizeof(*spe));
	spe->version = known(versions[regs->pmsver & N3T_SPE_VERSION_MAX]);
	if (regs->has_pmbidr)
		decode_pmbidr(regs->pmbidr, spe);
	if (regs->has_pmsidr)
		decode_pmsidr(regs->pmsidr, spe);
	spe->reason = judge(regs, spe);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_spe_decode);

struct bit_word {
	unsigned int bit;
	const char *word;
};

static void put_words(const struct bit_word *table, unsigned int nr, u64 pmsidr, char *words)
{
	unsigned int i, at = 0;

	for (i = 0; i < nr; i++)
		if (is_set(pmsidr, table[i].bit))
			at += snprintf(words + at, N3T_SPE_WORDS_SIZE - at, "%s%s", at ? " " : "",
				       table[i].word);
	if (!at)
		snprintf(words, N3T_SPE_WORDS_SIZE, "none");
}

/* Criteria for filtering records, words in N3T_SPE_WORDS_SIZE bytes; "none" without any. */
void n3t_spe_filters(u64 pmsidr, char *words)
{
	static const struct bit_word filters[] = {
#define SPE_FILTER(number, name) { number, #name },
#include "libn3t/spe.def.h"
	};

	put_words(filters, ARRAY_SIZE(filters), pmsidr, words);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_spe_filters);

/* Other features, likewise. */
void n3t_spe_features(u64 pmsidr, char *words)
{
	static const struct bit_word features[] = {
#define SPE_FEATURE(number, name) { number, #name },
#include "libn3t/spe.def.h"
	};

	put_words(features, ARRAY_SIZE(features), pmsidr, words);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_spe_features);

/* The longest lists, with a blank or terminator after each word. */
enum {
	FILTERS_SIZE = 0
#define SPE_FILTER(bit, word) + sizeof(#word)
#include "libn3t/spe.def.h"
};

enum {
	FEATURES_SIZE = 0
#define SPE_FEATURE(bit, word) + sizeof(#word)
#include "libn3t/spe.def.h"
};

static_assert(FILTERS_SIZE <= N3T_SPE_WORDS_SIZE);
static_assert(FEATURES_SIZE <= N3T_SPE_WORDS_SIZE);

/* The word for the reason why SPE cannot be used. */
const char *n3t_spe_reason_word(enum n3t_spe_reason reason)
{
	return reason_words[reason];
}
EXPORT_SYMBOL_IF_KUNIT(n3t_spe_reason_word);
