// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs: taking counters, sampling and releasing counters, with CPU hotplug.
 *
 * The state of a CPU changes for three reasons: a change of settings, CPU
 * hotplug, and the CPU's own work item, which the sampler queues to yield, to
 * return or to request more counters. Each of them holds only the lock of that
 * CPU.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "alias.h"
#include "config.h"
#include "cpu.h"
#include "cpus.h"
#include "fallback.h"
#include "midr.h"
#include "perf_private.h"
#include "pmu.h"
#include "sampler.h"
#include "spe_regs.h"
#include "withdraw.h"

bool n3t_cpus_loading;		/* an error on any CPU makes loading fail */

static struct n3t_cpu *cpus;	/* array of nr_cpu_ids */
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

	return config->settings.enable && cpu->pmu && cpu->state != N3T_CPU_OFFLINE &&
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

	if (get_cpu() == cpu->cpu)
		cpu->contention.own_rotation = n3t_perf_rotation(cpu->pmu->pmu);
	else
		cpu->contention.own_rotation = N3T_ROTATION_UNKNOWN;
	put_cpu();
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
	    !n3t_ring_kept_since(&run->ring, cpu->counters.agreed_ns))
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
	n3t_counters_verify(&cpu->counters, cpu->cpu);
	withdraw_mistyped(cpu, run);
	n3t_withdraw_rest(cpu, run);
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
	n3t_counters_rewind(&cpu->counters);
	n3t_sampler_start(cpu, run);
}

