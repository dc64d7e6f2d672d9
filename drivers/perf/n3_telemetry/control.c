// SPDX-License-Identifier: GPL-2.0
/*
 * Loading, and changing settings.
 *
 * New settings make a new configuration. Everything is allocated first, while
 * sampling continues under the old configuration; only then do the CPUs switch,
 * which cannot fail. On error the old configuration stays active.
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

/* CPUs of a PMU to probe; other users may hold counters on one of them. */
#define PROBED_CPUS	2
#define PROBED_CPUS_MAX	4	/* while the self-test is undecided */

static int hotplug_state;

/* CPUs have been probed; written at load and under n3t_control_lock. */
static bool has_probed;

/* Most programmable counters of a CPU on any PMU; 0 before any were found. */
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

/* Only a window that the user has just set is checked. */
static bool window_too_short(const struct n3t_config *config, const struct n3t_settings *before)
{
	return config->settings.window_ms != before->window_ms &&
	       config->settings.window_ms < n3t_config_window_min(config);
}

/* Refuses a newly set switch method that failed the self-test of a PMU. */
static int check_switch(const struct n3t_settings *settings, const struct n3t_settings *before)
{
	struct n3t_pmu *pmu;

	if (settings->switching == before->switching)
		return 0;
	n3t_for_each_pmu(pmu) {
		if (READ_ONCE(pmu->trial[settings->switching]) != N3T_TRIAL_FAILED)
			continue;
		pr_err_ratelimited("switch: method not supported by %s\n",
				   pmu->pmu->name);
		return -EOPNOTSUPP;
	}
	return 0;
}

