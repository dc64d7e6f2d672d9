// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: micro-kernels of exclusives, atomics and barriers. */
#include "selftest_arena.h"

#define ROUNDS	3000

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
