// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Policy for sharing a CPU's counters: their yield and their return. It maps
 * observations to actions and knows neither perf nor timers.
 *
 * perf serves events of a CPU before those of a task and does not rotate the
 * former out for the latter, so a task's event can wait for as long as we hold the
 * counters. perf runs a timer on a CPU while any event has to wait there. If the
 * timer runs, or a slice was cut, all counters of that CPU are released.
 *
 *	yield	They are taken again when no one has waited for a number of polls in
 *		a row, except those in use by CPU-wide events. Events of a task lose
 *		theirs, and get them back when we notice that they wait. After an
 *		unsuccessful attempt, or one that did not last, the next wait is
 *		twice as long, and at least some slices long.
 *	share	They are held for a minimum time, then released for as long as they
 *		were held, up to a second. Unsuccessful attempts are repeated at
 *		growing intervals.
 *
 * While some counters are missing, more are requested from time to time.
 *
 * A task that may read the counters from user space could observe the whole core
 * through ours. It is visible only while it runs, so its absence proves nothing:
 * in both modes the first sighting ends sampling on all CPUs of the PMU
 * (N3T_TODO_BAR), without any further polls there.
 *
 * While a CPU's counters are held, each power-down in idle stops and restarts them. If
 * that exceeds the cost limit they are released in both modes, until the rate of
 * power-downs has halved.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <kunit/visibility.h>

#include "libn3t/contention.h"

#define TURN_MIN_NS	(200 * NSEC_PER_MSEC)	/* minimum time held per turn when sharing */
#define TURN_MAX_NS	NSEC_PER_SEC	/* released for as long as held, up to this */
#define LASTING_NS	NSEC_PER_SEC	/* a return that lasts this long is successful, */
#define LASTING_SLICES	50		/* or this many slices if they are long */
#define BACKOFF_MIN	10	/* polls */
#define BACKOFF_MAX	40
#define WAIT_SLICES	20	/* after a return that did not last, regardless of backoff */
#define GROW_NS		NSEC_PER_SEC	/* between two attempts while counters are missing */
#define GROW_RARE_NS	(20 * (u64)NSEC_PER_SEC)	/* the same if none is */

/* Initializes without any knowledge. */
void n3t_contention_init(struct n3t_contention *contention)
{
	memset(contention, 0, sizeof(*contention));
	contention->backoff = BACKOFF_MIN;
	contention->power_limit = U64_MAX;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_contention_init);

static void end_yield(struct n3t_contention *contention, u64 now_ns)
{
	contention->yielded_ns = n3t_contention_yielded_ns(contention, now_ns);
	contention->yielded_since_ns = 0;
	contention->reason = N3T_YIELD_NONE;
	contention->sampled = false;
	contention->polls = 0;
	contention->quiet = 0;
	contention->retry = 0;
	contention->power_limit = U64_MAX;
}

/* The counters are no longer wanted; the sampler is off. */
void n3t_contention_reset(struct n3t_contention *contention, u64 now_ns)
{
	end_yield(contention, now_ns);
	contention->backoff = BACKOFF_MIN;
	contention->wait = 0;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_contention_reset);

/* The counters have been taken; the sampler is off. */
void n3t_contention_taken(struct n3t_contention *contention, bool sharing, u64 now_ns)
{
	contention->sharing = sharing;
	end_yield(contention, now_ns);
	contention->taken_ns = now_ns;
	contention->grown_ns = now_ns;
	contention->power_since_ns = 0;
	contention->power_ppm = 0;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_contention_taken);

/* Time that a return must last to succeed; longer for long slices, which detect waiters late. */
static bool has_lasted(const struct n3t_contention *contention, unsigned int slice_ms, u64 now_ns)
{
	u64 held_ns = now_ns - contention->taken_ns;

	return held_ns >= max_t(u64, LASTING_NS, LASTING_SLICES * (u64)slice_ms * NSEC_PER_MSEC);
}

static void back_off(struct n3t_contention *contention)
{
	contention->backoff = min(2 * contention->backoff, BACKOFF_MAX + 0u);
}

/**
 * n3t_contention_yielded() - the counters have been released
 * @contention: state of a CPU whose sampler is off
 * @barred: a task may read them from user space
 * @sharing: take turns with other users
 * @slice_ms: length of a slice
 * @now_ns: current time
 *
 * A turn is meant to be short, so sharing starts with the shortest backoff. If the counters
 * were yielded already, this updates the reason; power-downs of the CPU no longer
 * matter.
 */
