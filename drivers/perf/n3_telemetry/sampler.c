// SPDX-License-Identifier: GPL-2.0
/*
 * Per-CPU sampling: one slice after another, independently on each CPU.
 *
 * A per-CPU timer ends a slice, writes it to the ring and starts the next. The
 * timer is deferrable: it does not wake an idle CPU, whose slice just becomes
 * longer. Ending a slice takes no lock and involves no other CPU.
 *
 * The kernel's timers would account for most of the cost of a slice. On a CPU
 * that stays busy the tick itself therefore ends slices, as lazy irq_work,
 * which is nearly free. The tick continues while such work is pending: a CPU
 * that becomes idle gets one more tick, which detects that and hands over to
 * the timer.
 *
 * A deferrable timer does not fire on a CPU that is isolated from the tick
 * while a single task runs, so such a CPU gets an hrtimer, which interrupts the
 * task. Where sets are switched through perf, which may sleep, a work item does
 * the same, deferrable or not by the same rule.
 *
 * Slices can last a second. In slices longer than N3T_POLL_MS the timer, tick
 * or work item also checks every N3T_POLL_MS whether other users wait for a
 * counter, except on isolated CPUs, which that would interrupt.
 */
#include <linux/cpuset.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kconfig.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/isolation.h>
#include <linux/smp.h>
#include <linux/tick.h>
#include <linux/timekeeping.h>

#include "config.h"
#include "containers.h"
#include "cost.h"
#include "cpu.h"
#include "fallback.h"
#include "midr.h"
#include "perf_private.h"
#include "pmu.h"
#include "sampler.h"
#include "withdraw.h"

#define BUSY_SLICES	4	/* busy slices in a row before the tick takes over */

/* Expected gain from requesting more counters. */
static enum n3t_growth growth_of(const struct n3t_cpu *cpu, const struct n3t_run *run)
{
	unsigned int reserved = run->config->settings.reserved_counters;
	unsigned int nominal = n3t_pmu_nominal(cpu->pmu);
	enum n3t_switch how;

	if (run->fallback) {
		how = n3t_pmu_switch(cpu->pmu, run->config->settings.switching);
		/*
		 * In-place switching may be possible after all; the self-test
		 * keeps the CPU busy.
		 */
		if (n3t_switch_keeps_events(how))
			return N3T_GROWTH_LIKELY;
		if (how == N3T_SWITCH_UNKNOWN)
			return cpu->sampler.isolated ? N3T_GROWTH_UNLIKELY : N3T_GROWTH_LIKELY;
	}
	if (cpu->budget + reserved < nominal)
		return N3T_GROWTH_LIKELY;
	return reserved ? N3T_GROWTH_NONE : N3T_GROWTH_UNLIKELY;
}

/**
 * n3t_sampler_sees_user_access() - check whether user access would be noticed
 * @cpu: a CPU with a PMU
 * @setting: configured method to switch counter sets
 *
 * PMUSERENR_EL0 belongs to the current task, so it must be read in an interrupt of
 * that task, not in a kernel thread.
 *
 * Context: any.
 * Return: true if a task with access is noticed when it runs at the end of a slice
 * or during a poll.
 */
bool n3t_sampler_sees_user_access(const struct n3t_cpu *cpu, enum n3t_switch setting)
{
	return !cpu->pmu->simulated &&
	       n3t_switch_keeps_events(n3t_pmu_switch(cpu->pmu, setting)) &&
	       (cpu->sampler.isolated || !IS_ENABLED(CONFIG_PREEMPT_RT));
}

static void observe_others(const struct n3t_cpu *cpu, struct n3t_observation *seen)
{
	seen->rotation = n3t_perf_rotation(cpu->pmu->pmu, cpu->cpu);
	seen->user_access = !cpu->pmu->simulated && n3t_perf_user_access();
}

/* A refused request takes 50,000 instructions; reading which counters are in use is nearly free. */
static bool all_in_use(const struct n3t_cpu *cpu, const struct n3t_run *run)
{
	return !run->fallback && !cpu->pmu->simulated && n3t_perf_all_in_use();
}

/* Runs once per second. */
static void check_power(struct n3t_cpu *cpu, const struct n3t_run *run, u64 now)
{
	struct n3t_contention *contention = &cpu->contention;

	if (now - contention->power_since_ns >= N3T_POWER_NS)
		n3t_cpu_ask(cpu, n3t_contention_power(contention, cpu->power.downs,
						      n3t_power_charged_ns(&cpu->power),
						      run->config->settings.max_cost, now));
}

