// SPDX-License-Identifier: GPL-2.0
/* Settings, and the plans that follow from them. */
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "config.h"
#include "plan.h"

/**
 * n3t_config_alloc() - a configuration without plans yet
 * @settings: its settings; must be within their ranges
 *
 * Context: may sleep.
 * Return: the configuration for n3t_config_free(), or NULL.
 */
struct n3t_config *n3t_config_alloc(const struct n3t_settings *settings)
{
	struct n3t_config *config = kzalloc(sizeof(*config), GFP_KERNEL);

	if (!config)
		return NULL;

	config->settings = *settings;
	config->window_ms = settings->window_ms;
	return config;
}

/**
 * n3t_config_free() - free a configuration and its plans
 * @config: a configuration that no CPU uses, or NULL
 */
void n3t_config_free(struct n3t_config *config)
{
	unsigned int i;

	if (!config)
		return;

	for (i = 0; i < ARRAY_SIZE(config->plan); i++)
		kvfree(config->plan[i]);
	kfree(config);
}

/**
 * n3t_config_window_min() - the shortest window that makes sense
 * @config: a configuration with its plans
 *
 * Return: two rotations of its longest plan in milliseconds, but not more than
 * the longest window there is.
 */
unsigned int n3t_config_window_min(const struct n3t_config *config)
{
	unsigned int rotation = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(config->plan); i++)
		if (config->plan[i])
			rotation = max(rotation, n3t_plan_rotation(config->plan[i]));

	return min_t(unsigned int, 2 * rotation * config->settings.slice_ms, N3T_WINDOW_MS_MAX);
}

static struct n3t_plan *make_plan(const struct n3t_settings *settings, unsigned int budget)
{
	struct n3t_plan *plan = kvzalloc(sizeof(*plan), GFP_KERNEL);
	int ret;

	if (!plan)
		return ERR_PTR(-ENOMEM);

	ret = n3t_plan_make(plan, budget, settings->groups);
	if (ret) {
		kvfree(plan);
		return ERR_PTR(ret);
	}

	n3t_plan_add_custom(plan, settings->custom, settings->nr_custom);
	return plan;
}

/**
 * n3t_config_plan() - the plan for a budget
 * @config: the configuration; gets the plan if it has not got it yet, and a
 *	    longer window if the plan needs it
 * @budget: programmable counters, 1 to N3T_MAX_COUNTERS
 *
 * Context: may sleep; n3t_control_lock held for writing once CPUs use @config.
 * Return: the plan, which stays as long as @config does, or an error pointer.
 */
const struct n3t_plan *n3t_config_plan(struct n3t_config *config, unsigned int budget)
{
	struct n3t_plan *plan = config->plan[budget];

	if (plan)
		return plan;

	plan = make_plan(&config->settings, budget);
	if (IS_ERR(plan))
		return plan;

	config->plan[budget] = plan;
	config->window_ms = max(config->settings.window_ms, n3t_config_window_min(config));
	return plan;
}

/**
 * n3t_config_slots() - how many slices a ring has to hold
 * @config: the configuration
 *
 * Return: the number of slices that end in a window, one to spare, and the one
 * that is being written.
 */
unsigned int n3t_config_slots(const struct n3t_config *config)
{
	unsigned int slice_ms = max(config->settings.slice_ms, jiffies_to_msecs(1));

	return DIV_ROUND_UP(config->window_ms, slice_ms) + 2;
}
