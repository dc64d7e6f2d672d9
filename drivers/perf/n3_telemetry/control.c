// SPDX-License-Identifier: GPL-2.0
/*
 * Settings, and carrying them out on every CPU, through CPU hotplug as well.
 *
 * New settings make a new configuration. What each CPU needs under it is got
 * first, while sampling goes on under the old one. Only when all of it is
 * there the CPUs change over, which cannot fail; otherwise the old one stands.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/security.h>
#include <linux/slab.h>

#include "control.h"
#include "pmu.h"
#include "sampler.h"

#define PROOF_TRIES	10

DECLARE_RWSEM(n3t_control_lock);
struct n3t_config *n3t_config;
bool n3t_in_place;		/* written at load */

static struct n3t_cpu *cpus;	/* nr_cpu_ids of them */
static unsigned int usual_budget;	/* found at load, for plans while no CPU is sampled */
static int hotplug_state;
static bool loading;		/* n3t_control_lock: errors of a CPU fail the load */

/**
 * n3t_control_cpu() - what there is about a CPU
 * @cpu: its number, below nr_cpu_ids
 *
 * Return: the CPU. It stays as long as the module does.
 */
struct n3t_cpu *n3t_control_cpu(unsigned int cpu)
{
	return &cpus[cpu];
}

static void config_free(struct n3t_config *config)
{
	unsigned int i;

	if (!config)
		return;

	for (i = 0; i < ARRAY_SIZE(config->plan); i++)
		kvfree(config->plan[i]);
	kfree(config);
}

static struct n3t_plan *config_plan(struct n3t_config *config, unsigned int budget)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	struct n3t_plan *plan = config->plan[budget];
	int ret;

	if (plan)
		return plan;

	plan = kvzalloc(sizeof(*plan), GFP_KERNEL);
	if (!plan)
		return ERR_PTR(-ENOMEM);

	bitmap_fill(groups, N3T_NR_GROUPS);
	ret = n3t_plan_make(plan, budget, groups);
	if (ret) {
		kvfree(plan);
		return ERR_PTR(ret);
	}

	config->plan[budget] = plan;
	return plan;
}

/**
 * n3t_window_ms_min() - the shortest window that makes sense
 * @config: a configuration with its plans
 *
 * Return: two rotations of its longest plan in milliseconds, but not more than
 * the longest window there is.
 */
unsigned int n3t_window_ms_min(const struct n3t_config *config)
{
	unsigned int rotation = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(config->plan); i++)
		if (config->plan[i])
			rotation = max(rotation, n3t_plan_rotation(config->plan[i]));

	return min(2 * rotation * config->settings.slice_ms, (unsigned int)N3T_WINDOW_MS_MAX);
}

static void config_settle_window(struct n3t_config *config)
{
	config->window_ms = max(config->settings.window_ms, n3t_window_ms_min(config));
}

static int settings_check(const struct n3t_settings *settings)
{
	if (settings->slice_ms < N3T_SLICE_MS_MIN || settings->slice_ms > N3T_SLICE_MS_MAX)
		return -EINVAL;
	if (!settings->window_ms || settings->window_ms > N3T_WINDOW_MS_MAX)
		return -EINVAL;
	return settings->enable ? security_locked_down(LOCKDOWN_PERF) : 0;
}

static unsigned int ring_slots(const struct n3t_config *config)
{
	unsigned int slice_ms = max(config->settings.slice_ms, jiffies_to_msecs(1));

	return DIV_ROUND_UP(config->window_ms, slice_ms) + 1;
}

static bool is_wanted(const struct n3t_cpu *cpu, const struct n3t_config *config)
{
	return config->settings.enable && cpu->covered && cpu->state != N3T_CPU_OFFLINE;
}

/* Sets that are changed through perf have events of their own: see n3t_run_alloc(). */
static int hold_counters(struct n3t_cpu *cpu)
{
	int ret = n3t_counters_open(&cpu->counters, cpu->cpu);

	if (ret)
		return ret;

	cpu->budget = cpu->counters.budget;
	if (!n3t_in_place)
		n3t_counters_close(&cpu->counters);
	return 0;
}

static void release_counters(struct n3t_cpu *cpu)
{
	n3t_counters_close(&cpu->counters);
	cpu->budget = 0;
}

/* The counters for a configuration in which the CPU is wanted. */
static int prepare_counters(struct n3t_cpu *cpu, struct n3t_config *config)
{
	struct n3t_plan *plan;
	int ret;

	if (!cpu->budget) {
		ret = hold_counters(cpu);
		if (ret)
			return ret;
	}

	plan = config_plan(config, cpu->budget);
	return PTR_ERR_OR_ZERO(plan);
}

static int prepare_run(struct n3t_cpu *cpu, struct n3t_config *config)
{
	struct n3t_run *run;

	run = n3t_run_alloc(cpu->cpu, config_plan(config, cpu->budget), ring_slots(config),
			    n3t_in_place);
	if (IS_ERR(run))
		return PTR_ERR(run);

	cpu->next_run = run;
	return 0;
}

