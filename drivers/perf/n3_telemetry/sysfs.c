// SPDX-License-Identifier: GPL-2.0
/*
 * Directory tree and top-level files of /sys/kernel/n3_telemetry, documented in
 * Documentation/ABI/testing/sysfs-kernel-n3_telemetry.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kobject.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/nodemask.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/topology.h>

#include "access.h"
#include "config.h"
#include "cpu.h"
#include "cpu_files.h"
#include "directory.h"
#include "group_files.h"
#include "libn3t/core.h"
#include "libn3t/spec.h"
#include "pmu.h"
#include "sampler.h"
#include "settings.h"
#include "sysfs.h"
#include "total_files.h"

#define SPECIFICATION	"Arm Neoverse N3 Core Telemetry Specification 109530 issue 01"

static unsigned int nr_specified_groups(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < N3T_NR_GROUPS; i++)
		nr += !!n3t_groups[i].stage;
	return nr;
}

static int emit_group(char *buf, int at, const struct n3t_group_info *group)
{
	if (group->stage)
		return sysfs_emit_at(buf, at, "group %s stage %u metrics %u\n", group->file,
				     group->stage, group->nr_members);
	return sysfs_emit_at(buf, at, "group %s extra metrics %u\n", group->file,
			     group->nr_members);
}

static int emit_pmus(char *buf, int at)
{
	struct n3t_pmu *pmu;

	at += sysfs_emit_at(buf, at, "pmu");
	n3t_for_each_pmu(pmu)
		at += sysfs_emit_at(buf, at, " %s", pmu->pmu->name);
	return at + sysfs_emit_at(buf, at, "\n");
}

static int emit_core(char *buf, int at)
{
	const struct n3t_cores *cores = n3t_pmu_cores();

	if (!cores->found)
		return at;
	at += sysfs_emit_at(buf, at, "core %s (0x%03x)%s%s\n", n3t_core_name(cores->found),
			    N3T_MIDR_PART(cores->found),
			    cores->others ? ": not a Neoverse N3" : "", n3t_cores_bounds(cores));
	if (cores->slots)
		return at + sysfs_emit_at(buf, at, "slots %u\n", cores->slots);
	return at + sysfs_emit_at(buf, at, "slots unknown\n");
}

static bool any_pmu_is_simulated(void)
{
	struct n3t_pmu *pmu;

	n3t_for_each_pmu(pmu)
		if (pmu->simulated)
			return true;
	return false;
}

static bool any_pmu_hides(u16 code)
{
	struct n3t_pmu *pmu;

	n3t_for_each_pmu(pmu)
		if (n3t_pmu_hides_event(pmu, code))
			return true;
	return false;
}

/* These events have a name nevertheless: see alias.c. */
static int emit_missing(char *buf, int at)
{
	bool any = false;
	unsigned int i;

	at += sysfs_emit_at(buf, at, "pmceid_missing");
	for (i = 0; i < N3T_NR_EVENTS; i++) {
		if (!n3t_events[i].countable || !any_pmu_hides(n3t_events[i].code))
			continue;
		at += sysfs_emit_at(buf, at, " %s", n3t_events[i].name);
		any = true;
	}
	return at + sysfs_emit_at(buf, at, "%s\n", any ? "" : " none");
}

static ssize_t spec_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	unsigned int i;
	int at = 0;

	at += sysfs_emit_at(buf, at, "specification %s\n", SPECIFICATION);
	at = emit_pmus(buf, at);
	at = emit_core(buf, at);
	at += sysfs_emit_at(buf, at, "simulated %d\n", any_pmu_is_simulated());
	at += sysfs_emit_at(buf, at, "events %d\n", N3T_NR_EVENTS);
	at += sysfs_emit_at(buf, at, "metrics %d\n", N3T_NR_SPECIFIED_METRICS);
	at += sysfs_emit_at(buf, at, "groups %u\n", nr_specified_groups());
	for (i = 0; i < N3T_NR_GROUPS; i++)
		at += emit_group(buf, at, &n3t_groups[i]);
	at = emit_missing(buf, at);
	at += sysfs_emit_at(buf, at, "named %d\n", n3t_pmu_by_name());
	at += sysfs_emit_at(buf, at, "extra_metrics %d\n",
			    N3T_NR_METRICS - N3T_NR_SPECIFIED_METRICS);
	return at + sysfs_emit_at(buf, at, "extra_groups %u\n",
				  N3T_NR_GROUPS - nr_specified_groups());
}

static struct kobj_attribute spec_attribute = __ATTR_RO(spec);

static unsigned int nr_cpus_sampled(void)
{
	unsigned int cpu, nr = 0;

	for_each_possible_cpu(cpu)
		nr += !!rcu_access_pointer(n3t_cpus_get(cpu)->run);
	return nr;
}

/* With several PMUs, the most expensive method is reported. */
static const char *switch_word(enum n3t_switch setting)
{
	bool in_place = false;
	struct n3t_pmu *pmu;
	enum n3t_switch how;

	n3t_for_each_pmu(pmu) {
		how = n3t_pmu_switch(pmu, setting);
		if (!n3t_switch_keeps_events(how))
			return "perf";
		in_place |= how == N3T_SWITCH_IN_PLACE;
	}
	return in_place ? "in-place" : "direct";
}