/* Switches from one run to another, or from none to the first. */
static void start(struct n3t_cpu *cpu, struct n3t_run *run, const struct n3t_config *config)
{
	struct n3t_run *old = run_of(cpu);

	lockdep_assert_held(&cpu->lock);

	n3t_sampler_stop(cpu);
	judge_end(cpu);
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

/* Stops sampling and polling, and releases the counters. */
static void stop(struct n3t_cpu *cpu, enum n3t_cpu_state state)
{
	struct n3t_run *old = run_of(cpu);

	lockdep_assert_held(&cpu->lock);

	n3t_sampler_stop(cpu);
	judge_end(cpu);
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
}

static void stop_and_release(struct n3t_cpu *cpu, enum n3t_cpu_state state)
{
	lockdep_assert_held(&cpu->lock);

	stop(cpu, state);
	update_begin(cpu);
	n3t_contention_reset(&cpu->contention, ktime_get_mono_fast_ns());
	update_end(cpu);
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
	n3t_sampler_stop(cpu);
	judge_end(cpu);
	end_direct(cpu);
	n3t_counters_shrink(&cpu->counters, run->plan->budget);
	/* Direct if in doubt: if it has been ruled out since, the first slice detects that. */
	cpu->counters.direct = !run->fallback && switch_of(cpu, config) != N3T_SWITCH_IN_PLACE;
	WRITE_ONCE(cpu->budget, run->plan->budget);
	start(cpu, run, config);
	if (can_grow(cpu, run, config))
		n3t_cpu_ask(cpu, N3T_TODO_GROW);
}

/* Switches to the prepared run, or to none. Cannot fail. */
static void change_over(struct n3t_cpu *cpu, const struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	cpu->changing = false;
	if (!is_wanted(cpu, config))
		stop_and_release(cpu, cpu->state == N3T_CPU_OFFLINE ? N3T_CPU_OFFLINE :
								      N3T_CPU_DISABLED);
	else if (cpu->next_run && !is_barred(cpu, config))
		start_prepared(cpu, config);
	else
		wait_for_counters(cpu, config);
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
		WRITE_ONCE(cpu->guest_counters, n3t_midr_guest_counters());
	if (!ret && !cpu->pmu->aliases)
		n3t_alias_add(cpu->pmu);
	return ret;
}

/**
 * n3t_cpus_online() - CPU hotplug callback for a CPU that came online
 * @nr: the CPU, which runs this
 *
 * A CPU that cannot be sampled still comes online, and is retried like one whose
 * counters are in use. If memory was insufficient to find its PMU, it is retried
 * only when it comes online again. While the module is loading, errors are returned.
 *
 * Context: may sleep; CPU hotplug.
 * Return: 0, or the error that makes loading fail.
 */
int n3t_cpus_online(unsigned int nr)
{
	struct n3t_config *config = n3t_config_get();
	struct n3t_cpu *cpu = &cpus[nr];
	int ret;

	mutex_lock(&cpu->lock);
	if (!cpu->spe.were_read)
		n3t_spe_regs_read(&cpu->spe);
	/* Pairs with smp_load_acquire() in regs_of() in cpu_files.c. */
	smp_store_release(&cpu->state, N3T_CPU_DISABLED);
	WRITE_ONCE(cpu->isolated, n3t_sampler_is_isolated(nr));
	ret = find_pmu(cpu);
	if (!ret)
		ret = prepare(cpu, config);
	if (!ret) {
		change_over(cpu, config);
	} else {
		pr_err("CPU %u cannot be sampled (error %d)\n", nr, ret);
		forget_prepared(cpu);
		if (!n3t_cpus_loading && is_wanted(cpu, config))
			wait_for_counters(cpu, config);
	}
	mutex_unlock(&cpu->lock);

	n3t_config_put(config);
	return n3t_cpus_loading ? ret : 0;
}

/**
 * n3t_cpus_offline() - CPU hotplug callback for a CPU that goes offline
 * @nr: the CPU, which runs this
 *
 * Releases its perf events, which would be lost.
 *
 * Context: may sleep; CPU hotplug.
 * Return: 0
 */
int n3t_cpus_offline(unsigned int nr)
{
	struct n3t_cpu *cpu = &cpus[nr];

	mutex_lock(&cpu->lock);
	stop_and_release(cpu, N3T_CPU_OFFLINE);
	mutex_unlock(&cpu->lock);
	return 0;
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

static void resume_sampling(struct n3t_cpu *cpu, struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	if (!is_wanted(cpu, config) || run_of(cpu))
		return;

	n3t_sampler_stop(cpu);
	if (!is_barred(cpu, config) && !take_counters(cpu, config))
		return;

	/* An unplaced CPU can wait for counters now, or counting is not permitted any more. */
	if (!is_waiting(cpu) || !target_of(cpu, config) || is_barred(cpu, config)) {
		wait_for_counters(cpu, config);
		return;
	}
	n3t_contention_failed(&cpu->contention);
	n3t_sampler_start(cpu, NULL);
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

	n3t_sampler_stop(cpu);
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

	n3t_sampler_stop(cpu);
	judge_end(cpu);
	release_counters(cpu);
	if (take_counters(cpu, config))
		wait_for_counters(cpu, config);
}

static void grow(struct n3t_cpu *cpu, struct n3t_config *config)
{
	struct n3t_run *run = run_of(cpu);
	unsigned int before = cpu->budget;
	struct n3t_run *larger;

	lockdep_assert_held(&cpu->lock);

	if (!run)
		return;
	if (run->fallback) {
		grow_through_perf(cpu, config);
		return;
	}
	if (cpu->counters.mistyped) {
		retake(cpu, config);
		return;
	}

	n3t_sampler_stop(cpu);
	/* Before there are counters that the run does not know. */
	judge_end(cpu);
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

static void yield_counters(struct n3t_cpu *cpu, struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	if (run_of(cpu) || (is_waiting(cpu) && is_barred(cpu, config)))
		wait_for_counters(cpu, config);
}

/* Updates the isolation of the CPU, which other changes rely on. */
static void review(struct n3t_cpu *cpu, struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	WRITE_ONCE(cpu->isolated, n3t_sampler_is_isolated(cpu->cpu));
	if (is_wanted(cpu, config)) {
		if (cpu->state == N3T_CPU_DISABLED)
			resume_sampling(cpu, config);
	} else if (cpu->state != N3T_CPU_OFFLINE) {
		stop_and_release(cpu, N3T_CPU_DISABLED);
	}
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
static void bar(struct n3t_cpu *cpu, struct n3t_config *config)
{
	unsigned int i;

	lockdep_assert_held(&cpu->lock);

	/* The work of an offline CPU is not waited for. */
	if (cpu->state == N3T_CPU_OFFLINE)
		return;
	if (raise_bar(cpu->pmu, config->settings.enables)) {
		pr_warn("user space can read counters of %s (kernel.perf_user_access), not sampling until 1 is written to enable\n",
			cpu->pmu->pmu->name);
		for (i = 0; i < nr_cpu_ids; i++)
			if (READ_ONCE(cpus[i].pmu) == cpu->pmu &&
			    READ_ONCE(cpus[i].state) != N3T_CPU_OFFLINE)
				n3t_cpu_ask(&cpus[i], N3T_TODO_YIELD);
	}
	yield_counters(cpu, config);
}

/* While settings are being changed only yielding is done, since it cannot wait. */
static void n3t_cpus_work(struct work_struct *work)
{
	struct n3t_cpu *cpu = container_of(work, struct n3t_cpu, work);
	struct n3t_config *config;
	enum n3t_todo todo;

	mutex_lock(&cpu->lock);
	config = n3t_config_get();
	todo = xchg(&cpu->todo, N3T_TODO_NONE);
	if (todo == N3T_TODO_BAR)
		bar(cpu, config);
	else if (todo == N3T_TODO_YIELD)
		yield_counters(cpu, config);
	else if (cpu->changing)
		;
	else if (todo == N3T_TODO_RETURN)
		resume_sampling(cpu, config);
	else if (todo == N3T_TODO_GROW)
		grow(cpu, config);
	else if (todo == N3T_TODO_REVIEW)
		review(cpu, config);
	n3t_config_put(config);
	mutex_unlock(&cpu->lock);
}

/* Finds CPUs whose isolation changed at run time, for which no notification exists. */
static void n3t_cpus_watch_isolation(struct work_struct *work)
{
	unsigned int i;

	for (i = 0; i < nr_cpu_ids; i++)
		if (READ_ONCE(cpus[i].state) != N3T_CPU_OFFLINE &&
		    READ_ONCE(cpus[i].isolated) != n3t_sampler_is_isolated(i))
			n3t_cpu_ask(&cpus[i], N3T_TODO_REVIEW);
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
	int ret;

	cpus = kvcalloc(nr_cpu_ids, sizeof(*cpus), GFP_KERNEL);
	if (!cpus)
		return -ENOMEM;

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
		INIT_WORK(&cpu->work, n3t_cpus_work);
		n3t_contention_init(&cpu->contention);
		n3t_sampler_init(cpu);
	}
	n3t_withdraw_init(cpus);
	ret = n3t_power_init(cpus);
	if (ret)
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
	for (i = 0; i < nr_cpu_ids; i++)
		cancel_work_sync(&cpus[i].work);
	n3t_withdraw_quiesce();
}

/**
 * n3t_cpus_exit() - undo n3t_cpus_init()
 */
void n3t_cpus_exit(void)
{
	n3t_power_exit();
	kvfree(cpus);
}
