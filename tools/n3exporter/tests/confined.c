// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * confined - the system calls that n3-exporter's filter denies and getpid(2), each with its errno
 * without and with the filter. Arguments are invalid, so no call has an effect; EPERM without the
 * filter indicates missing privileges. Then getpid(2) of other architectures, with "-" and the
 * errno that the filter returns: few machines execute their programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../confine.c"

#define NR(array)	(sizeof(array) / sizeof(*(array)))
#define NO_PROCESS	0x7fffffff

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
};

static const struct {
	const char *name;
	struct seccomp_data data;
} others[] = {
	{ "getpid_arm", { .nr = 20, .arch = AUDIT_ARCH_ARM } },
	{ "getpid_i386", { .nr = 20, .arch = AUDIT_ARCH_I386 } },
	{ "getpid_x32", { .nr = 0x40000000 | SYS_getpid, .arch = ARCHITECTURE } },
};

/* In a child process, which then ends. */
static int attempt(size_t i)
{
	pid_t child = fork();
	int status;

	if (!child) {
		if (syscall(calls[i].nr, calls[i].first, calls[i].second, 0, 0, 0, 0) < 0)
			_exit(errno);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
		perror("confined");
		exit(1);
	}
	return WEXITSTATUS(status);
}

/* The kernel's interpreter, as far as the filter needs it. Return: errno. */
static int evaluate(const struct seccomp_data *data)
{
	const struct sock_filter *at = filter;
	unsigned int value = 0;

	for (; BPF_CLASS(at->code) != BPF_RET; at++) {
		if (BPF_CLASS(at->code) == BPF_LD)
			memcpy(&value, (const char *)data + at->k, sizeof(value));
		else if (BPF_OP(at->code) == BPF_JEQ)
			at += value == at->k ? at->jt : at->jf;
		else
			at += value >= at->k ? at->jt : at->jf;
	}
	return at->k == SECCOMP_RET_ALLOW ? 0 : (int)(at->k & SECCOMP_RET_DATA);
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
	for (size_t i = 0; i < NR(calls); i++)
		printf("%s %d %d\n", calls[i].name, before[i], attempt(i));
	for (size_t i = 0; i < NR(others); i++)
		printf("%s - %d\n", others[i].name, evaluate(&others[i].data));
	return 0;
}
