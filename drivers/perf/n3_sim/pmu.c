// SPDX-License-Identifier: GPL-2.0
/*
 * The simulated perf PMU, modelled on armv8_pmuv3: it allocates a counter at
 * add, and takes the event number from hw.config_base at start.
 */
#include <linux/bitmap.h>
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>

#include "core.h"
#include "pmu.h"

#define CONFIG_EVENT	GENMASK_ULL(15, 0)
/* "long" in armv8_pmuv3 requests 64-bit counters, which these are anyway */
#define CONFIG1_LONG	BIT_ULL(0)

struct n3_sim_core __percpu *n3_sim_cores;

/**
 * struct sim_pmu - a PMU and its CPUs
 * @pmu: perf's description of it
 * @cpus: the CPUs that it counts on
 * @counters: its programmable counters; a single word, may change at any time
 */
struct sim_pmu {
	struct pmu pmu;
	struct cpumask cpus;
	unsigned int counters;
};

/* One PMU for all CPUs, or one for even and one for odd CPUs. */
static struct sim_pmu sim_pmus[2];

/* Constant once the PMUs are registered. */
static bool latch_at_start, is_split;

static struct sim_pmu *pmu_of_cpu(unsigned int cpu)
{
	return &sim_pmus[is_split ? cpu % 2 : 0];
}

static struct sim_pmu *to_sim_pmu(struct pmu *pmu)
{
	return container_of(pmu, struct sim_pmu, pmu);
}

/**
 * n3_sim_counters() - get the number of programmable counters of a CPU
 * @cpu: the CPU; all CPUs of a PMU have the same number
 *
 * Context: any.
 * Return: 0 to N3T_MAX_COUNTERS.
 */
unsigned int n3_sim_counters(unsigned int cpu)
{
	return READ_ONCE(pmu_of_cpu(cpu)->counters);
}

/**
 * n3_sim_set_counters() - change the number of programmable counters of a PMU
 * @cpu: one of its CPUs
 * @counters: 0 to N3T_MAX_COUNTERS
 *
 * Events on a counter that no longer exists keep it until perf removes them: see
 * n3_sim_reschedule().
 *
 * Context: any.
 */
void n3_sim_set_counters(unsigned int cpu, unsigned int counters)
{
	WRITE_ONCE(pmu_of_cpu(cpu)->counters, counters);
}

/* User ABI */

PMU_FORMAT_ATTR(event, "config:0-15");
PMU_FORMAT_ATTR(long, "config1:0");

static struct attribute *format_attrs[] = {
	&format_attr_event.attr,
	&format_attr_long.attr,
	NULL,
};

static const struct attribute_group format_group = {
	.name = "format",
	.attrs = format_attrs,
};

/* A few names, as from a driver for another core: n3_telemetry adds the others. */
PMU_EVENT_ATTR_STRING(cpu_cycles, event_cpu_cycles, "event=0x0011");
PMU_EVENT_ATTR_STRING(inst_retired, event_inst_retired, "event=0x0008");

static struct attribute *event_attrs[] = {
	&event_cpu_cycles.attr.attr,
	&event_inst_retired.attr.attr,
	NULL,
};

static const struct attribute_group event_group = {
	.name = "events",
	.attrs = event_attrs,
};

const struct attribute_group *n3_sim_attr_groups[] = {
	&format_group,
	&event_group,
	NULL,
};

static ssize_t cpus_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return cpumap_print_to_pagebuf(true, buf, &to_sim_pmu(dev_get_drvdata(dev))->cpus);
}
static DEVICE_ATTR_RO(cpus);

static struct attribute *cpus_attrs[] = {
	&dev_attr_cpus.attr,
	NULL,
};

static const struct attribute_group cpus_group = {
	.attrs = cpus_attrs,
};

/* As in arm_pmu, "cpus" lists the only CPUs that perf opens events on. */
static const struct attribute_group *split_attr_groups[] = {
	&format_group,
	&event_group,
	&cpus_group,
	NULL,
};

/* Opening an event */

