// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: decoding of the registers of SPE, each value of each field. */
#include <linux/kernel.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/spe.h"

/* A Neoverse N3: 1024 operations, 64 bytes, 12 bits, format 0; aligned to 64 bytes. */
#define N3_PMSIDR	0x1026457ULL
#define N3_PMBIDR	0x6ULL
#define N3_PMSVER	3

static struct n3t_spe decode(u8 pmsver, u64 pmsidr, u64 pmbidr)
{
	struct n3t_spe_regs regs = {
		.were_read = true,
		.has_pmbidr = true,
		.has_pmsidr = true,
		.pmsver = pmsver,
		.pmsidr = pmsidr,
		.pmbidr = pmbidr,
	};
	struct n3t_spe spe;

	n3t_spe_decode(&regs, &spe);
	return spe;
}

/* A field of four bits, and the meaning of its 16 values; 0 for reserved. */
struct field_case {
	const char *name;
	unsigned int shift;
	unsigned int means[16];
};

static const struct field_case pmsidr_fields[] = {
	{ "Interval", 8, { 256, 0, 512, 768, 1024, 1536, 2048, 3072, 4096 } },
	{ "MaxSize", 12, { 0, 0, 0, 0, 16, 32, 64, 128, 256, 512, 1024, 2048 } },
	{ "CountSize", 16, { 0, 0, 12, 16 } },
	{ "Format", 20, { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 } },
	{ "ALTCLK", 28, { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 } },
};

static void field_desc(const struct field_case *field, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s", field->name);
}

KUNIT_ARRAY_PARAM(pmsidr_field, pmsidr_fields, field_desc);

/* In the order of pmsidr_fields. */
static void get_values(const struct n3t_spe *spe, unsigned int *values)
{
	values[0] = spe->min_interval;
	values[1] = spe->max_record;
	values[2] = spe->counter_bits;
	values[3] = spe->format;
	values[4] = spe->alternate_clock;
}

/* Independent of all other fields, and without effect on them. */
static void a_field_of_pmsidr_decides_its_own_value(struct kunit *test)
{
	const struct field_case *field = test->param_value;
	unsigned int own = field - pmsidr_fields;
	const u64 others[] = { 0, N3_PMSIDR, ~0ULL };
	unsigned int values[5], before[5];
	struct n3t_spe spe;
	unsigned int i, k, n;

	for (i = 0; i < ARRAY_SIZE(others); i++) {
		spe = decode(N3_PMSVER, others[i], N3_PMBIDR);
		get_values(&spe, before);
		for (k = 0; k < 16; k++) {
			u64 reg = (others[i] & ~(0xfULL << field->shift)) | (u64)k << field->shift;

			spe = decode(N3_PMSVER, reg, N3_PMBIDR);
			get_values(&spe, values);
			for (n = 0; n < 5; n++)
				KUNIT_EXPECT_EQ_MSG(test, values[n],
						    n == own ? field->means[k] : before[n],
						    "value %u of %s, field %u", k, field->name, n);
		}
	}
}

static const char * const versions[16] = {
	"none", "1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "unknown", "unknown", "unknown",
	"unknown", "unknown", "unknown", "unknown", "unknown", "unknown",
};

static void every_version_has_a_word(struct kunit *test)
{
	struct n3t_spe spe;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(versions); i++) {
		spe = decode(i, N3_PMSIDR, N3_PMBIDR);
		KUNIT_EXPECT_STREQ(test, spe.version, versions[i]);
		/* Later versions only add features. */
		KUNIT_EXPECT_EQ(test, spe.reason, N3T_SPE_USABLE);
	}
}

struct bit_case {
	unsigned int bit;
	const char *filter;
	const char *feature;
};

/* By Arm's names FE, FT, FL, ARCHINST, LDS, ERND, FnE, FDS, PBT, CRR, EFT, FPF, SME. */
static const struct bit_case bits[] = {
	{ 0, "event", "none" },
	{ 1, "operation", "none" },
	{ 2, "latency", "none" },
	{ 3, "none", "whole_instructions" },
	{ 4, "none", "load_data_source" },
	{ 5, "none", "random_interval" },
	{ 6, "not_event", "none" },
	{ 7, "data_source", "none" },
	{ 24, "none", "previous_branch" },
	{ 25, "none", "call_return" },
	{ 26, "extended_operation", "none" },
	{ 27, "none", "fp_flag" },
	{ 32, "none", "sme" },
};

