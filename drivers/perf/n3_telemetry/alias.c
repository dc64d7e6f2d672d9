// SPDX-License-Identifier: GPL-2.0
/*
 * The names of the N3 events in the PMU's own events/ folder.
 *
 * perf, PCP and other agents read that folder, so each event that its driver
 * has not named gets a file there: lower case, and under both names where the
 * event was renamed.
 */
#include <linux/device.h>
#include <linux/kernfs.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string_helpers.h>
#include <linux/sysfs.h>

#include "alias.h"
#include "pmu.h"
#include "spec.h"

struct alias {
	struct perf_pmu_events_attr attr;
	char name[40];
	char value[sizeof("event=0x0000")];
};

/* Written at load and unload only. */
static struct alias *aliases;
static struct attribute_group alias_group = {
	.name = "events",
};

static void prepare(struct alias *alias, const char *name, u16 code)
{
	string_lower(alias->name, name);
	scnprintf(alias->value, sizeof(alias->value), "event=0x%04x", code);

	sysfs_attr_init(&alias->attr.attr.attr);
	alias->attr.attr.attr.name = alias->name;
	alias->attr.attr.attr.mode = 0444;
	alias->attr.attr.show = perf_event_sysfs_show;
	alias->attr.event_str = alias->value;
}

static bool named_by_driver(struct kernfs_node *events, const char *name)
{
	struct kernfs_node *file = kernfs_find_and_get(events, name);

	kernfs_put(file);
	return file;
}

static unsigned int add(unsigned int nr, struct kernfs_node *events, const char *name, u16 code)
{
	if (!name)
		return nr;

	prepare(&aliases[nr], name, code);
	if (named_by_driver(events, aliases[nr].name))
		return nr;

	alias_group.attrs[nr] = &aliases[nr].attr.attr.attr;
	return nr + 1;
}

static unsigned int nr_names(void)
{
	unsigned int i, nr = N3T_NR_EVENTS;

	for (i = 0; i < N3T_NR_EVENTS; i++)
		nr += !!n3t_events[i].later;
	return nr;
}

static void free_aliases(void)
{
	kfree(alias_group.attrs);
	kvfree(aliases);
}

/**
 * n3t_alias_init() - name the events
 *
 * Context: may sleep; after n3t_pmu_init().
 * Return: 0; -ENOENT if the PMU has no events/ folder; -ENOMEM; what
 * sysfs_merge_group() returns.
 */
int n3t_alias_init(void)
{
	struct kobject *kobj = &n3t_pmu.pmu->dev->kobj;
	struct kernfs_node *events;
	unsigned int i, nr = 0;
	int ret;

	aliases = kvcalloc(nr_names(), sizeof(*aliases), GFP_KERNEL);
	alias_group.attrs = kcalloc(nr_names() + 1, sizeof(*alias_group.attrs), GFP_KERNEL);
	if (!aliases || !alias_group.attrs) {
		ret = -ENOMEM;
		goto out_free;
	}

	events = kernfs_find_and_get(kobj->sd, alias_group.name);
	if (!events) {
		pr_err("PMU %s has no folder for events\n", n3t_pmu.pmu->name);
		ret = -ENOENT;
		goto out_free;
	}

	for (i = 0; i < N3T_NR_EVENTS; i++) {
		if (!n3t_events[i].countable)
			continue;
		nr = add(nr, events, n3t_events[i].name, n3t_events[i].code);
		nr = add(nr, events, n3t_events[i].later, n3t_events[i].code);
	}
	kernfs_put(events);

	ret = sysfs_merge_group(kobj, &alias_group);
	if (ret)
		goto out_free;

	pr_info("named %u events of %s\n", nr, n3t_pmu.pmu->name);
	return 0;

out_free:
	free_aliases();
	return ret;
}

/**
 * n3t_alias_exit() - take exactly those names away again
 *
 * Context: may sleep; waits for readers of the files.
 */
void n3t_alias_exit(void)
{
	sysfs_unmerge_group(&n3t_pmu.pmu->dev->kobj, &alias_group);
	free_aliases();
}
