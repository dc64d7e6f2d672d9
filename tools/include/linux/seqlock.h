/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_LINUX_SEQLOCK_H
#define _N3T_SHIM_LINUX_SEQLOCK_H

#include <linux/compiler.h>
#include <linux/types.h>

typedef struct {
	unsigned int sequence;
} seqcount_t;

static inline void seqcount_init(seqcount_t *seqcount)
{
	seqcount->sequence = 0;
}

/* Odd while a write is in progress. */
static inline unsigned int read_seqcount_begin(const seqcount_t *seqcount)
{
	unsigned int sequence;

	while ((sequence = __atomic_load_n(&seqcount->sequence, __ATOMIC_ACQUIRE)) & 1)
		;
	return sequence;
}

static inline bool read_seqcount_retry(const seqcount_t *seqcount, unsigned int start)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return READ_ONCE(seqcount->sequence) != start;
}

static inline void raw_write_seqcount_begin(seqcount_t *seqcount)
{
	WRITE_ONCE(seqcount->sequence, seqcount->sequence + 1);
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

static inline void raw_write_seqcount_end(seqcount_t *seqcount)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
	WRITE_ONCE(seqcount->sequence, seqcount->sequence + 1);
}

#endif /* _N3T_SHIM_LINUX_SEQLOCK_H */
