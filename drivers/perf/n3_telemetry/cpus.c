// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs: taking counters, sampling and releasing counters, with CPU hotplug.
 *
 * The state of a CPU changes for three reasons: a change of settings, CPU
 * hotplug, and the CPU's own work item, which the sampler queues to yield, to
 * return or to request more counters. Each of them holds only the lock of that
 * CPU, and reaches the CPU by interrupts: a real-time task may take all of its
 * time, so the work item runs on any other CPU.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "alias.h"
#include "config.h"
#include "cost.h"
#include "cpu.h"
#include "cpus.h"
#include "fallback.h"
#include "midr.h"
#include "perf_private.h"
#include "pmu.h"
#include "sampler.h"
#include "spe_regs.h"
#include "withdraw.h"

#define HELP_NS		(2 * NSEC_PER_MSEC)	/* before workers of CPUs are asked in turn */
#define LATE_MS		100	/* for a change of settings to wait for a slice to end */

static struct n3t_cpu *cpus;	/* array of nr_cpu_ids */
static struct workqueue_struct *queue;
static bool unloading;		/* no CPU is sampled any more */
static u64 start_ns;		/* start of all times */

/**
 * n3t_cpus_get() - get the state of a CPU
 * @cpu: number of the CPU, below nr_cpu_ids
 *
 * Return: the CPU, valid until the module is unloaded.
 */
struct n3t_cpu *n3t_cpus_get(unsigned int cpu)
{
	return &cpus[cpu];
}

/**
 * n3t_cpus_window() - get the longest window of the sampled CPUs
 * @config: the configuration of the CPUs to include
 *
 * Context: may sleep; needs no lock.
 * Return: milliseconds, 0 if no CPU is sampled.
 */
unsigned int n3t_cpus_window(const struct n3t_config *config)
{
	unsigned int i, longest = 0;
	struct n3t_run *run;

	for (i = 0; i < nr_cpu_ids; i++) {
		run = n3t_run_get(&cpus[i].run);
		if (run && run->config == config)
			longest = max(longest, READ_ONCE(run->window_ms));
		n3t_run_put(run);
	}
	return longest;
}

/**
 * n3t_cpus_start_ns() - get the start of all totals
 *
 * Context: any.
 * Return: when the module was loaded, ktime_get_ns().
 */
u64 n3t_cpus_start_ns(void)
{
	return start_ns;
}

/**
 * n3t_cpus_dropped() - get the number of dropped slices of a CPU
 * @cpu: the CPU
 *
 * Context: any.
 * Return: number of slices since the module was loaded, for any reason.
 */
u64 n3t_cpus_dropped(const struct n3t_cpu *cpu)
{
	enum n3t_slice_state state;
	u64 dropped = 0;

	for (state = 0; state < N3T_NR_SLICE_STATES; state++)
		if (state != N3T_SLICE_KEPT)
			dropped += READ_ONCE(cpu->slices[state]);
	return dropped;
}

static struct n3t_run *run_of(const struct n3t_cpu *cpu)
{
	return rcu_dereference_protected(cpu->run, lockdep_is_held(&cpu->lock));
}

static bool is_sharing(const struct n3t_config *config)
{
	return config->settings.contention == N3T_CONTENTION_SHARE;
}

static bool plan_is_unsupported(const struct n3t_config *config)
{
	return n3t_plan_is_unsupported(n3t_config_plan(config, config->nominal));
}

/* State of a CPU that gets no counters. */
static enum n3t_cpu_state state_without(const struct n3t_config *config)
{
	const struct n3t_plan *plan = n3t_config_plan(config, config->nominal);

	if (n3t_pmu_is_locked_down())
		return N3T_CPU_DISABLED;
	if (!plan_is_unsupported(config))
		return N3T_CPU_UNPLACED;
	if (bitmap_empty(plan->unsupported, N3T_NR_METRICS) && !plan->custom_unsupported)
		return N3T_CPU_DISABLED;
	return N3T_CPU_UNSUPPORTED;
}

static bool is_wanted(const struct n3t_cpu *cpu, const struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	return !READ_ONCE(unloading) && config->settings.enable && cpu->pmu &&
	       cpu->state != N3T_CPU_OFFLINE &&
	       n3t_settings_include(&config->settings, cpu->cpu, cpu->isolated);
}

/* True if the CPU must not be sampled until 1 is written to "enable". */
static bool is_barred(const struct n3t_cpu *cpu, const struct n3t_config *config)
{
	return READ_ONCE(cpu->pmu->barred) == config->settings.enables;
}

/* Maximum number of counters to hold; 0 if counting is impossible or not permitted. */
static unsigned int target_of(const struct n3t_cpu *cpu, const struct n3t_config *config)
{
	if (plan_is_unsupported(config) || n3t_pmu_is_locked_down())
		return 0;
	return n3t_pmu_target(cpu->pmu, config->settings.reserved_counters);
}

static enum n3t_switch switch_of(const struct n3t_cpu *cpu, const struct n3t_config *config)
{
	return n3t_pmu_switch(cpu->pmu, config->settings.switching);
}

/* A request for one counter too many starts perf's timer although no other user waits. */
static void note_own_rotation(struct n3t_cpu *cpu)
{
	lockdep_assert_held(&cpu->lock);

	cpu->contention.own_rotation = n3t_perf_rotation(cpu->pmu->pmu, cpu->cpu);
}

