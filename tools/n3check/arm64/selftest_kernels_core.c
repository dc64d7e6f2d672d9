// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: integer, division, register and branch micro-kernels. */
#include "selftest_arena.h"

#define ROUNDS	20000
/* "bti j", unknown to old assemblers; in guarded pages, the target of a BR. */
#define BTI_J	"hint #36\n"

void selftest_known_loop(uint64_t rounds)
{
	asm volatile("1: subs %0, %0, #1\n"
		     "b.ne 1b" : "+r" (rounds) : : "cc");
}

void selftest_kernel_integers(struct selftest_arena *arena)
{
	uint64_t a = arena_random(arena), b = a;

	for (unsigned int i = 0; i < ROUNDS; i++)
		asm volatile("add %0, %0, %1\n"
			     "eor %1, %1, %0, lsl #3\n"
			     "mul %0, %0, %1\n"
			     "cmp %0, %1\n"
			     "csinc %1, %1, %0, hi" : "+r" (a), "+r" (b) : : "cc");
}

/* Divisions take tens of cycles; the issue queues fill up behind them. */
void selftest_kernel_divisions(struct selftest_arena *arena)
{
	uint64_t a = ~arena_random(arena);
	double x = (double)a;

	for (unsigned int i = 0; i < ROUNDS / 20; i++)
		asm volatile("mov x9, #7\n"
			     "fmov d16, #3.5\n"
			     ".rept 16\n"
			     "fsqrt %d1, %d1\n"
			     "fdiv %d1, d16, %d1\n"
			     "udiv x10, %0, x9\n"
			     "sub %0, %0, x10\n"
			     ".endr\n"
			     "mvn %0, x10" : "+r" (a), "+w" (x) : : "x9", "x10", "v16");
}

/* A slow load, followed by instructions that cannot retire before it. */
#define BEHIND_LOAD(results, ...)							\
	do {										\
		char *p = arena->memory + (arena_random(arena) * ARENA_LINE &		\
					   (arena->sizes.memory - 1));			\
		uint64_t value;								\
											\
		asm volatile("ldr %0, [%1]\n" results :					\
			     "=&r" (value) : "r" (p) : "cc", __VA_ARGS__);		\
	} while (0)

/*
 * Instructions independent of the load leave the issue queues but keep their registers: general
 * ones, flags and vectors run out in turn. Dependent ones fill the queues.
 */
void selftest_kernel_registers(struct selftest_arena *arena)
{
	for (unsigned int i = 0; i < ROUNDS / 80; i++) {
		BEHIND_LOAD("mov x13, #1\n.rept 128\nadd x9, x13, #1\nadd x10, x13, #2\n"
			    "add x11, x13, #3\nadd x12, x13, #4\n.endr",
			    "x9", "x10", "x11", "x12", "x13");
		BEHIND_LOAD("mov x13, #1\n.rept 128\nsubs x9, x13, #1\nadds x10, x13, #2\n"
			    "cmp x13, #3\ncmn x13, #4\n.endr",
			    "x9", "x10", "x13");
		BEHIND_LOAD("fmov d16, #1.5\n.rept 128\nfadd d17, d16, d16\n"
			    "fadd d18, d16, d16\nfadd d19, d16, d16\nfadd d20, d16, d16\n.endr",
			    "v16", "v17", "v18", "v19", "v20");
		BEHIND_LOAD(".rept 128\nadd x9, %0, #1\nadd x10, %0, #2\n"
			    "add x11, %0, #3\nadd x12, %0, #4\n.endr",
			    "x9", "x10", "x11", "x12");
	}
}

static __attribute__((__noinline__)) void leaf(void)
{
	asm volatile("nop");
}

void selftest_kernel_calls(struct selftest_arena *arena)
{
	void (*indirect)(void) = leaf;

	(void)arena;
	for (unsigned int i = 0; i < ROUNDS / 4; i++) {
		leaf();
		asm volatile("" : "+r" (indirect));
		indirect();
		asm volatile("adr x9, 1f\n"
			     "br x9\n"
			     "1: " BTI_J : : : "x9");
	}
}

/* Jumps to one of 16 targets, then back past the predicted return address. */
static void jump_anywhere(uint64_t random)
{
	asm volatile("adr x9, 2f\n"
		     "and x10, %0, #15\n"
		     "add x9, x9, x10, lsl #3\n"
		     "br x9\n"
		     "2:\n"
		     ".rept 16\n"
		     BTI_J
		     "b 3f\n"
		     ".endr\n"
		     "3:\n"
		     "bl 5f\n"
		     "nop\n"
		     "b 6f\n"
		     "5: add x30, x30, #4\n"
		     "ret\n"
		     "6:" : : "r" (random) : "x9", "x10", "x30");
}

static void branch_anywhere(uint64_t random)
{
	asm volatile("tbz %0, #4, 1f\n"
		     "nop\n"
		     "1: tbz %0, #5, 2f\n"
		     "nop\n"
		     "2: tbz %0, #6, 3f\n"
		     "nop\n"
		     "3:" : : "r" (random));
}

void selftest_kernel_guesses(struct selftest_arena *arena)
{
	for (unsigned int i = 0; i < ROUNDS / 4; i++) {
		uint64_t random = arena_random(arena);

		branch_anywhere(random);
		jump_anywhere(random);
	}
}
