// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest on other architectures than arm64: no micro-kernels. */
#include "n3check/selftest_kernels.h"

bool selftest_kernels_exist(void)
{
	return false;
}

struct selftest_arena *selftest_arena_open(const struct selftest_sizes *sizes)
{
	(void)sizes;
	return NULL;
}

void selftest_arena_close(struct selftest_arena *arena)
{
	(void)arena;
}

bool selftest_has(const struct selftest_arena *arena, enum selftest_need need)
{
	(void)arena;
	(void)need;
	return false;
}

void selftest_run_kernel(struct selftest_arena *arena, enum selftest_kernel kernel)
{
	(void)arena;
	(void)kernel;
}

void selftest_known_loop(uint64_t rounds)
{
	(void)rounds;
}
