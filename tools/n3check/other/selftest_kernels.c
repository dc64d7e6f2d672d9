// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest on other architectures than arm64: no micro-kernels. */
#include "n3check/selftest_kernels.h"

bool selftest_kernels_exist(void)
{
	return false;
}

void selftest_arena_open(const struct selftest_sizes *sizes)
{
	(void)sizes;
}

void selftest_arena_close(void)
{
}

bool selftest_has(enum selftest_need need)
{
	(void)need;
	return false;
}

void selftest_run_kernel(enum selftest_kernel kernel)
{
	(void)kernel;
}

void selftest_known_loop(uint64_t rounds)
{
	(void)rounds;
}