/* Cost of slices, pieces, power-downs and work items of a CPU, in millionths of the time. */
static u64 cost_of(const struct n3t_cpu *cpu)
{
	unsigned int slice_ms = READ_ONCE(cpu->sampler.slice_ms);
	u64 work = READ_ONCE(cpu->work_cost.ppm);

	if (!rcu_access_pointer(cpu->run) || !slice_ms)
		return work;
	return work + div_u64(READ_ONCE(cpu->sampler.pace.slice_ns), slice_ms) +
	       READ_ONCE(cpu->contention.power_ppm) + READ_ONCE(cpu->containers_ppm);
}

static u64 highest_cost(void)
{
	u64 highest = 0;
	unsigned int i;

	for_each_possible_cpu(i)
		highest = max(highest, cost_of(n3t_cpus_get(i)));
	return highest;
}

static enum n3t_yield_reason worst_reason(void)
{
	enum n3t_yield_reason worst = N3T_YIELD_NONE;
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		worst = max(worst, READ_ONCE(n3t_cpus_get(cpu)->contention.reason));
	return worst;
}

/* One CPU that does not check is enough. */
static const char *user_access_word(enum n3t_switch setting)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		if (READ_ONCE(n3t_cpus_get(cpu)->pmu) &&
		    !n3t_sampler_sees_user_access(n3t_cpus_get(cpu), setting))
			return "unchecked";
	return "checked";
}

static ssize_t status_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct n3t_config *config = n3t_config_get();
	int at = 0;

	at += sysfs_emit_at(buf, at, "state %s\n",
			    config->settings.enable ? "sampling" : "disabled");
	at += sysfs_emit_at(buf, at, "cpus_sampled %u\n", nr_cpus_sampled());
	at += sysfs_emit_at(buf, at, "switch %s\n", switch_word(config->settings.switching));
	at += sysfs_emit_at(buf, at, "max_cost %u\n", config->settings.max_cost);
	at += sysfs_emit_at(buf, at, "cost %llu\n", highest_cost());
	at += n3t_status_emit_reason(buf, at, worst_reason());
	at += sysfs_emit_at(buf, at, "user_access %s\n",
			    user_access_word(config->settings.switching));
	at += sysfs_emit_at(buf, at, "version %s\n", N3T_VERSION);

	n3t_config_put(config);
	return at;
}

static struct kobj_attribute status_attribute = __ATTR_RO(status);

static struct attribute *top_attrs[] = {
	&spec_attribute.attr,
	&status_attribute.attr,
	NULL
};

static const struct attribute_group top_group = {
	.attrs = top_attrs,
};

static const struct attribute_group *top_groups[] = {
	&top_group,
	&n3t_settings_group,
	NULL
};

static struct kobject top;
static DECLARE_COMPLETION(top_released);
static struct n3t_directory *directories;
static unsigned int nr_directories;

static void top_release(struct kobject *kobj)
{
	complete(&top_released);
}

static const struct kobj_type top_ktype = {
	.release = top_release,
	.sysfs_ops = &n3t_access_ops,
	.default_groups = top_groups,
};

static const struct attribute_group *cpu_groups[] = {
	&n3t_group_files,
	&n3t_total_files,
	&n3t_status_file,
	&n3t_cpu_files,
	NULL
};

static const struct attribute_group *combined_groups[] = {
	&n3t_group_files,
	&n3t_total_files,
	&n3t_status_file,
	NULL
};

static const struct attribute_group *system_groups[] = {
	&n3t_group_files,
	&n3t_total_files,
	&n3t_status_file,
	&n3t_system_files,
	NULL
};

static int add_directory(enum n3t_scope scope, unsigned int id)
{
	static const struct attribute_group ** const groups[] = {
		[N3T_SCOPE_CPU] = cpu_groups,
		[N3T_SCOPE_NODE] = combined_groups,
		[N3T_SCOPE_SYSTEM] = system_groups,
	};
	int ret = n3t_directory_add(&directories[nr_directories], &top, scope, id,
				    groups[scope]);

	if (!ret)
		nr_directories++;
	return ret;
}

/* Checks possible CPUs: they may be offline now, but never change their node. */
static bool node_has_cpu(int node)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		if (cpu_to_node(cpu) == node)
			return true;
	return false;
}

static int add_directories(void)
{
	unsigned int cpu;
	int node, ret;

	for_each_possible_cpu(cpu) {
		ret = add_directory(N3T_SCOPE_CPU, cpu);
		if (ret)
			return ret;
	}
	for_each_node_state(node, N_POSSIBLE) {
		if (!node_has_cpu(node))
			continue;
		ret = add_directory(N3T_SCOPE_NODE, node);
		if (ret)
			return ret;
	}
	return add_directory(N3T_SCOPE_SYSTEM, 0);
}

static void put_top(void)
{
	kobject_put(&top);
	wait_for_completion(&top_released);
	kvfree(directories);
}

static void remove_top(void)
{
	while (nr_directories)
		n3t_directory_remove(&directories[--nr_directories]);
	kobject_del(&top);
	put_top();
}

/* Adds all files, after n3t_control_start(); on error none are left. */
int n3t_sysfs_init(void)
{
	int ret;

	directories = kvcalloc(num_possible_cpus() + num_possible_nodes() + 1,
			       sizeof(*directories), GFP_KERNEL);
	if (!directories)
		return -ENOMEM;

	n3t_group_files_init();
	n3t_total_files_init();
	ret = kobject_init_and_add(&top, &top_ktype, kernel_kobj, KBUILD_MODNAME);
	if (ret) {
		put_top();
		return ret;
	}

	ret = add_directories();
	if (ret)
		remove_top();
	return ret;
}

/* Removes all files; waits for their readers and writers. */
void n3t_sysfs_exit(void)
{
	remove_top();
}
