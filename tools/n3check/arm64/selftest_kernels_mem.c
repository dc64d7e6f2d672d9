// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: micro-kernels of loads, stores, exclusives, atomics and barriers. */
#include "selftest_arena.h"

#define LOADS	5000
#define ROUNDS	3000
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

void selftest_kernel_preloads(struct selftest_arena *arena)
{
	for (unsigned int i = 0; i < LOADS; i++) {
		char *p = arena->memory + (arena_random(arena) * 2 * ARENA_LINE &
					   (arena->sizes.memory - 1));

		asm volatile("prfm pldl1keep, [%0]\n"
			     "prfm pldl2keep, [%0, #64]" : : "r" (p));
	}
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

/*
 * The address of each store is a quotient, always that of the load behind it. A core learns that
 * the two depend on each other, but not at once in so many places.
 */
void selftest_kernel_hazards(struct selftest_arena *arena)
{
	uint64_t zero = 0;

	for (unsigned int i = 0; i < ROUNDS / 30; i++) {
		char *p = next_stretch(arena);

		asm volatile("mov x9, #7\n"
			     ".rept 64\n"
			     "udiv x10, %0, x9\n"
			     "str xzr, [%1, x10]\n"
			     "ldr x11, [%1]\n"
			     "and x11, x11, x10\n"
			     "add %1, %1, #64\n"
			     "orr %0, x11, x10\n"
			     ".endr"
			     : "+r" (zero), "+r" (p) : : "x9", "x10", "x11", "memory");
	}
}

void selftest_kernel_exclusives(struct selftest_arena *arena)
{
	uint64_t *p = (uint64_t *)arena->memory;

	for (unsigned int i = 0; i < ROUNDS; i++)
		asm volatile("ldxr x9, [%0]\n"
			     "stxr w10, xzr, [%0]\n"
			     "ldxr x9, [%0]\n"
			     "clrex\n"
			     "stxr w10, xzr, [%0]\n"
			     "ldar x9, [%0]\n"
			     "stlr xzr, [%0]" : : "r" (p) : "x9", "x10", "memory");
}

SELFTEST_WITH("lse")
void selftest_kernel_atomics(struct selftest_arena *arena)
{
	uint64_t *p = (uint64_t *)arena->memory;

	/* The store makes this CPU own the line, so that a CAS can execute near. */
	for (unsigned int i = 0; i < ROUNDS; i++)
		asm volatile("str xzr, [%0]\n"
			     "mov x9, xzr\n"
			     "cas x9, xzr, [%0]\n"
			     "casal x9, xzr, [%0]\n"
			     "mov x9, #1\n"
			     "cas x9, xzr, [%0]\n"
			     "ldadd xzr, x9, [%0]\n"
			     "swp xzr, x9, [%0]" : : "r" (p) : "x9", "memory");
}

void selftest_kernel_barriers(struct selftest_arena *arena)
{
	char *p = arena->memory;

	for (unsigned int i = 0; i < ROUNDS / 3; i++)
		asm volatile("str xzr, [%0]\n"
			     "dmb ish\n"
			     "str xzr, [%0, #256]\n"
			     "dsb ish\n"
			     "isb" : : "r" (p) : "memory");
}
