// SPDX-License-Identifier: GPL-2.0
/*
 * Direct access to counter and type registers, bypassing the PMU's driver.
 *
 * The driver still owns the counters: perf adds and removes events, overflows
 * and CPU_PM are handled as usual. This file reads a counter where the driver
 * would read it, and changes its event number where the driver would write it.
 * The contract is therefore perf's own bookkeeping. The register of an event is
 * looked up each time. A count is the event's count plus what its counter holds
 * beyond hw.prev_count, never the difference of two readings, because an
 * overflow or CPU_PM may rewrite the counter in between. A new event number is
 * stored in the event first, so the driver starts the event with the same one.
 *
 * All of this happens with interrupts off on the CPU of the events, the PMU stopped
 * if registers must not change meanwhile, after n3t_direct_find_register() has shown
 * that the registers belong to the events. Other than at a slice's end, one call
 * accesses one counter: each access may trap, and interrupts are off meanwhile.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/perf_event.h>
#include <linux/timekeeping.h>

#include "counters.h"
#include "direct.h"
#include "perf_private.h"
#include "pmu.h"

/* Start values of counters in the trial are this far apart, from an arbitrary offset. */
#define APART	((u32)BIT(20))

/* The programmable counters, then the cycle counter. */
static struct perf_event *event_of(const struct n3t_counters *counters, unsigned int i)
{
	return i < counters->budget ? counters->prog[i].event : counters->cycles.event;
}

/* Has the driver start a counter at a value that no other counter has. */
static int scatter(const struct n3t_counters *counters, unsigned int i, u32 salt)
{
	struct perf_event *event = event_of(counters, i);
	struct pmu *pmu = counters->pmu->pmu;

	if (!n3t_perf_is_counting(event))
		return -EAGAIN;
	pmu->stop(event, PERF_EF_UPDATE);
	n3t_perf_set_base(event, salt + (i + 1) * APART);
	pmu->start(event, PERF_EF_RELOAD);
	return 0;
}

/* Checks that the register of an event holds the value that the driver wrote. */
static bool is_first_idx(const struct n3t_counters *counters, unsigned int i, unsigned int first)
{
	const struct n3t_registers *at = &counters->pmu->registers;
	struct perf_event *event = event_of(counters, i);
	unsigned int n = n3t_perf_register(event, first);
	bool is_cycles = i == counters->budget;

	if (n >= at->nr && !(is_cycles && n == N3T_CYCLE_REGISTER))
		return false;
	if ((n3t_perf_read_register(n) ^ n3t_perf_base(event)) & at->width)
		return false;
	return n >= at->nr || n3t_perf_has_type(n, event);
}

/* Stops the PMU around a test of one counter. */
static int while_stopped(const struct n3t_counters *counters, unsigned int i,
			 int (*test)(const struct n3t_counters *counters, unsigned int i))
{
	struct pmu *pmu = counters->pmu->pmu;
	int ret;

	pmu->pmu_disable(pmu);
	n3t_perf_sync();
	ret = test(counters, i);
	if (n3t_perf_was_restarted())
		ret = -EAGAIN;
	pmu->pmu_enable(pmu);
	return ret;
}

static int find_register(const struct n3t_counters *counters, unsigned int i)
{
	struct n3t_registers *at = &counters->pmu->registers;
	unsigned int first;
	int ret;

	ret = scatter(counters, i, ktime_get_mono_fast_ns() & (APART - 1));
	if (ret)
		return ret;

	for (first = 0; first <= 1; first++)
		if (!is_first_idx(counters, i, first))
			at->candidates &= ~BIT(first);
	if (!at->candidates)
		return -EOPNOTSUPP;
	at->first_idx = __ffs(at->candidates);
	return 0;
}

/**
 * n3t_direct_find_register() - find the register of a counter
 * @counters: counters held on this CPU
 * @i: the counter; all of them one after another, the cycle counter last
 *
 * Makes the driver start each counter at a different value and looks for that
 * value in the register that the event leads to. Only the driver writes registers
 * here: with a wrong guess the register may belong to another user.
 *
 * Context: on the CPU, interrupts off; serialized per PMU.
 * Return: 0; -EOPNOTSUPP if the registers are not where they are expected; -EAGAIN
 * if other users interfered.
 */
int n3t_direct_find_register(const struct n3t_counters *counters, unsigned int i)
{
	struct n3t_registers *at = &counters->pmu->registers;

	if (!i) {
		at->nr = n3t_perf_nr_registers();
		/* The driver counts 64-bit events in 64 bits, on the cycle counter as well. */
		at->width = counters->pmu->long_counters ? U64_MAX : U32_MAX;
		at->candidates = BIT(0) | BIT(1);
	}
	return while_stopped(counters, i, find_register);
}

static int compare(const struct n3t_counters *counters, unsigned int i)
{
	struct perf_event *event = event_of(counters, i);
	unsigned int n;
	u64 count;

	if (!n3t_direct_read(&counters->pmu->registers, event, &count, &n))
		return -EAGAIN;
	counters->pmu->pmu->read(event);
	return n3t_perf_count(event) == count ? 0 : -EOPNOTSUPP;
}