static void bit_desc(const struct bit_case *bit, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "bit %u", bit->bit);
}

KUNIT_ARRAY_PARAM(pmsidr_bit, bits, bit_desc);

static void a_bit_of_pmsidr_is_one_word(struct kunit *test)
{
	const struct bit_case *bit = test->param_value;
	char words[N3T_SPE_WORDS_SIZE];

	n3t_spe_filters(1ULL << bit->bit, words);
	KUNIT_EXPECT_STREQ(test, words, bit->filter);
	n3t_spe_features(1ULL << bit->bit, words);
	KUNIT_EXPECT_STREQ(test, words, bit->feature);
}

static void other_bits_have_no_words(struct kunit *test)
{
	char words[N3T_SPE_WORDS_SIZE];
	u64 others = ~0ULL;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bits); i++)
		others &= ~(1ULL << bits[i].bit);
	n3t_spe_filters(others, words);
	KUNIT_EXPECT_STREQ(test, words, "none");
	n3t_spe_features(others, words);
	KUNIT_EXPECT_STREQ(test, words, "none");
}

static void all_words_fit(struct kunit *test)
{
	char words[N3T_SPE_WORDS_SIZE];

	n3t_spe_filters(~0ULL, words);
	KUNIT_EXPECT_STREQ(test, words,
			   "event operation latency not_event data_source extended_operation");
	n3t_spe_features(~0ULL, words);
	KUNIT_EXPECT_STREQ(test, words,
			   "whole_instructions load_data_source random_interval previous_branch "
			   "call_return fp_flag sme");
}

static void every_alignment_is_decoded(struct kunit *test)
{
	struct n3t_spe spe;
	unsigned int i;

	for (i = 0; i < 16; i++) {
		spe = decode(N3_PMSVER, N3_PMSIDR, i);
		KUNIT_EXPECT_EQ_MSG(test, spe.align, i <= 11 ? 1U << i : 0, "ALIGN %u", i);
		KUNIT_EXPECT_EQ(test, spe.reason,
				i <= 11 ? N3T_SPE_USABLE : N3T_SPE_UNKNOWN_SIZE);
		/* Records have a fixed size if the largest is as large as the alignment. */
		KUNIT_EXPECT_EQ(test, spe.fixed_records, i == 6);
	}
}

static void the_rest_of_pmbidr_is_decoded(struct kunit *test)
{
	static const char * const aborts[16] = { "not_described", "ignored", "serror" };
	struct n3t_spe spe;
	unsigned int i;

	for (i = 0; i < 16; i++) {
		spe = decode(N3_PMSVER, N3_PMSIDR, N3_PMBIDR | i << 8);
		KUNIT_EXPECT_STREQ_MSG(test, spe.external_abort, aborts[i] ?: "unknown",
				       "EA %u", i);
		KUNIT_EXPECT_FALSE(test, spe.buffer_flags);
		spe = decode(N3_PMSVER, N3_PMSIDR, N3_PMBIDR | 1U << 5 | i << 8);
		KUNIT_EXPECT_TRUE(test, spe.buffer_flags);
		KUNIT_EXPECT_EQ(test, spe.align, 64U);
	}
	for (i = 0; i < 64; i++)
		KUNIT_EXPECT_EQ_MSG(test, n3t_spe_is_owned(1ULL << i), i == 4, "bit %u", i);
	KUNIT_EXPECT_FALSE(test, n3t_spe_is_owned(~0x10ULL));
}

struct reason_case {
	const char *word;
	struct n3t_spe_regs regs;
	enum n3t_spe_reason reason;
};

