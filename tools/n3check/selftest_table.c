// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: micro-kernels that move each event, and identities between events. */
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "selftest.h"

static const struct selftest_row rows[] = {
#define SELFTEST_MOVES_WITH(event, kernels, need)					\
	{ #event, kernels, NULL, SELFTEST_NEEDS_ ## need },
#define SELFTEST_MAY_MOVE(event, kernels, reason)	{ #event, kernels, reason, 0 },
#include "selftest.def.h"
};

#define SUM(a, b, c)	{ SELFTEST_SUM, #a " = " #b " + " #c, { #a, #b, #c } }
#define SLOTS(a)	{ SELFTEST_SLOTS, #a " <= slots x CPU_CYCLES", { #a } }
#define QUIET(a)	{ SELFTEST_QUIET, #a " < CPU_CYCLES in a loop of integers", { #a } }
#define AT_MOST(a, b)	{ SELFTEST_AT_MOST, #a " <= " #b, { #a, #b } }
#define LOOP(a)		{ SELFTEST_LOOP, #a " of a loop of 2,000,000 instructions", { #a } }
#define CLOCK(a)								\
	{ SELFTEST_CLOCK, "cycle counter = " #a ", busy and across a sleep", { #a } }
#define ISSUED(a, b)	{ SELFTEST_ISSUED, #a " = slots x CPU_CYCLES - " #b, { #a, #b } }
#define EQUAL(a, b)	{ SELFTEST_EQUAL, #a " = " #b, { #a, #b } }
#define EQUAL_PARTS(a, b, c)	{ SELFTEST_EQUAL, #a " = " #b " + " #c, { #a, #b, #c } }

static const struct selftest_identity identities[] = {
	SUM(STALL_SLOT, STALL_SLOT_FRONTEND, STALL_SLOT_BACKEND),
	SLOTS(STALL_SLOT),
	SLOTS(STALL_SLOT_FRONTEND),
	SLOTS(STALL_SLOT_BACKEND),
	QUIET(STALL_SLOT_FRONTEND),
	AT_MOST(OP_RETIRED, OP_SPEC),
	AT_MOST(L1I_CACHE_REFILL, L1I_CACHE),
	AT_MOST(L1D_CACHE_REFILL, L1D_CACHE),
	AT_MOST(L2D_CACHE_REFILL, L2D_CACHE),
	AT_MOST(LL_CACHE_MISS_RD, LL_CACHE_RD),
	AT_MOST(L1I_TLB_REFILL, L1I_TLB),
	AT_MOST(L1D_TLB_REFILL, L1D_TLB),
	AT_MOST(L2D_TLB_REFILL, L2D_TLB),
	AT_MOST(BR_MIS_PRED_RETIRED, BR_RETIRED),
	LOOP(INST_RETIRED),
	CLOCK(CPU_CYCLES),
	ISSUED(OP_SPEC, STALL_SLOT),
	EQUAL(MEM_ACCESS, L1D_CACHE),
	EQUAL(MEM_ACCESS, L1D_TLB),
	EQUAL_PARTS(STALL_FRONTEND, STALL_FRONTEND_MEMBOUND, STALL_FRONTEND_CPUBOUND),
	EQUAL_PARTS(STALL_BACKEND, STALL_BACKEND_MEMBOUND, STALL_BACKEND_CPUBOUND),
};

const struct selftest_kernel_info selftest_kernels[] = {
#define SELFTEST_KERNEL(name, need, what)	{ #name, SELFTEST_NEEDS_ ## need, what },
#include "selftest_kernels.def.h"
#undef SELFTEST_KERNEL
};

const char * const selftest_lacking[] = {
	[SELFTEST_NEEDS_NOTHING] = "",
	[SELFTEST_NEEDS_CODE] = "the system forbids code generated at run time",
	[SELFTEST_NEEDS_HALF] = "the CPU does not indicate half precision",
	[SELFTEST_NEEDS_AES] = "the CPU does not indicate AES instructions",
	[SELFTEST_NEEDS_SVE] = "the CPU does not indicate SVE",
	[SELFTEST_NEEDS_MEMORY] = "the available memory may fit in a last-level cache",
	[SELFTEST_NEEDS_ATOMICS] = "the CPU does not indicate LSE atomics",
	[SELFTEST_NEEDS_HUGE] = "the system gave no huge pages of 2 MB for code",
};

const struct selftest_row *selftest_row(int event)
{
	/* The table is in the catalog's order, checked by a test. */
	if ((size_t)event >= NR(rows) || strcmp(rows[event].event, catalog_event(event).name))
		abort();
	return &rows[event];
}

char *selftest_kernel_names(uint64_t kernels)
{
	char *names = xstrdup("");

	for (unsigned int i = 0; i < NR_SELFTEST_KERNELS; i++)
		if (kernels >> i & 1)
			append_text(&names, " ", "%s", selftest_kernels[i].name);
	return names;
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

	while (nr < SELFTEST_MAX_TERMS && identity->events[nr])
		nr++;
	return nr;
}

bool selftest_has_trials(const struct selftest_identity *identity)
{
	return identity->kind == SELFTEST_ISSUED || identity->kind == SELFTEST_EQUAL;
}
