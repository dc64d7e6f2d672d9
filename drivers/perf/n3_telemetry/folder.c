// SPDX-License-Identifier: GPL-2.0
/*
 * The folders cpuN, nodeN and system: a file for each metric group, which
 * follows from the tables, and a status.
 */
#include <linux/kobject.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/time64.h>
#include <linux/uidgid.h>

#include "combine.h"
#include "control.h"
#include "cpus.h"
#include "folder.h"
#include "insight.h"
#include "spec.h"

#define VALUE_SIZE	64	/* the longest value has some 40 characters */

kgid_t n3t_folder_gid;		/* written at load */

/**
 * n3t_folder_of() - the folder that a file is in
 * @kobj: as its show() is given it
 *
 * Return: the folder.
 */
struct n3t_folder *n3t_folder_of(struct kobject *kobj)
{
	return container_of(kobj, struct n3t_folder, kobj);
}

/**
 * n3t_group_of() - the metric group that a file is for
 * @attr: of a struct n3t_group_attribute, as its show() is given it
 *
 * Return: the group.
 */
const struct n3t_group_info *n3t_group_of(struct kobj_attribute *attr)
{
	return &n3t_groups[container_of(attr, struct n3t_group_attribute, attr)->group];
}

/**
 * n3t_group_files_init() - make a file for each metric group from the tables
 * @files: N3T_NR_GROUPS of them
 * @attrs: where to list them, as an attribute group wants it
 * @show: how to read one
 *
 * Context: once, before the first folder.
 */
void n3t_group_files_init(struct n3t_group_attribute *files, struct attribute **attrs,
			  n3t_show_fn *show)
{
	unsigned int i;

	for (i = 0; i < N3T_NR_GROUPS; i++) {
		sysfs_attr_init(&files[i].attr.attr);
		files[i].attr.attr.name = n3t_groups[i].file;
		files[i].attr.attr.mode = 0440;
		files[i].attr.show = show;
		files[i].group = i;
		attrs[i] = &files[i].attr.attr;
	}
}

/* init metric group files */

static struct n3t_group_attribute group_attributes[N3T_NR_GROUPS];

static int emit_value(char *buf, int at, enum n3t_metric metric, const struct n3t_value *value)
{
	const struct n3t_metric_info *info = &n3t_metrics[metric];
	char text[VALUE_SIZE];

	if (value->verdict != N3T_VALUE)
		return sysfs_emit_at(buf, at, "%s %s\n", info->name,
				     n3t_verdict_word(value->verdict));

	n3t_ratio_print(text, sizeof(text), &value->ratio, info->decimals);
	return sysfs_emit_at(buf, at, "%s %s\n", info->name, text);
}

static ssize_t emit_group(char *buf, const struct n3t_folder *folder,
			  const struct n3t_group_info *group)
{
	struct n3t_value *values;
	unsigned int i;
	int ret, at = 0;

	values = kcalloc(group->nr_members, sizeof(*values), GFP_KERNEL);
	if (!values)
		return -ENOMEM;

	ret = n3t_values_get(folder->scope, folder->id, group->members, group->nr_members, values);
	for (i = 0; !ret && i < group->nr_members; i++)
		at += emit_value(buf, at, group->members[i], &values[i]);

	kfree(values);
	return ret ?: at;
}

static ssize_t group_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	ssize_t ret;

	if (down_read_killable(&n3t_control_lock))
		return -EINTR;
	ret = emit_group(buf, n3t_folder_of(kobj), n3t_group_of(attr));
	up_read(&n3t_control_lock);
	return ret;
}

/* init status files */

static const char * const state_words[] = {
	[N3T_CPU_OFFLINE] = "offline",
	[N3T_CPU_DISABLED] = "disabled",
	[N3T_CPU_UNPLACED] = "unplaced",
	[N3T_CPU_CONTENDED] = "contended",
	[N3T_CPU_SAMPLING] = "sampling",
};

static int emit_age(char *buf, int at, const struct n3t_run *run)
{
	struct n3t_slice slice;
	u64 index;

	if (!run || !n3t_ring_newest(&run->ring, &index, &slice))
		return sysfs_emit_at(buf, at, "age_ms none\n");
	return sysfs_emit_at(buf, at, "age_ms %llu\n",
			     n3t_ns_since(slice.end_ns) / NSEC_PER_MSEC);
}

/* How Topdown_L1 is counted: whole, whole but for STALL_SLOT, in pieces, not now. */
static const char *topdown_word(const struct n3t_run *run)
{
	if (!run)
		return "none";
	if (run->plan->l1_set == N3T_NO_SET)
		return "split";
	return run->plan->derives_stall_slot ? "derived" : "whole";
}

