// SPDX-License-Identifier: GPL-2.0
/*
 * selftest_bti - runs the micro-kernels of n3stat selftest that branch through
 * registers in guarded pages, as in a program that is linked for BTI. Exit
 * code: 0 they ran, 1 they were killed, 2 a BR to a place without a landing pad
 * is not detected here.
 */
#pragma GCC target("branch-protection=standard")
#include "../../tools/n3check/arm64/selftest_kernels_core.c"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROT_BTI	0x10

static struct selftest_arena arena = { .random = 1 };

static void land_nowhere(struct selftest_arena *unused)
{
	(void)unused;
	asm volatile("adr x9, 1f\n"
		     "br x9\n"
		     "1: nop" : : : "x9");
}

/* Only its own code: libc need not be built for BTI. */
static int guard(arena_function *function)
{
	size_t page = getpagesize();
	uintptr_t start = (uintptr_t)function & -page;

	return mprotect((void *)start, 2 * page, PROT_READ | PROT_EXEC | PROT_BTI);
}

/* Return: whether it ran in a separate process. */
static int runs(arena_function *function)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		if (guard(function))
			_exit(2);
		function(&arena);
		_exit(0);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

int main(void)
{
	if (runs(land_nowhere)) {
		puts("a BR to anywhere is not noticed: no BTI here");
		return 2;
	}
	if (!runs(selftest_kernel_calls) || !runs(selftest_kernel_guesses)) {
		puts("a micro-kernel was killed");
		return 1;
	}
	return 0;
}
