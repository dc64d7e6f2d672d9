// SPDX-License-Identifier: GPL-2.0
/*
 * The counters that one CPU holds, and changing what they count.
 *
 * A CPU holds as many perf events as the PMU has programmable counters, and one
 * for the cycle counter, as long as it is sampled. From one slice to the next
 * they get other event numbers in place: stop, new event number, start. perf
 * does the same, without the number, when it adjusts a sampling frequency; it
 * costs a tenth of enabling and disabling events. It relies on the driver
 * (perf_private.h), so n3t_counters_self_test() tries it before it is used;
 * fallback.c is the alternative.
 *
 * A programmable counter never counts CPU_CYCLES, except in that test: perf
 * would place it on the cycle counter, whose event is fixed.
 */
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "counters.h"
#include "perf_private.h"
#include "plan.h"
#include "pmu.h"
#include "slices.h"

/* No fixed counter takes it on any PMUv3, so it finds programmable counters. */
#define PROBE_CODE	N3T_CODE_OP_SPEC

#define TEST_NS		(4 * NSEC_PER_MSEC)
#define TEST_PARTS	100	/* counts have to agree within 1 / TEST_PARTS */

struct active_check {
	const struct n3t_counters *counters;
	const struct n3t_counter *last;
	bool all_active;
};

/* Runs on the events' CPU, so perf does not change them meanwhile. */
static void check_active(void *data)
{
	struct active_check *check = data;
	const struct n3t_counters *counters = check->counters;
	unsigned int i;

	check->all_active = n3t_perf_is_active(counters->cycles.event);
	for (i = 0; i < counters->budget; i++)
		check->all_active &= n3t_perf_is_active(counters->prog[i].event);
}

/*
 * All events may be active although one was opened too many: if perf's timer has
 * expired since, it has given the last one the counter of somebody else.
 */
static void check_opened(void *data)
{
	struct active_check *check = data;

	check_active(check);
	check->all_active &= !n3t_perf_has_waited(check->last->event);
}

/*
 * Did the event opened last find a counter that no other event of the CPU had, and do all
 * have one at the same time?
 */
static bool was_free(const struct n3t_counters *counters, const struct n3t_counter *last,
		     unsigned int cpu)
{
	struct active_check check = { .counters = counters, .last = last };

	smp_call_function_single(cpu, check_opened, &check, true);
	return check.all_active;
}

static int open_counter(struct n3t_counter *counter, const struct n3t_pmu *pmu, unsigned int cpu,
			u16 code)
{
	struct perf_event *event = n3t_pmu_event(pmu, cpu, code, false);

	/* A PMU refuses what it has no counter for at all. */
	if (PTR_ERR(event) == -EINVAL)
		return -ENOSPC;
	if (IS_ERR(event))
		return PTR_ERR(event);

	counter->event = event;
	return 0;
}

static void close_one(struct n3t_counters *counters)
{
	struct n3t_counter *counter = &counters->prog[--counters->budget];

	perf_event_release_kernel(counter->event);
	counter->event = NULL;
}

static int open_one(struct n3t_counters *counters, unsigned int cpu)
{
	struct n3t_counter *counter = &counters->prog[counters->budget];
	int ret = open_counter(counter, counters->pmu, cpu, PROBE_CODE);

	if (ret)
		return ret;

	counters->budget++;
	if (was_free(counters, counter, cpu))
		return 0;

	close_one(counters);
	return -ENOSPC;
}

/**
 * n3t_counters_grow() - take programmable counters that are free
 * @counters: what is held already
 * @cpu: the CPU, online
 * @target: how many to hold at the most
 *
 * Asks for one after another until none is available: never for more than one that
 * is not, and for none beyond @target.
 *
 * Context: may sleep; the sampler of @cpu does not run.
 * Return: 0 if at least one is held now; -ENOSPC if none is; another error from
 * perf.
 */
int n3t_counters_grow(struct n3t_counters *counters, unsigned int cpu, unsigned int target)
{
	int ret = 0;

	while (!ret && counters->budget < min_t(unsigned int, target, N3T_MAX_COUNTERS))
		ret = open_one(counters, cpu);

	if (ret && ret != -ENOSPC)
		return ret;
	return counters->budget ? 0 : -ENOSPC;
}

/**
 * n3t_counters_shrink() - give some programmable counters back
 * @counters: what is held
 * @target: how many to keep, at the most
 *
 * Context: may sleep; the sampler of the CPU does not run.
 */
