// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * confined - the system calls that n3-exporter's filter denies and getpid(2), each with its errno
 * without and with the filter. Arguments are invalid, so no call has an effect; EPERM without the
 * filter indicates missing privileges. On x86-64 also getpid(2) of other architectures, "-" if the
 * kernel lacks them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../confine.h"

#define NR(array)	(sizeof(array) / sizeof(*(array)))
#define NO_PROCESS	0x7fffffff
#define I386		-1

#ifdef __x86_64__
#define OTHER_ARCHITECTURES \
	{ "getpid_x32", 0x40000000 | SYS_getpid, 0, 0 }, \
	{ "getpid_i386", I386, 0, 0 },

static int getpid_i386(void)
{
	int ret = 20;

	asm volatile("int $0x80" : "+a" (ret) : : "memory", "r8", "r9", "r10", "r11");
	return ret < 0 ? -ret : 0;
}
#else
#define OTHER_ARCHITECTURES

static int getpid_i386(void)
{
	return ENOSYS;
}
#endif

static const struct {
	const char *name;
	long nr, first, second;
} calls[] = {
	{ "perf_event_open", SYS_perf_event_open, 0, 0 },
	{ "bpf", SYS_bpf, -1, 0 },
	{ "ptrace", SYS_ptrace, PTRACE_PEEKDATA, NO_PROCESS },
	{ "process_vm_readv", SYS_process_vm_readv, NO_PROCESS, 0 },
	{ "process_vm_writev", SYS_process_vm_writev, NO_PROCESS, 0 },
	{ "getpid", SYS_getpid, 0, 0 },
	OTHER_ARCHITECTURES
};

/* In a child process, which a kernel without that architecture kills. Return: errno or -1. */
static int attempt(size_t i)
{
	pid_t child = fork();
	int status;

	if (!child) {
		if (calls[i].nr == I386)
			_exit(getpid_i386());
		if (syscall(calls[i].nr, calls[i].first, calls[i].second, 0, 0, 0, 0) < 0)
			_exit(errno);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child) {
		perror("confined");
		exit(1);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
	int before[NR(calls)], error;

	for (size_t i = 0; i < NR(calls); i++)
		before[i] = attempt(i);
	error = confine();
	if (error) {
		fprintf(stderr, "confined: %s\n", strerror(-error));
		return 1;
	}
	for (size_t i = 0; i < NR(calls); i++) {
		if (before[i] < 0)
			printf("%s -\n", calls[i].name);
		else
			printf("%s %d %d\n", calls[i].name, before[i], attempt(i));
	}
	return 0;
}
