// SPDX-License-Identifier: GPL-2.0
/* The CPUs: taking counters, sampling, giving them back, through CPU hotplug. */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/timekeeping.h>

#include "control.h"
#include "cpus.h"
#include "pmu.h"

bool n3t_cpus_loading;		/* an error of a CPU fails the load */

static struct n3t_cpu *cpus;	/* nr_cpu_ids of them */

/**
 * n3t_cpus_get() - what there is about a CPU
 * @cpu: its number, below nr_cpu_ids
 *
 * Return: the CPU. It stays as long as the module does.
 */
struct n3t_cpu *n3t_cpus_get(unsigned int cpu)
{
	return &cpus[cpu];
}

/**
 * n3t_cpus_dropped() - slices of a CPU that were dropped
 * @cpu: the CPU
 *
 * Context: any.
 * Return: how many since the module was loaded, for any reason.
 */
u64 n3t_cpus_dropped(const struct n3t_cpu *cpu)
{
	return READ_ONCE(cpu->slices[N3T_SLICE_MISSING]) + READ_ONCE(cpu->slices[N3T_SLICE_CUT]);
}

static bool is_wanted(const struct n3t_cpu *cpu, const struct n3t_config *config)
{
	return config->settings.enable && cpu->covered && cpu->state != N3T_CPU_OFFLINE &&
	       cpumask_test_cpu(cpu->cpu, &config->settings.cpus);
}

/* Sets that are changed through perf have events of their own: see n3t_run_alloc(). */
static int hold_counters(struct n3t_cpu *cpu, const struct n3t_config *config)
{
	int ret;

	ret = n3t_counters_open(&cpu->counters, cpu->cpu, config->settings.reserved_counters);
	if (ret)
		return ret;

	cpu->budget = cpu->counters.budget;
	cpu->neighbour.own_rotation = N3T_ROTATION_UNKNOWN;
	if (!n3t_in_place)
		n3t_counters_close(&cpu->counters);
	return 0;
}

static void release_counters(struct n3t_cpu *cpu)
{
	n3t_counters_close(&cpu->counters);
	cpu->budget = 0;
}

static struct n3t_run *alloc_run(struct n3t_cpu *cpu, struct n3t_config *config)
{
	const struct n3t_plan *plan = n3t_config_plan(config, cpu->budget);

	if (IS_ERR(plan))
		return ERR_CAST(plan);
	return n3t_run_alloc(cpu->cpu, plan, n3t_config_slots(config), n3t_in_place);
}

static void stop(struct n3t_cpu *cpu)
{
	n3t_sampler_stop(cpu);
	n3t_run_free(cpu->run);
	cpu->run = NULL;
}

/*
 * Gets all that the CPU needs under a configuration that may come into force.
 * That there is no counter to spare is no error: the CPU waits for one.
 */
static int prepare(struct n3t_cpu *cpu, struct n3t_config *config)
{
	struct n3t_run *run;
	int ret;

	/* What was given back is taken again when nobody waits, whatever is set. */
	if (!is_wanted(cpu, config) || cpu->state == N3T_CPU_CONTENDED)
		return 0;

	/* Another number of counters is asked for: begin anew. */
	if (config->settings.reserved_counters != n3t_config->settings.reserved_counters) {
		stop(cpu);
		release_counters(cpu);
	}

	if (!cpu->budget) {
		ret = hold_counters(cpu, config);
		if (ret)
			return ret == -ENOSPC ? 0 : ret;
	}

	run = alloc_run(cpu, config);
	if (IS_ERR(run))
		return PTR_ERR(run);

	cpu->next_run = run;
	return 0;
}

static bool is_sharing(const struct n3t_config *config)
{
	return config->settings.contention == N3T_CONTENTION_SHARE;
}

static void start(struct n3t_cpu *cpu, struct n3t_run *run, const struct n3t_config *config)
{
	cpu->run = run;
	cpu->run->current_set = N3T_NO_SET;
	cpu->counters.set = NULL;
	cpu->state = N3T_CPU_SAMPLING;
	n3t_neighbour_settle(&cpu->neighbour, is_sharing(config));
	n3t_sampler_start(cpu, config->settings.slice_ms);
}

