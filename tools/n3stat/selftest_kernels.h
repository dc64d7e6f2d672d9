/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * n3stat selftest: the micro-kernels, which are in arm64/, and other/ without them.
 *
 * Memory, pages and code that they use are an arena, of which there is one.
 */
#ifndef N3STAT_SELFTEST_KERNELS_H
#define N3STAT_SELFTEST_KERNELS_H

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
#define SELFTEST_NEED(name, lacking)	SELFTEST_NEEDS_ ## name,
#include "selftest_needs.def.h"
#undef SELFTEST_NEED
	NR_SELFTEST_NEEDS,
};

struct selftest_sizes {
	size_t page;
	size_t l1d;		/* bytes, a guess where the system does not tell */
	size_t l2;
	size_t memory;		/* to be gone through, a power of two */
	size_t code;
};

/* As much as is gone through where there is enough: more than last-level caches, mostly. */
#define SELFTEST_FULL_MEMORY	(256UL << 20)
/* With less all of it may stay in a last-level cache, and 0 misses say nothing. */
#define SELFTEST_LEAST_MEMORY	(64UL << 20)
#define SELFTEST_LOOP_ROUNDS	1000000

/* Return: whether this program can run any at all. */
bool selftest_kernels_exist(void);

/* Takes the memory; ends the program if there is none. */
void selftest_arena_open(const struct selftest_sizes *sizes);
void selftest_arena_close(void);

/* After selftest_arena_open(). */
bool selftest_has(enum selftest_need need);
void selftest_run_kernel(enum selftest_kernel kernel);
/* Exactly two instructions a round, and some tens around them. */
void selftest_known_loop(uint64_t rounds);

#endif
