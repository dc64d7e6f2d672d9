// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: floating point, SIMD, cryptography and SVE micro-kernels. */
#include "selftest_arena.h"

#define ROUNDS		5000
#define SVE_ROUNDS	3000

void selftest_kernel_doubles(struct selftest_arena *arena)
{
	(void)arena;
	for (unsigned int i = 0; i < ROUNDS; i++)
		asm volatile("fmov d16, #1.5\n"
			     "fmov s17, #1.5\n"
			     "fadd d18, d16, d16\n"
			     "fmul d19, d16, d18\n"
			     "fmadd d18, d16, d19, d18\n"
			     "fadd s18, s17, s17\n"
			     "fmul s19, s17, s18\n"
			     "fmadd s18, s17, s19, s18" : : : "v16", "v17", "v18", "v19");
}

SELFTEST_WITH("fp16")
void selftest_kernel_halves(struct selftest_arena *arena)
{
	(void)arena;
	for (unsigned int i = 0; i < ROUNDS; i++)
		asm volatile("fmov h16, #1.5\n"
			     "fadd h17, h16, h16\n"
			     "fmul h18, h16, h17\n"
			     "fmadd h17, h16, h18, h17\n"
			     "fadd v19.8h, v16.8h, v16.8h\n"
			     "fmul v19.8h, v19.8h, v16.8h" : : : "v16", "v17", "v18", "v19");
}

void selftest_kernel_simd(struct selftest_arena *arena)
{
	(void)arena;
	for (unsigned int i = 0; i < ROUNDS; i++)
		asm volatile("movi v16.16b, #3\n"
			     "add v17.16b, v16.16b, v16.16b\n"
			     "mul v17.16b, v17.16b, v16.16b\n"
			     "add v18.8h, v16.8h, v16.8h\n"
			     "mul v18.8h, v18.8h, v16.8h\n"
			     "add v19.4s, v16.4s, v16.4s\n"
			     "mul v19.4s, v19.4s, v16.4s\n"
			     "add v20.2d, v16.2d, v16.2d\n"
			     "sub v20.2d, v20.2d, v16.2d\n"
			     "fmov v21.2d, #1.5\n"
			     "fmov v22.4s, #1.5\n"
			     "fadd v21.2d, v21.2d, v21.2d\n"
			     "fmla v22.4s, v22.4s, v22.4s\n"
			     "tbl v18.16b, {v17.16b}, v16.16b" : : :
			     "v16", "v17", "v18", "v19", "v20", "v21", "v22");
}

SELFTEST_WITH("aes")
void selftest_kernel_aes(struct selftest_arena *arena)
{
	(void)arena;
	for (unsigned int i = 0; i < ROUNDS; i++)
		asm volatile("aese v16.16b, v17.16b\n"
			     "aesmc v16.16b, v16.16b\n"
			     "aesd v18.16b, v17.16b\n"
			     "aesimc v18.16b, v18.16b" : : : "v16", "v17", "v18");
}

/* Any predicate may be used: the compiler saves those in the clobber list. */
SELFTEST_WITH("sve")
void selftest_kernel_sve(struct selftest_arena *arena)
{
	(void)arena;
	for (unsigned int i = 0; i < SVE_ROUNDS; i++)
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

	for (unsigned int i = 0; i < SVE_ROUNDS; i++)
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

	for (unsigned int i = 0; i < SVE_ROUNDS; i++)
		asm volatile("setffr\n"
			     "ptrue p1.b\n"
			     "ldff1b {z16.b}, p1/z, [%0]\n"
			     "rdffr p2.b" : : "r" (p) :
			     "v16", "p1", "p2", "memory");
}