/* Waits for counters: there are none, or they were given back. */
static void wait_for_counters(struct n3t_cpu *cpu, const struct n3t_config *config)
{
	bool reserved = config->settings.reserved_counters >= n3t_usual_budget;

	stop(cpu);
	release_counters(cpu);
	cpu->state = reserved ? N3T_CPU_UNPLACED : N3T_CPU_CONTENDED;
	n3t_neighbour_begin_away(&cpu->neighbour, is_sharing(config));
	n3t_sampler_start(cpu, N3T_AWAY_LOOK_MS);
}

/* Back to what is in force; what had to be given up for the change comes back by itself. */
static void forget_prepared(struct n3t_cpu *cpu)
{
	n3t_run_free(cpu->next_run);
	cpu->next_run = NULL;
	if (cpu->run)
		return;

	release_counters(cpu);
	if (cpu->state == N3T_CPU_SAMPLING)
		wait_for_counters(cpu, n3t_config);
}

static void rest(struct n3t_cpu *cpu, enum n3t_cpu_state state)
{
	stop(cpu);
	release_counters(cpu);
	n3t_neighbour_forget(&cpu->neighbour);
	cpu->state = state;
}

/* Goes over to what was prepared, or to nothing. Cannot fail. */
static void change_over(struct n3t_cpu *cpu, const struct n3t_config *config)
{
	struct n3t_run *run = cpu->next_run;

	cpu->next_run = NULL;
	if (run) {
		stop(cpu);
		start(cpu, run, config);
	} else if (!is_wanted(cpu, config)) {
		rest(cpu, cpu->state == N3T_CPU_OFFLINE ? N3T_CPU_OFFLINE : N3T_CPU_DISABLED);
	} else if (cpu->state == N3T_CPU_CONTENDED) {
		WRITE_ONCE(cpu->neighbour.sharing, is_sharing(config));
	} else {
		wait_for_counters(cpu, config);
	}
}

/**
 * n3t_cpus_apply() - bring all CPUs under a configuration
 * @config: the configuration
 *
 * Context: may sleep; CPU hotplug lock and n3t_control_lock held for writing.
 * Return: 0, or an error; then everything is as it was.
 */
int n3t_cpus_apply(struct n3t_config *config)
{
	unsigned int i;
	int ret = 0;

	lockdep_assert_held_write(&n3t_control_lock);

	for (i = 0; !ret && i < nr_cpu_ids; i++)
		ret = prepare(&cpus[i], config);
	if (ret) {
		for (i = 0; i < nr_cpu_ids; i++)
			forget_prepared(&cpus[i]);
		return ret;
	}

	for (i = 0; i < nr_cpu_ids; i++)
		change_over(&cpus[i], config);
	return 0;
}

/**
 * n3t_cpus_online() - a CPU came on line
 * @nr: the CPU, the one that runs this
 *
 * A CPU that cannot be sampled comes on line all the same, and is tried again as
 * one whose counters are taken. While the module is being loaded it is an error.
 *
 * Context: may sleep; CPU hotplug.
 * Return: 0, or why the load fails.
 */
int n3t_cpus_online(unsigned int nr)
{
	struct n3t_cpu *cpu = &cpus[nr];
	int ret;

	down_write(&n3t_control_lock);
	cpu->state = N3T_CPU_DISABLED;
	cpu->covered = n3t_pmu_covers_this_cpu();
	if (!cpu->covered)
		pr_info("CPU %u is not a Neoverse N3: left alone\n", nr);

	ret = prepare(cpu, n3t_config);
	if (ret) {
		pr_err("CPU %u cannot be sampled (error %d)\n", nr, ret);
		forget_prepared(cpu);
		if (!n3t_cpus_loading)
			wait_for_counters(cpu, n3t_config);
	} else {
		change_over(cpu, n3t_config);
	}
	up_write(&n3t_control_lock);
	return n3t_cpus_loading ? ret : 0;
}