static unsigned int next_online(unsigned int cpu)
{
	cpu = cpumask_next(cpu, cpu_online_mask);
	return cpu < nr_cpu_ids ? cpu : cpumask_first(cpu_online_mask);
}

/*
 * The scheduler may leave an unbound worker on a CPU that a real-time task takes,
 * as long as no other CPU becomes idle. Bound ones are asked in turn until one runs.
 */
static void ask_bound_worker(struct n3t_cpu *cpu)
{
	unsigned int i, next = READ_ONCE(cpu->bound_cpu);

	for (i = 0; i < nr_cpu_ids; i++) {
		next = next_online(next);
		if (next != cpu->cpu && !READ_ONCE(cpus[next].isolated))
			break;
	}
	WRITE_ONCE(cpu->bound_cpu, next);
	cancel_work(&cpu->bound_work);
	queue_work_on(next, system_highpri_wq, &cpu->bound_work);
}

static void raise_todo(struct n3t_cpu *cpu, enum n3t_todo todo)
{
	enum n3t_todo before = READ_ONCE(cpu->todo);

	while (before < todo && !try_cmpxchg(&cpu->todo, &before, todo))
		;
}

/**
 * n3t_cpu_request() - request an action that may sleep from a CPU's work item
 * @cpu: the CPU
 * @todo: the action, not N3T_TODO_NONE; ignored while a pending one has a higher precedence
 *
 * If the work item has not begun 2 ms after a request, the next one asks another CPU's worker.
 *
 * Context: any.
 */
void n3t_cpu_request(struct n3t_cpu *cpu, enum n3t_todo todo)
{
	u64 now_ns = ktime_get_mono_fast_ns();

	/* First: a work item that is queued already may yield, and clear it. */
	if (todo >= N3T_TODO_YIELD && !READ_ONCE(cpu->yield_due_ns))
		WRITE_ONCE(cpu->yield_due_ns, now_ns);
	raise_todo(cpu, todo);
	if (!queue_delayed_work(queue, &cpu->work, 0)) {
		if (n3t_ns_since(READ_ONCE(cpu->asked_ns)) < HELP_NS)
			return;
		ask_bound_worker(cpu);
	}
	WRITE_ONCE(cpu->asked_ns, now_ns);
}

/* CPUs whose counters were all reserved may have unreserved ones now. */
static void retry_unplaced(const struct n3t_pmu *pmu)
{
	unsigned int i;

	for (i = 0; i < nr_cpu_ids; i++)
		if (READ_ONCE(cpus[i].pmu) == pmu && READ_ONCE(cpus[i].state) == N3T_CPU_UNPLACED)
			n3t_cpu_ask(&cpus[i], N3T_TODO_RETURN);
}

/* With reserved counters, the number held does not show how many exist. */
static void note_budget(struct n3t_cpu *cpu, const struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	if (!config->settings.reserved_counters && n3t_pmu_update_nominal(cpu->pmu, cpu->budget))
		retry_unplaced(cpu->pmu);
}

static int open_counters(struct n3t_cpu *cpu, unsigned int target)
{
	lockdep_assert_held(&cpu->lock);

	return n3t_counters_open(&cpu->counters, cpu->pmu, cpu->cpu, target);
}

/*
 * Repeats the self-test if other users disturbed it at load, with its own
 * counters. It keeps the CPU busy, so an isolated CPU runs it only to grow, not
 * on each return.
 */
static int repeat_self_test(struct n3t_cpu *cpu, const struct n3t_config *config,
			    unsigned int target)
{
	lockdep_assert_held(&cpu->lock);

	if (switch_of(cpu, config) != N3T_SWITCH_UNKNOWN ||
	    (cpu->sampler.isolated && !cpu->budget))
		return 0;

	n3t_counters_self_test(&cpu->counters, cpu->cpu, config->settings.switching);
	n3t_counters_close(&cpu->counters);
	return open_counters(cpu, target);
}

/* Sets switched through perf have their own events: see n3t_run_alloc(). */
static int hold_counters(struct n3t_cpu *cpu, const struct n3t_config *config)
{
	unsigned int target = target_of(cpu, config);
	int ret;

	lockdep_assert_held(&cpu->lock);

	if (!target)
		return -ENOSPC;
	ret = open_counters(cpu, target);
	if (!ret)
		ret = repeat_self_test(cpu, config, target);
	if (ret)
		return ret;

	WRITE_ONCE(cpu->budget, cpu->counters.budget);
	note_own_rotation(cpu);
	n3t_counters_settle(&cpu->counters, switch_of(cpu, config));
	note_budget(cpu, config);
	return 0;
}

/*
 * Slices kept after types last agreed may have counted other events, and those of any CPU of
 * the PMU, which all have the same driver.
 */
static void withdraw_mistyped(struct n3t_cpu *cpu, const struct n3t_run *run)
{
	unsigned int i;

	lockdep_assert_held(&cpu->lock);

	if (!cpu->counters.mismatch ||
	    READ_ONCE(cpu->slices[N3T_SLICE_KEPT]) == cpu->counters.agreed_kept)
		return;
	for (i = 0; i < nr_cpu_ids; i++)
		if (READ_ONCE(cpus[i].pmu) == cpu->pmu)
			n3t_withdraw_all(&cpus[i], run->config->settings.enables);
}

