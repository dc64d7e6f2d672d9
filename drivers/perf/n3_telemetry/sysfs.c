// SPDX-License-Identifier: GPL-2.0
/*
 * The files under /sys/kernel/n3_telemetry, which are described in
 * Documentation/ABI/testing/sysfs-kernel-n3_telemetry. The files of metric
 * groups follow from the tables.
 */
#include <linux/kobject.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/perf_event.h>
#include <linux/sysfs.h>
#include <linux/timekeeping.h>

#include "control.h"
#include "pmu.h"
#include "sampler.h"
#include "settings.h"
#include "spec.h"
#include "sysfs.h"

#define SPECIFICATION	"Arm Neoverse N3 Core Telemetry Specification 109530 issue 01"
#define VALUE_SIZE	64	/* the longest value has some 40 characters */

static const char * const state_words[] = {
	[N3T_CPU_OFFLINE] = "offline",
	[N3T_CPU_DISABLED] = "disabled",
	[N3T_CPU_UNPLACED] = "unplaced",
	[N3T_CPU_CONTENDED] = "contended",
	[N3T_CPU_SAMPLING] = "sampling",
};

/* init metric group files */

struct group_attribute {
	struct kobj_attribute attr;
	enum n3t_group group;
};

static struct n3t_cpu *to_cpu(struct kobject *kobj)
{
	return container_of(kobj, struct n3t_cpu, kobj);
}

static int emit_metric(char *buf, int at, enum n3t_metric metric, const struct n3t_cpu *cpu,
		       const struct n3t_window *window)
{
	const struct n3t_plan *plan = cpu->run ? cpu->run->plan : NULL;
	struct n3t_ratio ratio;
	enum n3t_verdict verdict;
	char value[VALUE_SIZE];

	verdict = n3t_metric_value(metric, cpu->state, plan, window, &ratio);
	if (verdict != N3T_VALUE)
		return sysfs_emit_at(buf, at, "%s %s\n", n3t_metrics[metric].name,
				     n3t_verdict_word(verdict));

	n3t_ratio_print(value, sizeof(value), &ratio, n3t_metrics[metric].decimals);
	return sysfs_emit_at(buf, at, "%s %s\n", n3t_metrics[metric].name, value);
}

/* The window of a CPU up to now, for kvfree(); NULL if the CPU is not sampled. */
static struct n3t_window *sum_window(const struct n3t_cpu *cpu)
{
	u64 length_ns = (u64)n3t_config->window_ms * NSEC_PER_MSEC;
	const struct n3t_run *run = cpu->run;
	struct n3t_window *window;
	u64 now;

	lockdep_assert_held_read(&n3t_control_lock);

	if (!run)
		return NULL;

	window = kvzalloc(struct_size(window, sum, run->plan->nr_sets), GFP_KERNEL);
	if (!window)
		return ERR_PTR(-ENOMEM);

	now = ktime_get_mono_fast_ns();
	n3t_window_sum(window, &run->ring, run->plan, now > length_ns ? now - length_ns : 0);
	n3t_window_judge(window, run->plan);
	return window;
}

static ssize_t emit_group(char *buf, enum n3t_group group, const struct n3t_cpu *cpu)
{
	const struct n3t_group_info *info = &n3t_groups[group];
	struct n3t_window *window = sum_window(cpu);
	unsigned int i;
	int at = 0;

	if (IS_ERR(window))
		return PTR_ERR(window);

	for (i = 0; i < info->nr_members; i++)
		at += emit_metric(buf, at, info->members[i], cpu, window);

	kvfree(window);
	return at;
}

static ssize_t group_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	enum n3t_group group = container_of(attr, struct group_attribute, attr)->group;
	ssize_t ret;

	if (down_read_killable(&n3t_control_lock))
		return -EINTR;
	ret = emit_group(buf, group, to_cpu(kobj));
	up_read(&n3t_control_lock);
	return ret;
}

static struct group_attribute group_attributes[N3T_NR_GROUPS];
static struct attribute *cpu_attrs[N3T_NR_GROUPS + 2];	/* status, and the end */

/* init per-CPU folders */

static int emit_age(char *buf, int at, const struct n3t_run *run)
{
	struct n3t_slice slice;
	u64 index;

	if (!run || !n3t_ring_newest(&run->ring, &index, &slice))
		return sysfs_emit_at(buf, at, "age_ms none\n");
	return sysfs_emit_at(buf, at, "age_ms %llu\n",
			     (ktime_get_mono_fast_ns() - slice.end_ns) / NSEC_PER_MSEC);
}

static ssize_t cpu_status_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct n3t_cpu *cpu = to_cpu(kobj);
	int at = 0;

	if (down_read_killable(&n3t_control_lock))
		return -EINTR;

	at += sysfs_emit_at(buf, at, "state %s\n", state_words[cpu->state]);
	at += sysfs_emit_at(buf, at, "budget %u\n", cpu->budget);
	at += sysfs_emit_at(buf, at, "slices %llu\n", READ_ONCE(cpu->slices));
	at += sysfs_emit_at(buf, at, "dropped %llu\n", READ_ONCE(cpu->dropped));
	at += emit_age(buf, at, cpu->run);

	up_read(&n3t_control_lock);
	return at;
}