static void set_disabled(struct n3t_cpu *cpu)
{
	if (cpu->state != N3T_CPU_OFFLINE)
		cpu->state = N3T_CPU_DISABLED;
}

/* Goes over to what was prepared, or to nothing. Cannot fail. */
static void change_over(struct n3t_cpu *cpu, const struct n3t_config *config)
{
	n3t_sampler_stop(cpu);

	if (cpu->next_run) {
		n3t_sampler_start(cpu, cpu->next_run, config->settings.slice_ms);
		cpu->next_run = NULL;
		return;
	}

	release_counters(cpu);
	if (cpu->state == N3T_CPU_SAMPLING || !config->settings.enable)
		set_disabled(cpu);
}

/* A CPU that was not sampled before holds nothing again. */
static void forget_prepared(struct n3t_cpu *cpu)
{
	n3t_run_free(cpu->next_run);
	cpu->next_run = NULL;
	if (!cpu->run)
		release_counters(cpu);
}

/* A CPU without a counter to spare is no error: it says so itself. */
static int unplaced_is_fine(struct n3t_cpu *cpu, int ret)
{
	if (ret == -ENOSPC) {
		pr_warn("CPU %u has no programmable counter to spare\n", cpu->cpu);
		cpu->state = N3T_CPU_UNPLACED;
		ret = 0;
	}
	return ret;
}

static int prepare_all(struct n3t_config *config)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < nr_cpu_ids; i++)
		if (is_wanted(&cpus[i], config))
			ret = unplaced_is_fine(&cpus[i], prepare_counters(&cpus[i], config));

	config_settle_window(config);	/* now that all its plans are known */

	for (i = 0; !ret && i < nr_cpu_ids; i++)
		if (is_wanted(&cpus[i], config) && cpus[i].budget)
			ret = prepare_run(&cpus[i], config);
	return ret;
}

static int apply(struct n3t_config *config)
{
	unsigned int i;
	int ret;

	ret = prepare_all(config);
	if (ret) {
		for (i = 0; i < nr_cpu_ids; i++)
			forget_prepared(&cpus[i]);
		return ret;
	}

	for (i = 0; i < nr_cpu_ids; i++)
		change_over(&cpus[i], config);
	return 0;
}

static struct n3t_config *config_alloc(const struct n3t_settings *settings)
{
	struct n3t_config *config;
	struct n3t_plan *plan;

	config = kzalloc(sizeof(*config), GFP_KERNEL);
	if (!config)
		return ERR_PTR(-ENOMEM);

	config->settings = *settings;
	plan = config_plan(config, usual_budget);
	if (IS_ERR(plan)) {
		kfree(config);
		return ERR_CAST(plan);
	}
	config_settle_window(config);
	return config;
}

/* A window that was asked for, rather than left as it was, has to be long enough. */
static bool window_too_short(const struct n3t_config *config, unsigned int before_ms)
{
	return config->settings.window_ms != before_ms &&
	       config->settings.window_ms < n3t_window_ms_min(config);
}

/**
 * n3t_control_begin() - begin to change settings
 * @settings: is given the settings in force
 *
 * Context: may sleep. Holds the CPU hotplug lock and n3t_control_lock until
 * n3t_control_commit(), unless it fails.
 * Return: 0, or -EINTR.
 */
int n3t_control_begin(struct n3t_settings *settings)
{
	cpus_read_lock();
	if (down_write_killable(&n3t_control_lock)) {
		cpus_read_unlock();
		return -EINTR;
	}

	*settings = n3t_config->settings;
	return 0;
}

/**
 * n3t_control_abort() - leave the settings as they are
 *
 * Context: after n3t_control_begin(), whose locks it drops.
 */
void n3t_control_abort(void)
{
	up_write(&n3t_control_lock);
	cpus_read_unlock();
}

static int commit(const struct n3t_settings *settings)
{
	struct n3t_config *config;
	int ret;

	lockdep_assert_held_write(&n3t_control_lock);

	ret = settings_check(settings);
	if (ret)
		return ret;

	config = config_alloc(settings);
	if (IS_ERR(config))
		return PTR_ERR(config);

	if (window_too_short(config, n3t_config->settings.window_ms))
		ret = -EINVAL;
	else
		ret = apply(config);

	if (!ret)
		swap(n3t_config, config);
	config_free(config);
	return ret;
}

/**
 * n3t_control_commit() - carry out changed settings
 * @settings: what is to be in force
 *
 * Values start afresh after it. After an error the old settings stand.
 *
 * Context: may sleep; after n3t_control_begin(), whose locks it drops.
 * Return: 0; -EINVAL for a setting out of range or a new window shorter than
 * two rotations; -EPERM if the kernel is locked down; -ENOMEM; what perf says.
 */
int n3t_control_commit(const struct n3t_settings *settings)
{
	int ret = commit(settings);

	n3t_control_abort();
	return ret;
}