/* The sampler has stopped: what its last slices were, and whether they can be right. */
static void judge_end(struct n3t_cpu *cpu)
{
	struct n3t_run *run = run_of(cpu);

	lockdep_assert_held(&cpu->lock);

	if (!run)
		return;
	n3t_counters_verify_last(&cpu->counters, cpu->cpu,
				 READ_ONCE(cpu->slices[N3T_SLICE_KEPT]));
	withdraw_mistyped(cpu, run);
	n3t_withdraw_rest(cpu, run);
}

static bool stop_sampler(struct n3t_cpu *cpu)
{
	lockdep_assert_held(&cpu->lock);

	if (!n3t_sampler_stop(cpu))
		return false;
	judge_end(cpu);
	return true;
}

/*
 * Called before counters are released or switched by another method: their next
 * user must not count a wrong event. A wrong type rules out direct access.
 */
static void end_direct(struct n3t_cpu *cpu)
{
	lockdep_assert_held(&cpu->lock);

	if (cpu->counters.mistyped && n3t_pmu_disprove_direct(cpu->pmu))
		pr_warn("CPU %u: a counter of %s had an unexpected event type, using its driver from now on at a higher cost\n",
			cpu->cpu, cpu->pmu->pmu->name);
	n3t_counters_end_direct(&cpu->counters, cpu->cpu);
}

static void release_counters(struct n3t_cpu *cpu)
{
	lockdep_assert_held(&cpu->lock);

	end_direct(cpu);
	n3t_counters_close(&cpu->counters);
	WRITE_ONCE(cpu->budget, 0);
}

static struct n3t_run *alloc_run(struct n3t_cpu *cpu, struct n3t_config *config,
				 unsigned int budget)
{
	/* The switch method may be decided at any time; without counters it is perf. */
	bool in_place = cpu->counters.cycles.event &&
			n3t_switch_keeps_events(switch_of(cpu, config));
	unsigned int slice_ms = n3t_sampler_slice_ms(&cpu->sampler, !in_place,
						     config->settings.slice_ms);

	return n3t_run_alloc(config, cpu->pmu, cpu->cpu, budget, in_place, slice_ms);
}

/* Readers of the yield statistics and totals take no lock. */
static void update_begin(struct n3t_cpu *cpu)
{
	preempt_disable();
	write_seqcount_begin(&cpu->seq);
}

static void update_end(struct n3t_cpu *cpu)
{
	write_seqcount_end(&cpu->seq);
	preempt_enable();
}

/*
 * Replaces the run, whose sampler has stopped, and adds what it has counted to the totals,
 * all in one section: readers see its counts either in the run or in the totals. The clock
 * is read in the section, too, so no reader has counted later time.
 */
static void replace_run(struct n3t_cpu *cpu, struct n3t_run *run, enum n3t_time use)
{
	struct n3t_run *old = run_of(cpu);

	lockdep_assert_held(&cpu->lock);

	if (old) {
		n3t_totals_add(&cpu->totals, old->plan, &old->ring);
		n3t_replicates_total(&cpu->replicates, old->replicates);
	}
	n3t_times_change(&cpu->times, old ? old->plan : NULL, old ? &old->ring : NULL, use,
			 ktime_get_ns());
	rcu_assign_pointer(cpu->run, run);
}

/* Starts the sampler with a run, from its first slice. */
static void start_sampler(struct n3t_cpu *cpu, struct n3t_run *run)
{
	lockdep_assert_held(&cpu->lock);

	run->current_set = N3T_NO_SET;
	n3t_counters_rewind(&cpu->counters, cpu->cpu,
			    READ_ONCE(cpu->slices[N3T_SLICE_KEPT]));
	n3t_sampler_start(cpu, run);
}

/* Switches from one run to another, or from none to the first. The sampler has stopped. */
static void start(struct n3t_cpu *cpu, struct n3t_run *run, const struct n3t_config *config)
{
	struct n3t_run *old = run_of(cpu);

	lockdep_assert_held(&cpu->lock);

	if (run->fallback) {
		end_direct(cpu);
		n3t_counters_close(&cpu->counters);
		/* Its events compete with those of the previous run, if that has any. */
		cpu->contention.own_rotation = N3T_ROTATION_UNKNOWN;
	}

	update_begin(cpu);
	n3t_contention_taken(&cpu->contention, is_sharing(config), ktime_get_mono_fast_ns());
	replace_run(cpu, run, N3T_TIME_SAMPLED);
	update_end(cpu);
	n3t_run_end(old);
	start_sampler(cpu, run);
}

/* Stops sampling and polling, and releases the counters. The sampler has stopped. */
static void stop(struct n3t_cpu *cpu, enum n3t_cpu_state state)
{
	struct n3t_run *old = run_of(cpu);

	lockdep_assert_held(&cpu->lock);

	WRITE_ONCE(cpu->state, state);
	/* A reader that finds no run sees the state. Pairs with smp_rmb() in n3t_cpu_run(). */
	smp_wmb();
	update_begin(cpu);
	replace_run(cpu, NULL, state == N3T_CPU_CONTENDED ? N3T_TIME_YIELDED : N3T_TIME_OFF);
	update_end(cpu);
	n3t_run_end(old);
	/* It was prepared for the counters that are being released. */
	n3t_run_end(cpu->next_run);
	cpu->next_run = NULL;
	release_counters(cpu);
	WRITE_ONCE(cpu->yield_due_ns, 0);
}