static void check_contention(struct n3t_cpu *cpu, const struct n3t_run *run,
			     enum n3t_slice_state state, u64 now)
{
	struct n3t_observation seen = {
		.now_ns = now,
		.whole = state == N3T_SLICE_KEPT || state == N3T_SLICE_DISTURBED,
		.growth = growth_of(cpu, run),
	};
	enum n3t_todo todo;

	observe_others(cpu, &seen);
	todo = n3t_contention_slice(&cpu->contention, &seen);
	if (unlikely(todo == N3T_TODO_GROW) && all_in_use(cpu, run))
		return;
	n3t_cpu_ask(cpu, todo);
}

static void plan_check(struct n3t_cpu *cpu, u64 now)
{
	cpu->sampler.check_ns = READ_ONCE(cpu->isolated) || cpu->sampler.isolated ? U64_MAX :
				now + N3T_POLL_MS * NSEC_PER_MSEC;
}

static bool verify_types(struct n3t_cpu *cpu, u64 now)
{
	if (!n3t_counters_verify_is_due(&cpu->counters, now))
		return false;
	n3t_counters_verify(&cpu->counters, now, cpu->slices[N3T_SLICE_KEPT]);
	return true;
}

/* Before the end of a slice; at each tick if necessary. */
static void check_waiting(struct n3t_cpu *cpu, u64 now)
{
	u64 start;

	if (now + TICK_NSEC / 2 < cpu->sampler.check_ns)
		return;

	start = n3t_cost_clock();
	plan_check(cpu, now);
	verify_types(cpu, now);
	n3t_cpu_ask(cpu, n3t_contention_check(&cpu->contention,
					      n3t_perf_rotation(cpu->pmu->pmu, cpu->cpu), now));
	cpu->sampler.check_cost += n3t_cost_clock() - start;
}

static void poll(struct n3t_cpu *cpu, u64 now)
{
	struct n3t_observation seen = { .now_ns = now, .power_downs = cpu->power.downs };

	observe_others(cpu, &seen);
	if (!cpu->pmu->simulated)
		WRITE_ONCE(cpu->guest_counters, n3t_midr_guest_counters());
	n3t_cpu_ask(cpu, n3t_contention_poll(&cpu->contention, &seen));
}

static void write_slice(struct n3t_cpu *cpu, struct n3t_run *run, struct n3t_slice *slice,
			u64 now)
{
	enum n3t_slice_state state = slice->state;

	slice->set = run->current_set;
	if (unlikely(cpu->overcounts))
		n3t_ring_correct(&run->ring, &run->plan->set[slice->set]);
	/* Readers of moments wait from the first of these until the last. */
	preempt_disable();
	n3t_covariance_add(&run->covariance, slice);
	n3t_replicates_add(run->replicates, slice);
	n3t_anchors_add(&run->anchors, slice);
	n3t_ring_commit(&run->ring);
	preempt_enable();

	if (unlikely(READ_ONCE(cpu->containers)))
		n3t_containers_add(cpu, run, slice);
	WRITE_ONCE(cpu->slices[state], cpu->slices[state] + 1);
	/* The worker may be waiting for a CPU that a real-time task occupies: ask another. */
	if (unlikely(READ_ONCE(cpu->yield_due_ns)))
		n3t_cpu_ask(cpu, N3T_TODO_YIELD);
	if (unlikely(state == N3T_SLICE_DISTURBED && cpu->counters.mistyped))
		n3t_cpu_ask(cpu, N3T_TODO_GROW);
	if (unlikely(n3t_run_is_due(run, now)))
		n3t_cpu_ask(cpu, N3T_TODO_JUDGE);
	check_power(cpu, run, now);
	check_contention(cpu, run, state, now);
}

