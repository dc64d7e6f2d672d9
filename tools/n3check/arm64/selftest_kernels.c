// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: working set of the micro-kernels, and the list of them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "lib/errors.h"
#include "lib/memory.h"
#include "selftest_arena.h"

static void (* const kernels[])(struct selftest_arena *arena) = {
#define SELFTEST_KERNEL(name, need, what)	selftest_kernel_ ## name,
#include "n3check/selftest_kernels.def.h"
#undef SELFTEST_KERNEL
};

bool selftest_kernels_exist(void)
{
	return true;
}

static char *map(size_t size, int protection)
{
	char *memory = mmap(NULL, size, protection,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		die(ERR_OUT_OF_MEMORY, "cannot allocate %zu MB: %s", size >> 20, strerror(errno));
	/* Large pages would need few TLB entries. */
	madvise(memory, size, MADV_NOHUGEPAGE);
	return memory;
}

struct selftest_arena *selftest_arena_open(const struct selftest_sizes *sizes)
{
	struct selftest_arena *arena = xcalloc(1, sizeof(*arena));

	*arena = (struct selftest_arena) { .sizes = *sizes, .random = 1 };
	arena->memory = map(sizes->memory, PROT_READ | PROT_WRITE);
	/* Pages never written map the shared zero page, which is in every cache. */
	for (size_t i = 0; i < sizes->memory; i += sizes->page)
		asm volatile("strb wzr, [%0]" : : "r" (arena->memory + i) : "memory");
	arena->pages = map(ARENA_BIG_PAGES * sizes->page, PROT_READ);
	arena->edge = map(2 * sizes->page, PROT_READ) + sizes->page;
	if (mprotect(arena->edge, sizes->page, PROT_NONE))
		die(ERR_SYSTEM_ERROR, "mprotect: %s", strerror(errno));
	arena_make_code(arena);
	arena_make_huge(arena);
	arena_start_peer(arena);
	return arena;
}

void selftest_arena_close(struct selftest_arena *arena)
{
	arena_stop_peer(arena);
	munmap(arena->memory, arena->sizes.memory);
	munmap(arena->pages, ARENA_BIG_PAGES * arena->sizes.page);
	munmap(arena->edge - arena->sizes.page, 2 * arena->sizes.page);
	if (arena->code)
		munmap(arena->code, arena->sizes.code);
	arena_drop_huge(arena);
	free(arena->starts);
	free(arena);
}

bool selftest_has(const struct selftest_arena *arena, enum selftest_need need)
{
	static const unsigned long capabilities[NR_SELFTEST_NEEDS] = {
		[SELFTEST_NEEDS_HALF] = HWCAP_FPHP,
		[SELFTEST_NEEDS_AES] = HWCAP_AES,
		[SELFTEST_NEEDS_SVE] = HWCAP_SVE,
		[SELFTEST_NEEDS_ATOMICS] = HWCAP_ATOMICS,
	};

	if (need == SELFTEST_NEEDS_CODE)
		return arena->code;
	if (need == SELFTEST_NEEDS_HUGE)
		return arena->huge;
	if (need == SELFTEST_NEEDS_MEMORY)
		return arena->sizes.memory >= SELFTEST_MIN_MEMORY;
	return !capabilities[need] || getauxval(AT_HWCAP) & capabilities[need];
}

void selftest_run_kernel(struct selftest_arena *arena, enum selftest_kernel kernel)
{
	kernels[kernel](arena);
}
