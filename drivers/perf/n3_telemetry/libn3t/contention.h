/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* When to give counters back to others who count on the same CPU, and when to return. */
#ifndef _N3T_CONTENTION_H
#define _N3T_CONTENTION_H

#include <linux/time64.h>
#include <linux/types.h>

#define N3T_POLL_MS		20	/* between two polls, and two checks in a long slice */
#define N3T_ROTATION_UNKNOWN	(-1)
#define N3T_POWER_NS		NSEC_PER_SEC	/* in which power-downs are counted */

/**
 * enum n3t_todo - what is to be done about the counters of a CPU
 * @N3T_TODO_NOTHING: nothing
 * @N3T_TODO_REVIEW: sample the CPU or not, now that it is isolated or is no more
 * @N3T_TODO_RETURN: take them again
 * @N3T_TODO_GROW: ask for more, one after another, or for others if those that are held do
 *	not count right
 * @N3T_TODO_YIELD: give all of them back
 * @N3T_TODO_BAR: give those of all CPUs of the PMU back, and do not return
 *
 * In ascending order of precedence.
 */
enum n3t_todo {
	N3T_TODO_NOTHING,
	N3T_TODO_REVIEW,
	N3T_TODO_RETURN,
	N3T_TODO_GROW,
	N3T_TODO_YIELD,
	N3T_TODO_BAR,
};

/**
 * enum n3t_yield_reason - why the counters of a CPU are yielded
 * @N3T_YIELD_NONE: they are held, or not wanted
 * @N3T_YIELD_OTHERS: others wait for them, or have them
 * @N3T_YIELD_POWER: to stop and start them at each power-down of the CPU costs too much:
 *	until these have become half as many
 * @N3T_YIELD_USER_ACCESS: a task could read them from user space: until 1 is written
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
 * enum n3t_growth - can a CPU have more counters than it holds
 * @N3T_GROWTH_NONE: no
 * @N3T_GROWTH_UNLIKELY: it holds all that were ever seen
 * @N3T_GROWTH_LIKELY: some are missing, or can be changed in place after all
 */
enum n3t_growth {
	N3T_GROWTH_NONE,
	N3T_GROWTH_UNLIKELY,
	N3T_GROWTH_LIKELY,
};

/**
 * struct n3t_seen - what was seen of others on a CPU
 * @now_ns: when
 * @whole: the slice that ended had all its counters; not used in a poll
 * @rotation: when perf's multiplexing timer expires, 0 if it does not run
 * @user_access: the task that runs may read the counters from user space
 * @growth: can the CPU have more counters; not used in a poll
 * @power_downs: how often the CPU has gone into an idle state without power; used in a poll
 */
struct n3t_seen {
	u64 now_ns;
	bool whole;
	s64 rotation;
	bool user_access;
	enum n3t_growth growth;
	u64 power_downs;
};

/**
 * struct n3t_contention - what a CPU knows of others who count on it
 * @sharing: take turns with whoever waits, rather than yield to them
 * @sampled: a slice has ended since the counters were taken
 * @polls: polls since the counters were yielded, or since the last attempt to return
 * @quiet: polls in a row at which nobody waited
 * @backoff: quiet polls that are needed before an attempt to return
 * @wait: quiet polls that are needed whatever @backoff says: a task that waited for a long
 *	slice to end runs for some of that length before the next one
 * @retry: polls before an attempt to return while sharing: 0 until one fails
 * @reason: why the counters are yielded
 * @own_rotation: when perf's timer expires that our own request started: 0 if it
 *	has, N3T_ROTATION_UNKNOWN if the request was made on another CPU
 * @taken_ns: when the counters were taken
 * @grown_ns: when more were asked for, or all of them were taken
 * @yielded_since_ns: when they were yielded, 0 if they are held or not wanted
 * @yielded_ns: how long they were yielded in total, before that
 * @yields: how often they were yielded
 * @power_since_ns: when power-downs were counted last, N3T_POWER_NS before at the most while
 *	the CPU is busy
 * @power_downs: how many there were then
 * @power_cost_ns: what they had cost in total
 * @power_ppm: what they cost before that, in millionths of the time
 * @power_limit: power-downs a second at which the counters are taken again, U64_MAX for
 *	any: they were not yielded for that
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
enum n3t_todo n3t_contention_slice(struct n3t_contention *contention, const struct n3t_seen *seen);
enum n3t_todo n3t_contention_check(struct n3t_contention *contention, s64 rotation, u64 now_ns);
enum n3t_todo n3t_contention_power(struct n3t_contention *contention, u64 downs, s64 cost_ns,
				   unsigned int max_cost, u64 now_ns);
enum n3t_todo n3t_contention_poll(struct n3t_contention *contention, const struct n3t_seen *seen);
u64 n3t_contention_yielded_ns(const struct n3t_contention *contention, u64 now_ns);

#endif /* _N3T_CONTENTION_H */
