// SPDX-License-Identifier: GPL-2.0
/*
 * A CPU's claim to counters: taking them, sampling, growing, yielding and waiting.
 *
 * cpus.c decides when, and holds the lock of the CPU. Actions return false if the
 * sampler has to stop first, and has not yet.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/timekeeping.h>

#include "claim.h"
#include "config.h"
#include "cpu.h"
#include "fallback.h"
#include "perf_private.h"
#include "pmu.h"
#include "sampler.h"
#include "withdraw.h"

bool n3t_claim_unloading;

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

	return !READ_ONCE(n3t_claim_unloading) && config->settings.enable && cpu->pmu &&
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

/* CPUs whose counters were all reserved may have unreserved ones now. */
static void retry_unplaced(const struct n3t_pmu *pmu)
{
	unsigned int i;

	for (i = 0; i < nr_cpu_ids; i++)
		if (READ_ONCE(n3t_cpus_get(i)->pmu) == pmu &&
		    READ_ONCE(n3t_cpus_get(i)->state) == N3T_CPU_UNPLACED)
			n3t_cpu_ask(n3t_cpus_get(i), N3T_TODO_RETURN);
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
		if (READ_ONCE(n3t_cpus_get(i)->pmu) == cpu->pmu)
			n3t_withdraw_all(n3t_cpus_get(i), run->config->settings.enables);
}

/* Judges the last slices of a sampler that has stopped. */
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

/**
 * n3t_claim_stop() - stop sampling or waiting, and release the counters
 * @cpu: the CPU
 * @state: its state from now on
 *
 * Context: may sleep; @cpu->lock held.
 * Return: true; false if the sampler has not stopped.
 */
bool n3t_claim_stop(struct n3t_cpu *cpu, enum n3t_cpu_state state)
{
	lockdep_assert_held(&cpu->lock);

	if (!stop_sampler(cpu))
		return false;

	stop_and_release(cpu, state);
	return true;
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

/**
 * n3t_claim_prepare() - allocate everything that a CPU needs under a new configuration
 * @cpu: the CPU; its current state does not change
 * @config: the configuration
 *
 * Lack of counters is not an error: the CPU waits for them. A CPU that has yielded
 * keeps waiting, whatever the settings are, until no one else waits for its
 * counters. A CPU that was barred takes them at once.
 *
 * Context: may sleep; @cpu->lock held.
 * Return: 0, for n3t_claim_change_over(); or an error, for n3t_claim_forget().
 */
int n3t_claim_prepare(struct n3t_cpu *cpu, struct n3t_config *config)
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

/**
 * n3t_claim_forget() - undo n3t_claim_prepare()
 * @cpu: the CPU
 *
 * Context: may sleep; @cpu->lock held.
 */
void n3t_claim_forget(struct n3t_cpu *cpu)
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

/**
 * n3t_claim_change_over() - switch to the prepared run, or to none
 * @cpu: the CPU
 * @config: the configuration of n3t_claim_prepare()
 *
 * Context: may sleep; @cpu->lock held.
 * Return: true; false, and the CPU is late, if the sampler has not stopped.
 */
bool n3t_claim_change_over(struct n3t_cpu *cpu, const struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	WRITE_ONCE(cpu->late, !stop_sampler(cpu));
	if (cpu->late)
		return false;
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
	return cpu->state == N3T_CPU_OFFLINE || n3t_claim_stop(cpu, N3T_CPU_DISABLED);
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
			if (READ_ONCE(n3t_cpus_get(i)->pmu) == cpu->pmu &&
			    READ_ONCE(n3t_cpus_get(i)->state) != N3T_CPU_OFFLINE)
				n3t_cpu_ask(n3t_cpus_get(i), N3T_TODO_YIELD);
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

/**
 * n3t_claim_act() - do what was requested from the work item of a CPU
 * @cpu: the CPU
 * @config: the configuration in force
 * @todo: the request
 *
 * Context: may sleep; @cpu->lock held.
 * Return: true; false if the sampler has not stopped.
 */
bool n3t_claim_act(struct n3t_cpu *cpu, struct n3t_config *config, enum n3t_todo todo)
{
	lockdep_assert_held(&cpu->lock);

	return act(cpu, config, todo) && revive(cpu, config);
}