static void change_set(struct n3t_cpu *cpu, struct n3t_run *run, u64 now)
{
	struct n3t_slice *slice = n3t_ring_begin(&run->ring);
	unsigned int next = n3t_rotation_next(&run->rotation, run->plan);
	unsigned long flags;
	u64 start;

	local_irq_save(flags);
	start = n3t_cost_clock();
	n3t_counters_switch(&cpu->counters, &run->plan->set[next], now, slice);
	if (unlikely(READ_ONCE(cpu->containers)))
		n3t_containers_slice(cpu, run, next, slice, now);
	/* Otherwise it is part of a longer section. */
	if (!irqs_disabled_flags(flags))
		n3t_counters_note_section(start);
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

static void set_interval(struct n3t_sampler *sampler, unsigned int ms)
{
	sampler->interval_ms = ms;
	sampler->interval_ticks = max(msecs_to_jiffies(ms), 1UL);
}

/**
 * n3t_sampler_slice_ms() - get the actual length of slices
 * @sampler: sampler of the CPU
 * @through_perf: a work item switches sets
 * @ms: requested length in milliseconds
 *
 * Slices last whole ticks unless an hrtimer ends them, and at least two with a
 * work item.
 *
 * Return: milliseconds.
 */
unsigned int n3t_sampler_slice_ms(const struct n3t_sampler *sampler, bool through_perf,
				  unsigned int ms)
{
	unsigned long ticks = msecs_to_jiffies(ms);

	if (through_perf)
		return jiffies_to_msecs(max(ticks, 2ul));
	return sampler->isolated ? ms : jiffies_to_msecs(ticks);
}

/* Limit on the cost of slices: the setting less other costs, in ppm; 0 for none. */
unsigned int n3t_sampler_max_cost(const struct n3t_cpu *cpu, const struct n3t_settings *settings)
{
	u64 others = READ_ONCE(cpu->contention.power_ppm);

	if (!settings->max_cost)
		return 0;
	/* Pieces that cost more than half are about to be fewer. */
	others += min_t(u64, READ_ONCE(cpu->containers_ppm), settings->max_cost / 2);
	return others < settings->max_cost ? settings->max_cost - others : 1;
}

/* Updates the length of slices, and with it the window. */
static void set_slice(struct n3t_cpu *cpu, struct n3t_run *run)
{
	const struct n3t_settings *settings = &run->config->settings;
	struct n3t_sampler *sampler = &cpu->sampler;
	bool through_perf = run->fallback;
	unsigned int slice_ms, window_ms;

	slice_ms = n3t_sampler_slice_ms(sampler, through_perf, settings->slice_ms);
	slice_ms = n3t_pace_slice_ms(&sampler->pace, slice_ms,
				     n3t_sampler_max_cost(cpu, settings), sampler->slice_ms);
	slice_ms = n3t_sampler_slice_ms(sampler, through_perf, slice_ms);
	window_ms = n3t_config_window(run->config, run->plan, slice_ms);
	set_interval(sampler, slice_ms);
	/* Avoid dirtying cache lines that readers share. */
	if (slice_ms != sampler->slice_ms)
		WRITE_ONCE(sampler->slice_ms, slice_ms);
	if (window_ms != run->window_ms)
		WRITE_ONCE(run->window_ms, window_ms);
}

static void keep_pace(struct n3t_cpu *cpu, struct n3t_run *run, u64 now)
{
	struct n3t_pace *pace = &cpu->sampler.pace;

	/* Checked several times per second; a single CPU is enough to notice a change. */
	if (READ_ONCE(cpu->isolated) != n3t_sampler_is_isolated(cpu->cpu))
		n3t_cpu_ask(cpu, N3T_TODO_REVIEW);
	n3t_pace_update(pace, now);
	WRITE_ONCE(pace->slice_ns, max(n3t_cost_ns(pace->typical) >> N3T_PACE_SHIFT, 1ull));
	set_slice(cpu, run);
}

/**
 * n3t_sampler_is_starved() - check whether a busy CPU fails to end its slices
 * @cpu: the CPU, which is sampled
 *
 * A real-time task that occupies a CPU keeps kernel threads from running there:
 * those that run timers (PREEMPT_RT), and workers, which switch sets through perf.
 *
 * Context: any; needs no lock.
 * Return: true if it was busy for several slice lengths since the last slice ended.
 */
bool n3t_sampler_is_starved(const struct n3t_cpu *cpu)
{
	u64 slice_ns = (u64)READ_ONCE(cpu->sampler.slice_ms) * NSEC_PER_MSEC;
	u64 then_ns = READ_ONCE(cpu->sampler.busy_ns);

	return n3t_cpu_busy_ns(cpu->cpu) > then_ns + N3T_STARVED_SLICES * slice_ns;
}

/* Costs of power-downs are counted in the same way, see check_power(). */
static void count_work(struct n3t_cpu *cpu, u64 now)
{
	struct n3t_work_cost *work = &cpu->work_cost;
	u64 passed_ns = now - work->since_ns, cost = READ_ONCE(work->cost);

	if (passed_ns < N3T_POWER_NS)
		return;
	WRITE_ONCE(work->ppm, div64_u64(n3t_cost_ns(cost - work->before) * USEC_PER_SEC,
					passed_ns));
	work->before = cost;
	work->since_ns = now;
}

/* Context switches of the current task; constant in interrupts. */
static unsigned long context_switches(void)
{
	return current->nvcsw + current->nivcsw;
}

/* A slice in which types are verified is twice as long, unless it has checks. */
static void tick(struct n3t_cpu *cpu, u64 now)
{
	struct n3t_run *run = cpu->sampler.run;
	u64 start = n3t_cost_clock(), cost;
	unsigned long switches = context_switches();

	if (run && verify_types(cpu, now)) {
		cpu->sampler.check_cost += n3t_cost_clock() - start;
		return;
	}
	if (!run)
		poll(cpu, now);
	else if (run->fallback)
		change_set_through_perf(cpu, run, now);
	else
		change_set(cpu, run, now);

	WRITE_ONCE(cpu->sampler.busy_ns, n3t_cpu_busy_ns(cpu->cpu));
	plan_check(cpu, now);
	count_work(cpu, now);
	cost = n3t_cost_clock() - start + cpu->sampler.check_cost;
	cpu->sampler.check_cost = 0;
	WRITE_ONCE(cpu->ticks, cpu->ticks + 1);
	WRITE_ONCE(cpu->cost, cpu->cost + cost);
	if (irqs_disabled())
		n3t_counters_note_section(start);
	/* A preempted measurement does not show the cost of a slice. */
	if (run && context_switches() == switches && n3t_pace_add(&cpu->sampler.pace, cost, now))
		keep_pace(cpu, run, now);
}

static bool is_idle(void)
{
	return is_idle_task(current);
}

/* The timer wheel rounds up by a tick to avoid early expiry; compensate for it. */
static void start_timer(struct n3t_sampler *sampler, unsigned int ticks)
{
	mod_timer(&sampler->timer, jiffies + ticks - 1);
}

/* With PREEMPT_RT a thread runs lazy work, and cannot see whether the CPU is idle. */
static bool stays_busy(struct n3t_sampler *sampler)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT) || !sampler->run || is_idle())
		sampler->busy = 0;
	else
		sampler->busy++;
	return sampler->busy >= BUSY_SLICES;
}