/* Events of other PMUs, which are software events, need no counter. */
static bool reserve_counter(unsigned long *used, struct perf_event *event, struct pmu *pmu)
{
	int idx;

	if (event->pmu != pmu)
		return true;

	idx = n3_sim_counter_find(used, event->hw.config_base,
				  READ_ONCE(to_sim_pmu(pmu)->counters));
	if (idx < 0)
		return false;
	__set_bit(idx, used);
	return true;
}

/* Checks that the group can be counted when all counters are free. */
static bool group_fits(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader;
	DECLARE_BITMAP(used, N3_SIM_NR_COUNTERS) = {};
	struct perf_event *sibling;

	if (!reserve_counter(used, event, event->pmu))
		return false;
	if (event == leader)
		return true;
	if (!reserve_counter(used, leader, event->pmu))
		return false;

	for_each_sibling_event(sibling, leader)
		if (!reserve_counter(used, sibling, event->pmu))
			return false;
	return true;
}

static int event_init(struct perf_event *event)
{
	struct perf_event_attr *attr = &event->attr;

	if (attr->type != event->pmu->type)
		return -ENOENT;

	/* As in arm_pmu; perf itself rejects an event of a task, which has no CPU. */
	if (event->cpu >= 0 && !cpumask_test_cpu(event->cpu, &to_sim_pmu(event->pmu)->cpus))
		return -ENOENT;

	if (is_sampling_event(event) || has_branch_stack(event))
		return -EOPNOTSUPP;

	/* Scenarios do not distinguish exception levels. */
	if (attr->exclude_user || attr->exclude_kernel)
		return -EOPNOTSUPP;

	event->hw.idx = -1;
	if (attr->config == N3_SIM_CONFIG_NOWHERE && attr->pinned)
		return 0;

	if (attr->config & ~CONFIG_EVENT || attr->config1 & ~CONFIG1_LONG || attr->config2)
		return -EINVAL;

	event->hw.config_base = attr->config;
	return group_fits(event) ? 0 : -EINVAL;
}

/* Counting; perf calls these on the event's CPU with interrupts off */

static u64 clock(const struct n3_sim_core *core)
{
	return n3_sim_core_clock(core, local_clock());
}

static void event_read(struct perf_event *event)
{
	const struct n3_sim_core *core = this_cpu_ptr(n3_sim_cores);
	struct hw_perf_event *hwc = &event->hw;
	u64 now = n3_sim_counter_read(core, hwc->idx, clock(core));

	local64_add(now - local64_xchg(&hwc->prev_count, now), &event->count);
}

static void event_start(struct perf_event *event, int flags)
{
	struct n3_sim_core *core = this_cpu_ptr(n3_sim_cores);
	struct hw_perf_event *hwc = &event->hw;

	if (WARN_ON_ONCE(!(hwc->state & PERF_HES_STOPPED)))
		return;

	if (latch_at_start)
		n3_sim_counter_program(core, hwc->idx, hwc->config_base & CONFIG_EVENT);
	hwc->state = 0;
	local64_set(&hwc->prev_count, 0);
	n3_sim_counter_start(core, hwc->idx, clock(core));
}