static void stop_and_release(struct n3t_cpu *cpu, enum n3t_cpu_state state)
{
	lockdep_assert_held(&cpu->lock);

	stop(cpu, state);
	update_begin(cpu);
	n3t_contention_reset(&cpu->contention, ktime_get_mono_fast_ns());
	update_end(cpu);
	WRITE_ONCE(cpu->work_cost.ppm, 0);
}

/*
 * Waits for counters, or continues to do so. If all counters are reserved, it
 * does not wait until the setting changes or a CPU turns out to have more:
 * retry_unplaced(). Nor does it wait if all selected events are distrusted, or
 * the kernel is locked down. A barred CPU does not poll.
 */
static void wait_for_counters(struct n3t_cpu *cpu, const struct n3t_config *config)
{
	bool barred = is_barred(cpu, config);

	lockdep_assert_held(&cpu->lock);

	if (!target_of(cpu, config)) {
		stop_and_release(cpu, state_without(config));
		return;
	}

	stop(cpu, N3T_CPU_CONTENDED);
	update_begin(cpu);
	n3t_contention_yielded(&cpu->contention, barred, is_sharing(config),
			       cpu->sampler.slice_ms, ktime_get_mono_fast_ns());
	update_end(cpu);
	if (!barred)
		n3t_sampler_start(cpu, NULL);
	else
		WRITE_ONCE(cpu->work_cost.ppm, 0);
}

static bool is_waiting(const struct n3t_cpu *cpu)
{
	lockdep_assert_held(&cpu->lock);

	return cpu->state == N3T_CPU_CONTENDED && !run_of(cpu);
}

/* True if the CPU was barred before, but is not any more. */
static bool is_released(const struct n3t_cpu *cpu, const struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	/* A poll may change it from one of the other reasons to another. */
	return READ_ONCE(cpu->contention.reason) == N3T_YIELD_USER_ACCESS &&
	       !is_barred(cpu, config);
}

/* True if a configuration has to be prepared for the CPU; otherwise it idles for now. */
static bool can_sample(const struct n3t_cpu *cpu, const struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	if (!is_wanted(cpu, config) || is_barred(cpu, config) || !target_of(cpu, config))
		return false;
	return !is_waiting(cpu) || is_released(cpu, config);
}

/* Number of counters under another configuration, as far as known. */
static unsigned int next_budget(const struct n3t_cpu *cpu, const struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	return min(cpu->budget, target_of(cpu, config));
}

/*
 * Allocates everything that the CPU needs under a new configuration, without
 * changing its current state. Lack of counters is not an error: the CPU waits
 * for them. A CPU that has yielded keeps waiting, whatever the settings are,
 * until no one else waits for its counters. A CPU that was barred takes them at
 * once.
 */
static int prepare(struct n3t_cpu *cpu, struct n3t_config *config)
{
	struct n3t_run *run;
	int ret;

	lockdep_assert_held(&cpu->lock);

	cpu->changing = true;
	/* It is left if the CPU is late with the previous change. */
	n3t_run_end(cpu->next_run);
	cpu->next_run = NULL;
	if (!can_sample(cpu, config))
		return 0;

	if (!cpu->budget) {
		ret = hold_counters(cpu, config);
		if (ret)
			return ret == -ENOSPC || ret == -EBUSY ? 0 : ret;
	}

	run = alloc_run(cpu, config, next_budget(cpu, config));
	if (IS_ERR(run))
		return PTR_ERR(run);

	cpu->next_run = run;
	return 0;
}

/* Undoes prepare(). */
static void forget_prepared(struct n3t_cpu *cpu)
{
	lockdep_assert_held(&cpu->lock);

	cpu->changing = false;
	n3t_run_end(cpu->next_run);
	cpu->next_run = NULL;
	if (run_of(cpu))
		return;
	release_counters(cpu);
	/* Requests were ignored meanwhile, see retry_unplaced(): repeat them. */
	if (cpu->state == N3T_CPU_UNPLACED)
		n3t_cpu_ask(cpu, N3T_TODO_RETURN);
}

/* True if more counters, or a cheaper switch method, may be available at once. */
static bool can_grow(const struct n3t_cpu *cpu, const struct n3t_run *run,
		     const struct n3t_config *config)
{
	if (run->fallback && switch_of(cpu, config) != N3T_SWITCH_PERF)
		return true;
	return cpu->budget + config->settings.reserved_counters < n3t_pmu_nominal(cpu->pmu);
}

/*
 * Starts the prepared run. It has at most the counters of the CPU; more are
 * requested afterwards.
 */
static void start_prepared(struct n3t_cpu *cpu, const struct n3t_config *config)
{
	struct n3t_run *run = cpu->next_run;

	lockdep_assert_held(&cpu->lock);

	cpu->next_run = NULL;
	end_direct(cpu);
	n3t_counters_shrink(&cpu->counters, run->plan->budget);
	/* Direct if in doubt: if it has been ruled out since, the first slice detects that. */
	cpu->counters.direct = !run->fallback && switch_of(cpu, config) != N3T_SWITCH_IN_PLACE;
	WRITE_ONCE(cpu->budget, run->plan->budget);
	start(cpu, run, config);
	if (can_grow(cpu, run, config))
		n3t_cpu_ask(cpu, N3T_TODO_GROW);
}

/*
 * Switches to the prepared run, or to none. Cannot fail, but the work item does it
 * later if the sampler cannot be stopped now: then it returns false.
 */