static u64 interval_ns(const struct n3t_sampler *sampler)
{
	return (u64)sampler->interval_ticks * TICK_NSEC;
}

/*
 * Only the tick nearest to the due time ends a slice: after a late tick the
 * next one comes too soon, and irq_work that is not lazy runs lazy work at any
 * time.
 */
static bool is_early(const struct n3t_sampler *sampler, u64 now)
{
	return sampler->run && now + TICK_NSEC / 2 < sampler->due_ns;
}

static unsigned int ticks_until(u64 due_ns, u64 now)
{
	if (due_ns <= now + TICK_NSEC)
		return 1;
	return div_u64(due_ns - now + TICK_NSEC / 2, TICK_NSEC);
}

/* Ticks until the next slice, poll or check. */
static unsigned int ticks_until_next(const struct n3t_sampler *sampler, u64 now)
{
	return ticks_until(min(sampler->due_ns, sampler->check_ns), now);
}

static void n3t_sampler_timer(struct timer_list *timer)
{
	struct n3t_cpu *cpu = timer_container_of(cpu, timer, sampler.timer);
	struct n3t_sampler *sampler = &cpu->sampler;
	u64 now = ktime_get_mono_fast_ns();
	bool early = is_early(sampler, now);

	if (early) {
		check_waiting(cpu, now);
	} else {
		tick(cpu, now);
		sampler->due_ns = now + interval_ns(sampler);
	}
	if (READ_ONCE(sampler->stopping))
		return;
	if (early || !stays_busy(sampler)) {
		start_timer(sampler, ticks_until_next(sampler, now));
		return;
	}
	/* Must come last: the tick may run at once. */
	irq_work_queue(&sampler->at_tick);
}

