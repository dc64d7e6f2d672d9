// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: load and store micro-kernels. */
#include "selftest_arena.h"

#define LOADS	5000
#define STREAM	(256 * 1024)

/* Loads return 0; each address depends on the previous load. */
static void chase(struct selftest_arena *arena, char *from, size_t lines, size_t line)
{
	uint64_t last = 0;

	for (unsigned int i = 0; i < LOADS; i++) {
		char *p = from + (arena_random(arena) & (lines - 1)) * line + last;

		asm volatile("ldr %0, [%1]" : "=r" (last) : "r" (p) : "memory");
	}
}

void selftest_kernel_chase_l2(struct selftest_arena *arena)
{
	size_t size = 4 * arena->sizes.l1d;

	/* Twice: the first pass fills the cache. */
	chase(arena, arena->memory, size / ARENA_LINE, ARENA_LINE);
	chase(arena, arena->memory, size / ARENA_LINE, ARENA_LINE);
}

void selftest_kernel_chase_memory(struct selftest_arena *arena)
{
	chase(arena, arena->memory, arena->sizes.memory / ARENA_LINE, ARENA_LINE);
}

/* All pages map the zero page: the TLBs miss, the caches hit. */
void selftest_kernel_walks(struct selftest_arena *arena)
{
	chase(arena, arena->pages, ARENA_BIG_PAGES, arena->sizes.page);
}

static char *next_stretch(struct selftest_arena *arena)
{
	char *p = arena->memory + arena->at;

	arena->at = (arena->at + STREAM) & (arena->sizes.memory - 1);
	return p;
}

void selftest_kernel_sequence(struct selftest_arena *arena)
{
	char *p = next_stretch(arena), *end = p + STREAM;

	for (; p < end; p += ARENA_LINE)
		asm volatile("ldp x9, x10, [%0]\n"
			     "ldp x9, x10, [%0, #32]" : : "r" (p) : "x9", "x10", "memory");
}

void selftest_kernel_stores(struct selftest_arena *arena)
{
	char *p = next_stretch(arena), *end = p + STREAM;

	for (; p < end; p += 32)
		asm volatile("stp xzr, xzr, [%0]\n"
			     "stp xzr, xzr, [%0, #16]" : : "r" (p) : "memory");
	for (unsigned int i = 0; i < LOADS; i++) {
		p = arena->memory + (arena_random(arena) * ARENA_LINE & (arena->sizes.memory - 1));
		asm volatile("str xzr, [%0]" : : "r" (p) : "memory");
	}
}

/* Across cache lines and, in the last line of a page, across pages. */
void selftest_kernel_unaligned(struct selftest_arena *arena)
{
	char *p = next_stretch(arena), *end = p + STREAM - ARENA_LINE;

	for (; p < end; p += ARENA_LINE)
		asm volatile("ldr x9, [%0, #61]\n"
			     "str xzr, [%0, #61]\n"
			     "ldr q16, [%0, #57]\n"
			     "add x10, %0, #59\n"
			     "stp xzr, xzr, [x10]" : : "r" (p) : "x9", "x10", "v16", "memory");
}
