// SPDX-License-Identifier: GPL-2.0
/*
 * Slices, one after another, on each CPU by itself.
 *
 * A timer of the CPU ends a slice, writes it to the ring and begins the next.
 * The timer is deferrable: an idle CPU is not woken for it, its slice just
 * takes longer. Nothing here takes a lock or talks to another CPU.
 *
 * On a CPU that is isolated from the tick a deferrable timer does not fire
 * while one task runs, so it gets an hrtimer, which interrupts the task.
 * Where sets have to be changed through perf, which may sleep, a work item
 * does the same, deferrable or not by the same rule.
 */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/sched/isolation.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/tick.h>
#include <linux/timekeeping.h>
#include <linux/topology.h>

#include "cpus.h"
#include "fallback.h"
#include "sampler.h"

static void write_slice(struct n3t_cpu *cpu, struct n3t_slice *slice)
{
	enum n3t_slice_state state = slice->state;
	struct n3t_run *run = cpu->run;

	slice->set = run->current_set;
	n3t_totals_add(&run->totals, slice, &run->plan->set[run->current_set]);
	n3t_ring_commit(&run->ring);

	WRITE_ONCE(cpu->slices[state], cpu->slices[state] + 1);
	n3t_neighbour_look(cpu, state == N3T_SLICE_KEPT);
}

static void change_set(struct n3t_cpu *cpu)
{
	struct n3t_run *run = cpu->run;
	struct n3t_slice *slice = n3t_ring_begin(&run->ring);
	unsigned int next = n3t_rotation_next(&run->rotation, run->plan);
	unsigned long flags;

	local_irq_save(flags);
	n3t_counters_switch(&cpu->counters, &run->plan->set[next], slice);
	local_irq_restore(flags);

	if (run->current_set != N3T_NO_SET)
		write_slice(cpu, slice);
	run->current_set = next;
}

static void change_set_through_perf(struct n3t_cpu *cpu)
{
	struct n3t_run *run = cpu->run;
	unsigned int next = n3t_rotation_next(&run->rotation, run->plan);
	struct n3t_slice *slice;

	if (run->current_set != N3T_NO_SET) {
		slice = n3t_ring_begin(&run->ring);
		n3t_fallback_end(run->fallback, slice);
		write_slice(cpu, slice);
	}
	n3t_fallback_begin(run->fallback, next);
	run->current_set = next;
}

static void tick(struct n3t_cpu *cpu)
{
	u64 begin = ktime_get_mono_fast_ns();

	if (!cpu->run)
		n3t_neighbour_wait(cpu);
	else if (cpu->run->fallback)
		change_set_through_perf(cpu);
	else
		change_set(cpu);

	WRITE_ONCE(cpu->ticks, cpu->ticks + 1);
	WRITE_ONCE(cpu->cost_ns, cpu->cost_ns + ktime_get_mono_fast_ns() - begin);
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
	if (n3t_sampler_is_isolated(cpu->cpu))
		INIT_DELAYED_WORK(&cpu->sampler.work, n3t_sampler_work);
	else
		INIT_DEFERRABLE_WORK(&cpu->sampler.work, n3t_sampler_work);
}

/**
 * n3t_run_alloc() - get all that sampling a CPU under a plan needs
 * @cpu: the CPU, on line
 * @plan: the plan; must outlive the run
 * @slots: slices to remember, rounded up to a power of two
 * @in_place: the CPU's counters are changed in place; otherwise the run gets
 *	      perf events of its own
 *
 * Context: may sleep.
 * Return: the run for n3t_sampler_start() or n3t_run_free(), or an error pointer.
 */
struct n3t_run *n3t_run_alloc(unsigned int cpu, const struct n3t_plan *plan, unsigned int slots,
			      bool in_place)
{
	int node = cpu_to_node(cpu);
	void *ring, *totals;
	struct n3t_run *run;
	int ret = -ENOMEM;

	run = kzalloc_node(sizeof(*run), GFP_KERNEL, node);
	if (!run)
		return ERR_PTR(-ENOMEM);

	slots = roundup_pow_of_two(slots);
	ring = kvzalloc_node(n3t_ring_bytes(slots, plan->budget), GFP_KERNEL, node);
	if (!ring)
		goto out_free_run;

	totals = kvzalloc_node(n3t_totals_bytes(plan->nr_sets, plan->budget), GFP_KERNEL, node);
	if (!totals)
		goto out_free_ring;

	if (!in_place) {
		run->fallback = n3t_fallback_open(cpu, plan);
		if (IS_ERR(run->fallback)) {
			ret = PTR_ERR(run->fallback);
			goto out_free_totals;
		}
	}

	run->plan = plan;
	n3t_ring_init(&run->ring, ring, slots, plan->budget);
	n3t_totals_init(&run->totals, totals, plan->nr_sets, plan->budget);
	n3t_rotation_init(&run->rotation, plan, get_random_u32());
	run->current_set = N3T_NO_SET;
	return run;

out_free_totals:
	kvfree(totals);
out_free_ring:
	kvfree(ring);
out_free_run:
	kfree(run);
	return ERR_PTR(ret);
}

/**
 * n3t_run_free() - free what n3t_run_alloc() got
 * @run: a run that is not in use, or NULL
 *
 * Context: may sleep.
 */
void n3t_run_free(struct n3t_run *run)
{
	if (!run)
		return;

	n3t_fallback_close(run->fallback);
	kvfree(run->totals.bank[0]);
	kvfree(run->ring.slots);
	kfree(run);
}

/**
 * n3t_sampler_is_isolated() - is a CPU left out unless it is asked for
 * @cpu: the CPU
 *
 * Return: true if it is isolated from the scheduler or runs without a tick.
 */
bool n3t_sampler_is_isolated(unsigned int cpu)
{
	return tick_nohz_full_cpu(cpu) || !housekeeping_test_cpu(cpu, HK_TYPE_DOMAIN);
}

/* A pinned hrtimer has to be started where it is to fire. */
static void start_hrtimer(void *data)
{
	struct n3t_sampler *sampler = data;

	hrtimer_start(&sampler->hrtimer, ms_to_ktime(sampler->interval_ms),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

/**
 * n3t_sampler_start() - begin to sample a CPU, or to wait for its counters
 * @cpu: the CPU, on line; sampled if it has a run, waiting if not
 * @interval_ms: length of a slice, or between two looks
 *
 * Context: may sleep; n3t_control_lock held for writing; the CPU cannot go off
 * line.
 */
void n3t_sampler_start(struct n3t_cpu *cpu, unsigned int interval_ms)
{
	struct n3t_sampler *sampler = &cpu->sampler;

	sampler->interval_ms = interval_ms;
	sampler->stopping = false;

	if (cpu->run && cpu->run->fallback) {
		schedule_delayed_work_on(cpu->cpu, &sampler->work, 1);
	} else if (n3t_sampler_is_isolated(cpu->cpu)) {
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
 * Context: may sleep; n3t_control_lock held for writing.
 */
void n3t_sampler_stop(struct n3t_cpu *cpu)
{
	struct n3t_sampler *sampler = &cpu->sampler;

	WRITE_ONCE(sampler->stopping, true);
	timer_delete_sync(&sampler->timer);
	hrtimer_cancel(&sampler->hrtimer);
	cancel_delayed_work_sync(&sampler->work);
}
