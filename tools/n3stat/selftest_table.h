/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: what moves which event, and what has to hold between events. */
#ifndef N3STAT_SELFTEST_TABLE_H
#define N3STAT_SELFTEST_TABLE_H

#include "selftest_kernels.h"

struct selftest_row {
	const char *event;
	uint64_t kernels;	/* one bit each */
	const char *reason;	/* why 0 says nothing, or NULL: it does not count then */
	enum selftest_need need;	/* without which 0 says nothing either */
};

enum selftest_kind {
	SELFTEST_SUM,
	SELFTEST_SLOTS,
	SELFTEST_QUIET,
	SELFTEST_AT_MOST,
	SELFTEST_LOOP,
	SELFTEST_CLOCK,
};

#define SELFTEST_MAX_TERMS	3

struct selftest_identity {
	enum selftest_kind kind;
	const char *text;
	const char *events[SELFTEST_MAX_TERMS];	/* those there are, then "NONE" */
};

/* By the number of an event in the catalog. */
const struct selftest_row *selftest_row(int event);

size_t selftest_nr_identities(void);
const struct selftest_identity *selftest_identity(size_t index);
size_t selftest_nr_terms(const struct selftest_identity *identity);

const char *selftest_kernel_name(enum selftest_kernel kernel);
const char *selftest_kernel_what(enum selftest_kernel kernel);
enum selftest_need selftest_kernel_need(enum selftest_kernel kernel);
const char *selftest_lacking(enum selftest_need need);
/* The names of some micro-kernels; to be freed. */
char *selftest_kernel_names(uint64_t kernels);

#endif
