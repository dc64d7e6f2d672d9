// SPDX-License-Identifier: GPL-2.0
/* Module load and unload of the simulated Neoverse N3 PMU. */
#include <linux/module.h>
#include <linux/string.h>

#include "caching.h"
#include "cgroups.h"
#include "debugfs.h"
#include "libn3t/n3t.h"
#include "pmu.h"
#include "scenarios.h"
#include "uncore.h"

static char *scenario = "retiring";
module_param(scenario, charp, 0444);
MODULE_PARM_DESC(scenario, "Initial scenario of all CPUs (default: retiring)");

static unsigned int counters = 6;
module_param(counters, uint, 0444);
MODULE_PARM_DESC(counters, "Initial number of programmable counters per CPU, 0 to 31 (default: 6)");

static char *latch_at = "start";
module_param(latch_at, charp, 0444);
MODULE_PARM_DESC(latch_at,
		 "When a counter takes its event number: start as in armv8_pmuv3, or add (default: start)");

static bool uncore;
module_param(uncore, bool, 0444);
MODULE_PARM_DESC(uncore, "Register n3_sim_uncore, which moves events to one CPU (default: N)");

static bool split;
module_param(split, bool, 0444);
MODULE_PARM_DESC(split, "Register two PMUs: n3_sim for even CPUs, n3_sim_odd for odd ones (default: N)");

static int odd_counters = -1;
module_param(odd_counters, int, 0444);
MODULE_PARM_DESC(odd_counters, "With split=1: the same for odd CPUs (default: as counters)");

static int __init check_counters(const char *name, unsigned int value)
{
	if (value <= N3T_MAX_COUNTERS)
		return 0;

	pr_err("%s=%u too large, maximum is %u\n", name, value, N3T_MAX_COUNTERS);
	return -EINVAL;
}

static int __init check_parameters(struct n3_sim_pmu_setup *setup)
{
	const struct n3_sim_scenario *first = n3_sim_scenario_by_name(scenario);

	if (!first) {
		pr_err("unknown scenario %s\n", scenario);
		return -EINVAL;
	}
	setup->rates = first->rates;

	setup->latch_at_start = !strcmp(latch_at, "start");
	if (!setup->latch_at_start && strcmp(latch_at, "add")) {
		pr_err("invalid latch_at=%s, must be start or add\n", latch_at);
		return -EINVAL;
	}

	setup->split = split;
	setup->counters = counters;
	setup->odd_counters = odd_counters < 0 ? counters : odd_counters;
	return check_counters("counters", setup->counters) ?:
	       check_counters("odd_counters", setup->odd_counters);
}

static int __init n3_sim_init(void)
{
	struct n3_sim_pmu_setup setup;
	int err;

	err = check_parameters(&setup);
	if (err)
		return err;

	err = n3_sim_pmu_init(&setup);
	if (err)
		return err;
	err = uncore ? n3_sim_uncore_init() : 0;
	if (err)
		goto out_pmu;
	err = n3_sim_debugfs_init(split);
	if (err)
		goto out_uncore;

	pr_info("simulated Neoverse N3 PMU: %u programmable counters and the cycle counter\n",
		counters);
	if (split)
		pr_info("PMU n3_sim_odd for odd CPUs: %u programmable counters\n",
			setup.odd_counters);
	return 0;

out_uncore:
	if (uncore)
		n3_sim_uncore_exit();
out_pmu:
	n3_sim_pmu_exit();
	return err;
}
module_init(n3_sim_init);

static void __exit n3_sim_exit(void)
{
	n3_sim_debugfs_exit();
	n3_sim_cgroups_stop();
	n3_sim_caching_exit();
	if (uncore)
		n3_sim_uncore_exit();
	n3_sim_pmu_exit();
}
module_exit(n3_sim_exit);

MODULE_DESCRIPTION("Simulated Neoverse N3 PMU");
MODULE_LICENSE("GPL");
