// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: code larger than a cache, generated at run time. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/memory.h"
#include "selftest_arena.h"

#define INSN_ADD	0x91000400U	/* add x0, x0, #1 */
#define INSN_B		0x14000000U
#define INSN_NOP	0xd503201fU
#define SPARE		8	/* first instruction of a line that no piece uses */

static uint32_t branch(const uint32_t *from, const uint32_t *to)
{
	return INSN_B | ((uint32_t)(to - from) & 0x3ffffff);
}

/* Lines in random order, each in another page than its predecessor, to defeat prefetching. */
static void shuffle(struct selftest_arena *arena, uint32_t *lines, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		lines[i] = i;
	for (size_t i = nr - 1; i > 0; i--) {
		size_t other = arena_random(arena) % (i + 1);
		uint32_t line = lines[i];

		lines[i] = lines[other];
		lines[other] = line;
	}
}

static uint32_t *insn_at(struct selftest_arena *arena, uint32_t line)
{
	return (uint32_t *)(arena->code + (size_t)line * ARENA_LINE);
}

/* The first line of a piece is its entry point; the others are in random order. */
static void write_code(struct selftest_arena *arena, const uint32_t *lines, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		uint32_t *insn = insn_at(arena, lines[i]);
		bool last = i % ARENA_BLOCKS == ARENA_BLOCKS - 1;

		insn[0] = INSN_ADD;
		insn[1] = INSN_ADD;
		insn[2] = last ? INSN_RET : branch(insn + 2, insn_at(arena, lines[i + 1]));
	}
}

static void fill(struct selftest_arena *arena)
{
	size_t size = arena->sizes.code, nr = size / ARENA_LINE;
	uint32_t *lines = xreallocarray(NULL, nr, sizeof(*lines));

	arena->nr_pieces = nr / ARENA_BLOCKS;
	shuffle(arena, lines, nr);
	write_code(arena, lines, nr);
	arena->starts = xreallocarray(NULL, arena->nr_pieces, sizeof(*arena->starts));
	for (size_t i = 0; i < arena->nr_pieces; i++)
		arena->starts[i] = lines[i * ARENA_BLOCKS];
	free(lines);
	__builtin___clear_cache(arena->code, arena->code + size);
}

/* Return: whether the code may be run; otherwise none is left, nor run anymore. */
static bool make_executable(struct selftest_arena *arena, size_t size)
{
	if (!mprotect(arena->code, size, PROT_READ | PROT_EXEC))
		return true;
	munmap(arena->code, arena->sizes.code);
	arena->code = NULL;
	return false;
}

void arena_make_code(struct selftest_arena *arena)
{
	size_t size = arena->sizes.code;
	char *code = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (code == MAP_FAILED)
		return;
	madvise(code, size, MADV_NOHUGEPAGE);
	arena->code = code;
	fill(arena);
	make_executable(arena, size);
}

static void run_piece(struct selftest_arena *arena, size_t piece)
{
	arena_call(insn_at(arena, arena->starts[piece]));
}

/* 128 KB of lines: exceeds the L1I cache, fits in the L2 cache. */
void selftest_kernel_code_l2(struct selftest_arena *arena)
{
	for (unsigned int i = 0; i < 8 && arena->code; i++)
		run_piece(arena, 0);
}

/* With large pages, all translations may fit in the TLB; changing permissions flushes them. */
void selftest_kernel_code_memory(struct selftest_arena *arena)
{
	size_t size = arena->sizes.code;

	if (!arena->code)
		return;
	mprotect(arena->code, size, PROT_READ);
	if (!make_executable(arena, size))
		return;
	run_piece(arena, arena->piece);
	arena->piece = (arena->piece + 1) % arena->nr_pieces;
}

/* One instruction and a return in each spare half of a line in the first page. */
static bool rewrite(struct selftest_arena *arena, bool branches)
{
	size_t page = arena->sizes.page;

	if (!arena->code || mprotect(arena->code, page, PROT_READ | PROT_WRITE))
		return false;
	for (uint32_t line = 0; line < page / ARENA_LINE; line++) {
		uint32_t *insn = insn_at(arena, line) + SPARE;

		insn[0] = branches ? branch(insn, insn + 2) : INSN_NOP;
		insn[1] = INSN_NOP;
		insn[2] = INSN_RET;
	}
	__builtin___clear_cache(arena->code, arena->code + page);
	return make_executable(arena, page);
}

/* A predictor that knows the branches takes what replaces them for branches. */
void selftest_kernel_rewrites(struct selftest_arena *arena)
{
	for (unsigned int i = 0; i < 20; i++) {
		unsigned int calls = i % 2 ? 1 : 8;

		if (!rewrite(arena, i % 2 == 0))
			return;
		for (unsigned int j = 0; j < calls; j++)
			for (uint32_t line = 0; line < arena->sizes.page / ARENA_LINE; line++)
				arena_call(insn_at(arena, line) + SPARE);
	}
}