static bool change_over(struct n3t_cpu *cpu, const struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	WRITE_ONCE(cpu->late, !stop_sampler(cpu));
	if (cpu->late) {
		queue_delayed_work(queue, &cpu->work, msecs_to_jiffies(N3T_POLL_MS));
		return false;
	}
	cpu->changing = false;
	if (!is_wanted(cpu, config))
		stop_and_release(cpu, cpu->state == N3T_CPU_OFFLINE ? N3T_CPU_OFFLINE :
								      N3T_CPU_DISABLED);
	else if (cpu->next_run && !is_barred(cpu, config))
		start_prepared(cpu, config);
	else
		wait_for_counters(cpu, config);
	return true;
}

/**
 * n3t_cpus_prepare() - allocate everything for a new configuration
 * @config: the configuration
 *
 * Context: may sleep; CPU hotplug lock and n3t_control_lock held.
 * Return: 0, for n3t_cpus_change_over(); or an error, with all CPUs unchanged.
 */
int n3t_cpus_prepare(struct n3t_config *config)
{
	unsigned int i;
	int ret = 0;

	lockdep_assert_held(&n3t_control_lock);

	for (i = 0; !ret && i < nr_cpu_ids; i++) {
		mutex_lock(&cpus[i].lock);
		ret = prepare(&cpus[i], config);
		mutex_unlock(&cpus[i].lock);
	}
	while (ret && i--) {
		mutex_lock(&cpus[i].lock);
		forget_prepared(&cpus[i]);
		mutex_unlock(&cpus[i].lock);
	}
	return ret;
}

/**
 * n3t_cpus_change_over() - switch all CPUs to the configuration prepared for them
 * @config: the configuration, already active
 *
 * Context: may sleep; CPU hotplug lock and n3t_control_lock held since
 * n3t_cpus_prepare().
 */
void n3t_cpus_change_over(struct n3t_config *config)
{
	unsigned int i;

	lockdep_assert_held(&n3t_control_lock);

	for (i = 0; i < nr_cpu_ids; i++) {
		mutex_lock(&cpus[i].lock);
		change_over(&cpus[i], config);
		mutex_unlock(&cpus[i].lock);
	}
}

static bool any_is_late(void)
{
	unsigned int i;

	for (i = 0; i < nr_cpu_ids; i++)
		if (READ_ONCE(cpus[i].late))
			return true;
	return false;
}

/**
 * n3t_cpus_settle() - wait for CPUs to change over that could not do so at once
 *
 * Each is in the middle of a slice that a thread ends, and a real-time task may keep
 * that from running, so this does not wait for long.
 *
 * Context: may sleep; no lock held.
 */
void n3t_cpus_settle(void)
{
	unsigned int ms;

	for (ms = 0; ms < LATE_MS && any_is_late(); ms += N3T_POLL_MS / 2)
		msleep(N3T_POLL_MS / 2);
}

static const char *uncovered_reason(int error)
{
	if (error == -E2BIG)
		return "too many PMUs";
	if (error == -EXDEV)
		return "its PMU counts on a different CPU";
	if (error == -EPERM)
		return "kernel is locked down";
	if (error != -ENOENT)
		return "no usable PMU";
	if (n3t_pmu_by_name())
		return "not supported by the PMUs in pmu=";
	return n3t_pmu_cores()->others ? "not in core=, or different from the others" :
					 "not a Neoverse N3";
}

/* Logged once per reason, not each time that the CPU comes online. */
static void log_uncovered(struct n3t_cpu *cpu, int error)
{
	lockdep_assert_held(&cpu->lock);

	if (error == cpu->uncovered)
		return;
	cpu->uncovered = error;
	if (error == -ENOENT)
		pr_info("CPU %u not sampled: %s\n", cpu->cpu, uncovered_reason(error));
	else
		pr_warn("CPU %u not sampled: %s (error %d)\n", cpu->cpu, uncovered_reason(error),
			error);
}

static void read_guest_counters(void *data)
{
	struct n3t_cpu *cpu = data;

	WRITE_ONCE(cpu->guest_counters, n3t_midr_guest_counters());
}

/* The PMU of a CPU never changes, so it is looked up only until found. */
static int find_pmu(struct n3t_cpu *cpu)
{
	struct n3t_pmu *pmu;
	int ret;

	lockdep_assert_held(&cpu->lock);

	if (cpu->pmu)
		return 0;

	ret = n3t_pmu_of_cpu(cpu->cpu, &pmu);
	WRITE_ONCE(cpu->pmu, pmu);
	if (ret && ret != -ENOMEM) {
		log_uncovered(cpu, ret);
		return 0;
	}
	if (!ret && !pmu->simulated)
		smp_call_function_single(cpu->cpu, read_guest_counters, cpu, true);
	if (!ret && !cpu->pmu->aliases)
		n3t_alias_add(cpu->pmu);
	return ret;
}

static void read_spe_regs(void *data)
{
	n3t_spe_regs_read(data);
}