/* Checks against the plan for the nominal budget, used while no CPU is sampled. */
static int validate(struct n3t_config *config, const struct n3t_settings *before)
{
	const struct n3t_plan *plan = n3t_config_make_plan(config, config->nominal);

	if (IS_ERR(plan))
		return PTR_ERR(plan);

	if (config->settings.nr_custom > config->nominal) {
		pr_err_ratelimited("custom: %u events, but only %u counters per CPU\n",
				   config->settings.nr_custom, config->nominal);
		return -EINVAL;
	}
	if (window_too_short(config, before)) {
		pr_err_ratelimited("window_ms=%u too short, minimum is %u\n",
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
 * Context: may sleep. On success, holds the CPU hotplug lock and n3t_control_lock
 * until n3t_control_commit() or n3t_control_abort().
 * Return: a configuration with the current settings for the caller to change;
 * -EINTR; -ENOMEM.
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
 * n3t_control_abort() - leave the settings unchanged
 * @config: configuration from n3t_control_begin()
 *
 * Context: may sleep; CPU hotplug lock and n3t_control_lock held since
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
 * struct probe - search for counters on the CPUs of one PMU
 * @pmu: the PMU
 * @settings: the settings, which may exclude CPUs and counters
 * @probed: number of CPUs probed
 * @tried: number of CPUs that had counters, so that the self-test could run
 * @unknown: the number of counters stays unknown: other users hold them all, some
 *	  are reserved, or no CPU may be used
 */
struct probe {
	struct n3t_pmu *pmu;
	const struct n3t_settings *settings;
	unsigned int probed;
	unsigned int tried;
	bool unknown;
};

/*
 * Determines how many counters a CPU has and whether they can be changed in
 * place. Reserved counters are not touched; if their number cannot be read (a
 * simulated PMU), the number of an N3 is assumed.
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
		n3t_pmu_update_nominal(probe->pmu, counters->budget);
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

/* Probes CPUs of a PMU, either isolated or other ones. */
static int probe_cpus(struct probe *probe, bool isolated)
{
	struct n3t_pmu *other;
	unsigned int cpu;
	int ret;

	for_each_online_cpu(cpu) {
		if (is_probed(probe))
			return 0;
		if (n3t_sampler_is_isolated(cpu) != isolated ||
		    !n3t_settings_include(probe->settings, cpu, isolated) ||
		    n3t_pmu_of_cpu(cpu, &other) || other != probe->pmu)
			continue;
		ret = probe_cpu(probe, cpu);
		if (ret)
			return ret;
		probe->probed++;
	}
	return 0;
}

/* A virtual machine often gets fewer counters than the core has. */
static void report_counters(const struct n3t_pmu *pmu, bool unknown)
{
	if (!pmu->nominal && !pmu->simulated)
		pr_err("%s has no programmable counters (PMCR_EL0.N is 0), disabled by a hypervisor\n",
		       pmu->pmu->name);
	else if (!pmu->nominal && !unknown)
		pr_err("no programmable counters of %s available on any CPU\n", pmu->pmu->name);
	else if (pmu->nominal < N3T_PRESUMED_COUNTERS && !pmu->simulated)
		pr_info("%s has %u of at least %u programmable counters, others reserved by a hypervisor or for guests\n",
			pmu->pmu->name, pmu->nominal, N3T_PRESUMED_COUNTERS);
}

/* If all counters are reserved, nothing was tried and nothing was disturbed. */
static bool is_disturbed(const struct probe *probe)
{
	unsigned int reserved = probe->settings->reserved_counters;

	return probe->probed && n3t_pmu_target(probe->pmu, reserved) &&
	       (probe->pmu->nominal || probe->unknown) && is_undecided(probe);
}

/*
 * With enable 0 no CPU is touched: any setting may still change. Isolated CPUs are
 * probed only if named, and if no other CPU of the PMU may be used.
 */
static int probe_permitted(struct probe *probe)
{
	int ret;

	if (!probe->settings->enable)
		return 0;

	ret = probe_cpus(probe, false);
	return ret || probe->probed ? ret : probe_cpus(probe, true);
}

static int probe_pmu(struct n3t_pmu *pmu, const struct n3t_settings *settings, bool *unknown)
{
	struct probe probe = { .pmu = pmu, .settings = settings };
	int ret = probe_permitted(&probe);

	if (ret)
		return ret;

	probe.unknown |= !probe.probed;
	*unknown |= probe.unknown && (pmu->nominal || pmu->simulated);
	if (probe.probed || !pmu->nominal)
		report_counters(pmu, probe.unknown);
	if (is_disturbed(&probe))
		pr_warn("self-test of %s disturbed by other perf users, using perf until it can be repeated\n",
			pmu->pmu->name);
	return 0;
}

/* With the CPU hotplug lock held. */
static int probe_pmus(const struct n3t_settings *settings)
{
	struct n3t_pmu *pmu;
	bool unknown = false;
	int ret;

	n3t_for_each_pmu(pmu) {
		ret = probe_pmu(pmu, settings, &unknown);
		if (ret)
			return ret;
	}
	if (!counters_seen() && !unknown)
		return -ENODEV;
	has_probed = settings->enable;
	return 0;
}

/* Probes the CPUs before they are sampled for the first time. */
static int probe_once(struct n3t_config *config)
{
	int ret;

	lockdep_assert_held(&n3t_control_lock);

	if (has_probed || !config->settings.enable)
		return 0;
	ret = probe_pmus(&config->settings);
	config->nominal = nominal_budget();
	return ret;
}

/**
 * n3t_control_commit() - apply changed settings
 * @config: configuration from n3t_control_begin(), with settings changed
 *
 * Values restart from empty windows. On error the old settings stay active.
 *
 * Context: may sleep; CPU hotplug lock and n3t_control_lock held since
 * n3t_control_begin(). Drops both.
 * Return: 0; -EINVAL for a new window shorter than two rotations or more custom
 * events than counters, -EOPNOTSUPP for a switch method that a PMU does not
 * support, both with the reason in the kernel log; -ENODEV without a programmable
 * counter; -EPERM if the kernel is locked down; -ENOMEM; an error from perf.
 */
int n3t_control_commit(struct n3t_config *config)
{
	struct n3t_config *old = config_in_force();
	int ret;

	lockdep_assert_held(&n3t_control_lock);

	ret = config->settings.enable && n3t_pmu_is_locked_down() ? -EPERM : 0;
	if (!ret)
		ret = probe_once(config);
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
	n3t_cpus_settle();
	return ret;
}

/**
 * n3t_control_init() - prepare, without sampling yet
 * @settings: the initial settings
 *
 * Context: may sleep; after n3t_pmu_init().
 * Return: 0; -EINVAL for a window shorter than two rotations or more custom
 * events than counters; -EOPNOTSUPP for a switch method that a PMU does not
 * support; -ENODEV without a programmable counter; -EPERM if the kernel is locked
 * down; -ENOMEM.
 */
int n3t_control_init(const struct n3t_settings *settings)
{
	static const struct n3t_settings before_load = { .window_ms = N3T_WINDOW_MS_DEFAULT };
	struct n3t_config *config;
	int ret;

	if (n3t_pmu_is_locked_down()) {
		pr_err("kernel is locked down, counting not permitted\n");
		return -EPERM;
	}

	cpus_read_lock();
	ret = probe_pmus(settings);
	cpus_read_unlock();
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

/* Undoes n3t_control_init(); no readers are left. */
void n3t_control_exit(void)
{
	n3t_cpus_exit();
	n3t_config_put(rcu_replace_pointer(n3t_config, NULL, true));
}

/* With the CPU hotplug lock held. */
static int follow_hotplug(void)
{
	int ret;

	ret = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_AP_ONLINE_DYN, "perf/n3_telemetry:online",
						   n3t_cpus_online, n3t_cpus_offline);
	if (ret < 0)
		return ret;

	hotplug_state = ret;
	ret = n3t_cpus_start();
	if (ret)
		cpuhp_remove_state_nocalls_cpuslocked(hotplug_state);
	return ret;
}

/**
 * n3t_control_start() - follow CPU hotplug, and start sampling if enabled
 *
 * Context: may sleep; not under the CPU hotplug lock.
 * Return: 0, or the error of the first CPU that could not be sampled; then no
 * CPU is sampled.
 */
int n3t_control_start(void)
{
	int ret;

	cpus_read_lock();
	ret = follow_hotplug();
	cpus_read_unlock();
	if (ret)
		n3t_cpus_quiesce();
	else
		n3t_cpus_watch();
	return ret;
}

/* Releases all counters and stops following CPU hotplug, whose lock is not held. */
void n3t_control_stop(void)
{
	n3t_cpus_stop();
	cpuhp_remove_state_nocalls(hotplug_state);
	n3t_cpus_quiesce();
}
