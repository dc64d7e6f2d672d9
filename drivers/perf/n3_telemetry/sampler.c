// SPDX-License-Identifier: GPL-2.0
/*
 * Slices, one after another, on each CPU by itself.
 *
 * A timer of the CPU ends a slice, writes it to the ring and starts the next.
 * The timer is deferrable: an idle CPU is not woken for it, its slice just
 * takes longer. Ending a slice takes no lock and involves no other CPU.
 *
 * On a CPU that is isolated from the tick a deferrable timer does not fire
 * while one task runs, so it gets an hrtimer, which interrupts the task.
 * Where sets have to be changed through perf, which may sleep, a work item
 * does the same, deferrable or not by the same rule.
 */
#include <linux/jiffies.h>
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/sched/isolation.h>
#include <linux/smp.h>
#include <linux/tick.h>
#include <linux/timekeeping.h>

#include "config.h"
#include "cpu.h"
#include "fallback.h"
#include "perf_private.h"
#include "pmu.h"
#include "sampler.h"

/* Are counters missing beside those reserved, or could there be more than ever seen? */
static enum n3t_growth growth_of(const struct n3t_cpu *cpu, const struct n3t_run *run)
{
	unsigned int reserved = run->config->settings.reserved_counters;
	unsigned int nominal = READ_ONCE(cpu->pmu->nominal);
	enum n3t_switch how = READ_ONCE(cpu->pmu->how);

	/* Sets may be changed in place after all; the self-test keeps the CPU busy. */
	if (run->fallback && n3t_pmu_keeps_events(cpu->pmu))
		return N3T_GROWTH_LIKELY;
	if (run->fallback && how == N3T_SWITCH_UNKNOWN)
		return cpu->sampler.isolated ? N3T_GROWTH_UNLIKELY : N3T_GROWTH_LIKELY;
	if (cpu->budget + reserved < nominal)
		return N3T_GROWTH_LIKELY;
	return reserved ? N3T_GROWTH_NONE : N3T_GROWTH_UNLIKELY;
}

static void observe_others(const struct n3t_cpu *cpu, struct n3t_seen *seen)
{
	seen->rotation = n3t_perf_rotation(cpu->pmu->pmu);
	seen->user_access = !cpu->pmu->simulated && n3t_perf_user_access();
}

static void check_contention(struct n3t_cpu *cpu, const struct n3t_run *run,
			     enum n3t_slice_state state, u64 now)
{
	struct n3t_seen seen = {
		.now_ns = now,
		.whole = state == N3T_SLICE_KEPT || state == N3T_SLICE_DISTURBED,
		.growth = growth_of(cpu, run),
	};

	observe_others(cpu, &seen);
	n3t_cpu_ask(cpu, n3t_contention_slice(&cpu->contention, &seen));
}

static void poll(struct n3t_cpu *cpu, u64 now)
{
	struct n3t_seen seen = { .now_ns = now };

	observe_others(cpu, &seen);
	n3t_cpu_ask(cpu, n3t_contention_poll(&cpu->contention, &seen));
}

static void write_slice(struct n3t_cpu *cpu, struct n3t_run *run, struct n3t_slice *slice,
			u64 now)
{
	enum n3t_slice_state state = slice->state;

	slice->set = run->current_set;
	n3t_totals_add(&run->totals, slice, &run->plan->set[run->current_set]);
	n3t_covariance_add(&run->covariance, slice);
	n3t_ring_commit(&run->ring);

	WRITE_ONCE(cpu->slices[state], cpu->slices[state] + 1);
	check_contention(cpu, run, state, now);
}

static void change_set(struct n3t_cpu *cpu, struct n3t_run *run, u64 now)
{
	struct n3t_slice *slice = n3t_ring_begin(&run->ring);
	unsigned int next = n3t_rotation_next(&run->rotation, run->plan);
	unsigned long flags;

	local_irq_save(flags);
	n3t_counters_switch(&cpu->counters, &run->plan->set[next], now, slice);
	local_irq_restore(flags);

	if (run->current_set != N3T_NO_SET)
		write_slice(cpu, run, slice, now);
	run->current_set = next;
}

static void change_set_through_perf(struct n3t_cpu *cpu, struct n3t_run *run, u64 now)
{
	unsigned int next = n3t_rotation_next(&run->rotation, run->plan);
	struct n3t_slice *slice;

	if (run->current_set != N3T_NO_SET) {
		slice = n3t_ring_begin(&run->ring);
		n3t_fallback_end(run->fallback, slice);
		write_slice(cpu, run, slice, now);
	}
	n3t_fallback_start(run->fallback, next);
	run->current_set = next;
}

static void tick(struct n3t_cpu *cpu)
{
	struct n3t_run *run = cpu->sampler.run;
	u64 now = ktime_get_mono_fast_ns();

	if (!run)
		poll(cpu, now);
	else if (run->fallback)
		change_set_through_perf(cpu, run, now);
	else
		change_set(cpu, run, now);

	WRITE_ONCE(cpu->ticks, cpu->ticks + 1);
	WRITE_ONCE(cpu->cost_ns, cpu->cost_ns + ktime_get_mono_fast_ns() - now);
}

