// SPDX-License-Identifier: GPL-2.0
/* How far values can be trusted, and what they lead to: quality/ and bottleneck. */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kobject.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "bottleneck.h"
#include "control.h"
#include "cpus.h"
#include "folder.h"
#include "insight.h"
#include "quality.h"
#include "spec.h"

#define LINE_SIZE	256	/* the longest line has some 170 characters */

/**
 * struct views - the CPUs of a scope with their windows
 * @scope: what kind
 * @nr: how many CPUs
 * @view: the CPUs
 */
struct views {
	enum n3t_scope scope;
	unsigned int nr;
	struct n3t_view view[];
};

static void views_free(struct views *views)
{
	unsigned int i;

	for (i = 0; i < views->nr; i++)
		kvfree(views->view[i].window);
	kvfree(views);
}

static struct views *views_alloc(const struct n3t_folder *folder)
{
	struct views *views;
	unsigned int cpu;
	int ret;

	views = kvzalloc(struct_size(views, view, num_possible_cpus()), GFP_KERNEL);
	if (!views)
		return ERR_PTR(-ENOMEM);

	views->scope = folder->scope;
	for_each_possible_cpu(cpu) {
		if (!n3t_scope_has(folder->scope, folder->id, cpu))
			continue;
		ret = n3t_values_view(n3t_cpus_get(cpu), &views->view[views->nr]);
		if (ret) {
			views_free(views);
			return ERR_PTR(ret);
		}
		views->nr++;
	}
	return views;
}

static void judge(struct n3t_quality *quality, enum n3t_metric metric, const struct views *views)
{
	if (views->scope == N3T_SCOPE_CPU)
		n3t_quality_of_cpu(quality, metric, &views->view[0]);
	else
		n3t_quality_of_several(quality, metric, views->view, views->nr);
}

/* Shows what @emit makes of the CPUs in the folder that the file is in. */
static ssize_t show(struct kobject *kobj, char *buf,
		    ssize_t (*emit)(char *buf, const struct views *views,
				    const struct n3t_group_info *group),
		    const struct n3t_group_info *group)
{
	struct views *views;
	ssize_t ret;

	if (down_read_killable(&n3t_control_lock))
		return -EINTR;

	views = views_alloc(n3t_folder_of(kobj));
	if (IS_ERR(views)) {
		ret = PTR_ERR(views);
	} else {
		ret = emit(buf, views, group);
		views_free(views);
	}

	up_read(&n3t_control_lock);
	return ret;
}

/* init quality/ */

static struct n3t_group_attribute quality_attributes[N3T_NR_GROUPS];
static struct attribute *quality_attrs[N3T_NR_GROUPS + 1];

const struct attribute_group n3t_insight_quality_group = {
	.name = "quality",
	.attrs = quality_attrs,
};

static ssize_t emit_quality(char *buf, const struct views *views,
			    const struct n3t_group_info *group)
{
	struct n3t_quality *quality;
	unsigned int i;
	char *line;
	int at = 0;

	quality = kzalloc(sizeof(*quality) + LINE_SIZE, GFP_KERNEL);
	if (!quality)
		return -ENOMEM;

	line = (char *)(quality + 1);
	for (i = 0; i < group->nr_members; i++) {
		judge(quality, group->members[i], views);
		n3t_quality_print(line, LINE_SIZE, group->members[i], quality);
		at += sysfs_emit_at(buf, at, "%s", line);
	}

	kfree(quality);
	return at;
}

static ssize_t quality_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return show(kobj, buf, emit_quality, n3t_group_of(attr));
}

/* init bottleneck */

static ssize_t emit_bottleneck(char *buf, const struct views *views,
			       const struct n3t_group_info *unused)
{
	struct n3t_estimate *estimates;
	struct n3t_bottleneck bottleneck;
	struct n3t_quality *quality;
	unsigned int metric;
	ssize_t ret = -ENOMEM;

	quality = kzalloc(sizeof(*quality), GFP_KERNEL);
	if (!quality)
		return -ENOMEM;

	estimates = kcalloc(N3T_NR_METRICS, sizeof(*estimates), GFP_KERNEL);
	if (!estimates)
		goto out_free_quality;

	n3t_bottleneck_begin(&bottleneck);
	do {
		for_each_set_bit(metric, bottleneck.candidates, N3T_NR_METRICS) {
			judge(quality, metric, views);
			n3t_quality_estimate(&estimates[metric], metric, quality);
		}
	} while (n3t_bottleneck_step(&bottleneck, estimates));
	ret = n3t_bottleneck_print(buf, PAGE_SIZE, &bottleneck, estimates);

	kfree(estimates);
out_free_quality:
	kfree(quality);
	return ret;
}

static ssize_t bottleneck_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return show(kobj, buf, emit_bottleneck, NULL);
}

struct kobj_attribute n3t_insight_bottleneck = __ATTR(bottleneck, 0440, bottleneck_show, NULL);

/**
 * n3t_insight_init_files() - make the list of files in quality/ from the tables
 *
 * Context: once, before the first folder.
 */
void n3t_insight_init_files(void)
{
	n3t_group_files_init(quality_attributes, quality_attrs, quality_show);
}
