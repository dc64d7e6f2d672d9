// SPDX-License-Identifier: GPL-2.0
/*
 * The counters that one CPU holds, and changing what they count.
 *
 * A CPU holds as many perf events as the PMU has programmable counters, and
 * one for the cycle counter, for good. From one slice to the next they get
 * other event numbers in place: stop, new number in hw.config_base, start.
 * That is what perf does when it adjusts a frequency, but for the number, and
 * takes a tenth of what enabling and disabling events takes. It relies on the
 * driver writing config_base to the counter at every start, as armv8_pmuv3
 * does, so n3t_counters_prove() tries it before it is used (fallback.c has the
 * other way).
 *
 * A programmable counter never carries CPU_CYCLES while it is held, except in
 * that trial: perf would put it on the cycle counter, whose number is fixed.
 */
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/perf_event.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "counters.h"
#include "pmu.h"
#include "plan.h"
#include "slices.h"

/* No fixed counter takes it on any PMUv3, so it finds programmable counters. */
#define PROBE_CODE	N3T_CODE_OP_SPEC

#define PROOF_NS	(4 * NSEC_PER_MSEC)
#define PROOF_PARTS	100	/* agree within one part of so many */

static bool is_counting(const struct n3t_counter *counter)
{
	return READ_ONCE(counter->event->state) == PERF_EVENT_STATE_ACTIVE;
}

/*
 * How long the event had no counter, up to its last change of state. perf
 * brings both times up to date whenever it takes an event off or puts it back.
 */
static u64 lost_ns(const struct n3t_counter *counter)
{
	return counter->event->total_time_enabled - counter->event->total_time_running;
}

static u64 count_of(const struct n3t_counter *counter)
{
	return local64_read(&counter->event->count);
}

/* On the event's CPU perf cannot be at work on it. */
static void look_whether_counting(void *data)
{
	struct n3t_counter *counter = data;

	counter->counting = is_counting(counter);
}

static int open_counter(struct n3t_counter *counter, unsigned int cpu, u16 code)
{
	struct perf_event *event = n3t_pmu_event(cpu, code, false);

	/* A PMU refuses what it has no counter for at all. */
	if (PTR_ERR(event) == -EINVAL)
		return -ENOSPC;
	if (IS_ERR(event))
		return PTR_ERR(event);

	counter->event = event;
	smp_call_function_single(cpu, look_whether_counting, counter, true);
	if (counter->counting)
		return 0;

	perf_event_release_kernel(event);
	counter->event = NULL;
	return -ENOSPC;
}

static void close_one(struct n3t_counters *counters)
{
	struct n3t_counter *counter = &counters->prog[--counters->budget];

	perf_event_release_kernel(counter->event);
	counter->event = NULL;
}

/**
 * n3t_counters_grow() - take the programmable counters that are free
 * @counters: what is held already
 * @cpu: the CPU, on line
 * @reserved: how many to leave free
 *
 * Asks for one more until there is none, then gives back what is reserved of
 * what it got.
 *
 * Context: may sleep; the sampler of @cpu does not run.
 * Return: 0 if at least one is held now; -ENOSPC if none is; what perf says
 * otherwise.
 */
int n3t_counters_grow(struct n3t_counters *counters, unsigned int cpu, unsigned int reserved)
{
	unsigned int before = counters->budget;
	int ret = 0;

	while (!ret && counters->budget < N3T_MAX_COUNTERS) {
		ret = open_counter(&counters->prog[counters->budget], cpu, PROBE_CODE);
		if (!ret)
			counters->budget++;
	}
	for (; reserved && counters->budget > before; reserved--)
		close_one(counters);

	if (ret && ret != -ENOSPC)
		return ret;
	return counters->budget ? 0 : -ENOSPC;
}

/**
 * n3t_counters_open() - take all the counters that a CPU has to give
 * @counters: what is held: nothing yet
 * @cpu: the CPU, on line
 * @reserved: programmable counters to leave free
 *
 * Context: may sleep; the sampler of @cpu does not run.
 * Return: 0; -ENOSPC if the cycle counter or the first programmable counter is
 * not to be had; what perf says otherwise. Nothing is held after an error.
 */
int n3t_counters_open(struct n3t_counters *counters, unsigned int cpu, unsigned int reserved)
{
	int ret;

	memset(counters, 0, sizeof(*counters));

	ret = open_counter(&counters->cycles, cpu, N3T_CODE_CPU_CYCLES);
	if (!ret)
		ret = n3t_counters_grow(counters, cpu, reserved);
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
	while (counters->budget)
		close_one(counters);

	if (counters->cycles.event)
		perf_event_release_kernel(counters->cycles.event);
	counters->cycles.event = NULL;
	counters->set = NULL;
}

/* Ends the slice of one counter: false if it was away for part of it. */
static bool finish(struct n3t_counter *counter, u64 *count)
{
	*count = count_of(counter) - counter->begin;
	return is_counting(counter) && lost_ns(counter) == counter->lost_ns;
}