/* Sampling it may fail, which is not an error unless the module is loading. */
static int come_online(struct n3t_cpu *cpu, struct n3t_config *config, bool loading)
{
	int ret;

	lockdep_assert_held(&cpu->lock);

	if (!cpu->spe.were_read)
		smp_call_function_single(cpu->cpu, read_spe_regs, &cpu->spe, true);
	/* Pairs with smp_load_acquire() in regs_of() in cpu_files.c. */
	smp_store_release(&cpu->state, N3T_CPU_DISABLED);
	WRITE_ONCE(cpu->isolated, n3t_sampler_is_isolated(cpu->cpu));
	ret = find_pmu(cpu);
	if (!ret)
		ret = prepare(cpu, config);
	if (ret) {
		pr_err("CPU %u cannot be sampled (error %d)\n", cpu->cpu, ret);
		forget_prepared(cpu);
	}
	if (!ret || !loading)
		change_over(cpu, config);
	return ret;
}

static int bring_online(unsigned int nr, bool loading)
{
	struct n3t_config *config = n3t_config_get();
	struct n3t_cpu *cpu = &cpus[nr];
	int ret;

	mutex_lock(&cpu->lock);
	ret = come_online(cpu, config, loading);
	mutex_unlock(&cpu->lock);
	n3t_config_put(config);
	return ret;
}

/**
 * n3t_cpus_online() - CPU hotplug callback for a CPU that came online
 * @nr: the CPU
 *
 * A CPU that cannot be sampled still comes online, and is retried like one whose
 * counters are in use. If memory was insufficient to find its PMU, it is retried
 * only when it comes online again.
 *
 * Context: may sleep; CPU hotplug.
 * Return: 0
 */
int n3t_cpus_online(unsigned int nr)
{
	bring_online(nr, false);
	return 0;
}

static bool try_offline(struct n3t_cpu *cpu)
{
	bool stopped;

	mutex_lock(&cpu->lock);
	stopped = stop_sampler(cpu);
	if (stopped)
		stop_and_release(cpu, N3T_CPU_OFFLINE);
	mutex_unlock(&cpu->lock);
	return stopped;
}

/**
 * n3t_cpus_offline() - CPU hotplug callback for a CPU that goes offline
 * @nr: the CPU
 *
 * Releases its perf events, which would be lost.
 *
 * Context: may sleep; CPU hotplug.
 * Return: 0
 */
int n3t_cpus_offline(unsigned int nr)
{
	while (!try_offline(&cpus[nr]))
		msleep(N3T_POLL_MS);
	return 0;
}

/**
 * n3t_cpus_start() - start sampling the CPUs that are online, at load
 *
 * The hotplug threads of CPUs do not do it, as one may not get any time.
 *
 * Context: may sleep; CPU hotplug lock held since the callbacks were registered.
 * Return: 0, or the error of the first CPU that could not be sampled; then no
 * CPU is sampled.
 */
int n3t_cpus_start(void)
{
	unsigned int i;
	int ret = 0;

	for_each_online_cpu(i) {
		ret = bring_online(i, true);
		if (ret)
			break;
	}
	if (ret)
		for_each_online_cpu(i)
			n3t_cpus_offline(i);
	return ret;
}

/**
 * n3t_cpus_stop() - stop sampling, until unloading
 *
 * Context: may sleep; no lock held: with a real-time task on a CPU it may wait for
 * the end of a slice.
 */
void n3t_cpus_stop(void)
{
	unsigned int i;

	WRITE_ONCE(unloading, true);
	for (i = 0; i < nr_cpu_ids; i++)
		n3t_cpus_offline(i);
}

/* Takes all counters that are free now. */
static int take_counters(struct n3t_cpu *cpu, struct n3t_config *config)
{
	struct n3t_run *run;
	int ret;

	lockdep_assert_held(&cpu->lock);

	ret = hold_counters(cpu, config);
	if (ret)
		return ret;

	run = alloc_run(cpu, config, cpu->budget);
	if (IS_ERR(run)) {
		release_counters(cpu);
		return PTR_ERR(run);
	}

	start(cpu, run, config);
	return 0;
}

/* As the functions below: false if the sampler has to stop first, and has not yet. */
static bool resume_sampling(struct n3t_cpu *cpu, struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	if (!is_wanted(cpu, config) || run_of(cpu))
		return true;
	if (!stop_sampler(cpu))
		return false;

	if (!is_barred(cpu, config) && !take_counters(cpu, config))
		return true;

	/* An unplaced CPU can wait for counters now, or counting is not permitted any more. */
	if (!is_waiting(cpu) || !target_of(cpu, config) || is_barred(cpu, config)) {
		wait_for_counters(cpu, config);
		return true;
	}
	n3t_contention_failed(&cpu->contention);
	n3t_sampler_start(cpu, NULL);
	return true;
}

/*
 * The events of the run are disabled meanwhile, because they would appear as
 * other users. If the self-test has passed, sets are switched in place from now
 * on.
 */
static void grow_through_perf(struct n3t_cpu *cpu, struct n3t_config *config)
{
	struct n3t_run *run = run_of(cpu), *next = NULL;
	unsigned int before = cpu->budget;

	lockdep_assert_held(&cpu->lock);

	n3t_fallback_stop(run->fallback);
	if (!hold_counters(cpu, config) && (cpu->budget > before || cpu->counters.cycles.event))
		next = alloc_run(cpu, config, cpu->budget);
	if (IS_ERR_OR_NULL(next)) {
		n3t_counters_close(&cpu->counters);
		WRITE_ONCE(cpu->budget, before);
		start_sampler(cpu, run);
		return;
	}
	start(cpu, next, config);
}

/*
 * Counters did not count their events. Counts since the last check of types may
 * be wrong, so the run ends, too.
 */
