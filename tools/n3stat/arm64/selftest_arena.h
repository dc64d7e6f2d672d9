/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the micro-kernels of n3stat selftest work on. */
#ifndef N3STAT_SELFTEST_ARENA_H
#define N3STAT_SELFTEST_ARENA_H

#include "selftest_kernels.h"

#define ARENA_LINE	64	/* bytes of a line of any cache here */
#define ARENA_BIG_PAGES	16384	/* more than any TLB holds */
#define ARENA_BLOCKS	2048	/* in a piece of code, each in a line of its own */

/* A function of instructions that not all CPUs have; those behind it are as they were. */
#define SELFTEST_WITH(extension)	__attribute__((__target__("+" extension)))

struct selftest_arena {
	struct selftest_sizes sizes;
	char *memory;		/* all 0, in pages of its own */
	char *pages;		/* ARENA_BIG_PAGES pages, which were never written */
	char *edge;		/* of a page, behind which there is none */
	char *code;		/* NULL if none may be made */
	size_t nr_pieces;
	size_t piece;		/* the next to be run */
	size_t at;		/* where the next stores go */
	uint64_t random;
	int to_peer, from_peer;
	int peer;		/* a process */
};

extern struct selftest_arena selftest_arena;

/* Return: the next number at random: what cannot be predicted and costs next to nothing. */
static inline uint64_t arena_random(struct selftest_arena *arena)
{
	arena->random = arena->random * 6364136223846793005ULL + 1442695040888963407ULL;
	return arena->random >> 33;
}

/* In selftest_code.c: makes the code, or leaves NULL and nothing mapped. */
void arena_make_code(struct selftest_arena *arena);

/* The other process of "switches", in selftest_kernels_sys.c, and every micro-kernel. */
typedef void arena_function(struct selftest_arena *arena);

arena_function
#define SELFTEST_KERNEL(name, need, what)	selftest_kernel_ ## name,
#include "selftest_kernels.def.h"
#undef SELFTEST_KERNEL
	arena_start_peer, arena_stop_peer;

#endif