/**
 * n3t_direct_compare() - compare the count of a counter with that of the driver
 * @counters: counters held on this CPU, which have counted for a while
 * @i: the counter
 *
 * Context: on the CPU, interrupts off.
 * Return: 0; -EOPNOTSUPP if the count differs from the driver's; -EAGAIN if other
 * users interfered.
 */
int n3t_direct_compare(const struct n3t_counters *counters, unsigned int i)
{
	return while_stopped(counters, i, compare);
}

static void restart(struct pmu *pmu, struct perf_event *event)
{
	pmu->stop(event, PERF_EF_UPDATE);
	pmu->start(event, PERF_EF_RELOAD);
}

/**
 * n3t_direct_rewrite() - have the driver write the type of a counter
 * @counters: counters held on this CPU
 * @i: the counter
 *
 * Afterwards the register matches the driver's view, even if it skips the type that
 * it wrote last. It skips the event's number only if it wrote that last, so that
 * number may be written here.
 *
 * Context: on the CPU, interrupts off.
 * Return: 0; -EAGAIN if the event has no counter now.
 */
int n3t_direct_rewrite(const struct n3t_counters *counters, unsigned int i)
{
	const struct n3t_registers *at = &counters->pmu->registers;
	struct perf_event *event = event_of(counters, i);
	unsigned int n = n3t_perf_register(event, at->first_idx);

	if (!n3t_perf_is_counting(event))
		return -EAGAIN;
	restart(counters->pmu->pmu, event);
	if (n < at->nr && !n3t_perf_has_type(n, event))
		n3t_perf_write_type(n, event);
	return 0;
}

/**
 * n3t_direct_try_driver() - check that the driver writes the type at a start
 * @counters: counters held on this CPU
 * @i: the counter, after n3t_direct_rewrite()
 *
 * With a driver that skips the type that it wrote last, another user that gets the
 * counter would count the event that was written directly.
 *
 * Context: on the CPU, interrupts off.
 * Return: 0; -EOPNOTSUPP if the driver skips writes; -EAGAIN if other users
 * interfered.
 */
int n3t_direct_try_driver(const struct n3t_counters *counters, unsigned int i)
{
	const struct n3t_registers *at = &counters->pmu->registers;
	struct perf_event *event = event_of(counters, i);
	unsigned int n = n3t_perf_register(event, at->first_idx);
	u16 code = n3t_perf_code(event);

	if (!n3t_perf_is_counting(event))
		return -EAGAIN;
	/* perf may have moved it to the cycle counter. */
	if (n >= at->nr)
		return 0;
	n3t_perf_set_code(event, code ^ 1);
	n3t_perf_write_type(n, event);
	n3t_perf_set_code(event, code);
	restart(counters->pmu->pmu, event);
	if (n3t_perf_has_type(n, event))
		return 0;
	n3t_perf_write_type(n, event);
	return -EOPNOTSUPP;
}

/* A counter that is lost or stopped cannot be checked: -EAGAIN. A fixed one has no type. */
static int check_type(const struct n3t_counters *counters, unsigned int i)
{
	const struct n3t_registers *at = &counters->pmu->registers;
	const struct perf_event *event = event_of(counters, i);
	unsigned int n = n3t_perf_register(event, at->first_idx);

	if (!n3t_perf_is_counting(event))
		return -EAGAIN;
	return n >= at->nr || n3t_perf_has_type(n, event) ? 0 : -EOPNOTSUPP;
}

/**
 * n3t_direct_begin() - have the driver start a counter if it is stopped, check its type
 * @counters: counters held on this CPU
 * @i: the counter
 *
 * In-place switching leaves counters stopped that a set does not need.
 *
 * Context: on the CPU, interrupts off.
 * Return: 0; -EOPNOTSUPP if its type register does not hold its event's number.
 */
int n3t_direct_begin(const struct n3t_counters *counters, unsigned int i)
{
	struct perf_event *event = event_of(counters, i);

	if (n3t_perf_is_active(event) && !n3t_perf_is_counting(event))
		counters->pmu->pmu->start(event, PERF_EF_RELOAD);
	return check_type(counters, i) == -EOPNOTSUPP ? -EOPNOTSUPP : 0;
}

/**
 * n3t_direct_check_types() - check the type registers against the events
 * @counters: counters held on this CPU
 *
 * Fails if a driver or hypervisor assumes that a register still holds the type
 * that it wrote last, and therefore skips a write or restores an old type.
 *
 * Context: on the CPU, interrupts off.
 * Return: 0 if each type register holds its event's number; -EOPNOTSUPP if one does not;
 * else -EAGAIN if one could not be checked.
 */
int n3t_direct_check_types(const struct n3t_counters *counters)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < counters->budget && ret != -EOPNOTSUPP; i++)
		ret = check_type(counters, i) ?: ret;
	return ret;
}