static void retake(struct n3t_cpu *cpu, struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	release_counters(cpu);
	if (take_counters(cpu, config))
		wait_for_counters(cpu, config);
}

static void grow_in_place(struct n3t_cpu *cpu, struct n3t_config *config)
{
	struct n3t_run *run = run_of(cpu);
	unsigned int before = cpu->budget;
	struct n3t_run *larger;

	lockdep_assert_held(&cpu->lock);

	n3t_counters_grow(&cpu->counters, cpu->cpu, target_of(cpu, config));
	note_own_rotation(cpu);
	larger = cpu->counters.budget == before ? NULL :
		 alloc_run(cpu, config, cpu->counters.budget);
	/* No counters were gained: not a new turn. */
	if (IS_ERR_OR_NULL(larger)) {
		n3t_counters_shrink(&cpu->counters, before);
		start_sampler(cpu, run);
		return;
	}
	WRITE_ONCE(cpu->budget, cpu->counters.budget);
	note_budget(cpu, config);
	start(cpu, larger, config);
}

static bool grow(struct n3t_cpu *cpu, struct n3t_config *config)
{
	struct n3t_run *run = run_of(cpu);

	lockdep_assert_held(&cpu->lock);

	if (!run)
		return true;
	if (!stop_sampler(cpu))
		return false;

	if (run->fallback)
		grow_through_perf(cpu, config);
	else if (cpu->counters.mistyped)
		retake(cpu, config);
	else
		grow_in_place(cpu, config);
	return true;
}

static bool yield_counters(struct n3t_cpu *cpu, struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	if (!run_of(cpu) && !(is_waiting(cpu) && is_barred(cpu, config))) {
		WRITE_ONCE(cpu->yield_due_ns, 0);
		return true;
	}
	if (!stop_sampler(cpu))
		return false;

	wait_for_counters(cpu, config);
	return true;
}

/* Updates the isolation of the CPU, which other changes rely on. */
static bool review(struct n3t_cpu *cpu, struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	WRITE_ONCE(cpu->isolated, n3t_sampler_is_isolated(cpu->cpu));
	if (is_wanted(cpu, config))
		return cpu->state != N3T_CPU_DISABLED || resume_sampling(cpu, config);
	if (cpu->state == N3T_CPU_OFFLINE)
		return true;
	if (!stop_sampler(cpu))
		return false;

	stop_and_release(cpu, N3T_CPU_DISABLED);
	return true;
}

/* Another CPU may have set it under a later configuration, which is kept. */
static bool raise_bar(struct n3t_pmu *pmu, unsigned int enables)
{
	unsigned int before = READ_ONCE(pmu->barred);

	while (before < enables)
		if (try_cmpxchg(&pmu->barred, &before, enables))
			return true;
	return false;
}

/* CPUs that take their counters meanwhile see the bar, or get a request to yield. */
static bool bar(struct n3t_cpu *cpu, struct n3t_config *config)
{
	unsigned int i;

	lockdep_assert_held(&cpu->lock);

	/* The work of an offline CPU is not waited for. */
	if (cpu->state == N3T_CPU_OFFLINE)
		return true;
	if (raise_bar(cpu->pmu, config->settings.enables)) {
		pr_warn("user space can read counters of %s (kernel.perf_user_access), not sampling until 1 is written to enable\n",
			cpu->pmu->pmu->name);
		for (i = 0; i < nr_cpu_ids; i++)
			if (READ_ONCE(cpus[i].pmu) == cpu->pmu &&
			    READ_ONCE(cpus[i].state) != N3T_CPU_OFFLINE)
				n3t_cpu_ask(&cpus[i], N3T_TODO_YIELD);
	}
	return yield_counters(cpu, config);
}

/* While settings are being changed only yielding is done, since it cannot wait. */
static bool act(struct n3t_cpu *cpu, struct n3t_config *config, enum n3t_todo todo)
{
	lockdep_assert_held(&cpu->lock);

	if (todo == N3T_TODO_BAR)
		return bar(cpu, config);
	if (todo == N3T_TODO_YIELD)
		return yield_counters(cpu, config);
	if (cpu->changing)
		return true;
	if (todo == N3T_TODO_RETURN)
		return resume_sampling(cpu, config);
	if (todo == N3T_TODO_GROW)
		return grow(cpu, config);
	return todo != N3T_TODO_REVIEW || review(cpu, config);
}

/* Restarts a sampler that was asked to stop for a reason that does not hold any more. */
static bool revive(struct n3t_cpu *cpu, const struct n3t_config *config)
{
	struct n3t_run *run = run_of(cpu);
	bool polls = is_waiting(cpu) && !is_barred(cpu, config);

	lockdep_assert_held(&cpu->lock);

	if (!READ_ONCE(cpu->sampler.stopping) || (!run && !polls))
		return true;
	if (!stop_sampler(cpu))
		return false;
	if (run)
		start_sampler(cpu, run);
	else
		n3t_sampler_start(cpu, NULL);
	return true;
}

/* A change of settings that failed meanwhile has discarded the prepared run. */
static bool change_over_late(struct n3t_cpu *cpu, struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	if (!cpu->next_run)
		prepare(cpu, config);
	return change_over(cpu, config);
}

