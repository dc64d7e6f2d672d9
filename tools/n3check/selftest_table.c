// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: micro-kernels that move each event, and identities between events. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/errors.h"
#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "selftest_table.h"

static const struct selftest_row rows[] = {
#define SELFTEST_MOVES_WITH(event, kernels, need)					\
	{ #event, kernels, NULL, SELFTEST_NEEDS_ ## need },
#define SELFTEST_MAY_MOVE(event, kernels, reason)	{ #event, kernels, reason, 0 },
#include "selftest.def.h"
};

static const struct selftest_identity identities[] = {
#define SELFTEST_IDENTITY(kind, text, a, b, c)	{ SELFTEST_ ## kind, text, { #a, #b, #c } },
#include "selftest_identities.def.h"
};

static const struct {
	const char *name;
	enum selftest_need need;
	const char *what;
} kernels[] = {
#define SELFTEST_KERNEL(name, need, what)	{ #name, SELFTEST_NEEDS_ ## need, what },
#include "selftest_kernels.def.h"
#undef SELFTEST_KERNEL
};

static const char * const lacking[] = {
#define SELFTEST_NEED(name, text)	text,
#include "selftest_needs.def.h"
#undef SELFTEST_NEED
};

const struct selftest_row *selftest_row(int event)
{
	/* The table is in the catalog's order, checked by a test. */
	if ((size_t)event >= NR(rows) || strcmp(rows[event].event, catalog_event(event).name))
		abort();
	return &rows[event];
}

size_t selftest_nr_identities(void)
{
	return NR(identities);
}

const struct selftest_identity *selftest_identity(size_t index)
{
	return &identities[index];
}

size_t selftest_nr_terms(const struct selftest_identity *identity)
{
	size_t nr = 0;

	while (nr < SELFTEST_MAX_TERMS && strcmp(identity->events[nr], "NONE"))
		nr++;
	return nr;
}

bool selftest_has_trials(const struct selftest_identity *identity)
{
	return identity->kind == SELFTEST_ISSUED || identity->kind == SELFTEST_EQUAL;
}

const char *selftest_kernel_name(enum selftest_kernel kernel)
{
	return kernels[kernel].name;
}

const char *selftest_kernel_description(enum selftest_kernel kernel)
{
	return kernels[kernel].what;
}

enum selftest_need selftest_kernel_need(enum selftest_kernel kernel)
{
	return kernels[kernel].need;
}

const char *selftest_need_message(enum selftest_need need)
{
	return lacking[need];
}

char *selftest_kernel_names(uint64_t mask)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const char *between = "";

	if (!out)
		out_of_memory();
	for (unsigned int i = 0; i < NR_SELFTEST_KERNELS; i++) {
		if (!(mask >> i & 1))
			continue;
		fprintf(out, "%s%s", between, kernels[i].name);
		between = " ";
	}
	if (fclose(out))
		out_of_memory();
	return text;
}
