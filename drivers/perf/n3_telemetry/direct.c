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
 * All of this happens with the PMU stopped and interrupts off on the CPU of the
 * events, after n3t_direct_find_registers() has shown that the registers belong
 * to the events.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/perf_event.h>
#include <linux/random.h>

#include "counters.h"
#include "direct.h"
#include "perf_private.h"
#include "pmu.h"

/* Start values of counters in the trial are this far apart, from a random offset. */
#define APART	((u32)BIT(20))

/* The programmable counters, then the cycle counter. */
static struct perf_event *event_of(const struct n3t_counters *counters, unsigned int i)
{
	return i < counters->budget ? counters->prog[i].event : counters->cycles.event;
}

/* Makes the driver start every counter at a different value. */
static int scatter(const struct n3t_counters *counters)
{
	struct pmu *pmu = counters->pmu->pmu;
	u32 salt = get_random_u32() % APART;
	unsigned int i;

	for (i = 0; i <= counters->budget; i++) {
		struct perf_event *event = event_of(counters, i);

		if (!n3t_perf_is_counting(event))
			return -EAGAIN;
		pmu->stop(event, PERF_EF_UPDATE);
		n3t_perf_set_base(event, salt + (i + 1) * APART);
		pmu->start(event, PERF_EF_RELOAD);
	}
	return 0;
}

/* Checks that each event's register holds the value that the driver wrote. */
static bool is_first_idx(const struct n3t_counters *counters, unsigned int first)
{
	const struct n3t_registers *at = &counters->pmu->registers;
	unsigned int i;

	for (i = 0; i <= counters->budget; i++) {
		struct perf_event *event = event_of(counters, i);
		unsigned int n = n3t_perf_register(event, first);
		bool is_cycles = i == counters->budget;

		if (n >= at->nr && !(is_cycles && n == N3T_CYCLE_REGISTER))
			return false;
		if ((n3t_perf_read_register(n) ^ n3t_perf_base(event)) & at->width)
			return false;
		if (n < at->nr && !n3t_perf_has_type(n, event))
			return false;
	}
	return true;
}

static int find_first_idx(const struct n3t_counters *counters)
{
	struct n3t_registers *at = &counters->pmu->registers;
	unsigned int first;
	int ret;

	at->nr = n3t_perf_nr_registers();
	/* The driver counts 64-bit events in 64 bits, on the cycle counter as well. */
	at->width = counters->pmu->long_counters ? U64_MAX : U32_MAX;
	ret = scatter(counters);
	if (ret)
		return ret;

	for (first = 0; first <= 1; first++) {
		if (is_first_idx(counters, first)) {
			at->first_idx = first;
			return 0;
		}
	}
	return -EOPNOTSUPP;
}

static int while_stopped(const struct n3t_counters *counters,
			 int (*test)(const struct n3t_counters *counters))
{
	struct pmu *pmu = counters->pmu->pmu;
	int ret;

	pmu->pmu_disable(pmu);
	n3t_perf_sync();
	ret = test(counters);
	if (n3t_perf_was_restarted())
		ret = -EAGAIN;
	pmu->pmu_enable(pmu);
	return ret;
}

/**
 * n3t_direct_find_registers() - find the register of each counter
 * @counters: counters held on this CPU
 *
 * Makes the driver start each counter at a different value and looks for that
 * value in the register that the event leads to. Only the driver writes registers
 * here: with a wrong guess the register may belong to another user.
 *
 * Context: on the CPU, interrupts off; serialized per PMU.
 * Return: 0; -EOPNOTSUPP if the registers are not where they are expected; -EAGAIN
 * if other users interfered.
 */
int n3t_direct_find_registers(const struct n3t_counters *counters)
{
	return while_stopped(counters, find_first_idx);
}

static int compare(const struct n3t_counters *counters)
{
	struct pmu *pmu = counters->pmu->pmu;
	unsigned int i, n;
	u64 count;

	for (i = 0; i <= counters->budget; i++) {
		struct perf_event *event = event_of(counters, i);

		if (!n3t_direct_read(&counters->pmu->registers, event, &count, &n))
			return -EAGAIN;
		pmu->read(event);
		if (n3t_perf_count(event) != count)
			return -EOPNOTSUPP;
	}
	return 0;
}

/**
 * n3t_direct_compare() - compare counts with those of the driver
 * @counters: counters held on this CPU, which have counted for a while
 *
 * Context: on the CPU, interrupts off.
 * Return: 0; -EOPNOTSUPP if a count differs from the driver's; -EAGAIN if other
 * users interfered.
 */
