// SPDX-License-Identifier: GPL-2.0
/*
 * Loading, the lock over everything, and changing settings.
 *
 * New settings make a new configuration. What each CPU needs under it is got
 * first, while sampling goes on under the old one. Only when all of it is
 * there the CPUs change over, which cannot fail; otherwise the old one stands.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/err.h>
#include <linux/perf_event.h>
#include <linux/security.h>

#include "control.h"
#include "counters.h"
#include "cpus.h"
#include "pmu.h"

#define PROOF_TRIES	10

DECLARE_RWSEM(n3t_control_lock);
struct n3t_config *n3t_config;

/* Written at load. */
bool n3t_in_place;		/* the PMU lets events be changed in place */
unsigned int n3t_usual_budget;	/* what a CPU had to give then */
static int hotplug_state;

/* A window that was asked for, rather than left as it was, has to be long enough. */
static bool window_too_short(const struct n3t_config *config, unsigned int before_ms)
{
	return config->settings.window_ms != before_ms &&
	       config->settings.window_ms < n3t_config_window_min(config);
}

/* With the plan of a usual CPU, for the window while none is sampled. */
static int settle(struct n3t_config *config, unsigned int window_before_ms)
{
	const struct n3t_plan *plan = n3t_config_plan(config, n3t_usual_budget);

	if (IS_ERR(plan))
		return PTR_ERR(plan);

	if (config->settings.nr_custom > n3t_usual_budget) {
		pr_err_ratelimited("custom: %u events, but a CPU has %u counters\n",
				   config->settings.nr_custom, n3t_usual_budget);
		return -EINVAL;
	}
	if (window_too_short(config, window_before_ms)) {
		pr_err_ratelimited("window_ms: %u is less than two rotations, %u\n",
				   config->settings.window_ms, n3t_config_window_min(config));
		return -EINVAL;
	}
	return 0;
}

/**
 * n3t_control_begin() - begin to change settings
 *
 * Context: may sleep. Holds the CPU hotplug lock and n3t_control_lock until
 * n3t_control_commit() or n3t_control_abort(), unless it fails.
 * Return: a configuration with the settings in force, to be changed by the
 * caller; -EINTR; -ENOMEM.
 */
struct n3t_config *n3t_control_begin(void)
{
	struct n3t_config *config = ERR_PTR(-EINTR);

	cpus_read_lock();
	if (down_write_killable(&n3t_control_lock))
		goto out_unlock_cpus;

	config = n3t_config_alloc(&n3t_config->settings);
	if (config)
		return config;

	config = ERR_PTR(-ENOMEM);
	up_write(&n3t_control_lock);
out_unlock_cpus:
	cpus_read_unlock();
	return config;
}

/**
 * n3t_control_abort() - leave the settings as they are
 * @config: what n3t_control_begin() returned
 *
 * Context: drops the locks of n3t_control_begin().
 */
void n3t_control_abort(struct n3t_config *config)
{
	n3t_config_free(config);
	up_write(&n3t_control_lock);
	cpus_read_unlock();
}

/**
 * n3t_control_commit() - carry out changed settings
 * @config: what n3t_control_begin() returned, with settings changed
 *
 * Values start afresh after it. After an error the old settings stand.
 *
 * Context: may sleep. Drops the locks of n3t_control_begin().
 * Return: 0; -EINVAL for a new window shorter than two rotations or more custom
 * events than counters, which the kernel log tells; -EPERM if the kernel is
 * locked down; -ENOMEM; what perf says.
 */
int n3t_control_commit(struct n3t_config *config)
{
	int ret;

	lockdep_assert_held_write(&n3t_control_lock);

	ret = config->settings.enable ? security_locked_down(LOCKDOWN_PERF) : 0;
	if (!ret)
		ret = settle(config, n3t_config->settings.window_ms);
	if (!ret)
		ret = n3t_cpus_apply(config);
	if (!ret)
		swap(n3t_config, config);

	n3t_control_abort(config);
	return ret;
}

/* Finds the usual budget and the way to change sets, on one CPU for all. */
static int prove(void)
{
	unsigned int tries = PROOF_TRIES;
	int cpu, ret;

	cpus_read_lock();
	cpu = n3t_pmu_first_cpu();
	ret = cpu;
	if (cpu >= 0) {
		do {
			ret = n3t_counters_prove(cpu, &n3t_usual_budget);
		} while (ret == -EAGAIN && --tries);
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
 * Return: 0; -EINVAL for a window shorter than two rotations or more custom
 * events than counters; -ENODEV without a programmable counter; -EPERM if the
 * kernel is locked down; -ENOMEM.
 */
int n3t_control_init(const struct n3t_settings *settings)
{
	int ret;

	/* Counters are opened even to find out how many there are. */
	ret = security_locked_down(LOCKDOWN_PERF);
	if (ret) {
		pr_err("the kernel is locked down: no counting\n");
		return ret;
	}

	ret = prove();
	if (ret)
		return ret;

	n3t_config = n3t_config_alloc(settings);
	if (!n3t_config)
		return -ENOMEM;

	ret = settle(n3t_config, N3T_WINDOW_MS_DEFAULT);
	if (!ret)
		ret = n3t_cpus_init();
	if (ret)
		n3t_config_free(n3t_config);
	return ret;
}

/**
 * n3t_control_exit() - undo n3t_control_init()
 */
void n3t_control_exit(void)
{
	n3t_cpus_exit();
	n3t_config_free(n3t_config);
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

	n3t_cpus_loading = true;
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "perf/n3_telemetry:online",
				n3t_cpus_online, n3t_cpus_offline);
	n3t_cpus_loading = false;
	if (ret < 0) {
		n3t_cpus_quiesce();
		return ret;
	}

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
	n3t_cpus_quiesce();
}
