// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: micro-kernels that enter the kernel. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/errors.h"
#include "selftest_arena.h"

void selftest_kernel_syscalls(struct selftest_arena *arena)
{
	(void)arena;
	for (unsigned int i = 0; i < 1000; i++)
		syscall(SYS_getppid);
}

void selftest_kernel_faults(struct selftest_arena *arena)
{
	size_t page = arena->sizes.page, size = 64 * page;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return;
	for (size_t i = 0; i < size; i += page)
		asm volatile("ldrb w9, [%0]\n"
			     "strb wzr, [%0]" : : "r" (memory + i) : "x9", "memory");
	munmap(memory, size);
}

/* Peer process: echoes each byte. */
static void __noreturn echo_bytes(int from, int to)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(from, &byte, 1) == 1 && write(to, &byte, 1) == 1)
		;
	_exit(0);
}

/* The peer runs on the same CPU: affinity is inherited. */
void arena_start_peer(struct selftest_arena *arena)
{
	int to[2], from[2];

	if (pipe(to) || pipe(from))
		die(ERR_SYSTEM_ERROR, "pipe: %s", strerror(errno));
	arena->peer = fork();
	if (arena->peer < 0)
		die(ERR_SYSTEM_ERROR, "fork: %s", strerror(errno));
	if (!arena->peer) {
		close(to[1]);
		close(from[0]);
		echo_bytes(to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	arena->to_peer = to[1];
	arena->from_peer = from[0];
}

void arena_stop_peer(struct selftest_arena *arena)
{
	close(arena->to_peer);
	close(arena->from_peer);
	waitpid(arena->peer, NULL, 0);
}

void selftest_kernel_switches(struct selftest_arena *arena)
{
	char byte = 0;

	for (unsigned int i = 0; i < 50; i++)
		if (write(arena->to_peer, &byte, 1) != 1 || read(arena->from_peer, &byte, 1) != 1)
			return;
}

void selftest_kernel_sleeps(struct selftest_arena *arena)
{
	static const struct timespec millisecond = { .tv_nsec = 1000000 };

	(void)arena;
	nanosleep(&millisecond, NULL);
}