/* What cannot be done yet is tried again. */
static void act_or_retry(struct n3t_cpu *cpu, struct n3t_config *config)
{
	enum n3t_todo todo;

	lockdep_assert_held(&cpu->lock);

	if (cpu->late && !change_over_late(cpu, config))
		return;
	todo = xchg(&cpu->todo, N3T_TODO_NONE);
	if (act(cpu, config, todo) && revive(cpu, config))
		return;
	raise_todo(cpu, todo);
	queue_delayed_work(queue, &cpu->work, msecs_to_jiffies(N3T_POLL_MS));
}

static void do_work(struct n3t_cpu *cpu)
{
	struct n3t_config *config;
	u64 start;

	mutex_lock(&cpu->lock);
	start = n3t_cost_clock();
	config = n3t_config_get();
	/* Whatever was asked: a stronger request replaces that of judging. */
	n3t_withdraw_judge(cpu);
	act_or_retry(cpu, config);
	n3t_config_put(config);
	WRITE_ONCE(cpu->work_cost.cost, cpu->work_cost.cost + n3t_cost_clock() - start);
	mutex_unlock(&cpu->lock);
}

static void n3t_cpus_work(struct work_struct *work)
{
	do_work(container_of(work, struct n3t_cpu, work.work));
}

static void n3t_cpus_bound_work(struct work_struct *work)
{
	do_work(container_of(work, struct n3t_cpu, bound_work));
}

/**
 * n3t_cpus_check_starved() - request a yield if the sampler cannot
 * @cpu: the CPU
 *
 * If slices do not end, because threads do that, the sampler does not see others wait.
 *
 * Context: any; until n3t_cpus_quiesce().
 */
void n3t_cpus_check_starved(struct n3t_cpu *cpu)
{
	struct n3t_pmu *pmu = READ_ONCE(cpu->pmu);

	if (rcu_access_pointer(cpu->run) && n3t_sampler_is_starved(cpu) &&
	    n3t_perf_rotation(pmu->pmu, cpu->cpu))
		n3t_cpu_ask(cpu, N3T_TODO_YIELD);
}

/* Finds CPUs whose isolation changed at run time, for which no notification exists. */
static void n3t_cpus_watch_isolation(struct work_struct *work)
{
	unsigned int i;

	for (i = 0; i < nr_cpu_ids; i++)
		if (READ_ONCE(cpus[i].state) != N3T_CPU_OFFLINE &&
		    READ_ONCE(cpus[i].isolated) != n3t_sampler_is_isolated(i))
			n3t_cpu_ask(&cpus[i], N3T_TODO_REVIEW);
	for (i = 0; i < nr_cpu_ids; i++)
		n3t_cpus_check_starved(&cpus[i]);
	n3t_cpus_watch();
}

/* Does not wake an idle CPU, and does not run on an isolated one. */
static DECLARE_DEFERRABLE_WORK(watch, n3t_cpus_watch_isolation);

/**
 * n3t_cpus_watch() - detect changes of isolation at run time, within about a second
 *
 * Context: any; until n3t_cpus_quiesce().
 */
void n3t_cpus_watch(void)
{
	queue_delayed_work(system_dfl_wq, &watch, HZ);
}

/**
 * n3t_cpus_init() - initialize the CPUs, none online yet
 *
 * Return: 0; -ENOMEM; an error of n3t_power_init().
 */
int n3t_cpus_init(void)
{
	unsigned int i;
	int ret = -ENOMEM;

	cpus = kvcalloc(nr_cpu_ids, sizeof(*cpus), GFP_KERNEL);
	if (!cpus)
		return -ENOMEM;

	queue = alloc_workqueue("n3_telemetry", WQ_UNBOUND | WQ_HIGHPRI, 0);
	if (!queue)
		goto out_free_cpus;

	start_ns = ktime_get_ns();
	for (i = 0; i < nr_cpu_ids; i++) {
		struct n3t_cpu *cpu = &cpus[i];

		cpu->cpu = i;
		cpu->state = N3T_CPU_OFFLINE;
		mutex_init(&cpu->lock);
		cpu->guest_counters = N3T_GUESTS_UNKNOWN;
		seqcount_init(&cpu->seq);
		cpu->times.use = N3T_TIME_OFF;
		cpu->times.since_ns = start_ns;
		INIT_DELAYED_WORK(&cpu->work, n3t_cpus_work);
		INIT_WORK(&cpu->bound_work, n3t_cpus_bound_work);
		cpu->bound_cpu = i;
		cpu->work_cost.since_ns = start_ns;
		n3t_contention_init(&cpu->contention);
		raw_spin_lock_init(&cpu->withdrawn.lock);
		n3t_sampler_init(cpu);
	}
	ret = n3t_power_init(cpus);
	if (!ret)
		return 0;

	destroy_workqueue(queue);
out_free_cpus:
	kvfree(cpus);
	return ret;
}

/**
 * n3t_cpus_quiesce() - wait for work of the CPUs
 *
 * Context: may sleep; all of them stopped, no lock held.
 */
void n3t_cpus_quiesce(void)
{
	unsigned int i;

	cancel_delayed_work_sync(&watch);
	for (i = 0; i < nr_cpu_ids; i++) {
		cancel_delayed_work_sync(&cpus[i].work);
		cancel_work_sync(&cpus[i].bound_work);
		n3t_sampler_exit(&cpus[i]);
	}
}

/**
 * n3t_cpus_exit() - undo n3t_cpus_init()
 */
void n3t_cpus_exit(void)
{
	n3t_power_exit();
	destroy_workqueue(queue);
	kvfree(cpus);
}