static struct kobj_attribute cpu_status =
	__ATTR(status, 0440, cpu_status_show, NULL);

ATTRIBUTE_GROUPS(cpu);

static void cpu_release(struct kobject *kobj)
{
	complete(&to_cpu(kobj)->released);
}

static const struct kobj_type cpu_ktype = {
	.release = cpu_release,
	.sysfs_ops = &kobj_sysfs_ops,
	.default_groups = cpu_groups,
};

static void init_cpu_attrs(void)
{
	unsigned int i;

	for (i = 0; i < N3T_NR_GROUPS; i++) {
		struct group_attribute *group = &group_attributes[i];

		sysfs_attr_init(&group->attr.attr);
		group->attr.attr.name = n3t_groups[i].file;
		group->attr.attr.mode = 0440;
		group->attr.show = group_show;
		group->group = i;
		cpu_attrs[i] = &group->attr.attr;
	}
	cpu_attrs[i] = &cpu_status.attr;
}

/* Waits for readers of the files, and for whoever else holds the folder. */
static void remove_folder(struct n3t_cpu *cpu)
{
	kobject_del(&cpu->kobj);
	kobject_put(&cpu->kobj);
	wait_for_completion(&cpu->released);
}

static int add_folder(struct n3t_cpu *cpu, struct kobject *parent)
{
	int ret;

	init_completion(&cpu->released);
	ret = kobject_init_and_add(&cpu->kobj, &cpu_ktype, parent, "cpu%u", cpu->cpu);
	if (ret) {
		kobject_put(&cpu->kobj);
		wait_for_completion(&cpu->released);
	}
	return ret;
}

static void remove_folders(unsigned int end)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		if (cpu < end)
			remove_folder(n3t_control_cpu(cpu));
}

static int add_folders(struct kobject *parent)
{
	unsigned int cpu;
	int ret;

	for_each_possible_cpu(cpu) {
		ret = add_folder(n3t_control_cpu(cpu), parent);
		if (ret) {
			remove_folders(cpu);
			return ret;
		}
	}
	return 0;
}

/* init top folder */

static ssize_t spec_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	unsigned int i;
	int at = 0;

	at += sysfs_emit_at(buf, at, "specification %s\n", SPECIFICATION);
	at += sysfs_emit_at(buf, at, "pmu %s\n", n3t_pmu.pmu->name);
	at += sysfs_emit_at(buf, at, "simulated %d\n", n3t_pmu.simulated);
	at += sysfs_emit_at(buf, at, "events %d\n", N3T_NR_EVENTS);
	at += sysfs_emit_at(buf, at, "metrics %d\n", N3T_NR_METRICS);
	at += sysfs_emit_at(buf, at, "groups %d\n", N3T_NR_GROUPS);
	for (i = 0; i < N3T_NR_GROUPS; i++)
		at += sysfs_emit_at(buf, at, "group %s stage %u metrics %u\n", n3t_groups[i].file,
				    n3t_groups[i].stage, n3t_groups[i].nr_members);
	return at;
}

static struct kobj_attribute spec_attribute = __ATTR(spec, 0440, spec_show, NULL);

static ssize_t status_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	unsigned int cpu, sampled = 0;
	int at = 0;

	if (down_read_killable(&n3t_control_lock))
		return -EINTR;

	for_each_possible_cpu(cpu)
		sampled += n3t_control_cpu(cpu)->state == N3T_CPU_SAMPLING;
	at += sysfs_emit_at(buf, at, "state %s\n",
			    n3t_config->settings.enable ? "sampling" : "disabled");
	at += sysfs_emit_at(buf, at, "cpus_sampled %u\n", sampled);
	at += sysfs_emit_at(buf, at, "switch %s\n", n3t_in_place ? "in-place" : "perf");

	up_read(&n3t_control_lock);
	return at;
}

static struct kobj_attribute status_attribute = __ATTR(status, 0440, status_show, NULL);

static struct attribute *top_attrs[] = {
	&spec_attribute.attr,
	&status_attribute.attr,
	NULL
};

static const struct attribute_group top_group = { .attrs = top_attrs };
static const struct attribute_group *top_groups[] = {
	&top_group,
	&n3t_settings_group,
	NULL
};

static struct kobject *top;

/**
 * n3t_sysfs_init() - show everything
 *
 * Context: may sleep; after n3t_control_start().
 * Return: 0, or what sysfs says; then nothing is left behind.
 */
int n3t_sysfs_init(void)
{
	int ret;

	init_cpu_attrs();

	top = kobject_create_and_add(KBUILD_MODNAME, kernel_kobj);
	if (!top)
		return -ENOMEM;

	ret = sysfs_create_groups(top, top_groups);
	if (ret)
		goto out_put_top;

	ret = add_folders(top);
	if (ret)
		goto out_put_top;
	return 0;

out_put_top:
	kobject_put(top);
	return ret;
}

/**
 * n3t_sysfs_exit() - remove all files
 *
 * Context: may sleep; waits for readers and writers of the files.
 */
void n3t_sysfs_exit(void)
{
	remove_folders(nr_cpu_ids);
	kobject_put(top);
}