static int emit_cpu_status(char *buf, const struct n3t_cpu *cpu)
{
	u64 taken = READ_ONCE(cpu->slices[N3T_SLICE_KEPT]) + n3t_cpus_dropped(cpu);
	const struct n3t_neighbour *neighbour = &cpu->neighbour;
	u64 away_ns = 0;
	int at = 0;

	if (neighbour->away_since_ns)
		away_ns = n3t_ns_since(neighbour->away_since_ns);

	at += sysfs_emit_at(buf, at, "state %s\n", state_words[cpu->state]);
	at += sysfs_emit_at(buf, at, "budget %u\n", cpu->budget);
	at += sysfs_emit_at(buf, at, "sets %u\n", cpu->run ? cpu->run->plan->nr_sets : 0);
	at += sysfs_emit_at(buf, at, "topdown_l1 %s\n", topdown_word(cpu->run));
	at += sysfs_emit_at(buf, at, "slices %llu\n", taken);
	at += sysfs_emit_at(buf, at, "dropped %llu\n", n3t_cpus_dropped(cpu));
	at += emit_age(buf, at, cpu->run);
	at += sysfs_emit_at(buf, at, "away_ms %llu\n", away_ns / NSEC_PER_MSEC);
	at += sysfs_emit_at(buf, at, "away_total_ms %llu\n",
			    n3t_neighbour_away_ns(neighbour) / NSEC_PER_MSEC);
	at += sysfs_emit_at(buf, at, "away_times %llu\n", neighbour->times);
	return at;
}

static int emit_coverage(char *buf, const struct n3t_folder *folder)
{
	struct n3t_coverage coverage;
	enum n3t_verdict verdict;
	int at = 0;
	int ret;

	ret = n3t_values_coverage(folder->scope, folder->id, &coverage);
	if (ret)
		return ret;

	at += sysfs_emit_at(buf, at, "cpus %u\n", coverage.cpus);
	at += sysfs_emit_at(buf, at, "held %u\n", coverage.held);
	at += sysfs_emit_at(buf, at, "left_out %u\n", coverage.cpus - coverage.held);
	for (verdict = 0; verdict < N3T_VALUE; verdict++)
		if (coverage.by_verdict[verdict])
			at += sysfs_emit_at(buf, at, "%s %u\n", n3t_verdict_word(verdict),
					    coverage.by_verdict[verdict]);
	return at;
}

static ssize_t status_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct n3t_folder *folder = n3t_folder_of(kobj);
	ssize_t ret;

	if (down_read_killable(&n3t_control_lock))
		return -EINTR;
	if (folder->scope == N3T_SCOPE_CPU)
		ret = emit_cpu_status(buf, n3t_cpus_get(folder->id));
	else
		ret = emit_coverage(buf, folder);
	up_read(&n3t_control_lock);
	return ret;
}

static struct kobj_attribute status_attribute = __ATTR(status, 0440, status_show, NULL);

/* init custom files */

static void print_per(char *text, size_t size, u64 count, u64 factor, u64 per)
{
	struct n3t_ratio value, operand;

	if (!per) {
		strscpy(text, n3t_verdict_word(N3T_UNDEF), size);
		return;
	}
	n3t_ratio_set(&value, count);
	n3t_ratio_set(&operand, factor);
	n3t_ratio_mul(&value, &operand);
	n3t_ratio_set(&operand, per);
	n3t_ratio_div(&value, &operand);
	n3t_ratio_print(text, size, &value, 6);
}

static int emit_custom_event(char *buf, int at, u16 code, const struct n3t_counts *counts,
			     u64 time_ns, enum n3t_trust trust)
{
	char second[VALUE_SIZE], instructions[VALUE_SIZE], cycle[VALUE_SIZE];
	int event = n3t_event_by_code(code);
	char name[VALUE_SIZE];
	u64 count = 0, retired;

	if (event < 0)
		scnprintf(name, sizeof(name), "0x%04x", code);
	else
		strscpy(name, n3t_events[event].name, sizeof(name));

	n3t_counts_get(counts, code, &count);
	if (!count && trust == N3T_TRUST_PRETENDS)
		return sysfs_emit_at(buf, at, "%s %s\n", name, n3t_verdict_word(N3T_IMPLAUSIBLE));

	print_per(second, sizeof(second), count, NSEC_PER_SEC, time_ns);
	print_per(cycle, sizeof(cycle), count, 1, counts->cycles);
	if (n3t_counts_get(counts, N3T_CODE_INST_RETIRED, &retired))
		strscpy(instructions, n3t_verdict_word(N3T_UNPLACED), sizeof(instructions));
	else
		print_per(instructions, sizeof(instructions), count, 1000, retired);

	return sysfs_emit_at(buf, at, "%s per_second=%s per_kilo_instruction=%s per_cycle=%s\n",
			     name, second, instructions, cycle);
}