static void n3t_sampler_timer(struct timer_list *timer)
{
	struct n3t_cpu *cpu = timer_container_of(cpu, timer, sampler.timer);
	struct n3t_sampler *sampler = &cpu->sampler;

	tick(cpu);
	/* The wheel rounds up by a tick, so as never to be early: this is on time. */
	if (!READ_ONCE(sampler->stopping))
		mod_timer(timer, jiffies + msecs_to_jiffies(sampler->interval_ms) - 1);
}

static enum hrtimer_restart n3t_sampler_hrtimer(struct hrtimer *hrtimer)
{
	struct n3t_cpu *cpu = container_of(hrtimer, struct n3t_cpu, sampler.hrtimer);

	tick(cpu);
	hrtimer_forward_now(hrtimer, ms_to_ktime(cpu->sampler.interval_ms));
	return HRTIMER_RESTART;
}

static void n3t_sampler_work(struct work_struct *work)
{
	struct n3t_cpu *cpu = container_of(work, struct n3t_cpu, sampler.work.work);

	tick(cpu);
	if (!READ_ONCE(cpu->sampler.stopping))
		schedule_delayed_work_on(cpu->cpu, &cpu->sampler.work,
					 max(msecs_to_jiffies(cpu->sampler.interval_ms) - 1, 1UL));
}

/**
 * n3t_sampler_init() - prepare
 * @cpu: the CPU, not sampled yet
 */
void n3t_sampler_init(struct n3t_cpu *cpu)
{
	timer_setup(&cpu->sampler.timer, n3t_sampler_timer, TIMER_DEFERRABLE | TIMER_PINNED);
	hrtimer_setup(&cpu->sampler.hrtimer, n3t_sampler_hrtimer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	cpu->sampler.isolated = n3t_sampler_is_isolated(cpu->cpu);
	if (cpu->sampler.isolated)
		INIT_DELAYED_WORK(&cpu->sampler.work, n3t_sampler_work);
	else
		INIT_DEFERRABLE_WORK(&cpu->sampler.work, n3t_sampler_work);
}

/**
 * n3t_sampler_is_isolated() - is a CPU excluded unless it is asked for
 * @cpu: the CPU
 *
 * Newer kernels change that at run time. A CPU is timed by what it was at load
 * (struct n3t_sampler): without a tick a CPU is from boot on or never.
 *
 * Context: any.
 * Return: true if it is isolated from the scheduler or runs without a tick.
 */
bool n3t_sampler_is_isolated(unsigned int cpu)
{
	bool isolated;

	/* Newer kernels replace the mask under RCU. */
	rcu_read_lock();
	isolated = tick_nohz_full_cpu(cpu) || !housekeeping_test_cpu(cpu, HK_TYPE_DOMAIN);
	rcu_read_unlock();
	return isolated;
}

/* A pinned hrtimer has to be started where it is to fire. */
static void start_hrtimer(void *data)
{
	struct n3t_sampler *sampler = data;

	hrtimer_start(&sampler->hrtimer, ms_to_ktime(sampler->interval_ms),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

/**
 * n3t_sampler_start() - start to sample a CPU, or to poll for its counters
 * @cpu: the CPU, online, its sampler off
 * @run: what to sample it with, NULL to poll
 *
 * Context: may sleep; @cpu->lock held; the CPU cannot go offline.
 */
void n3t_sampler_start(struct n3t_cpu *cpu, struct n3t_run *run)
{
	struct n3t_sampler *sampler = &cpu->sampler;

	lockdep_assert_held(&cpu->lock);

	sampler->run = run;
	sampler->interval_ms = run ? run->config->settings.slice_ms : N3T_POLL_MS;
	sampler->stopping = false;

	if (run && run->fallback) {
		schedule_delayed_work_on(cpu->cpu, &sampler->work, 1);
	} else if (sampler->isolated) {
		smp_call_function_single(cpu->cpu, start_hrtimer, sampler, true);
	} else {
		sampler->timer.expires = jiffies + 1;
		add_timer_on(&sampler->timer, cpu->cpu);
	}
}

/**
 * n3t_sampler_stop() - end sampling a CPU
 * @cpu: the CPU; need not be sampled
 *
 * The run and the counters stay.
 *
 * Context: may sleep; @cpu->lock held.
 */
void n3t_sampler_stop(struct n3t_cpu *cpu)
{
	struct n3t_sampler *sampler = &cpu->sampler;

	lockdep_assert_held(&cpu->lock);

	WRITE_ONCE(sampler->stopping, true);
	timer_delete_sync(&sampler->timer);
	hrtimer_cancel(&sampler->hrtimer);
	cancel_delayed_work_sync(&sampler->work);
	sampler->run = NULL;
}
