// SPDX-License-Identifier: GPL-2.0
/*
 * Loading, and changing settings.
 *
 * New settings make a new configuration. What each CPU needs under it is
 * allocated first, while sampling continues under the old one. Only when all of
 * it is there do the CPUs change over, which cannot fail; otherwise the old
 * configuration stays in force.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/perf_event.h>
#include <linux/slab.h>

#include "config.h"
#include "control.h"
#include "counters.h"
#include "cpus.h"
#include "pmu.h"
#include "sampler.h"

/* CPUs of a PMU to probe at load: on one of them others may hold counters. */
#define PROBED_CPUS	2
#define PROBED_CPUS_MAX	4	/* while the self-test is undecided */

static int hotplug_state;

/* Programmable counters of a CPU, the largest number of any PMU; 0 before any was seen. */
static unsigned int counters_seen(void)
{
	unsigned int seen = 0;
	struct n3t_pmu *pmu;

	n3t_for_each_pmu(pmu)
		seen = max(seen, READ_ONCE(pmu->nominal));
	return seen;
}

static unsigned int nominal_budget(void)
{
	return counters_seen() ?: N3T_PRESUMED_COUNTERS;
}

/* A window that was asked for, rather than left as it was, has to be long enough. */
static bool window_too_short(const struct n3t_config *config, const struct n3t_settings *before)
{
	return config->settings.window_ms != before->window_ms &&
	       config->settings.window_ms < n3t_config_window_min(config);
}

/* A way to change sets that was asked for has to be one that no PMU is known to refuse. */
static int check_switch(const struct n3t_settings *settings, const struct n3t_settings *before)
{
	struct n3t_pmu *pmu;

	if (settings->switching == before->switching)
		return 0;
	n3t_for_each_pmu(pmu) {
		if (READ_ONCE(pmu->trial[settings->switching]) != N3T_TRIAL_FAILED)
			continue;
		pr_err_ratelimited("switch: the counters of %s cannot be changed that way\n",
				   pmu->pmu->name);
		return -EOPNOTSUPP;
	}
	return 0;
}

/* By the plan for the nominal budget, which tells what is placed while no CPU is sampled. */
static int validate(struct n3t_config *config, const struct n3t_settings *before)
{
	const struct n3t_plan *plan = n3t_config_make_plan(config, config->nominal);

	if (IS_ERR(plan))
		return PTR_ERR(plan);

	if (config->settings.nr_custom > config->nominal) {
		pr_err_ratelimited("custom: %u events, but a CPU has %u counters\n",
				   config->settings.nr_custom, config->nominal);
		return -EINVAL;
	}
	if (window_too_short(config, before)) {
		pr_err_ratelimited("window_ms: %u is too short: here it is %u at the least\n",
				   config->settings.window_ms, n3t_config_window_min(config));
		return -EINVAL;
	}
	return check_switch(&config->settings, before);
}

static struct n3t_config *config_in_force(void)
{
	return rcu_dereference_protected(n3t_config, lockdep_is_held(&n3t_control_lock));
}

/**
 * n3t_control_begin() - start to change settings
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
	if (mutex_lock_killable(&n3t_control_lock))
		goto out_unlock_cpus;

	config = n3t_config_alloc(&config_in_force()->settings, nominal_budget());
	if (config)
		return config;

	config = ERR_PTR(-ENOMEM);
	mutex_unlock(&n3t_control_lock);
out_unlock_cpus:
	cpus_read_unlock();
	return config;
}

/**
 * n3t_control_abort() - leave the settings as they are
 * @config: what n3t_control_begin() returned
 *
 * Context: may sleep; CPU hotplug lock and n3t_control_lock held, since
 * n3t_control_begin(). Drops both.
 */
void n3t_control_abort(struct n3t_config *config)
{
	lockdep_assert_held(&n3t_control_lock);

	n3t_config_put(config);
	mutex_unlock(&n3t_control_lock);
	cpus_read_unlock();
}