static void n3t_sampler_at_tick(struct irq_work *work)
{
	struct n3t_cpu *cpu = container_of(work, struct n3t_cpu, sampler.at_tick);
	struct n3t_sampler *sampler = &cpu->sampler;
	u64 now = ktime_get_mono_fast_ns();

	if (is_early(sampler, now)) {
		check_waiting(cpu, now);
	} else {
		tick(cpu, now);
		sampler->due_ns += interval_ns(sampler);
		/* Ticks were missed. */
		if (!is_early(sampler, now))
			sampler->due_ns = now + interval_ns(sampler);
	}
	if (READ_ONCE(sampler->stopping))
		return;
	if (!is_idle()) {
		irq_work_queue(work);
		return;
	}
	sampler->busy = 0;
	start_timer(sampler, ticks_until_next(sampler, now));
}

static void noop(struct irq_work *work)
{
}

static enum hrtimer_restart n3t_sampler_hrtimer(struct hrtimer *hrtimer)
{
	struct n3t_cpu *cpu = container_of(hrtimer, struct n3t_cpu, sampler.hrtimer);

	tick(cpu, ktime_get_mono_fast_ns());
	hrtimer_forward_now(hrtimer, ms_to_ktime(cpu->sampler.interval_ms));
	return HRTIMER_RESTART;
}

/* Work items are often late, so no short slice ends early. */
static bool has_checks(const struct n3t_sampler *sampler)
{
	return sampler->check_ns != U64_MAX && sampler->interval_ms > N3T_POLL_MS;
}

static void n3t_sampler_work(struct work_struct *work)
{
	struct n3t_cpu *cpu = container_of(work, struct n3t_cpu, sampler.work.work);
	struct n3t_sampler *sampler = &cpu->sampler;
	u64 now = ktime_get_mono_fast_ns();
	unsigned int ticks;

	if (has_checks(sampler) && is_early(sampler, now)) {
		check_waiting(cpu, now);
	} else {
		tick(cpu, now);
		sampler->due_ns = now + interval_ns(sampler);
	}
	ticks = has_checks(sampler) ? ticks_until_next(sampler, now) : sampler->interval_ticks;
	if (!READ_ONCE(sampler->stopping))
		schedule_delayed_work_on(cpu->cpu, &sampler->work, max(ticks - 1, 1u));
}

static bool is_housekeeping(unsigned int cpu, enum hk_type type)
{
	bool is;

	/* Newer kernels replace the mask under RCU. */
	rcu_read_lock();
	is = housekeeping_test_cpu(cpu, type);
	rcu_read_unlock();
	return is;
}

static bool is_isolated_from_boot(unsigned int cpu)
{
	return tick_nohz_full_cpu(cpu) || !is_housekeeping(cpu, HK_TYPE_DOMAIN_BOOT);
}

