// SPDX-License-Identifier: GPL-2.0
/*
 * Rates that depend on the running cgroup, and the true counts of each cgroup.
 *
 * Rates change at context switches, at the end of cold rates and with the phases of a noisy
 * neighbour. Between, a count is rate times time: the truth is exact, as the counters are, and
 * both are the same integrals.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "runs.h"

/* In the order of the files: cycles, then the module's order of the counts of Topdown_L1. */
const u16 n3_sim_following[N3_SIM_NR_FOLLOWING] = {
	N3T_EVENT_CPU_CYCLES,
	N3T_EVENT_STALL_SLOT,
	N3T_EVENT_STALL_SLOT_FRONTEND,
	N3T_EVENT_STALL_SLOT_BACKEND,
	N3T_EVENT_STALL_FRONTEND_FLUSH,
	N3T_EVENT_OP_RETIRED,
	N3T_EVENT_OP_SPEC,
};
EXPORT_SYMBOL_IF_KUNIT(n3_sim_following);

/**
 * n3_sim_following_index() - find an event among those that follow the running cgroup
 * @event: enum n3t_event, or negative
 *
 * Context: any.
 * Return: index in n3_sim_following, or -ENOENT.
 */
int n3_sim_following_index(int event)
{
	unsigned int i;

	for (i = 0; i < N3_SIM_NR_FOLLOWING; i++)
		if (n3_sim_following[i] == event)
			return i;
	return -ENOENT;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_following_index);

/* The slot of @id, or the empty one for it: less than half of the slots are in use. */
static unsigned int slot_of(const struct n3_sim_owners *owners, u64 id)
{
	unsigned int slot = hash_64(id, ilog2(N3_SIM_OWNER_SLOTS));

	while (owners->slot[slot] != N3_SIM_OTHERS && owners->owner[owners->slot[slot]].id != id)
		slot = (slot + 1) % N3_SIM_OWNER_SLOTS;
	return slot;
}

/**
 * n3_sim_owners_find() - find a cgroup
 * @owners: cgroups with rates
 * @id: the cgroup's id
 *
 * Context: any.
 * Return: its index, or N3_SIM_OTHERS.
 */
unsigned int n3_sim_owners_find(const struct n3_sim_owners *owners, u64 id)
{
	return owners->slot[slot_of(owners, id)];
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_owners_find);

/**
 * n3_sim_owners_add() - add a cgroup without rates
 * @owners: cgroups with rates; all bytes 0 at first
 * @id: the cgroup's id; that of N3_SIM_OTHERS is 0, and has to be the first
 *
 * Context: any.
 * Return: its index; -EINVAL if it is there already, or 0 is not; -ENOSPC.
 */
int n3_sim_owners_add(struct n3_sim_owners *owners, u64 id)
{
	if (!id != !owners->nr || n3_sim_owners_find(owners, id) != N3_SIM_OTHERS)
		return -EINVAL;
	if (owners->nr == N3_SIM_MAX_OWNERS)
		return -ENOSPC;
	owners->owner[owners->nr].id = id;
	if (id)
		owners->slot[slot_of(owners, id)] = owners->nr;
	return owners->nr++;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_owners_add);

/* Noisy time from 0 until @ns. */
static u64 noisy_until(const struct n3_sim_owners *owners, u64 ns)
{
	u64 rest, periods;

	if (!owners->period_ns)
		return 0;
	periods = div64_u64_rem(ns, owners->period_ns, &rest);
	return periods * owners->noisy_ns + min(rest, owners->noisy_ns);
}

/* Time at each kind of rates between run->since and @now. */
static void split_time(const struct n3_sim_run *run, u64 now, u64 *ns)
{
	u64 since = run->since, cold_until = clamp(run->cold_until, since, max(since, now));

	now = max(since, now);
	ns[N3_SIM_COLD] = cold_until - since;
	ns[N3_SIM_NOISY] = noisy_until(run->owners, now) - noisy_until(run->owners, cold_until);
	ns[N3_SIM_WARM] = now - cold_until - ns[N3_SIM_NOISY];
}

/* Takes equally long whatever runs: see cgroups.c. */
static struct n3_sim_count integral(const struct n3_sim_run *run, unsigned int index,
				    const u64 *ns)
{
	static const struct n3_sim_owner idle;
	const struct n3_sim_owner *owner = &idle;
	struct n3_sim_count count = {};
	unsigned int kind;

	if (run->owner != N3_SIM_IDLE)
		owner = &run->owners->owner[run->owner];
	for (kind = 0; kind < N3_SIM_NR_KINDS; kind++)
		count = n3_sim_count_add(count, n3_sim_integral(owner->rates[kind][index],
								ns[kind]));
	return count;
}

/**
 * n3_sim_run_count() - count an event since the sums were complete
 * @run: the run of a CPU; rates depend on cgroups
 * @index: of the event in n3_sim_following
 * @now: time in ns
 *
 * Context: on the CPU with interrupts off, or while it is not in use.
 * Return: exact count between @run->since and @now.
 */
struct n3_sim_count n3_sim_run_count(const struct n3_sim_run *run, unsigned int index, u64 now)
{
	u64 ns[N3_SIM_NR_KINDS];

	if (now == run->since)
		return (struct n3_sim_count){};
	split_time(run, now, ns);
	return integral(run, index, ns);
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_run_count);

static void add(struct n3_sim_count *sum, struct n3_sim_count count)
{
	*sum = n3_sim_count_add(*sum, count);
}

/**
 * n3_sim_run_fold() - complete the sums
 * @run: the run of a CPU; rates depend on cgroups
 * @now: time in ns
 *
 * Context: on the CPU with interrupts off, or while it is not in use.
 */
void n3_sim_run_fold(struct n3_sim_run *run, u64 now)
{
	struct n3_sim_truth *truth = &run->truth[run->owner];
	u64 ns[N3_SIM_NR_KINDS];
	unsigned int i;

	split_time(run, now, ns);
	now = max(run->since, now);
	truth->all.ns += now - run->since;
	if (run->counted)
		truth->counted.ns += now - run->since;
	for (i = 0; i < N3_SIM_NR_FOLLOWING; i++) {
		struct n3_sim_count count = integral(run, i, ns);

		add(&run->total[i], count);
		add(&truth->all.count[i], count);
		if (run->counted)
			add(&truth->counted.count[i], count);
	}
	run->since = now;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_run_fold);

/**
 * n3_sim_run_switch() - start the run of another task
 * @run: the run of a CPU, with complete sums until @now
 * @owner: index of the task's cgroup, or N3_SIM_IDLE
 * @now: time in ns
 * @lost_ns: run time that has passed since then without a clock
 *
 * Idleness keeps the cgroup warm.
 *
 * Context: on the CPU with interrupts off, or while it is not in use.
 */
void n3_sim_run_switch(struct n3_sim_run *run, unsigned int owner, u64 now, u64 lost_ns)
{
	struct n3_sim_truth *truth = &run->truth[owner];

	run->owner = owner;
	truth->runs++;
	truth->all.ns += lost_ns;
	if (run->counted)
		truth->counted.ns += lost_ns;
	if (owner == N3_SIM_IDLE || owner == run->last)
		return;
	run->last = owner;
	run->cold_until = now + run->owners->cold_ns;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_run_switch);