int n3t_direct_compare(const struct n3t_counters *counters)
{
	return while_stopped(counters, compare);
}

static void restart(struct pmu *pmu, struct perf_event *event, u16 code)
{
	pmu->stop(event, PERF_EF_UPDATE);
	n3t_perf_set_code(event, code);
	pmu->start(event, PERF_EF_RELOAD);
}

/* Writes two event numbers, because a driver may skip the one that it wrote last. */
static void rewrite(struct pmu *pmu, struct perf_event *event)
{
	u16 code = n3t_perf_code(event);

	if (!n3t_perf_is_counting(event))
		return;
	restart(pmu, event, code ^ 1);
	restart(pmu, event, code);
}

/* Checks that the driver writes the type after the register was changed directly. */
static bool writes_type(struct pmu *pmu, struct perf_event *event, unsigned int n)
{
	u16 code = n3t_perf_code(event);

	restart(pmu, event, code);
	n3t_perf_set_code(event, code ^ 1);
	n3t_perf_write_type(n, event);
	restart(pmu, event, code);
	return n3t_perf_has_type(n, event);
}

static int try_driver(const struct n3t_counters *counters)
{
	const struct n3t_registers *at = &counters->pmu->registers;
	struct pmu *pmu = counters->pmu->pmu;
	unsigned int i, n;

	for (i = 0; i < counters->budget; i++) {
		struct perf_event *event = counters->prog[i].event;

		n = n3t_perf_register(event, at->first_idx);
		if (!n3t_perf_is_counting(event))
			return -EAGAIN;
		/* perf may have moved one to the cycle counter. */
		if (n >= at->nr || writes_type(pmu, event, n))
			continue;
		rewrite(pmu, event);
		return -EOPNOTSUPP;
	}
	return 0;
}

/**
 * n3t_direct_try_driver() - check that the driver writes the type at each start
 * @counters: counters held on this CPU
 *
 * With a driver that skips the type that it wrote last, another user that gets one
 * of these counters would count the event that was written directly.
 *
 * Context: on the CPU, interrupts off.
 * Return: 0; -EOPNOTSUPP if the driver skips writes; -EAGAIN if other users
 * interfered.
 */
int n3t_direct_try_driver(const struct n3t_counters *counters)
{
	return while_stopped(counters, try_driver);
}

/**
 * n3t_direct_start() - have the driver start stopped counters
 * @counters: counters held on this CPU
 *
 * In-place switching leaves counters stopped that a set does not need.
 *
 * Context: on the CPU, its PMU stopped, interrupts off.
 */
void n3t_direct_start(const struct n3t_counters *counters)
{
	struct pmu *pmu = counters->pmu->pmu;
	unsigned int i;

	for (i = 0; i <= counters->budget; i++) {
		struct perf_event *event = event_of(counters, i);

		if (n3t_perf_is_active(event) && !n3t_perf_is_counting(event))
			pmu->start(event, PERF_EF_RELOAD);
	}
}

/**
 * n3t_direct_has_types() - check the type registers against the events
 * @counters: counters held on this CPU
 *
 * Fails if a driver or hypervisor assumes that a register still holds the type
 * that it wrote last, and therefore skips a write or restores an old type. Ignores
 * counters that are fixed, lost or stopped.
 *
 * Context: on the CPU, its PMU stopped, interrupts off.
 * Return: true if each type register holds its event's number.
 */
bool n3t_direct_has_types(const struct n3t_counters *counters)
{
	const struct n3t_registers *at = &counters->pmu->registers;
	unsigned int i, n;

	for (i = 0; i < counters->budget; i++) {
		const struct perf_event *event = counters->prog[i].event;

		n = n3t_perf_register(event, at->first_idx);
		if (n3t_perf_is_counting(event) && n < at->nr && !n3t_perf_has_type(n, event))
			return false;
	}
	return true;
}

/**
 * n3t_direct_rewrite() - have the driver write the types of all counters
 * @counters: counters held on this CPU
 *
 * Afterwards the registers match the driver's view, even if it skips writes.
 *
 * Context: on the CPU, interrupts off.
 */
void n3t_direct_rewrite(const struct n3t_counters *counters)
{
	struct pmu *pmu = counters->pmu->pmu;
	unsigned int i;

	pmu->pmu_disable(pmu);
	for (i = 0; i < counters->budget; i++)
		rewrite(pmu, counters->prog[i].event);
	pmu->pmu_enable(pmu);
}