static int emit_custom(char *buf, const struct n3t_cpu *cpu)
{
	const struct n3t_settings *settings = &n3t_config->settings;
	const struct n3t_plan *plan = n3t_values_plan(cpu);
	struct n3t_window *window = n3t_values_window(cpu);
	const struct n3t_set_sum *sum;
	enum n3t_verdict verdict;
	struct n3t_counts counts;
	unsigned int i;
	int at = 0;

	if (IS_ERR(window))
		return PTR_ERR(window);

	verdict = n3t_custom_verdict(cpu->state, plan, window);
	if (verdict != N3T_VALUE) {
		at = sysfs_emit(buf, "%s\n", n3t_verdict_word(verdict));
		goto out_free_window;
	}

	sum = &window->sum[plan->custom_set];
	n3t_set_counts(&plan->set[plan->custom_set], sum, &counts);
	for (i = 0; i < settings->nr_custom; i++)
		at += emit_custom_event(buf, at, settings->custom[i], &counts, sum->time_ns,
					window->trust);

out_free_window:
	kvfree(window);
	return at;
}

static ssize_t custom_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	ssize_t ret;

	if (down_read_killable(&n3t_control_lock))
		return -EINTR;
	ret = emit_custom(buf, n3t_cpus_get(n3t_folder_of(kobj)->id));
	up_read(&n3t_control_lock);
	return ret;
}

static struct kobj_attribute custom_attribute = __ATTR(custom, 0440, custom_show, NULL);

/* init folders */

static struct attribute *folder_attrs[N3T_NR_GROUPS + 4];

static umode_t folder_is_visible(struct kobject *kobj, struct attribute *attr, int index)
{
	if (attr == &custom_attribute.attr && n3t_folder_of(kobj)->scope != N3T_SCOPE_CPU)
		return 0;
	return attr->mode;
}

static const struct attribute_group folder_group = {
	.attrs = folder_attrs,
	.is_visible = folder_is_visible,
};

static const struct attribute_group *folder_groups[] = {
	&folder_group,
	&n3t_insight_quality_group,
	NULL
};

static void folder_release(struct kobject *kobj)
{
	complete(&n3t_folder_of(kobj)->released);
}

/**
 * n3t_folder_ownership() - who owns the files
 * @kobj: a folder
 * @uid: root
 * @gid: the group that the module was loaded with
 */
void n3t_folder_ownership(n3t_const_kobject *kobj, kuid_t *uid, kgid_t *gid)
{
	*uid = GLOBAL_ROOT_UID;
	*gid = n3t_folder_gid;
}

static const struct kobj_type folder_ktype = {
	.release = folder_release,
	.sysfs_ops = &kobj_sysfs_ops,
	.default_groups = folder_groups,
	.get_ownership = n3t_folder_ownership,
};

/**
 * n3t_folder_init_files() - make the list of files in a folder from the tables
 *
 * Context: once, before the first folder.
 */
void n3t_folder_init_files(void)
{
	struct attribute **attr = &folder_attrs[N3T_NR_GROUPS];

	n3t_insight_init_files();
	n3t_group_files_init(group_attributes, folder_attrs, group_show);
	*attr++ = &status_attribute.attr;
	*attr++ = &n3t_insight_bottleneck.attr;
	*attr = &custom_attribute.attr;
}

static int name_and_add(struct n3t_folder *folder, struct kobject *parent)
{
	switch (folder->scope) {
	case N3T_SCOPE_CPU:
		return kobject_init_and_add(&folder->kobj, &folder_ktype, parent, "cpu%u",
					    folder->id);
	case N3T_SCOPE_NODE:
		return kobject_init_and_add(&folder->kobj, &folder_ktype, parent, "node%u",
					    folder->id);
	default:
		return kobject_init_and_add(&folder->kobj, &folder_ktype, parent, "system");
	}
}

/**
 * n3t_folder_add() - show a folder
 * @folder: zeroed
 * @parent: where
 * @scope: what its values are of
 * @id: of which
 *
 * Context: may sleep.
 * Return: 0, or what sysfs says; then nothing is left of it.
 */
int n3t_folder_add(struct n3t_folder *folder, struct kobject *parent, enum n3t_scope scope,
		   unsigned int id)
{
	int ret;

	folder->scope = scope;
	folder->id = id;
	init_completion(&folder->released);

	ret = name_and_add(folder, parent);
	if (ret) {
		kobject_put(&folder->kobj);
		wait_for_completion(&folder->released);
	}
	return ret;
}

/**
 * n3t_folder_remove() - remove a folder
 * @folder: a folder that was added
 *
 * Context: may sleep; waits for readers of the files, and for whoever else
 * holds the folder.
 */
void n3t_folder_remove(struct n3t_folder *folder)
{
	kobject_del(&folder->kobj);
	kobject_put(&folder->kobj);
	wait_for_completion(&folder->released);
}
