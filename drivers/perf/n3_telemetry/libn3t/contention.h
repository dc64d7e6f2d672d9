/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Policy for sharing a CPU's counters: when to yield them and when to return. */
#ifndef _N3T_CONTENTION_H
#define _N3T_CONTENTION_H

#include <linux/time64.h>
#include <linux/types.h>

#define N3T_POLL_MS		20	/* poll interval, check interval in a long slice */
#define N3T_ROTATION_UNKNOWN	(-1)
#define N3T_POWER_NS		NSEC_PER_SEC	/* interval for counting power-downs */

/**
 * enum n3t_todo - action on the counters of a CPU
 * @N3T_TODO_NONE: none
 * @N3T_TODO_JUDGE: judge the window that has passed
 * @N3T_TODO_REVIEW: decide again whether to sample the CPU: its isolation has changed
 * @N3T_TODO_RETURN: take the counters again
 * @N3T_TODO_GROW: ask for more counters one by one, or replace those held if they do not
 *	count correctly
 * @N3T_TODO_YIELD: release all counters
 * @N3T_TODO_BAR: release the counters of all CPUs of the PMU and do not return
 *
 * In ascending order of precedence.
 */
enum n3t_todo {
	N3T_TODO_NONE,
	N3T_TODO_JUDGE,
	N3T_TODO_REVIEW,
	N3T_TODO_RETURN,
	N3T_TODO_GROW,
	N3T_TODO_YIELD,
	N3T_TODO_BAR,
};

/**
 * enum n3t_yield_reason - reason for yielding the counters of a CPU
 * @N3T_YIELD_NONE: they are held, or not wanted
 * @N3T_YIELD_OTHERS: others wait for them, or have them
 * @N3T_YIELD_POWER: stopping and starting them at each power-down of the CPU costs too much;
 *	until the rate of power-downs has halved
 * @N3T_YIELD_USER_ACCESS: a task could read them from user space; until 1 is written
 *	to "enable"
 * @N3T_NR_YIELD_REASONS: number of reasons
 *
 * In ascending order of importance.
 */
enum n3t_yield_reason {
	N3T_YIELD_NONE,
	N3T_YIELD_OTHERS,
	N3T_YIELD_POWER,
	N3T_YIELD_USER_ACCESS,
	N3T_NR_YIELD_REASONS,
};

/**
 * enum n3t_growth - prospects for a CPU to get more counters
 * @N3T_GROWTH_NONE: none
 * @N3T_GROWTH_UNLIKELY: it holds as many as were ever seen available
 * @N3T_GROWTH_LIKELY: some are missing, or can now be changed in place
 */
enum n3t_growth {
	N3T_GROWTH_NONE,
	N3T_GROWTH_UNLIKELY,
	N3T_GROWTH_LIKELY,
};

/**
 * struct n3t_observation - observations about other users of the PMU on a CPU
 * @now_ns: time of the observation
 * @whole: the slice that ended had all its counters; not used in a poll
 * @rotation: expiry of perf's multiplexing timer, 0 if it does not run
 * @user_access: the current task may read the counters from user space
 * @growth: prospects for more counters; not used in a poll
 * @power_downs: number of times the CPU has entered an idle state without power; used in
 *	a poll
 */
struct n3t_observation {
	u64 now_ns;
	bool whole;
	s64 rotation;
	bool user_access;
	enum n3t_growth growth;
	u64 power_downs;
};

/**
 * struct n3t_contention - state of the sharing policy on one CPU
 * @sharing: take turns with other users instead of yielding to them
 * @sampled: a slice has ended since the counters were taken
 * @polls: polls since the counters were yielded, or since the last attempt to return
 * @quiet: consecutive polls with no one waiting
 * @backoff: quiet polls required before an attempt to return
 * @wait: quiet polls required regardless of @backoff: a task that waited for a long
 *	slice to end runs for part of that length before the next one
 * @retry: polls before an attempt to return while sharing; 0 until one fails
 * @reason: reason for yielding the counters
 * @own_rotation: expiry of the perf timer started by our own request; 0 if it has
 *	expired, N3T_ROTATION_UNKNOWN if the request was made on another CPU
 * @taken_ns: time when the counters were taken
 * @grown_ns: time of the last request for more, or when all of them were taken
 * @yielded_since_ns: time when they were yielded, 0 if they are held or not wanted
 * @yielded_ns: total time yielded before that
 * @yields: number of yields
 * @power_since_ns: time when power-downs were last counted, at most N3T_POWER_NS ago while
 *	the CPU is busy
 * @power_downs: number of power-downs at that time
 * @power_cost_ns: their total cost at that time
 * @power_ppm: their cost in the interval before that, in ppm of the time
 * @power_limit: power-downs per second below which the counters are taken again; U64_MAX
 *	if power-downs were not the reason for yielding
 */
struct n3t_contention {
	bool sharing;
	bool sampled;
	unsigned int polls;
	unsigned int quiet;
	unsigned int backoff;
	unsigned int wait;
	unsigned int retry;
	enum n3t_yield_reason reason;
	s64 own_rotation;
	u64 taken_ns;
	u64 grown_ns;
	u64 yielded_since_ns;
	u64 yielded_ns;
	u64 yields;
	u64 power_since_ns;
	u64 power_downs;
	s64 power_cost_ns;
	u64 power_ppm;
	u64 power_limit;
};

void n3t_contention_init(struct n3t_contention *contention);
void n3t_contention_reset(struct n3t_contention *contention, u64 now_ns);
void n3t_contention_taken(struct n3t_contention *contention, bool sharing, u64 now_ns);
void n3t_contention_yielded(struct n3t_contention *contention, bool barred, bool sharing,
			    unsigned int slice_ms, u64 now_ns);
void n3t_contention_failed(struct n3t_contention *contention);
enum n3t_todo n3t_contention_slice(struct n3t_contention *contention,
				   const struct n3t_observation *seen);
enum n3t_todo n3t_contention_check(struct n3t_contention *contention, s64 rotation, u64 now_ns);
enum n3t_todo n3t_contention_power(struct n3t_contention *contention, u64 downs, s64 cost_ns,
				   unsigned int max_cost, u64 now_ns);
enum n3t_todo n3t_contention_poll(struct n3t_contention *contention,
				  const struct n3t_observation *seen);
u64 n3t_contention_yielded_ns(const struct n3t_contention *contention, u64 now_ns);

#endif /* _N3T_CONTENTION_H */
