// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: huge pages, for walks that find one. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/machine.h"
#include "selftest_arena.h"

#define SIZE		(SELFTEST_HUGE_PAGES * SELFTEST_HUGE_PAGE)
#define READ_EXEC	(PROT_READ | PROT_EXEC)

/* Bytes of this process in huge pages. */
static size_t in_huge_pages(void)
{
	char text[4096], *at;

	machine_read(&this_machine, "/proc/self/smaps_rollup", text, sizeof(text));
	at = strstr(text, "AnonHugePages:");
	return at ? strtoul(at + strlen("AnonHugePages:"), NULL, 10) << 10 : 0;
}

/* Each page begins with a function that returns. */
static void write_code(char *huge)
{
	for (size_t i = 0; i < SIZE; i += SELFTEST_HUGE_PAGE) {
		*(uint32_t *)(huge + i) = INSN_RET;
		__builtin___clear_cache(huge + i, huge + i + sizeof(uint32_t));
	}
}

/* A mapping at a multiple of a huge page, or NULL. */
static char *map_aligned(void)
{
	size_t more = SIZE + SELFTEST_HUGE_PAGE, before;
	char *memory = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	before = -(uintptr_t)memory % SELFTEST_HUGE_PAGE;
	if (before)
		munmap(memory, before);
	munmap(memory + before + SIZE, more - SIZE - before);
	return memory + before;
}

void arena_make_huge(struct selftest_arena *arena)
{
	size_t before = in_huge_pages();
	char *huge = map_aligned();

	if (!huge)
		return;
	arena->huge = huge;
	madvise(huge, SIZE, MADV_HUGEPAGE);
	write_code(huge);
	if (in_huge_pages() < before + SIZE || mprotect(huge, SIZE, READ_EXEC))
		arena_drop_huge(arena);
}

void arena_drop_huge(struct selftest_arena *arena)
{
	if (arena->huge)
		munmap(arena->huge, SIZE);
	arena->huge = NULL;
}

/* Few pages fit in the TLB; changing permissions flushes them. */
void selftest_kernel_huge_pages(struct selftest_arena *arena)
{
	for (unsigned int i = 0; i < 100; i++) {
		mprotect(arena->huge, SIZE, PROT_READ);
		if (mprotect(arena->huge, SIZE, READ_EXEC))
			return;
		for (size_t at = 0; at < SIZE; at += SELFTEST_HUGE_PAGE) {
			asm volatile("ldr w9, [%0]" : : "r" (arena->huge + at) : "x9", "memory");
			arena_call(arena->huge + at);
		}
	}
}
