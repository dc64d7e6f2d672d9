// SPDX-License-Identifier: GPL-2.0
/* Settings, the plans derived from them, and the active configuration. */
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "config.h"
#include "libn3t/plan.h"

DEFINE_MUTEX(n3t_control_lock);	/* see config.h */
struct n3t_config __rcu *n3t_config;

/* A configuration without plans, for n3t_config_put(), or NULL. */
struct n3t_config *n3t_config_alloc(const struct n3t_settings *settings, unsigned int nominal)
{
	struct n3t_config *config = kzalloc(sizeof(*config), GFP_KERNEL);

	if (!config)
		return NULL;

	kref_init(&config->ref);
	mutex_init(&config->plan_lock);
	config->settings = *settings;
	config->nominal = nominal;
	return config;
}

/* The active configuration, for n3t_config_put(); after n3t_control_init(). */
struct n3t_config *n3t_config_get(void)
{
	struct n3t_config *config;

	/* A configuration that is losing its last reference has been replaced. */
	rcu_read_lock();
	do {
		config = rcu_dereference(n3t_config);
	} while (!kref_get_unless_zero(&config->ref));
	rcu_read_unlock();
	return config;
}

static void release(struct kref *ref)
{
	struct n3t_config *config = container_of(ref, struct n3t_config, ref);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(config->plan); i++)
		kvfree(config->plan[i]);
	kfree_rcu(config, rcu);
}

/* Drops a reference to a configuration, or NULL; may sleep. */
void n3t_config_put(struct n3t_config *config)
{
	if (config)
		kref_put(&config->ref, release);
}

/* Duration of two rotations of a plan in milliseconds. */
static unsigned int two_rotations_ms(const struct n3t_plan *plan, unsigned int slice_ms)
{
	return 2 * n3t_plan_rotation(plan) * slice_ms;
}

/* Two rotations of the longest plan in milliseconds, at most N3T_WINDOW_MS_MAX. */
unsigned int n3t_config_window_min(const struct n3t_config *config)
{
	const struct n3t_plan *plan;
	unsigned int longest = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(config->plan); i++) {
		plan = n3t_config_plan(config, i);
		if (plan)
			longest = max(longest, two_rotations_ms(plan, config->settings.slice_ms));
	}
	return min_t(unsigned int, longest, N3T_WINDOW_MS_MAX);
}

/**
 * n3t_config_window() - window of the CPUs that use a plan
 * @config: the configuration
 * @plan: one of its plans
 * @slice_ms: length of slices on these CPUs
 *
 * Each CPU has the window that its own plan needs, so a longer plan made later
 * for another CPU does not require slices that its ring does not hold.
 *
 * Return: the configured window or two rotations of the plan, whichever is
 * longer, capped at N3T_WINDOW_MS_LONGEST, in milliseconds.
 */
unsigned int n3t_config_window(const struct n3t_config *config, const struct n3t_plan *plan,
			       unsigned int slice_ms)
{
	return max(config->settings.window_ms,
		   min_t(unsigned int, two_rotations_ms(plan, slice_ms),
			 N3T_WINDOW_MS_LONGEST));
}

static struct n3t_plan *alloc_plan(const struct n3t_settings *settings, unsigned int budget)
{
	struct n3t_plan *plan = kvzalloc(sizeof(*plan), GFP_KERNEL);
	int ret;

	if (!plan)
		return ERR_PTR(-ENOMEM);

	ret = n3t_plan_make(plan, budget, settings->groups, &settings->anchors,
			    settings->distrust);
	if (ret) {
		kvfree(plan);
		return ERR_PTR(ret);
	}

	n3t_plan_add_custom(plan, settings->custom, settings->nr_custom);
	return plan;
}

/* The plan for a budget, created if necessary, or an error pointer; lives as long as @config. */
const struct n3t_plan *n3t_config_make_plan(struct n3t_config *config, unsigned int budget)
{
	struct n3t_plan *plan;

	mutex_lock(&config->plan_lock);
	plan = config->plan[budget];
	if (!plan) {
		plan = alloc_plan(&config->settings, budget);
		if (!IS_ERR(plan)) {
			/* Pairs with smp_load_acquire() in n3t_config_plan(). */
			smp_store_release(&config->plan[budget], plan);
		}
	}
	mutex_unlock(&config->plan_lock);
	return plan;
}

/* The plan for a budget if it exists, or NULL; needs no lock. */
const struct n3t_plan *n3t_config_plan(const struct n3t_config *config, unsigned int budget)
{
	/* Pairs with smp_store_release() in n3t_config_make_plan(). */
	return smp_load_acquire(&config->plan[budget]);
}
