// SPDX-License-Identifier: GPL-2.0
/*
 * Files with values: one per metric group, quality/ and bottleneck. The tables
 * define the groups.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/kobject.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "directory.h"
#include "group_files.h"
#include "libn3t/bottleneck.h"
#include "libn3t/spec.h"
#include "libn3t/stats/combine.h"
#include "libn3t/stats/quality.h"
#include "libn3t/text.h"
#include "values.h"

typedef ssize_t (emit_fn)(char *buf, struct n3t_views *views,
			  const struct n3t_group_info *group);

/**
 * n3t_group_of() - get the group of a file
 * @attr: the file, in a struct n3t_group_attribute
 *
 * Return: the group.
 */
const struct n3t_group_info *n3t_group_of(struct kobj_attribute *attr)
{
	return &n3t_groups[container_of(attr, struct n3t_group_attribute, attr)->group];
}

/* Calls @emit with the CPUs of the directory that contains the file. */
static ssize_t show(struct kobject *kobj, char *buf, emit_fn *emit,
		    const struct n3t_group_info *group)
{
	const struct n3t_directory *directory = n3t_directory_of(kobj);
	struct n3t_views *views = n3t_views_get(directory->scope, directory->id);
	ssize_t ret;

	if (IS_ERR(views))
		return PTR_ERR(views);

	ret = emit(buf, views, group);
	n3t_views_put(views);
	return ret;
}

/* metric groups */

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
	return show(kobj, buf, emit_group, n3t_group_of(attr));
}

static struct n3t_group_attribute group_attributes[N3T_NR_GROUPS];
static struct attribute *group_attrs[N3T_NR_GROUPS + 1];

const struct attribute_group n3t_group_files = {
	.attrs = group_attrs,
};

/* quality/ */

static ssize_t emit_quality(char *buf, struct n3t_views *views,
			    const struct n3t_group_info *group)
{
	struct n3t_quality quality;
	unsigned int i;
	size_t at = 0;
	int ret;

	for (i = 0; i < group->nr_members; i++) {
		ret = n3t_views_quality(views, group->members[i], &quality);
		if (ret)
			return ret;
		at += n3t_quality_print(buf + at, PAGE_SIZE - at, group->members[i], &quality);
	}
	return at;
}

static ssize_t quality_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return show(kobj, buf, emit_quality, n3t_group_of(attr));
}

static struct n3t_group_attribute quality_attributes[N3T_NR_GROUPS];
static struct attribute *quality_attrs[N3T_NR_GROUPS + 1];

const struct attribute_group n3t_quality_files = {
	.name = "quality",
	.attrs = quality_attrs,
};

/* bottleneck */

/**
 * struct search - a search for the bottleneck
 * @estimates: of the metrics looked at
 * @bottleneck: losses found
 * @quality: of one metric
 * @cpus: number of CPUs by their bottlenecks
 */
struct search {
	struct n3t_estimate estimates[N3T_NR_METRICS];
	struct n3t_bottleneck bottleneck;
	struct n3t_quality quality;
	struct n3t_bottleneck_cpus cpus;
};

static int estimate_candidates(struct search *search, struct n3t_views *views)
{
	unsigned int metric;
	int ret;

	for_each_set_bit(metric, search->bottleneck.candidates, N3T_NR_METRICS) {
		ret = n3t_views_quality(views, metric, &search->quality);
		if (ret)
			return ret;
		n3t_quality_estimate(&search->estimates[metric], metric, &search->quality);
	}
	return 0;
}

/* Values without errors, which would take a thousand times as long for many CPUs. */
static void value_candidates(struct search *search, const struct n3t_view *view)
{
	struct n3t_estimate *estimate;
	struct n3t_ratio value;
	unsigned int metric;

	for_each_set_bit(metric, search->bottleneck.candidates, N3T_NR_METRICS) {
		estimate = &search->estimates[metric];
		estimate->verdict = n3t_view_value(view, metric, &value);
		if (estimate->verdict == N3T_VALUE)
			estimate->value = n3t_ratio_scaled(&value, n3t_metrics[metric].decimals);
		estimate->error = 0;
	}
}

static int count_cpus(struct search *search, const struct n3t_views *views)
{
	unsigned int i;

	for (i = 0; i < views->nr; i++) {
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
		n3t_bottleneck_begin(&search->bottleneck);
		do {
			value_candidates(search, &views->view[i]);
		} while (n3t_bottleneck_step(&search->bottleneck, search->estimates));
		n3t_bottleneck_count(&search->cpus, &search->bottleneck);
	}
	return 0;
}

static ssize_t search_and_print(struct search *search, char *buf, struct n3t_views *views)
{
	bool several = views->scope != N3T_SCOPE_CPU;
	int ret = several ? count_cpus(search, views) : 0;

	if (ret)
		return ret;

	n3t_bottleneck_begin(&search->bottleneck);
	do {
		ret = estimate_candidates(search, views);
		if (ret)
			return ret;
	} while (n3t_bottleneck_step(&search->bottleneck, search->estimates));
	return n3t_bottleneck_print(buf, PAGE_SIZE, &search->bottleneck, search->estimates,
				    several ? &search->cpus : NULL);
}

static ssize_t emit_bottleneck(char *buf, struct n3t_views *views,
			       const struct n3t_group_info *unused)
{
	struct search *search = kzalloc(sizeof(*search), GFP_KERNEL_ACCOUNT);
	ssize_t ret;

	if (!search)
		return -ENOMEM;
	ret = search_and_print(search, buf, views);
	kfree(search);
	return ret;
}

static ssize_t bottleneck_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return show(kobj, buf, emit_bottleneck, NULL);
}

static struct kobj_attribute bottleneck_attribute = __ATTR_RO(bottleneck);
static struct attribute *bottleneck_attrs[] = {
	&bottleneck_attribute.attr,
	NULL
};

const struct attribute_group n3t_bottleneck_file = {
	.attrs = bottleneck_attrs,
};

/**
 * n3t_group_attributes_init() - build a list of files, one for each group
 * @files: N3T_NR_GROUPS files
 * @attrs: their attributes
 * @show: shows any of them
 *
 * Context: once, before the first directory.
 */
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

/**
 * n3t_group_files_init() - build the lists of files from the tables
 *
 * Context: once, before the first directory.
 */
void n3t_group_files_init(void)
{
	n3t_group_attributes_init(group_attributes, group_attrs, group_show);
	n3t_group_attributes_init(quality_attributes, quality_attrs, quality_show);
}
