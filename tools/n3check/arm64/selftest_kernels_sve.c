// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: SVE micro-kernels. */
#include "selftest_arena.h"

#define ROUNDS	3000

/* Any predicate may be used: the compiler saves those in the clobber list. */
SELFTEST_WITH("sve")
void selftest_kernel_sve(struct selftest_arena *arena)
{
	(void)arena;
	for (unsigned int i = 0; i < ROUNDS; i++)
		asm volatile("ptrue p1.b\n"
			     "mov z16.b, #3\n"
			     "add z17.b, p1/m, z17.b, z16.b\n"
			     "add z18.h, p1/m, z18.h, z16.h\n"
			     "mul z19.s, p1/m, z19.s, z16.s\n"
			     "add z20.d, p1/m, z20.d, z16.d\n"
			     "fmov z21.d, #1.5\n"
			     "fmov z22.s, #1.5\n"
			     "fmov z23.h, #1.5\n"
			     "fmla z21.d, p1/m, z21.d, z21.d\n"
			     "fadd z22.s, z22.s, z22.s\n"
			     "fmul z23.h, z23.h, z23.h" : : :
			     "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "p1");
}

/* All lanes, one lane, no lanes. */
SELFTEST_WITH("sve")
void selftest_kernel_predicates(struct selftest_arena *arena)
{
	char *p = arena->memory;

	for (unsigned int i = 0; i < ROUNDS; i++)
		asm volatile("ptrue p1.s\n"
			     "ptrue p2.s, vl1\n"
			     "pfalse p3.b\n"
			     "ld1w {z16.s}, p1/z, [%0]\n"
			     "add z16.s, p1/m, z16.s, z16.s\n"
			     "ld1w {z17.s}, p2/z, [%0]\n"
			     "add z17.s, p2/m, z17.s, z16.s\n"
			     "fadd z17.s, p2/m, z17.s, z16.s\n"
			     "ld1w {z18.s}, p3/z, [%0]\n"
			     "add z18.s, p3/m, z18.s, z16.s\n"
			     "fadd z18.s, p3/m, z18.s, z16.s" : : "r" (p) :
			     "v16", "v17", "v18", "p1", "p2", "p3", "memory");
}

/* Only the first bytes are accessible. */
SELFTEST_WITH("sve")
void selftest_kernel_first_faults(struct selftest_arena *arena)
{
	char *p = arena->edge - 4;

	for (unsigned int i = 0; i < ROUNDS; i++)
		asm volatile("setffr\n"
			     "ptrue p1.b\n"
			     "ldff1b {z16.b}, p1/z, [%0]\n"
			     "rdffr p2.b" : : "r" (p) :
			     "v16", "p1", "p2", "memory");
}