/* Each with all later reasons present as well. */
static const struct reason_case reasons[] = {
	{ "offline", { .is_n3 = true, .pmsidr = ~0ULL, .pmbidr = ~0ULL }, N3T_SPE_OFFLINE },
	{ "no_feature", { .were_read = true, .pmsidr = ~0ULL, .pmbidr = ~0ULL },
	  N3T_SPE_NO_FEATURE },
	{ "guest", { .were_read = true, .is_n3 = true, .pmsidr = ~0ULL, .pmbidr = ~0ULL },
	  N3T_SPE_GUEST },
	{ "owned", { .were_read = true, .is_n3 = true, .has_pmbidr = true, .pmsver = 3,
		     .pmbidr = 0x1f, .pmsidr = ~0ULL }, N3T_SPE_OWNED },
	{ "unknown_format", { .were_read = true, .has_pmbidr = true, .has_pmsidr = true,
			      .pmsver = 3, .pmbidr = 0xf, .pmsidr = 0x100000 },
	  N3T_SPE_UNKNOWN_FORMAT },
	{ "unknown_size", { .were_read = true, .has_pmbidr = true, .has_pmsidr = true,
			    .pmsver = 3, .pmbidr = 6, .pmsidr = 0x023400 },
	  N3T_SPE_UNKNOWN_SIZE },
	{ "unknown_size", { .were_read = true, .has_pmbidr = true, .has_pmsidr = true,
			    .pmsver = 3, .pmbidr = 0xc, .pmsidr = N3_PMSIDR },
	  N3T_SPE_UNKNOWN_SIZE },
	{ "none", { .were_read = true, .has_pmbidr = true, .has_pmsidr = true, .pmsver = 3,
		    .pmbidr = 6, .pmsidr = N3_PMSIDR }, N3T_SPE_USABLE },
};

static void reason_desc(const struct reason_case *reason, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s", reason->word);
}

KUNIT_ARRAY_PARAM(reason, reasons, reason_desc);

static void the_first_reason_is_reported(struct kunit *test)
{
	const struct reason_case *reason = test->param_value;
	struct n3t_spe spe;

	n3t_spe_decode(&reason->regs, &spe);
	KUNIT_EXPECT_EQ(test, spe.reason, reason->reason);
	KUNIT_EXPECT_STREQ(test, n3t_spe_reason_word(spe.reason), reason->word);
}

/* Registers that were not read contain garbage. */
static void registers_not_read_are_ignored(struct kunit *test)
{
	struct n3t_spe_regs regs = { .were_read = true, .pmsidr = ~0ULL, .pmbidr = ~0ULL };
	struct n3t_spe spe;

	n3t_spe_decode(&regs, &spe);
	KUNIT_EXPECT_EQ(test, spe.min_interval + spe.max_record + spe.counter_bits + spe.align, 0U);
	KUNIT_EXPECT_FALSE(test, spe.buffer_flags);
	regs.has_pmbidr = true;
	regs.pmbidr = 0x36;
	n3t_spe_decode(&regs, &spe);
	KUNIT_EXPECT_EQ(test, spe.align, 64U);
	KUNIT_EXPECT_TRUE(test, spe.buffer_flags);
	KUNIT_EXPECT_EQ(test, spe.min_interval + spe.max_record + spe.counter_bits, 0U);
}

static void a_neoverse_n3_is_usable(struct kunit *test)
{
	struct n3t_spe spe = decode(N3_PMSVER, N3_PMSIDR, N3_PMBIDR);

	KUNIT_EXPECT_EQ(test, spe.reason, N3T_SPE_USABLE);
	KUNIT_EXPECT_EQ(test, spe.min_interval, 1024U);
	KUNIT_EXPECT_EQ(test, spe.max_record, 64U);
	KUNIT_EXPECT_EQ(test, spe.counter_bits, 12U);
	KUNIT_EXPECT_TRUE(test, spe.fixed_records);
}

static struct kunit_case spe_cases[] = {
	KUNIT_CASE_PARAM(a_field_of_pmsidr_decides_its_own_value, pmsidr_field_gen_params),
	KUNIT_CASE(every_version_has_a_word),
	KUNIT_CASE_PARAM(a_bit_of_pmsidr_is_one_word, pmsidr_bit_gen_params),
	KUNIT_CASE(other_bits_have_no_words),
	KUNIT_CASE(all_words_fit),
	KUNIT_CASE(every_alignment_is_decoded),
	KUNIT_CASE(the_rest_of_pmbidr_is_decoded),
	KUNIT_CASE_PARAM(the_first_reason_is_reported, reason_gen_params),
	KUNIT_CASE(registers_not_read_are_ignored),
	KUNIT_CASE(a_neoverse_n3_is_usable),
	{}
};

static struct kunit_suite spe_suite = {
	.name = "n3_telemetry_spe",
	.test_cases = spe_cases,
};

kunit_test_suite(spe_suite);