/**
 * n3t_control_commit() - carry out changed settings
 * @config: what n3t_control_begin() returned, with settings changed
 *
 * Values restart from empty windows. After an error the old settings stay in force.
 *
 * Context: may sleep; CPU hotplug lock and n3t_control_lock held, since
 * n3t_control_begin(). Drops both.
 * Return: 0; -EINVAL for a new window shorter than two rotations or more custom
 * events than counters, and -EOPNOTSUPP for a way to change sets that a PMU does not allow,
 * with the reason in the kernel log; -EPERM if the kernel is locked down; -ENOMEM; an error
 * from perf.
 */
int n3t_control_commit(struct n3t_config *config)
{
	struct n3t_config *old = config_in_force();
	int ret;

	lockdep_assert_held(&n3t_control_lock);

	ret = config->settings.enable && n3t_pmu_is_locked_down() ? -EPERM : 0;
	if (!ret)
		ret = validate(config, &old->settings);
	if (!ret)
		ret = n3t_cpus_prepare(config);
	if (!ret) {
		rcu_assign_pointer(n3t_config, config);
		n3t_cpus_change_over(config);
		config = old;
	}

	n3t_control_abort(config);
	return ret;
}

/**
 * struct probe - looking for counters on CPUs of one PMU
 * @pmu: the PMU
 * @settings: those to start with
 * @probed: CPUs looked at
 * @tried: CPUs on which counters were found, so that the self-test could run
 * @unknown: what the PMU has stays unknown: others hold all of it, or some are reserved
 */
struct probe {
	struct n3t_pmu *pmu;
	const struct n3t_settings *settings;
	unsigned int probed;
	unsigned int tried;
	bool unknown;
};

/*
 * Finds out how many counters a CPU has and whether they can be changed in place. Those that
 * are reserved are not touched, so where nobody says how many there are (a simulated PMU), it
 * is as many as an N3 has.
 */
static int probe_counters(struct probe *probe, struct n3t_counters *counters, unsigned int cpu)
{
	unsigned int target = n3t_pmu_target(probe->pmu, probe->settings->reserved_counters);
	int ret = target ? n3t_counters_open(counters, probe->pmu, cpu, target) : -EBUSY;

	if (ret) {
		probe->unknown |= ret == -EBUSY;
		return ret == -ENOSPC || ret == -EBUSY ? 0 : ret;
	}

	if (probe->settings->reserved_counters)
		probe->unknown = true;
	else
		n3t_pmu_saw(probe->pmu, counters->budget);
	probe->tried++;
	n3t_counters_self_test(counters, cpu, probe->settings->switching);
	n3t_counters_close(counters);
	return 0;
}

static int probe_cpu(struct probe *probe, unsigned int cpu)
{
	struct n3t_counters *counters = kzalloc(sizeof(*counters), GFP_KERNEL);
	int ret;

	if (!counters)
		return -ENOMEM;

	ret = probe_counters(probe, counters, cpu);
	kfree(counters);
	return ret;
}

static bool is_undecided(const struct probe *probe)
{
	return n3t_pmu_switch(probe->pmu, probe->settings->switching) == N3T_SWITCH_UNKNOWN;
}

static bool is_probed(const struct probe *probe)
{
	if (!probe->pmu->nominal && !probe->tried)
		return false;
	return probe->probed >= (is_undecided(probe) ? PROBED_CPUS_MAX : PROBED_CPUS);
}

/* Some CPUs of a PMU, isolated ones or others. */
static int probe_cpus(struct probe *probe, bool isolated)
{
	struct n3t_pmu *other;
	unsigned int cpu;
	int ret;

	for_each_online_cpu(cpu) {
		if (is_probed(probe))
			return 0;
		if (n3t_sampler_is_isolated(cpu) != isolated ||
		    n3t_pmu_of_cpu(cpu, &other) || other != probe->pmu)
			continue;
		ret = probe_cpu(probe, cpu);
		if (ret)
			return ret;
		probe->probed++;
	}
	return 0;
}

/* What a virtual machine gets of a PMU is often less than what the core has. */
static void say_counters(const struct n3t_pmu *pmu, bool unknown)
{
	if (!pmu->nominal && !pmu->simulated)
		pr_err("%s has no programmable counter (PMCR_EL0.N is 0): turned off by a hypervisor\n",
		       pmu->pmu->name);
	else if (!pmu->nominal && !unknown)
		pr_err("no programmable counter of %s is available on any CPU\n", pmu->pmu->name);
	else if (pmu->nominal < N3T_PRESUMED_COUNTERS && !pmu->simulated)
		pr_info("%s has %u of at least %u programmable counters: others are kept by a hypervisor, or for guests\n",
			pmu->pmu->name, pmu->nominal, N3T_PRESUMED_COUNTERS);
}