void n3t_contention_yielded(struct n3t_contention *contention, bool barred, bool sharing,
			    unsigned int slice_ms, u64 now_ns)
{
	bool lasted = contention->sampled && has_lasted(contention, slice_ms, now_ns);
	u64 power_limit = contention->power_limit;

	contention->sharing = sharing;
	if (contention->yielded_since_ns) {
		contention->power_limit = U64_MAX;
		contention->reason = barred ? N3T_YIELD_USER_ACCESS : N3T_YIELD_OTHERS;
		return;
	}

	if (sharing || lasted)
		contention->backoff = BACKOFF_MIN;
	else if (contention->sampled)
		back_off(contention);
	if (contention->sampled)
		contention->wait = lasted ? 0 : WAIT_SLICES * slice_ms / N3T_POLL_MS;

	end_yield(contention, now_ns);
	contention->power_limit = power_limit;
	contention->reason = barred ? N3T_YIELD_USER_ACCESS :
			     power_limit == U64_MAX ? N3T_YIELD_OTHERS : N3T_YIELD_POWER;
	contention->yielded_since_ns = now_ns;
	contention->yields++;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_contention_yielded);

/* An attempt to return was unsuccessful; the counters are yielded. */
void n3t_contention_failed(struct n3t_contention *contention)
{
	contention->retry = contention->backoff;
	contention->polls = 0;
	contention->quiet = 0;
	back_off(contention);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_contention_failed);

/*
 * A request for one counter too many starts perf's timer, which may cut a slice although
 * no one else waits. So the timer is ignored until it has expired, which can take a
 * while on a busy machine. A timer that continues after that runs for others.
 */
static bool own_rotation_pending(struct n3t_contention *contention, s64 rotation)
{
	s64 own = contention->own_rotation;

	if (own == N3T_ROTATION_UNKNOWN) {
		contention->own_rotation = rotation;
		return true;
	}
	if (!own || rotation == own)
		return own;

	contention->own_rotation = 0;
	return !rotation;
}

static bool is_time_to_grow(struct n3t_contention *contention, const struct n3t_observation *seen)
{
	u64 every_ns = seen->growth == N3T_GROWTH_LIKELY ? GROW_NS : GROW_RARE_NS;

	if (seen->growth == N3T_GROWTH_NONE || seen->now_ns - contention->grown_ns < every_ns)
		return false;

	contention->grown_ns = seen->now_ns;
	return true;
}

/* With sharing, counters are held for at least one turn. */
static bool is_first_of_turn(const struct n3t_contention *contention, u64 now_ns)
{
	return contention->sharing && now_ns - contention->taken_ns <= TURN_MIN_NS;
}

/* Decides at the end of a slice, while counters are held: to bar, yield, grow or do nothing. */
enum n3t_todo n3t_contention_slice(struct n3t_contention *contention,
				   const struct n3t_observation *seen)
{
	bool pending = own_rotation_pending(contention, seen->rotation);

	contention->sampled = true;
	if (seen->user_access)
		return N3T_TODO_BAR;
	if (pending || is_first_of_turn(contention, seen->now_ns))
		return N3T_TODO_NONE;
	if (!seen->whole || seen->rotation)
		return N3T_TODO_YIELD;
	return is_time_to_grow(contention, seen) ? N3T_TODO_GROW : N3T_TODO_NONE;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_contention_slice);

/**
 * n3t_contention_check() - decide in the middle of a slice
 * @contention: state of the CPU
 * @rotation: as in struct n3t_observation
 * @now_ns: current time
 *
 * The expiry of the timer started by our own request is only handled at the end of the
 * slice, which it may have cut. If the request was made on another CPU, the first timer
 * seen is assumed to be ours.
 *
 * Context: the sampler, while counters are held.
 * Return: N3T_TODO_YIELD or N3T_TODO_NONE.
 */
enum n3t_todo n3t_contention_check(struct n3t_contention *contention, s64 rotation, u64 now_ns)
{
	if (!rotation || is_first_of_turn(contention, now_ns))
		return N3T_TODO_NONE;
	if (contention->own_rotation == N3T_ROTATION_UNKNOWN)
		contention->own_rotation = rotation;
	return rotation == contention->own_rotation ? N3T_TODO_NONE : N3T_TODO_YIELD;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_contention_check);