/* Initializes the sampler of a CPU, not sampled yet. */
void n3t_sampler_init(struct n3t_cpu *cpu)
{
	cpu->sampler.at_tick = IRQ_WORK_INIT_LAZY(n3t_sampler_at_tick);
	cpu->sampler.at_once = IRQ_WORK_INIT(noop);
	timer_setup(&cpu->sampler.timer, n3t_sampler_timer, TIMER_DEFERRABLE | TIMER_PINNED);
	hrtimer_setup(&cpu->sampler.hrtimer, n3t_sampler_hrtimer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	cpu->sampler.isolated = is_isolated_from_boot(cpu->cpu);
	if (cpu->sampler.isolated)
		INIT_DELAYED_WORK(&cpu->sampler.work, n3t_sampler_work);
	else
		INIT_DEFERRABLE_WORK(&cpu->sampler.work, n3t_sampler_work);
}

/**
 * n3t_sampler_is_isolated() - check whether a CPU is excluded unless named
 * @cpu: the CPU
 *
 * CPUs are isolated by kernel parameters or, since 6.9, by a cpuset at run time.
 * Only the former determine how its slices end, see struct n3t_sampler: a CPU in
 * an isolated partition has a tick.
 *
 * Context: any.
 * Return: true if it is isolated from the scheduler or runs without a tick.
 */
bool n3t_sampler_is_isolated(unsigned int cpu)
{
	return is_isolated_from_boot(cpu) || !is_housekeeping(cpu, HK_TYPE_DOMAIN) ||
	       cpuset_cpu_is_isolated(cpu);
}

/* A pinned hrtimer must be started on the CPU where it fires. */
static void start_hrtimer(void *data)
{
	struct n3t_sampler *sampler = data;

	hrtimer_start(&sampler->hrtimer, ms_to_ktime(sampler->interval_ms),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

/**
 * n3t_sampler_start() - start sampling a CPU, or polling for its counters
 * @cpu: the CPU, online, its sampler stopped
 * @run: the run to sample, NULL to poll
 *
 * Context: may sleep; @cpu->lock held; the CPU cannot go offline.
 */
void n3t_sampler_start(struct n3t_cpu *cpu, struct n3t_run *run)
{
	struct n3t_sampler *sampler = &cpu->sampler;

	lockdep_assert_held(&cpu->lock);

	sampler->run = run;
	n3t_containers_start(cpu, run);
	if (run) {
		n3t_pace_start(&sampler->pace, ktime_get_mono_fast_ns());
		set_slice(cpu, run);
	} else {
		set_interval(sampler, N3T_POLL_MS);
	}
	sampler->busy = 0;
	sampler->busy_ns = n3t_cpu_busy_ns(cpu->cpu);
	sampler->due_ns = 0;
	WRITE_ONCE(sampler->stopping, false);

	if (run && run->fallback) {
		schedule_delayed_work_on(cpu->cpu, &sampler->work, 1);
	} else if (sampler->isolated) {
		smp_call_function_single(cpu->cpu, start_hrtimer, sampler, true);
	} else {
		sampler->timer.expires = jiffies + 1;
		add_timer_on(&sampler->timer, cpu->cpu);
	}
}

/* irq_work that is not lazy runs at once, and lazy work with it. */
static void kick_lazy_work(void *data)
{
	irq_work_queue(data);
}

/* Waits for pending work, at most until the CPU takes an interrupt. */
static void end_at_tick(struct n3t_cpu *cpu)
{
	struct n3t_sampler *sampler = &cpu->sampler;

	if (!irq_work_is_busy(&sampler->at_tick))
		return;
	smp_call_function_single(cpu->cpu, kick_lazy_work, &sampler->at_once, true);
	irq_work_sync(&sampler->at_once);
	irq_work_sync(&sampler->at_tick);
}

/* With PREEMPT_RT a thread runs the timer, and a real-time task may preempt it. */
static bool stop_timer(struct n3t_sampler *sampler)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		return timer_delete_sync_try(&sampler->timer) >= 0;
	timer_delete_sync(&sampler->timer);
	return true;
}

/* A real-time task may have preempted the work item, too. */
static bool stop_work(struct n3t_sampler *sampler)
{
	do {
		cancel_delayed_work(&sampler->work);
		if (work_busy(&sampler->work.work) & WORK_BUSY_RUNNING)
			return false;
		/* It may have started itself again before it saw the flag. */
	} while (delayed_work_pending(&sampler->work));
	return true;
}

/**
 * n3t_sampler_stop() - stop sampling a CPU
 * @cpu: the CPU; need not be sampled
 *
 * Keeps the run and the counters. Waits for interrupts of @cpu, never for its threads.
 *
 * Context: may sleep; @cpu->lock held.
 * Return: true once it has stopped; false while a thread is still in the middle of a
 * slice or a poll: none follows, and the caller must try again later.
 */
bool n3t_sampler_stop(struct n3t_cpu *cpu)
{
	struct n3t_sampler *sampler = &cpu->sampler;

	lockdep_assert_held(&cpu->lock);

	WRITE_ONCE(sampler->stopping, true);
	/* Either may have started the other before it saw the flag. */
	end_at_tick(cpu);
	if (!stop_timer(sampler))
		return false;
	end_at_tick(cpu);
	hrtimer_cancel(&sampler->hrtimer);
	if (!stop_work(sampler))
		return false;
	n3t_containers_stop(cpu);
	sampler->run = NULL;
	return true;
}

/* Waits until no code of a stopped sampler runs any more; no lock is held. */
void n3t_sampler_exit(struct n3t_cpu *cpu)
{
	timer_delete_sync(&cpu->sampler.timer);
	cancel_delayed_work_sync(&cpu->sampler.work);
}