/* Begins the next slice of one counter: false if it is not there. */
static bool begin(struct n3t_counter *counter)
{
	counter->begin = count_of(counter);
	counter->lost_ns = lost_ns(counter);
	return is_counting(counter);
}

static void finish_slice(struct n3t_counters *counters, struct n3t_slice *slice, u64 now)
{
	bool whole = true;
	unsigned int i;

	slice->end_ns = now;
	slice->time_ns = now - counters->begin_ns;
	whole &= finish(&counters->cycles, &slice->cycles);
	for (i = 0; i < counters->set->nr; i++)
		whole &= finish(&counters->prog[i], &slice->count[i]);

	if (!counters->whole)
		slice->state = N3T_SLICE_MISSING;
	else
		slice->state = whole ? N3T_SLICE_KEPT : N3T_SLICE_CUT;
}

static void begin_slice(struct n3t_counters *counters, const struct n3t_set *next)
{
	unsigned int i;

	counters->set = next;
	counters->whole = begin(&counters->cycles);
	for (i = 0; i < next->nr; i++)
		counters->whole &= begin(&counters->prog[i]);
	counters->begin_ns = ktime_get_mono_fast_ns();
}

static void stop_all(struct n3t_counters *counters, struct pmu *pmu)
{
	unsigned int i;

	if (is_counting(&counters->cycles))
		pmu->read(counters->cycles.event);
	for (i = 0; i < counters->budget; i++)
		if (is_counting(&counters->prog[i]))
			pmu->stop(counters->prog[i].event, PERF_EF_UPDATE);
}

/* Counters that the set has no use for stay stopped. */
static void start_set(struct n3t_counters *counters, const struct n3t_set *set, struct pmu *pmu)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++) {
		struct perf_event *event = counters->prog[i].event;

		event->hw.config_base &= ~(typeof(event->hw.config_base))U16_MAX;
		event->hw.config_base |= set->code[i];
		if (is_counting(&counters->prog[i]))
			pmu->start(event, PERF_EF_RELOAD);
	}
}

/**
 * n3t_counters_switch() - end a slice and begin the next
 * @counters: the counters of this CPU
 * @next: what to count from now on
 * @slice: is given end, time, state and counts of the slice that ends, in the
 *	   order of its set's events; nothing is written when none had begun
 *
 * The PMU as a whole stands still meanwhile, so that all counters of a slice
 * begin and end at the same instant.
 *
 * Context: on the CPU itself, interrupts off.
 */
void n3t_counters_switch(struct n3t_counters *counters, const struct n3t_set *next,
			 struct n3t_slice *slice)
{
	struct pmu *pmu = n3t_pmu.pmu;
	u64 now;

	lockdep_assert_irqs_disabled();

	pmu->pmu_disable(pmu);
	now = ktime_get_mono_fast_ns();
	stop_all(counters, pmu);
	if (counters->set)
		finish_slice(counters, slice, now);
	start_set(counters, next, pmu);
	begin_slice(counters, next);
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

/* Busy all the time, for cycles stand still in idle. */
static void let_cycles_pass(void)
{
	u64 end = ktime_get_mono_fast_ns() + PROOF_NS;

	while (ktime_get_mono_fast_ns() < end)
		cpu_relax();
}

struct proof {
	struct n3t_counters counters;
	struct n3t_slice slice;
};

static long prove(void *data)
{
	static const struct n3t_set cycles = { .nr = 1, .code = { N3T_CODE_CPU_CYCLES } };
	static const struct n3t_set other = { .nr = 1, .code = { PROBE_CODE } };
	struct proof *proof = data;
	s64 counted, expected;

	switch_now(&proof->counters, &cycles, &proof->slice);
	let_cycles_pass();
	switch_now(&proof->counters, &other, &proof->slice);
	if (proof->slice.state != N3T_SLICE_KEPT)
		return -EAGAIN;

	counted = proof->slice.count[0];
	expected = proof->slice.cycles;
	if (!expected || abs(counted - expected) > div_s64(expected, PROOF_PARTS))
		return -EOPNOTSUPP;
	return 0;
}

/**
 * n3t_counters_prove() - does changing events in place work with this PMU
 * @cpu: the CPU to try it on, on line
 * @budget: is given the number of programmable counters found there
 *
 * One programmable counter is switched to CPU_CYCLES in place and has to agree
 * with the cycle counter within one per cent over a slice.
 *
 * Context: may sleep; takes a few milliseconds; under the CPU hotplug lock.
 * Return: 0 if it works; -EOPNOTSUPP if it does not; -EAGAIN if perf took a
 * counter away meanwhile; what n3t_counters_open() returns.
 */
int n3t_counters_prove(unsigned int cpu, unsigned int *budget)
{
	struct proof *proof;
	int ret;

	proof = kzalloc(sizeof(*proof), GFP_KERNEL);
	if (!proof)
		return -ENOMEM;

	ret = n3t_counters_open(&proof->counters, cpu, 0);
	if (ret)
		goto out_free;

	*budget = proof->counters.budget;
	ret = work_on_cpu(cpu, prove, proof);
	n3t_counters_close(&proof->counters);
out_free:
	kfree(proof);
	return ret;
}