static int bring_up(struct n3t_cpu *cpu)
{
	int ret;

	if (!is_wanted(cpu, n3t_config))
		return 0;

	ret = prepare_counters(cpu, n3t_config);
	if (!ret) {
		config_settle_window(n3t_config);
		ret = prepare_run(cpu, n3t_config);
	}
	if (ret) {
		release_counters(cpu);
		return unplaced_is_fine(cpu, ret);
	}

	change_over(cpu, n3t_config);
	return 0;
}

/* A CPU that cannot be sampled comes on line all the same; while loading it is an error. */
static int n3t_cpu_online(unsigned int nr)
{
	struct n3t_cpu *cpu = &cpus[nr];
	int ret;

	down_write(&n3t_control_lock);
	cpu->state = N3T_CPU_DISABLED;
	cpu->covered = n3t_pmu_covers_this_cpu();
	if (!cpu->covered)
		pr_info("CPU %u is not a Neoverse N3: left alone\n", nr);

	ret = bring_up(cpu);
	if (ret)
		pr_err("CPU %u cannot be sampled (error %d)\n", nr, ret);
	if (!loading)
		ret = 0;
	up_write(&n3t_control_lock);
	return ret;
}

static int n3t_cpu_offline(unsigned int nr)
{
	struct n3t_cpu *cpu = &cpus[nr];

	down_write(&n3t_control_lock);
	n3t_sampler_stop(cpu);
	release_counters(cpu);
	cpu->state = N3T_CPU_OFFLINE;
	up_write(&n3t_control_lock);
	return 0;
}

/* Finds the budget and the way to change sets, on one CPU for all. */
static int prove(void)
{
	unsigned int tries = PROOF_TRIES;
	int cpu, ret;

	cpus_read_lock();
	cpu = n3t_pmu_first_cpu();
	ret = cpu;
	while (ret >= 0 || (ret == -EAGAIN && --tries)) {
		ret = n3t_counters_prove(cpu, &usual_budget);
		if (!ret)
			break;
	}
	cpus_read_unlock();

	if (ret == -ENOSPC) {
		pr_err("no programmable counter to be had on CPU %d\n", cpu);
		return -ENODEV;
	}
	if (ret && ret != -EAGAIN && ret != -EOPNOTSUPP)
		return ret;

	n3t_in_place = !ret;
	if (!n3t_in_place)
		pr_warn("events of %s cannot be changed in place: going through perf, at a higher cost\n",
			n3t_pmu.pmu->name);
	return 0;
}

/**
 * n3t_control_init() - prepare, without sampling yet
 * @settings: settings to begin with
 *
 * Context: may sleep; after n3t_pmu_init().
 * Return: 0; -EINVAL for a setting out of range; -ENODEV without a programmable
 * counter; -EPERM if the kernel is locked down; -ENOMEM.
 */
int n3t_control_init(const struct n3t_settings *settings)
{
	unsigned int i;
	int ret;

	ret = settings_check(settings);
	if (ret) {
		pr_err("parameters out of range, or the kernel is locked down (error %d)\n", ret);
		return ret;
	}

	ret = prove();
	if (ret)
		return ret;

	n3t_config = config_alloc(settings);
	if (IS_ERR(n3t_config))
		return PTR_ERR(n3t_config);

	if (window_too_short(n3t_config, N3T_WINDOW_MS_DEFAULT)) {
		pr_err("window_ms must be at least two rotations: %u\n",
		       n3t_window_ms_min(n3t_config));
		ret = -EINVAL;
		goto out_free_config;
	}

	ret = -ENOMEM;
	cpus = kvcalloc(nr_cpu_ids, sizeof(*cpus), GFP_KERNEL);
	if (!cpus)
		goto out_free_config;
	for (i = 0; i < nr_cpu_ids; i++)
		n3t_sampler_init_cpu(&cpus[i], i);
	return 0;

out_free_config:
	config_free(n3t_config);
	return ret;
}

/**
 * n3t_control_exit() - undo n3t_control_init()
 */
void n3t_control_exit(void)
{
	kvfree(cpus);
	config_free(n3t_config);
}

/**
 * n3t_control_start() - begin to follow the CPUs, and to sample if enabled
 *
 * Context: may sleep; not under the CPU hotplug lock.
 * Return: 0, or the error of the first CPU that could not be sampled; then no
 * CPU is.
 */
int n3t_control_start(void)
{
	int ret;

	loading = true;
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "perf/n3_telemetry:online", n3t_cpu_online,
				n3t_cpu_offline);
	loading = false;
	if (ret < 0)
		return ret;

	hotplug_state = ret;
	return 0;
}

/**
 * n3t_control_stop() - give all counters back and forget the CPUs
 *
 * Context: may sleep; not under the CPU hotplug lock.
 */
void n3t_control_stop(void)
{
	cpuhp_remove_state(hotplug_state);
}
