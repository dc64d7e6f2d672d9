/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: micro-kernels that move each event, and identities between events. */
#ifndef N3CHECK_SELFTEST_TABLE_H
#define N3CHECK_SELFTEST_TABLE_H

#include "selftest_kernels.h"

struct selftest_row {
	const char *event;
	uint64_t kernels;	/* bit mask */
	const char *reason;	/* why 0 is inconclusive, or NULL if it is a verdict */
	enum selftest_need need;	/* if not met, 0 is inconclusive too */
};

enum selftest_kind {
	SELFTEST_SUM,
	SELFTEST_SLOTS,
	SELFTEST_QUIET,
	SELFTEST_AT_MOST,
	SELFTEST_LOOP,
	SELFTEST_CLOCK,
	SELFTEST_ISSUED,
	SELFTEST_EQUAL,
};

#define SELFTEST_MAX_TERMS	3

struct selftest_identity {
	enum selftest_kind kind;
	const char *text;
	const char *events[SELFTEST_MAX_TERMS];	/* followed by "NONE" */
};

/* By the number of an event in the catalog. */
const struct selftest_row *selftest_row(int event);

size_t selftest_nr_identities(void);
const struct selftest_identity *selftest_identity(size_t index);
size_t selftest_nr_terms(const struct selftest_identity *identity);
/* Return: whether each micro-kernel is a trial of its own. */
bool selftest_has_trials(const struct selftest_identity *identity);

const char *selftest_kernel_name(enum selftest_kernel kernel);
const char *selftest_kernel_description(enum selftest_kernel kernel);
enum selftest_need selftest_kernel_need(enum selftest_kernel kernel);
const char *selftest_need_message(enum selftest_need need);
/* Names of a set of micro-kernels; the caller frees them. */
char *selftest_kernel_names(uint64_t kernels);

#endif
