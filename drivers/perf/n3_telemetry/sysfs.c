// SPDX-License-Identifier: GPL-2.0
/*
 * The files under /sys/kernel/n3_telemetry, which are described in
 * Documentation/ABI/testing/sysfs-kernel-n3_telemetry: what is in the top
 * folder itself, and which folders there are.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/nodemask.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/uidgid.h>

#include "control.h"
#include "cpus.h"
#include "folder.h"
#include "pmu.h"
#include "settings.h"
#include "spec.h"
#include "sysfs.h"

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
	return sysfs_emit_at(buf, at, "group %s beyond_the_metrics metrics %u\n", group->file,
			     group->nr_members);
}

static ssize_t spec_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	unsigned int i;
	int at = 0;

	at += sysfs_emit_at(buf, at, "specification %s\n", SPECIFICATION);
	at += sysfs_emit_at(buf, at, "pmu %s\n", n3t_pmu.pmu->name);
	at += sysfs_emit_at(buf, at, "simulated %d\n", n3t_pmu.simulated);
	at += sysfs_emit_at(buf, at, "events %d\n", N3T_NR_EVENTS);
	at += sysfs_emit_at(buf, at, "metrics %d\n", N3T_NR_SPECIFIED_METRICS);
	at += sysfs_emit_at(buf, at, "groups %u\n", nr_specified_groups());
	for (i = 0; i < N3T_NR_GROUPS; i++)
		at += emit_group(buf, at, &n3t_groups[i]);
	return at;
}

static struct kobj_attribute spec_attribute = __ATTR(spec, 0440, spec_show, NULL);

static unsigned int nr_cpus_sampled(void)
{
	unsigned int cpu, nr = 0;

	for_each_possible_cpu(cpu)
		nr += n3t_cpus_get(cpu)->state == N3T_CPU_SAMPLING;
	return nr;
}

static ssize_t status_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	int at = 0;

	if (down_read_killable(&n3t_control_lock))
		return -EINTR;

	at += sysfs_emit_at(buf, at, "state %s\n",
			    n3t_config->settings.enable ? "sampling" : "disabled");
	at += sysfs_emit_at(buf, at, "cpus_sampled %u\n", nr_cpus_sampled());
	at += sysfs_emit_at(buf, at, "switch %s\n", n3t_in_place ? "in-place" : "perf");
	at += sysfs_emit_at(buf, at, "version %s\n", N3T_VERSION);

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

static struct kobject top;
static DECLARE_COMPLETION(top_released);
static struct n3t_folder *folders;
static unsigned int nr_folders;

static void top_release(struct kobject *kobj)
{
	complete(&top_released);
}

static const struct kobj_type top_ktype = {
	.release = top_release,
	.sysfs_ops = &kobj_sysfs_ops,
	.default_groups = top_groups,
	.get_ownership = n3t_folder_ownership,
};

static int add_folder(enum n3t_scope scope, unsigned int id)
{
	int ret = n3t_folder_add(&folders[nr_folders], &top, scope, id);

	if (!ret)
		nr_folders++;
	return ret;
}

static int add_folders(void)
{
	unsigned int cpu;
	int node, ret;

	for_each_possible_cpu(cpu) {
		ret = add_folder(N3T_SCOPE_CPU, cpu);
		if (ret)
			return ret;
	}
	for_each_node_state(node, N_POSSIBLE) {
		ret = add_folder(N3T_SCOPE_NODE, node);
		if (ret)
			return ret;
	}
	return add_folder(N3T_SCOPE_SYSTEM, 0);
}

static void put_top(void)
{
	kobject_put(&top);
	wait_for_completion(&top_released);
	kvfree(folders);
}

static void remove_top(void)
{
	while (nr_folders)
		n3t_folder_remove(&folders[--nr_folders]);
	kobject_del(&top);
	put_top();
}

/**
 * n3t_sysfs_init() - show everything
 * @gid: the group that may read
 *
 * Context: may sleep; after n3t_control_start().
 * Return: 0; -EINVAL for a group that does not exist; -ENOMEM; what sysfs says.
 * Nothing is left behind after an error.
 */
int n3t_sysfs_init(unsigned int gid)
{
	int ret;

	n3t_folder_gid = make_kgid(&init_user_ns, gid);
	if (!gid_valid(n3t_folder_gid)) {
		pr_err("gid=%u is no group\n", gid);
		return -EINVAL;
	}

	folders = kvcalloc(num_possible_cpus() + num_possible_nodes() + 1, sizeof(*folders),
			   GFP_KERNEL);
	if (!folders)
		return -ENOMEM;

	n3t_folder_init_files();
	ret = kobject_init_and_add(&top, &top_ktype, kernel_kobj, KBUILD_MODNAME);
	if (ret) {
		put_top();
		return ret;
	}

	ret = add_folders();
	if (ret)
		remove_top();
	return ret;
}

/**
 * n3t_sysfs_exit() - remove all files
 *
 * Context: may sleep; waits for readers and writers of the files.
 */
void n3t_sysfs_exit(void)
{
	remove_top();
}