void n3t_counters_shrink(struct n3t_counters *counters, unsigned int target)
{
	while (counters->budget > target)
		close_one(counters);
}

/**
 * n3t_counters_open() - take the counters of a CPU
 * @counters: what is held: nothing yet
 * @pmu: its PMU
 * @cpu: the CPU, online
 * @target: programmable counters to hold at the most
 *
 * Context: may sleep; the sampler of @cpu does not run.
 * Return: 0; -ENOSPC if no programmable counter is available; -EBUSY if others hold
 * even the cycle counter, so that what the CPU has is unknown; another error from
 * perf. Nothing is held after an error.
 */
int n3t_counters_open(struct n3t_counters *counters, struct n3t_pmu *pmu, unsigned int cpu,
		      unsigned int target)
{
	int ret;

	memset(counters, 0, sizeof(*counters));
	counters->pmu = pmu;

	ret = open_counter(&counters->cycles, pmu, cpu, N3T_CODE_CPU_CYCLES);
	if (!ret && !was_free(counters, &counters->cycles, cpu))
		ret = -EBUSY;
	if (!ret)
		ret = n3t_counters_grow(counters, cpu, target);
	if (ret)
		n3t_counters_close(counters);
	return ret;
}

/**
 * n3t_counters_close() - give all the counters back
 * @counters: as n3t_counters_open() left them, even after an error
 *
 * Context: may sleep; the sampler of the CPU does not run.
 */
void n3t_counters_close(struct n3t_counters *counters)
{
	n3t_counters_shrink(counters, 0);

	if (counters->cycles.event)
		perf_event_release_kernel(counters->cycles.event);
	counters->cycles.event = NULL;
	counters->set = NULL;
}

/* Ends the slice of one counter: false if the event was without it for part of the slice. */
static bool end_counter(const struct n3t_counter *counter, u64 *count)
{
	*count = n3t_perf_count(counter->event) - counter->start;
	return n3t_perf_is_active(counter->event) &&
	       n3t_perf_lost_ns(counter->event) == counter->lost_ns;
}

/* Starts the next slice of one counter: false if the event has none now. */
static bool start_counter(struct n3t_counter *counter)
{
	counter->start = n3t_perf_count(counter->event);
	counter->lost_ns = n3t_perf_lost_ns(counter->event);
	return n3t_perf_is_active(counter->event);
}

static void end_slice(const struct n3t_counters *counters, struct n3t_slice *slice, u64 now)
{
	bool whole = true;
	unsigned int i;

	slice->end_ns = now;
	slice->time_ns = now - counters->start_ns;
	whole &= end_counter(&counters->cycles, &slice->cycles);
	for (i = 0; i < counters->set->nr; i++)
		whole &= end_counter(&counters->prog[i], &slice->count[i]);

	if (counters->disturbed)
		slice->state = N3T_SLICE_DISTURBED;
	else if (!counters->whole)
		slice->state = N3T_SLICE_MISSING;
	else
		slice->state = whole ? N3T_SLICE_KEPT : N3T_SLICE_CUT;
}

static void start_slice(struct n3t_counters *counters, const struct n3t_set *next)
{
	unsigned int i;

	counters->set = next;
	counters->whole = start_counter(&counters->cycles);
	for (i = 0; i < next->nr; i++)
		counters->whole &= start_counter(&counters->prog[i]);
	counters->disturbed = false;
	counters->start_ns = ktime_get_mono_fast_ns();
}

static void stop_all(struct n3t_counters *counters, struct pmu *pmu)
{
	unsigned int i;

	if (n3t_perf_is_active(counters->cycles.event))
		pmu->read(counters->cycles.event);
	for (i = 0; i < counters->budget; i++)
		if (n3t_perf_is_active(counters->prog[i].event))
			pmu->stop(counters->prog[i].event, PERF_EF_UPDATE);
}

/* Counters that the set does not need stay stopped. */
static void start_set(struct n3t_counters *counters, const struct n3t_set *set, struct pmu *pmu)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++) {
		struct perf_event *event = counters->prog[i].event;

		n3t_perf_set_code(event, set->code[i]);
		if (n3t_perf_is_active(event))
			pmu->start(event, PERF_EF_RELOAD);
	}
}

