// SPDX-License-Identifier: GPL-2.0
/*
 * Internals for developers: /sys/kernel/debug/n3_telemetry. Not an ABI.
 *
 *	plan		the counter sets for each budget in use
 *	events		for each event of a PMU, whether the driver or this
 *			module named it, and "missing" if PMCEID reports it as
 *			not implemented
 *	cost		time spent in the sampler, and in total, measured by itself
 *	cpuN/slices	slices by outcome, and the recent ones with raw
 *			counts, newest first
 *
 * Reading requires the same capability as in sysfs.
 */
#include <linux/build_bug.h>
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/seq_file.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>

#include "alias.h"
#include "config.h"
#include "cost.h"
#include "cpu.h"
#include "debugfs.h"
#include "libn3t/spec.h"
#include "pmu.h"

#define MAX_SLICES	256	/* shown */

static struct dentry *top;

/* DEFINE_SHOW_ATTRIBUTE() for <name>_show(), with a check of the capability. */
#define DEFINE_CHECKED_FILE(name)						\
	static int checked_##name##_show(struct seq_file *m, void *unused)	\
	{									\
		return perfmon_capable() ? name##_show(m, unused) : -EPERM;	\
	}									\
	DEFINE_SHOW_ATTRIBUTE(checked_##name)

static void show_event(struct seq_file *m, u16 code)
{
	const char *name = n3t_pmu_event_name(code);

	if (name)
		seq_printf(m, " %s", name);
	else
		seq_printf(m, " 0x%04x", code);
}

static void show_plan(struct seq_file *m, const struct n3t_plan *plan)
{
	unsigned int set, i, metric;

	seq_printf(m, "budget %u sets %u rotation %u anchors", plan->budget, plan->nr_sets,
		   n3t_plan_rotation(plan));
	for (i = 0; i < plan->nr_anchors; i++)
		show_event(m, plan->anchor[i]);
	seq_puts(m, plan->nr_anchors ? "\n" : " none\n");
	for (set = 0; set < plan->nr_sets; set++) {
		seq_printf(m, "  set %u events", set);
		for (i = 0; i < plan->set[set].nr; i++)
			show_event(m, plan->set[set].code[i]);
		seq_puts(m, " metrics");
		for (metric = 0; metric < N3T_NR_METRICS; metric++)
			if (plan->set_of[metric] == set)
				seq_printf(m, " %s", n3t_metrics[metric].name);
		seq_puts(m, set == plan->custom_set ? " custom\n" : "\n");
	}
	if (bitmap_empty(plan->unsupported, N3T_NR_METRICS))
		return;
	seq_puts(m, "  unsupported metrics");
	for_each_set_bit(metric, plan->unsupported, N3T_NR_METRICS)
		seq_printf(m, " %s", n3t_metrics[metric].name);
	seq_puts(m, "\n");
}

static int plan_show(struct seq_file *m, void *unused)
{
	struct n3t_config *config = n3t_config_get();
	const struct n3t_plan *plan;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(config->plan); i++) {
		plan = n3t_config_plan(config, i);
		if (plan)
			show_plan(m, plan);
	}

	n3t_config_put(config);
	return 0;
}

DEFINE_CHECKED_FILE(plan);

static const char *pmceid_word(const struct n3t_pmu *pmu, u16 code)
{
	return n3t_pmu_hides_event(pmu, code) ? "missing" : "-";
}

/* Origin of each event's name, and whether PMCEID reports it as missing. */
static void show_names(struct seq_file *m, const struct n3t_pmu *pmu)
{
	const struct n3t_event_info *event;
	unsigned int i;

	for (i = 0; i < N3T_NR_EVENTS; i++) {
		event = &n3t_events[i];
		if (event->countable)
			seq_printf(m, "%s %s 0x%04x %s %s\n", pmu->pmu->name, event->name,
				   event->code,
				   n3t_alias_has(pmu, event->name) ? KBUILD_MODNAME : "driver",
				   pmceid_word(pmu, event->code));
	}
}

