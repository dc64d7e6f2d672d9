/* SPDX-License-Identifier: GPL-2.0 */
/* Rates that depend on the running cgroup, and the true counts of each cgroup. */
#ifndef _N3_SIM_RUNS_H
#define _N3_SIM_RUNS_H

#include <linux/types.h>

#include "libn3t/n3t.h"
#include "rates.h"

/* Events that follow the running cgroup: CPU_CYCLES and those of Topdown_L1. */
#define N3_SIM_NR_FOLLOWING	7

#define N3_SIM_MAX_OWNERS	64
#define N3_SIM_OTHERS		0	/* index of all cgroups without rates of their own */
#define N3_SIM_IDLE		N3_SIM_MAX_OWNERS
#define N3_SIM_OWNER_SLOTS	256

/**
 * enum n3_sim_kind - kinds of rates of a cgroup
 * @N3_SIM_WARM: usual ones
 * @N3_SIM_COLD: at the start of a run after another cgroup's
 * @N3_SIM_NOISY: those while a neighbour is noisy
 * @N3_SIM_NR_KINDS: number of kinds
 */
enum n3_sim_kind {
	N3_SIM_WARM,
	N3_SIM_COLD,
	N3_SIM_NOISY,
	N3_SIM_NR_KINDS,
};

/**
 * struct n3_sim_owner - a cgroup
 * @id: its id
 * @rates: counts per second of each following event
 */
struct n3_sim_owner {
	u64 id;
	u64 rates[N3_SIM_NR_KINDS][N3_SIM_NR_FOLLOWING];
};

/**
 * struct n3_sim_owners - cgroups with rates
 * @cold_ns: duration of cold rates
 * @period_ns: period of the noisy neighbour, 0 if there is none
 * @noisy_ns: time at the start of each period in which it is noisy
 * @nr: number of cgroups
 * @slot: hash table of indices, N3_SIM_OTHERS where empty
 * @owner: the cgroups; the first stands for all without rates
 */
struct n3_sim_owners {
	u64 cold_ns;
	u64 period_ns;
	u64 noisy_ns;
	unsigned int nr;
	u8 slot[N3_SIM_OWNER_SLOTS];
	struct n3_sim_owner owner[N3_SIM_MAX_OWNERS];
};

/**
 * struct n3_sim_sums - true sums over a time
 * @ns: run time, with that in which the clock was stopped
 * @count: counts of each following event
 */
struct n3_sim_sums {
	u64 ns;
	struct n3_sim_count count[N3_SIM_NR_FOLLOWING];
};

/**
 * struct n3_sim_truth - true sums of a cgroup on a CPU
 * @runs: number of runs
 * @all: since the start
 * @counted: while counters counted all following events
 */
struct n3_sim_truth {
	u64 runs;
	struct n3_sim_sums all;
	struct n3_sim_sums counted;
};

/**
 * struct n3_sim_run - the run of a task on a CPU
 * @owners: cgroups with rates, or NULL if rates do not depend on them
 * @truth: sums of each cgroup by index, and of idleness
 * @owner: index of the task's cgroup, or N3_SIM_IDLE
 * @last: the same of the latest task
 * @since: sums are complete until then
 * @cold_until: end of the cold rates
 * @counted: counters count all following events
 * @total: counts of each following event of all cgroups until @since
 */
struct n3_sim_run {
	const struct n3_sim_owners *owners;
	struct n3_sim_truth *truth;
	unsigned int owner;
	unsigned int last;
	u64 since;
	u64 cold_until;
	bool counted;
	struct n3_sim_count total[N3_SIM_NR_FOLLOWING];
};

extern const u16 n3_sim_following[N3_SIM_NR_FOLLOWING];

int n3_sim_following_index(int event);
int n3_sim_owners_add(struct n3_sim_owners *owners, u64 id);
unsigned int n3_sim_owners_find(const struct n3_sim_owners *owners, u64 id);
struct n3_sim_count n3_sim_run_count(const struct n3_sim_run *run, unsigned int index, u64 now);
void n3_sim_run_fold(struct n3_sim_run *run, u64 now);
void n3_sim_run_switch(struct n3_sim_run *run, unsigned int owner, u64 now, u64 lost_ns);

#endif /* _N3_SIM_RUNS_H */