static u64 a_second(u64 nr, u64 ns)
{
	return div64_u64(nr * NSEC_PER_SEC, ns);
}

static void count_power_downs(struct n3t_contention *contention, u64 downs, u64 now_ns)
{
	contention->power_since_ns = now_ns;
	contention->power_downs = downs;
}

/**
 * n3t_contention_power() - decide after a second of power-downs
 * @contention: state of the CPU
 * @downs: total number of power-downs of the CPU
 * @cost_ns: total cost of stopping and restarting held counters for them; a second
 *	in which it has decreased counts as free
 * @max_cost: limit of the cost in ppm of the time, 0 for none
 * @now_ns: current time
 *
 * Context: the sampler, while counters are held, N3T_POWER_NS after @power_since_ns or later.
 * Return: N3T_TODO_YIELD or N3T_TODO_NONE.
 */
enum n3t_todo n3t_contention_power(struct n3t_contention *contention, u64 downs, s64 cost_ns,
				   unsigned int max_cost, u64 now_ns)
{
	u64 spent_ns = max(cost_ns - contention->power_cost_ns, 0ll);
	u64 passed_ns = now_ns - contention->power_since_ns;
	u64 rate = a_second(downs - contention->power_downs, passed_ns);
	bool is_first = !contention->power_since_ns;

	count_power_downs(contention, downs, now_ns);
	contention->power_cost_ns = cost_ns;
	if (is_first)
		return N3T_TODO_NONE;

	WRITE_ONCE(contention->power_ppm, div64_u64(spent_ns * USEC_PER_SEC, passed_ns));
	if (!max_cost || contention->power_ppm <= max_cost)
		return N3T_TODO_NONE;
	contention->power_limit = rate / 2;
	return N3T_TODO_YIELD;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_contention_power);

/* Is the rate of power-downs still too high? True until a full second shows otherwise. */
static bool is_restless(struct n3t_contention *contention, const struct n3t_observation *seen)
{
	u64 passed_ns = seen->now_ns - contention->power_since_ns;
	u64 rate;

	if (contention->power_limit == U64_MAX)
		return false;
	if (passed_ns < N3T_POWER_NS)
		return true;

	rate = a_second(seen->power_downs - contention->power_downs, passed_ns);
	count_power_downs(contention, seen->power_downs, seen->now_ns);
	if (rate > contention->power_limit)
		return true;
	contention->power_limit = U64_MAX;
	WRITE_ONCE(contention->reason, N3T_YIELD_OTHERS);
	return false;
}

static bool is_turn(const struct n3t_contention *contention, u64 now_ns)
{
	u64 held_ns = contention->yielded_since_ns - contention->taken_ns;
	u64 yielded_ns = now_ns - contention->yielded_since_ns;

	return contention->polls >= contention->retry &&
	       yielded_ns >= min(held_ns, TURN_MAX_NS + 0ull);
}

/* Decides at a poll, while the counters are yielded: to bar, return or do nothing. */
enum n3t_todo n3t_contention_poll(struct n3t_contention *contention,
				  const struct n3t_observation *seen)
{
	bool is_due;

	if (seen->user_access)
		return N3T_TODO_BAR;

	contention->polls++;
	contention->quiet = seen->rotation ? 0 : contention->quiet + 1;
	if (is_restless(contention, seen))
		is_due = false;
	else if (contention->sharing)
		is_due = is_turn(contention, seen->now_ns);
	else
		is_due = contention->quiet >= max(contention->backoff, contention->wait);
	if (!is_due)
		return N3T_TODO_NONE;

	contention->polls = 0;
	contention->quiet = 0;
	return N3T_TODO_RETURN;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_contention_poll);

/* Total time for which the counters have been yielded since n3t_contention_init(). */
u64 n3t_contention_yielded_ns(const struct n3t_contention *contention, u64 now_ns)
{
	u64 since_ns = contention->yielded_since_ns;

	/* Another CPU's clock may lag slightly. */
	if (!since_ns || now_ns < since_ns)
		return contention->yielded_ns;
	return contention->yielded_ns + now_ns - since_ns;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_contention_yielded_ns);