/**
 * n3t_counters_switch() - end a slice and start the next
 * @counters: the counters of this CPU
 * @next: what to count from now on
 * @slice: filled with end, time, state and counts of the slice that ends, in the
 *	   order of its set's events; not written if none had started
 *
 * The whole PMU is disabled meanwhile, so that all counters of a slice start
 * and end at the same instant. If an NMI enables it in between, both slices are
 * dropped.
 *
 * Context: on the CPU itself, interrupts off.
 */
void n3t_counters_switch(struct n3t_counters *counters, const struct n3t_set *next,
			 struct n3t_slice *slice)
{
	struct pmu *pmu = counters->pmu->pmu;
	bool is_end = counters->set;
	u64 now;

	lockdep_assert_irqs_disabled();

	pmu->pmu_disable(pmu);
	now = ktime_get_mono_fast_ns();
	stop_all(counters, pmu);
	if (is_end)
		end_slice(counters, slice, now);
	start_set(counters, next, pmu);
	start_slice(counters, next);
	if (!counters->pmu->simulated && n3t_perf_was_restarted()) {
		counters->disturbed = true;
		if (is_end)
			slice->state = N3T_SLICE_DISTURBED;
	}
	pmu->pmu_enable(pmu);
}

static void switch_now(struct n3t_counters *counters, const struct n3t_set *next,
		       struct n3t_slice *slice)
{
	unsigned long flags;

	local_irq_save(flags);
	n3t_counters_switch(counters, next, slice);
	local_irq_restore(flags);
}

/* Busy-waits: the cycle counter stops in idle. */
static void let_cycles_pass(void)
{
	u64 end = ktime_get_mono_fast_ns() + TEST_NS;

	while (ktime_get_mono_fast_ns() < end)
		cpu_relax();
}

struct self_test {
	struct n3t_counters *counters;
	struct n3t_slice slice;
};

static long self_test(void *data)
{
	static const struct n3t_set cycles = { .nr = 1, .code = { N3T_CODE_CPU_CYCLES } };
	static const struct n3t_set other = { .nr = 1, .code = { PROBE_CODE } };
	struct self_test *test = data;
	struct active_check check = { .counters = test->counters };
	s64 counted, expected;

	switch_now(test->counters, &cycles, &test->slice);
	let_cycles_pass();
	switch_now(test->counters, &other, &test->slice);
	check_active(&check);
	if (test->slice.state != N3T_SLICE_KEPT || !check.all_active)
		return -EAGAIN;

	counted = test->slice.count[0];
	expected = test->slice.cycles;
	if (!expected || abs(counted - expected) > div_s64(expected, TEST_PARTS))
		return -EOPNOTSUPP;
	return 0;
}

/**
 * n3t_counters_self_test() - find out how the PMU lets counter sets be changed
 * @counters: what is held on a CPU; the result is stored in their PMU
 * @cpu: the CPU, online
 *
 * One programmable counter is switched to CPU_CYCLES in place and has to agree
 * with the cycle counter within one per cent over a slice. If others took counters
 * meanwhile, the result is still unknown and the test has to be repeated. Does
 * nothing once the result for the PMU is known. The counters have to be closed after
 * it: perf may have placed the one that was switched on the cycle counter, which
 * counts nothing else.
 *
 * Context: may sleep; keeps @cpu busy for a few milliseconds; its sampler does not
 * run.
 */
void n3t_counters_self_test(struct n3t_counters *counters, unsigned int cpu)
{
	struct n3t_pmu *pmu = counters->pmu;
	struct self_test *test;

	if (READ_ONCE(pmu->how) != N3T_SWITCH_UNKNOWN)
		return;

	test = kzalloc(sizeof(*test), GFP_KERNEL);
	if (!test)
		return;

	test->counters = counters;
	switch (work_on_cpu(cpu, self_test, test)) {
	case 0:
		cmpxchg(&pmu->how, N3T_SWITCH_UNKNOWN, N3T_SWITCH_IN_PLACE);
		break;
	case -EOPNOTSUPP:
		if (cmpxchg(&pmu->how, N3T_SWITCH_UNKNOWN, N3T_SWITCH_PERF) != N3T_SWITCH_UNKNOWN)
			break;
		pr_warn("events of %s cannot be changed in place: going through perf, at a higher cost\n",
			pmu->pmu->name);
		break;
	}
	counters->set = NULL;
	kfree(test);
}
