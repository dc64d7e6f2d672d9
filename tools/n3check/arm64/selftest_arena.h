/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Working set of the micro-kernels of n3stat selftest. */
#ifndef N3CHECK_ARM64_SELFTEST_ARENA_H
#define N3CHECK_ARM64_SELFTEST_ARENA_H

#include "n3check/selftest_kernels.h"

#define ARENA_LINE	64	/* bytes per line, any cache */
#define ARENA_BIG_PAGES	16384	/* more than any TLB holds */
#define ARENA_BLOCKS	2048	/* in a piece of code, one cache line each */

/* A function with instructions that not all CPUs have; following functions are unaffected. */
#define SELFTEST_WITH(extension)	__attribute__((__target__("+" extension)))

struct selftest_arena {
	struct selftest_sizes sizes;
	char *memory;		/* zeroed, private pages */
	char *pages;		/* ARENA_BIG_PAGES pages, never written */
	char *edge;		/* end of a page; nothing is mapped after it */
	char *code;		/* NULL if executable memory is not permitted */
	char *huge;		/* SELFTEST_HUGE_PAGES pages; NULL if they are not huge */
	uint32_t *starts;	/* lines of the code's pieces */
	size_t nr_pieces;
	size_t piece;		/* the next one to run */
	size_t at;		/* offset of the next stores */
	uint64_t random;
	int to_peer, from_peer;
	int peer;		/* process ID */
};

/* Return: a pseudo-random number, unpredictable for the CPU and nearly free. */
static inline uint64_t arena_random(struct selftest_arena *arena)
{
	arena->random = arena->random * 6364136223846793005ULL + 1442695040888963407ULL;
	return arena->random >> 33;
}

#define INSN_RET	0xd65f03c0U

static inline void arena_call(const void *code)
{
	((void (*)(void))(uintptr_t)code)();
}

/* In selftest_code.c: generates the code; on failure leaves NULL and nothing mapped. */
void arena_make_code(struct selftest_arena *arena);

/* In selftest_huge.c. */
void arena_make_huge(struct selftest_arena *arena);
void arena_drop_huge(struct selftest_arena *arena);

/* Peer process of "switches", in selftest_kernels_sys.c, and all micro-kernels. */
typedef void arena_function(struct selftest_arena *arena);

arena_function
#define SELFTEST_KERNEL(name, need, what)	selftest_kernel_ ## name,
#include "n3check/selftest_kernels.def.h"
#undef SELFTEST_KERNEL
	arena_start_peer, arena_stop_peer;

#endif
