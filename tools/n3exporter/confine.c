// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Confinement of this process: CAP_PERFMON permits it to read the module's files only.
 *
 * Installed with prctl(2): units of systemd admit no seccomp(2), which libseccomp calls. It covers
 * the calling thread only, so there must be no other one yet.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "confine.h"

#if defined(__aarch64__)
#define ARCHITECTURE	AUDIT_ARCH_AARCH64
#elif defined(__x86_64__)
#define ARCHITECTURE	AUDIT_ARCH_X86_64
#endif
/* Numbers from here on are those of x32, which has the same name; arm64 has none. */
#define FIRST_X32	0x40000000

#define LOAD(field)	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define DENY		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define DENY_CALL(nr)	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1), DENY

static const struct sock_filter filter[] = {
	/* 32-bit calls have other numbers. */
	LOAD(arch),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
	DENY,
	LOAD(nr),
	BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_X32, 0, 1),
	DENY,
	DENY_CALL(SYS_perf_event_open),
	DENY_CALL(SYS_bpf),
	DENY_CALL(SYS_ptrace),
	DENY_CALL(SYS_process_vm_readv),
	DENY_CALL(SYS_process_vm_writev),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

int confine(void)
{
	const struct sock_fprog program = { sizeof(filter) / sizeof(*filter),
					      (struct sock_filter *)filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return -errno;
	return 0;
}