/* Others hold counters: not so if all of them are reserved, so that nothing was tried. */
static bool is_disturbed(const struct probe *probe)
{
	unsigned int reserved = probe->settings->reserved_counters;

	return n3t_pmu_target(probe->pmu, reserved) && (probe->pmu->nominal || probe->unknown) &&
	       is_undecided(probe);
}

/* Isolated CPUs are probed only if there is no other. */
static int probe_pmu(struct n3t_pmu *pmu, const struct n3t_settings *settings, bool *unknown)
{
	struct probe probe = { .pmu = pmu, .settings = settings };
	int ret;

	ret = probe_cpus(&probe, false);
	if (!ret && !probe.probed)
		ret = probe_cpus(&probe, true);
	if (ret)
		return ret;

	*unknown |= probe.unknown && (pmu->nominal || pmu->simulated);
	say_counters(pmu, probe.unknown);
	if (is_disturbed(&probe))
		pr_warn("self-test of %s was disturbed by other users of perf: going through perf until it can be repeated\n",
			pmu->pmu->name);
	return 0;
}

static int probe_pmus(const struct n3t_settings *settings)
{
	struct n3t_pmu *pmu;
	bool unknown = false;
	int ret = 0;

	cpus_read_lock();
	n3t_for_each_pmu(pmu) {
		ret = probe_pmu(pmu, settings, &unknown);
		if (ret)
			break;
	}
	cpus_read_unlock();
	if (ret)
		return ret;
	return counters_seen() || unknown ? 0 : -ENODEV;
}

/**
 * n3t_control_init() - prepare, without sampling yet
 * @settings: settings to start with
 *
 * Context: may sleep; after n3t_pmu_init().
 * Return: 0; -EINVAL for a window shorter than two rotations or more custom
 * events than counters; -EOPNOTSUPP for a way to change sets that a PMU does not allow;
 * -ENODEV without a programmable counter; -EPERM if the kernel is locked down; -ENOMEM.
 */
int n3t_control_init(const struct n3t_settings *settings)
{
	static const struct n3t_settings before_load = { .window_ms = N3T_WINDOW_MS_DEFAULT };
	struct n3t_config *config;
	int ret;

	/* Counters are opened even to find out how many there are. */
	if (n3t_pmu_is_locked_down()) {
		pr_err("the kernel is locked down: no counting\n");
		return -EPERM;
	}

	ret = probe_pmus(settings);
	if (ret)
		return ret;

	config = n3t_config_alloc(settings, nominal_budget());
	if (!config)
		return -ENOMEM;

	ret = validate(config, &before_load);
	if (!ret)
		ret = n3t_cpus_init();
	if (ret)
		n3t_config_put(config);
	else
		rcu_assign_pointer(n3t_config, config);
	return ret;
}

/**
 * n3t_control_exit() - undo n3t_control_init()
 *
 * Context: may sleep; no reader is left.
 */
void n3t_control_exit(void)
{
	n3t_cpus_exit();
	n3t_config_put(rcu_replace_pointer(n3t_config, NULL, true));
}

/**
 * n3t_control_start() - start to follow the CPUs, and to sample if enabled
 *
 * Context: may sleep; not under the CPU hotplug lock.
 * Return: 0, or the error of the first CPU that could not be sampled; then no
 * CPU is.
 */
int n3t_control_start(void)
{
	int ret;

	cpus_read_lock();
	n3t_cpus_loading = true;
	ret = cpuhp_setup_state_cpuslocked(CPUHP_AP_ONLINE_DYN, "perf/n3_telemetry:online",
					   n3t_cpus_online, n3t_cpus_offline);
	n3t_cpus_loading = false;
	cpus_read_unlock();
	if (ret < 0) {
		n3t_cpus_quiesce();
		return ret;
	}

	hotplug_state = ret;
	n3t_cpus_watch();
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
