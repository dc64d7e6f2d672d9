// SPDX-License-Identifier: GPL-2.0
/*
 * Files with values, one per metric group. The tables define the groups.
 */
#include <linux/err.h>
#include <linux/kobject.h>
#include <linux/sched/signal.h>
#include <linux/sysfs.h>

#include "directory.h"
#include "group_files.h"
#include "libn3t/combine.h"
#include "libn3t/spec.h"
#include "libn3t/text.h"
#include "values.h"

/* The group of a file in a struct n3t_group_attribute. */
const struct n3t_group_info *n3t_group_of(struct kobj_attribute *attr)
{
	return &n3t_groups[container_of(attr, struct n3t_group_attribute, attr)->group];
}

static void add_value(struct n3t_text *text, enum n3t_metric metric, struct n3t_views *views)
{
	const struct n3t_metric_info *info = &n3t_metrics[metric];
	enum n3t_verdict verdict;
	struct n3t_ratio ratio;

	verdict = n3t_views_value(views, metric, &ratio);
	n3t_text_add(text, info->name);
	n3t_text_add(text, " ");
	if (verdict == N3T_VALUE)
		n3t_text_add_ratio(text, &ratio, info->decimals);
	else
		n3t_text_add(text, n3t_verdict_word(verdict));
	n3t_text_add(text, "\n");
}

static ssize_t emit_group(char *buf, struct n3t_views *views, const struct n3t_group_info *group)
{
	struct n3t_text text = { .buf = buf, .size = PAGE_SIZE };
	unsigned int i;

	for (i = 0; i < group->nr_members; i++) {
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
		add_value(&text, group->members[i], views);
	}
	return text.len;
}

static ssize_t group_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct n3t_directory *directory = n3t_directory_of(kobj);
	struct n3t_views *views = n3t_views_get(directory->scope, directory->id);
	ssize_t ret;

	if (IS_ERR(views))
		return PTR_ERR(views);

	ret = emit_group(buf, views, n3t_group_of(attr));
	n3t_views_put(views);
	return ret;
}

static struct n3t_group_attribute group_attributes[N3T_NR_GROUPS];
static struct attribute *group_attrs[N3T_NR_GROUPS + 1];

const struct attribute_group n3t_group_files = {
	.attrs = group_attrs,
};

/* Builds a list of files, one for each group; once, before the first directory. */
void n3t_group_attributes_init(struct n3t_group_attribute *files, struct attribute **attrs,
			       n3t_show_fn *show)
{
	unsigned int i;

	for (i = 0; i < N3T_NR_GROUPS; i++) {
		sysfs_attr_init(&files[i].attr.attr);
		files[i].attr.attr.name = n3t_groups[i].file;
		files[i].attr.attr.mode = 0444;
		files[i].attr.show = show;
		files[i].group = i;
		attrs[i] = &files[i].attr.attr;
	}
}

/* Builds the list of files from the tables; once, before the first directory. */
void n3t_group_files_init(void)
{
	n3t_group_attributes_init(group_attributes, group_attrs, group_show);
}
