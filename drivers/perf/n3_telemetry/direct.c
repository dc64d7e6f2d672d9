// SPDX-License-Identifier: GPL-2.0
/*
 * Counters read and typed by their registers, beside the PMU's driver.
 *
 * The driver goes on to own them: perf places events and takes them off, overflows
 * and CPU_PM are handled as ever. Here a counter is read where the driver would read
 * it, and its event number is changed where the driver would write it. So the contract
 * is perf's own bookkeeping: which register an event has is looked up each time; a
 * count is what the event has and what its counter is beyond that, never a difference
 * of two readings, since an overflow or CPU_PM may rewrite the counter in between; what
 * an event counts is changed in the event first, so that whoever starts it again
 * starts the same.
 *
 * All of it with the PMU stopped and interrupts off on the events' CPU, for which
 * n3t_direct_find_registers() has shown that the registers are those of the events.
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

/* Where counters begin in the trial: that far apart, and anywhere within. */
#define APART	((u32)BIT(20))

/* The programmable ones, then the cycle counter. */
static struct perf_event *event_of(const struct n3t_counters *counters, unsigned int i)
{
	return i < counters->budget ? counters->prog[i].event : counters->cycles.event;
}

/* Has the driver let every counter begin with a number of its own? */
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

/* Does each event's register hold what the driver has written to it? */
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
	/* Events that are wider than 32 bits ask for that, on the cycle counter as well. */
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
 * n3t_direct_find_registers() - find out which register is whose
 * @counters: what is held on this CPU
 *
 * The driver is asked to let each counter begin with another number, and each of them
 * has to be found in the register that the event leads to. Nothing is written here but
 * by the driver: with a wrong guess the register may be somebody else's.
 *
 * Context: on the CPU, interrupts off; one at a time for each PMU.
 * Return: 0; -EOPNOTSUPP if the registers are not where they are expected; -EAGAIN if
 * others disturbed it.
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
 * n3t_direct_compare() - are counts what the driver makes of them
 * @counters: what is held on this CPU, has counted for a while
 *
 * Context: on the CPU, interrupts off.
 * Return: 0; -EOPNOTSUPP if a count is another than the driver's; -EAGAIN if others
 * disturbed it.
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

/* Twice, with two event numbers: a driver may leave out the one that it wrote last. */
static void rewrite(struct pmu *pmu, struct perf_event *event)
{
	u16 code = n3t_perf_code(event);

	if (!n3t_perf_is_counting(event))
		return;
	restart(pmu, event, code ^ 1);
	restart(pmu, event, code);
}

/* Is the type in the register, after the driver had it there and it was replaced beside it? */
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
 * n3t_direct_try_driver() - does the driver write the type of a counter whenever it starts it
 * @counters: what is held on this CPU
 *
 * One that leaves out what it wrote last would let others, who get a counter of ours, count
 * what was written there beside it.
 *
 * Context: on the CPU, interrupts off.
 * Return: 0; -EOPNOTSUPP if it does not; -EAGAIN if others disturbed it.
 */
int n3t_direct_try_driver(const struct n3t_counters *counters)
{
	return while_stopped(counters, try_driver);
}

/**
 * n3t_direct_start() - have the driver start counters that are stopped
 * @counters: what is held on this CPU
 *
 * A set that is changed in place leaves those stopped that it does not need.
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
 * n3t_direct_has_types() - do the counters count what their events say
 * @counters: what is held on this CPU
 *
 * Fails if a driver, or a hypervisor, takes the type that it wrote last for that of the
 * register, and so leaves one out, or brings an old one back. Counters that are fixed, not
 * held now or stopped are not looked at.
 *
 * Context: on the CPU, its PMU stopped, interrupts off.
 * Return: true if each type register has its event's number.
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
 * @counters: what is held on this CPU
 *
 * Afterwards the driver is right about what the registers hold, whatever it has left out.
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