static int events_show(struct seq_file *m, void *unused)
{
	struct n3t_pmu *pmu;

	n3t_for_each_pmu(pmu)
		show_names(m, pmu);
	return 0;
}

DEFINE_CHECKED_FILE(events);

static int cost_show(struct seq_file *m, void *unused)
{
	unsigned int nr;

	for_each_possible_cpu(nr) {
		const struct n3t_cpu *cpu = n3t_cpus_get(nr);
		u64 ticks = READ_ONCE(cpu->ticks);
		u64 cost_ns = n3t_cost_ns(READ_ONCE(cpu->cost));

		seq_printf(m, "cpu%u ticks %llu ns %llu ns_per_tick %llu total_ns %llu\n", nr,
			   ticks, cost_ns, ticks ? div64_u64(cost_ns, ticks) : 0,
			   n3t_cost_ns(n3t_cpu_cost(cpu)));
	}
	return 0;
}

DEFINE_CHECKED_FILE(cost);

static const char * const slice_words[] = {
	[N3T_SLICE_KEPT] = "kept",
	[N3T_SLICE_MISSING] = "missing",
	[N3T_SLICE_CUT] = "cut",
	[N3T_SLICE_DISTURBED] = "disturbed",
};

static_assert(ARRAY_SIZE(slice_words) == N3T_NR_SLICE_STATES);

static void show_slice(struct seq_file *m, u64 index, const struct n3t_slice *slice,
		       const struct n3t_plan *plan)
{
	const struct n3t_set *set = &plan->set[slice->set];
	unsigned int i;

	seq_printf(m, "%llu end_us %llu time_us %llu set %u %s CPU_CYCLES=%llu", index,
		   div_u64(slice->end_ns, NSEC_PER_USEC), div_u64(slice->time_ns, NSEC_PER_USEC),
		   slice->set, slice_words[slice->state], slice->cycles);
	for (i = 0; i < set->nr; i++) {
		show_event(m, set->code[i]);
		seq_printf(m, "=%llu", slice->count[i]);
	}
	seq_putc(m, '\n');
}

static int slices_show(struct seq_file *m, void *unused)
{
	struct n3t_cpu *cpu = m->private;
	unsigned int left = MAX_SLICES;
	enum n3t_slice_state state;
	enum n3t_cpu_state ignored;
	struct n3t_slice slice;
	struct n3t_run *run;
	u64 index;

	seq_putc(m, '#');
	for (state = 0; state < N3T_NR_SLICE_STATES; state++)
		seq_printf(m, " %s %llu", slice_words[state], READ_ONCE(cpu->slices[state]));
	seq_putc(m, '\n');

	run = n3t_cpu_run(cpu, &ignored);
	if (run && n3t_ring_newest(&run->ring, &index, &slice)) {
		do {
			show_slice(m, index, &slice, run->plan);
		} while (--left && index-- && n3t_ring_read(&run->ring, index, &slice));
	}
	n3t_run_put(run);
	return 0;
}

DEFINE_CHECKED_FILE(slices);

static void add_cpu_directory(unsigned int nr)
{
	struct n3t_cpu *cpu = n3t_cpus_get(nr);
	struct dentry *directory;
	char name[16];

	scnprintf(name, sizeof(name), "cpu%u", nr);
	directory = debugfs_create_dir(name, top);
	debugfs_create_file("slices", 0400, directory, cpu, &checked_slices_fops);
}

/**
 * n3t_debugfs_init() - add the files
 *
 * Failure, for example without debugfs, is not an error.
 *
 * Context: may sleep; after n3t_control_init().
 */
void n3t_debugfs_init(void)
{
	unsigned int cpu;

	top = debugfs_create_dir(KBUILD_MODNAME, NULL);
	debugfs_create_file("plan", 0400, top, NULL, &checked_plan_fops);
	debugfs_create_file("events", 0400, top, NULL, &checked_events_fops);
	debugfs_create_file("cost", 0400, top, NULL, &checked_cost_fops);
	for_each_possible_cpu(cpu)
		add_cpu_directory(cpu);
}

/* Removes the files; waits for readers. */
void n3t_debugfs_exit(void)
{
	debugfs_remove(top);
}
