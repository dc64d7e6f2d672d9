/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: the micro-kernels, from arm64/, or the stubs in other/. */
#ifndef N3CHECK_SELFTEST_KERNELS_H
#define N3CHECK_SELFTEST_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum selftest_kernel {
#define SELFTEST_KERNEL(name, need, what)	SELFTEST_KERNEL_ ## name,
#include "selftest_kernels.def.h"
#undef SELFTEST_KERNEL
	NR_SELFTEST_KERNELS,
};

enum selftest_need {
	SELFTEST_NEEDS_NOTHING,
	SELFTEST_NEEDS_CODE,
	SELFTEST_NEEDS_HALF,
	SELFTEST_NEEDS_AES,
	SELFTEST_NEEDS_SVE,
	SELFTEST_NEEDS_MEMORY,
	SELFTEST_NEEDS_ATOMICS,
	SELFTEST_NEEDS_HUGE,
	NR_SELFTEST_NEEDS,
};

struct selftest_sizes {
	size_t page;
	size_t l1d;		/* bytes; a default if unknown */
	size_t l2;
	size_t memory;		/* working set, a power of two */
	size_t code;
};

/* Preferred working set: exceeds most last-level caches. */
#define SELFTEST_FULL_MEMORY	(256UL << 20)
/* Below it, the working set may fit in a last-level cache, and 0 misses are inconclusive. */
#define SELFTEST_MIN_MEMORY	(64UL << 20)
/* In addition to the working set, for walks that find a huge page. */
#define SELFTEST_HUGE_PAGE	(2UL << 20)
#define SELFTEST_HUGE_PAGES	2
#define SELFTEST_LOOP_ROUNDS	1000000

/* Return: whether this program contains micro-kernels. */
bool selftest_kernels_exist(void);

/* Memory, pages and code of all micro-kernels. */
struct selftest_arena;

/* Exits on failure. */
struct selftest_arena *selftest_arena_open(const struct selftest_sizes *sizes);
void selftest_arena_close(struct selftest_arena *arena);

bool selftest_has(const struct selftest_arena *arena, enum selftest_need need);
void selftest_run_kernel(struct selftest_arena *arena, enum selftest_kernel kernel);
/* Exactly two instructions per round, plus some tens of overhead. */
void selftest_known_loop(uint64_t rounds);

#endif
