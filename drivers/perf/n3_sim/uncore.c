// SPDX-License-Identifier: GPL-2.0
/*
 * The PMU n3_sim_uncore. As with uncore drivers, an event may be opened on any
 * CPU and is moved to one. It counts nothing; n3_telemetry must reject it.
 */
#include <linux/cpumask.h>
#include <linux/module.h>
#include <linux/perf_event.h>

#include "pmu.h"
#include "uncore.h"

static int event_init(struct perf_event *event)
{
	if (event->attr.type != event->pmu->type)
		return -ENOENT;

	if (is_sampling_event(event))
		return -EOPNOTSUPP;

	if (event->cpu < 0)
		return -EINVAL;

	event->cpu = cpumask_first(cpu_online_mask);
	return 0;
}

static int event_add(struct perf_event *event, int flags)
{
	return 0;
}

static void event_ignore(struct perf_event *event, int flags)
{
}

static void event_read(struct perf_event *event)
{
}

static struct pmu uncore_pmu = {
	.module		= THIS_MODULE,
	.capabilities	= PERF_PMU_CAP_NO_INTERRUPT | PERF_PMU_CAP_NO_EXCLUDE,
	.task_ctx_nr	= perf_invalid_context,
	.attr_groups	= n3_sim_attr_groups,
	.event_init	= event_init,
	.add		= event_add,
	.del		= event_ignore,
	.start		= event_ignore,
	.stop		= event_ignore,
	.read		= event_read,
};

/**
 * n3_sim_uncore_init() - register the PMU
 *
 * Context: may sleep.
 * Return: 0 or the error of perf_pmu_register().
 */
int n3_sim_uncore_init(void)
{
	return perf_pmu_register(&uncore_pmu, "n3_sim_uncore", -1);
}

/**
 * n3_sim_uncore_exit() - undo n3_sim_uncore_init()
 *
 * Context: may sleep.
 */
void n3_sim_uncore_exit(void)
{
	perf_pmu_unregister(&uncore_pmu);
}