/* As in arm_pmu, the count is updated regardless of the flags. */
static void event_stop(struct perf_event *event, int flags)
{
	struct n3_sim_core *core = this_cpu_ptr(n3_sim_cores);
	struct hw_perf_event *hwc = &event->hw;

	if (hwc->state & PERF_HES_STOPPED)
		return;

	n3_sim_counter_stop(core, hwc->idx, clock(core));
	event_read(event);
	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static int event_add(struct perf_event *event, int flags)
{
	struct n3_sim_core *core = this_cpu_ptr(n3_sim_cores);
	struct hw_perf_event *hwc = &event->hw;
	int idx;

	if (event->attr.config == N3_SIM_CONFIG_NOWHERE)
		return -EAGAIN;

	idx = n3_sim_counter_find(core->used, hwc->config_base & CONFIG_EVENT,
				  n3_sim_counters(smp_processor_id()));
	if (idx < 0)
		return idx;

	__set_bit(idx, core->used);
	WRITE_ONCE(core->most_used,
		   max(core->most_used, bitmap_weight(core->used, N3T_MAX_COUNTERS)));
	hwc->idx = idx;
	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	n3_sim_counter_program(core, idx, hwc->config_base & CONFIG_EVENT);
	if (flags & PERF_EF_START)
		event_start(event, PERF_EF_RELOAD);

	perf_event_update_userpage(event);
	return 0;
}

static void event_del(struct perf_event *event, int flags)
{
	struct n3_sim_core *core = this_cpu_ptr(n3_sim_cores);

	event_stop(event, PERF_EF_UPDATE);
	__clear_bit(event->hw.idx, core->used);
	perf_event_update_userpage(event);
	event->hw.idx = -1;
}

static void pmu_enable(struct pmu *pmu)
{
	struct n3_sim_core *core = this_cpu_ptr(n3_sim_cores);

	n3_sim_core_enable(core, clock(core));
}

static void pmu_disable(struct pmu *pmu)
{
	struct n3_sim_core *core = this_cpu_ptr(n3_sim_cores);

	n3_sim_core_disable(core, clock(core));
}

static const struct pmu pmu_template = {
	.module		= THIS_MODULE,
	.capabilities	= PERF_PMU_CAP_NO_INTERRUPT,
	.task_ctx_nr	= perf_invalid_context,
	.event_init	= event_init,
	.pmu_enable	= pmu_enable,
	.pmu_disable	= pmu_disable,
	.add		= event_add,
	.del		= event_del,
	.start		= event_start,
	.stop		= event_stop,
	.read		= event_read,
};

/* Initialisation and teardown */

/**
 * n3_sim_pmu_type() - get the type of the PMU of a CPU
 * @cpu: the CPU
 *
 * Context: any, while the PMU is registered.
 * Return: the value for perf_event_attr.type.
 */
u32 n3_sim_pmu_type(unsigned int cpu)
{
	return pmu_of_cpu(cpu)->pmu.type;
}

static int register_pmu(struct sim_pmu *sim, const char *name)
{
	sim->pmu = pmu_template;
	sim->pmu.attr_groups = is_split ? split_attr_groups : n3_sim_attr_groups;
	return perf_pmu_register(&sim->pmu, name, -1);
}

static int register_pmus(void)
{
	int err;

	err = register_pmu(&sim_pmus[0], "n3_sim");
	if (err || !is_split)
		return err;

	err = register_pmu(&sim_pmus[1], "n3_sim_odd");
	if (err)
		perf_pmu_unregister(&sim_pmus[0].pmu);
	return err;
}

/**
 * n3_sim_pmu_init() - initialize all CPUs and register the PMU or both PMUs
 * @setup: settings from module parameters
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM or another error of perf_pmu_register().
 */
int n3_sim_pmu_init(const struct n3_sim_pmu_setup *setup)
{
	unsigned int cpu;
	int err;

	n3_sim_cores = alloc_percpu(struct n3_sim_core);
	if (!n3_sim_cores)
		return -ENOMEM;

	latch_at_start = setup->latch_at_start;
	is_split = setup->split;
	sim_pmus[0].counters = setup->counters;
	sim_pmus[1].counters = setup->odd_counters;
	for_each_possible_cpu(cpu) {
		n3_sim_core_init(per_cpu_ptr(n3_sim_cores, cpu), setup->rates, local_clock());
		cpumask_set_cpu(cpu, &pmu_of_cpu(cpu)->cpus);
	}

	err = register_pmus();
	if (err)
		free_percpu(n3_sim_cores);
	return err;
}

/**
 * n3_sim_pmu_exit() - undo n3_sim_pmu_init()
 *
 * Context: may sleep.
 */
void n3_sim_pmu_exit(void)
{
	if (is_split)
		perf_pmu_unregister(&sim_pmus[1].pmu);
	perf_pmu_unregister(&sim_pmus[0].pmu);
	free_percpu(n3_sim_cores);
}
