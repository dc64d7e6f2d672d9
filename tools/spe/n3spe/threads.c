// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Processes that own thread IDs, which are reused over time. */
#include <assert.h>
#include <stdlib.h>

#include "lib/memory.h"
#include "sorted.h"
#include "threads.h"

/* 12 MB. Excess owners are dropped and counted. */
#define OWNERS_MAX	500000

/* Owner of a thread ID, from a given time. */
struct spe_owner {
	uint64_t time;
	uint32_t tid, pid;
	uint32_t order;		/* in the file */
	enum spe_thread_event how;
};

static_assert(!offsetof(struct spe_owner, time));

void spe_threads_init(struct spe_threads *threads)
{
	*threads = (struct spe_threads) { .until = UINT64_MAX };
}

void spe_threads_free(struct spe_threads *threads)
{
	free(threads->owners);
}

void spe_threads_add(struct spe_threads *threads, uint64_t time, uint32_t tid, uint32_t pid,
		     enum spe_thread_event how)
{
	/* perf uses -1 for an exited task. */
	if (pid >= SPE_PID_UNKNOWN || tid >= SPE_PID_UNKNOWN)
		return;
	if (threads->nr == OWNERS_MAX) {
		threads->dropped++;
		if (time < threads->until)
			threads->until = time;
		return;
	}
	threads->owners = xgrow(threads->owners, threads->nr, &threads->max,
				sizeof(*threads->owners));
	threads->owners[threads->nr] = (struct spe_owner) {
		time, tid, pid, (uint32_t)threads->nr, how
	};
	threads->nr++;
}

static int compare_threads(const void *a, const void *b)
{
	const struct spe_owner *left = a, *right = b;

	return (left->tid > right->tid) - (left->tid < right->tid);
}

static int compare_owners(const void *a, const void *b)
{
	const struct spe_owner *left = a, *right = b;
	int order = compare_threads(a, b);

	if (order)
		return order;
	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	return (left->order > right->order) - (left->order < right->order);
}

void spe_threads_ready(struct spe_threads *threads)
{
	if (threads->nr)
		qsort(threads->owners, threads->nr, sizeof(*threads->owners), compare_owners);
}

/* Return: a thread's owners by time, NULL if it has none. */
static const struct spe_owner *owners_of(const struct spe_threads *threads, uint32_t tid,
					 size_t *nr)
{
	const struct spe_owner key = { .tid = tid }, *first, *end;

	if (!threads->nr)
		return NULL;
	first = bsearch(&key, threads->owners, threads->nr, sizeof(key), compare_threads);
	if (!first)
		return NULL;
	for (end = first; end < threads->owners + threads->nr && end->tid == tid; end++)
		;
	while (first > threads->owners && first[-1].tid == tid)
		first--;
	*nr = (size_t)(end - first);
	return first;
}

/* Without a time: the process, if the ID never had another owner. */
static uint32_t only_pid(const struct spe_owner *owners, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		if (owners[i].pid != owners[0].pid)
			return SPE_PID_UNKNOWN;
	return owners[0].pid;
}

static uint32_t pid_at(const struct spe_owner *owners, size_t nr, uint64_t time)
{
	size_t before = sorted_up_to(owners, nr, sizeof(*owners), time);

	/* Before its fork the thread did not exist; before its name or exit it did. */
	if (!before)
		return owners[0].how == SPE_THREAD_FORKED ? SPE_PID_UNKNOWN : owners[0].pid;
	owners += before - 1;
	return owners->how == SPE_THREAD_GONE ? SPE_PID_UNKNOWN : owners->pid;
}

uint32_t spe_threads_pid(const struct spe_threads *threads, uint32_t tid, uint64_t time,
			 bool *is_known)
{
	const struct spe_owner *owners;
	size_t nr;

	*is_known = true;
	if (time >= threads->until && threads->until != UINT64_MAX)
		return SPE_PID_UNKNOWN;
	owners = owners_of(threads, tid, &nr);
	if (!owners) {
		*is_known = false;
		return SPE_PID_UNKNOWN;
	}
	return time == SPE_NO_TIME ? only_pid(owners, nr) : pid_at(owners, nr, time);
}