/**
 * n3t_cpus_offline() - a CPU goes off line
 * @nr: the CPU, the one that runs this
 *
 * Its perf events would be lost, so they are released.
 *
 * Context: may sleep; CPU hotplug.
 * Return: 0
 */
int n3t_cpus_offline(unsigned int nr)
{
	struct n3t_cpu *cpu = &cpus[nr];

	down_write(&n3t_control_lock);
	rest(cpu, N3T_CPU_OFFLINE);
	up_write(&n3t_control_lock);
	return 0;
}

/**
 * n3t_cpus_leave() - give all counters of a CPU back to others
 * @cpu: a CPU that is sampled
 *
 * Context: may sleep; n3t_control_lock held for writing.
 */
void n3t_cpus_leave(struct n3t_cpu *cpu)
{
	wait_for_counters(cpu, n3t_config);
}

/**
 * n3t_cpus_return() - take counters again, as many as are free now
 * @cpu: a CPU whose counters were given back, the one that runs this
 *
 * Context: may sleep; CPU hotplug lock, and n3t_control_lock for writing.
 * Return: true if the CPU is sampled again.
 */
bool n3t_cpus_return(struct n3t_cpu *cpu)
{
	struct n3t_run *run;

	if (hold_counters(cpu, n3t_config))
		return false;
	cpu->neighbour.own_rotation = n3t_pmu_rotation();

	run = alloc_run(cpu, n3t_config);
	if (IS_ERR(run)) {
		release_counters(cpu);
		return false;
	}

	stop(cpu);
	start(cpu, run, n3t_config);
	return true;
}

/**
 * n3t_cpus_grow() - take the counters that have become free
 * @cpu: a CPU that is sampled, the one that runs this
 *
 * Context: may sleep; CPU hotplug lock, and n3t_control_lock for writing.
 */
void n3t_cpus_grow(struct n3t_cpu *cpu)
{
	unsigned int before = cpu->budget;
	struct n3t_run *run;

	if (!n3t_in_place)
		return;

	n3t_sampler_stop(cpu);
	n3t_counters_grow(&cpu->counters, cpu->cpu, n3t_config->settings.reserved_counters);
	cpu->budget = cpu->counters.budget;
	cpu->neighbour.own_rotation = n3t_pmu_rotation();

	run = cpu->budget == before ? NULL : alloc_run(cpu, n3t_config);
	if (IS_ERR_OR_NULL(run)) {
		/* No fewer than before, so the old plan fits; what was won stays unused. */
		run = cpu->run;
	} else {
		n3t_run_free(cpu->run);
	}
	start(cpu, run, n3t_config);
}

/**
 * n3t_cpus_init() - prepare the CPUs, none on line yet
 *
 * Return: 0, or -ENOMEM.
 */
int n3t_cpus_init(void)
{
	unsigned int i;

	cpus = kvcalloc(nr_cpu_ids, sizeof(*cpus), GFP_KERNEL);
	if (!cpus)
		return -ENOMEM;

	for (i = 0; i < nr_cpu_ids; i++) {
		cpus[i].cpu = i;
		cpus[i].state = N3T_CPU_OFFLINE;
		n3t_sampler_init(&cpus[i]);
		n3t_neighbour_init(&cpus[i]);
	}
	return 0;
}

/**
 * n3t_cpus_quiesce() - wait for what still runs on behalf of the CPUs
 *
 * Context: may sleep; all of them stopped, no lock held.
 */
void n3t_cpus_quiesce(void)
{
	unsigned int i;

	for (i = 0; i < nr_cpu_ids; i++)
		n3t_neighbour_quiesce(&cpus[i].neighbour);
}

/**
 * n3t_cpus_exit() - undo n3t_cpus_init()
 */
void n3t_cpus_exit(void)
{
	kvfree(cpus);
}
