// SPDX-License-Identifier: GPL-2.0
/*
 * Names of the N3 events in the PMUs' own events/ directories.
 *
 * perf, PCP and other agents read that directory, so every event that the
 * driver does not name gets a file there: in lower case, and under both names
 * where the event was renamed. The driver hides events that PMCEID reports as
 * not implemented. Some hypervisors clear those bits although the events count,
 * so these events get names too, and are marked: n3t_pmu_hides_event().
 */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/kernfs.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/string_helpers.h>
#include <linux/sysfs.h>

#include "alias.h"
#include "libn3t/spec.h"
#include "pmu.h"

#define EVENTS_DIRECTORY	"events"

struct alias {
	struct perf_pmu_events_attr attr;
	char name[40];
	char value[sizeof("event=0x0000")];
};

/**
 * struct n3t_aliases - event names added to one PMU
 * @group: the files, merged into the PMU's group of the same name
 * @nr: number of files
 * @attrs: the files as the list that sysfs takes
 * @alias: the names, with room for all events
 */
struct n3t_aliases {
	struct attribute_group group;
	unsigned int nr;
	struct attribute **attrs;
	struct alias alias[];
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

static void report_hidden_events(const struct n3t_pmu *pmu)
{
	unsigned int i, nr = 0;

	for (i = 0; i < N3T_NR_EVENTS; i++)
		nr += n3t_events[i].countable && n3t_pmu_hides_event(pmu, n3t_events[i].code);
	if (nr)
		pr_info("PMCEID of %s hides %u events of the Neoverse N3, which may read 0 (see spec)\n",
			pmu->pmu->name, nr);
}

static bool named_by_driver(struct kernfs_node *events, const char *name)
{
	struct kernfs_node *file = kernfs_find_and_get(events, name);

	kernfs_put(file);
	return file;
}

static void add(struct n3t_aliases *aliases, struct kernfs_node *events, const char *name,
		u16 code)
{
	struct alias *alias = &aliases->alias[aliases->nr];

	if (!name)
		return;

	prepare(alias, name, code);
	if (!named_by_driver(events, alias->name))
		aliases->attrs[aliases->nr++] = &alias->attr.attr.attr;
}

static void add_all(struct n3t_aliases *aliases, struct kernfs_node *events)
{
	unsigned int i;

	for (i = 0; i < N3T_NR_EVENTS; i++) {
		if (!n3t_events[i].countable || !n3t_pmu_names_apply(n3t_events[i].code))
			continue;
		add(aliases, events, n3t_events[i].name, n3t_events[i].code);
		add(aliases, events, n3t_event_later(i), n3t_events[i].code);
	}
}

static unsigned int nr_names(void)
{
	unsigned int i, nr = N3T_NR_EVENTS;

	for (i = 0; i < N3T_NR_EVENTS; i++)
		nr += !!n3t_event_later(i);
	return nr;
}

static struct n3t_aliases *alloc_aliases(void)
{
	struct n3t_aliases *aliases;

	aliases = kvzalloc(struct_size(aliases, alias, nr_names()), GFP_KERNEL);
	if (!aliases)
		return NULL;

	aliases->attrs = kcalloc(nr_names() + 1, sizeof(*aliases->attrs), GFP_KERNEL);
	if (!aliases->attrs) {
		kvfree(aliases);
		return NULL;
	}
	aliases->group.name = EVENTS_DIRECTORY;
	aliases->group.attrs = aliases->attrs;
	return aliases;
}

static void free_aliases(struct n3t_aliases *aliases)
{
	kfree(aliases->attrs);
	kvfree(aliases);
}

/**
 * n3t_alias_add() - add the missing event names to a PMU
 * @pmu: the PMU
 *
 * Context: may sleep; at load, or in a CPU hotplug callback.
 * Return: 0; -ENOENT if the PMU has no events/ directory; -ENOMEM; an error of
 * sysfs_merge_group().
 */
int n3t_alias_add(struct n3t_pmu *pmu)
{
	struct kobject *kobj = &pmu->pmu->dev->kobj;
	struct n3t_aliases *aliases;
	struct kernfs_node *events;
	int ret;

	aliases = alloc_aliases();
	if (!aliases)
		return -ENOMEM;

	events = kernfs_find_and_get(kobj->sd, EVENTS_DIRECTORY);
	if (!events) {
		pr_err("PMU %s has no events directory\n", pmu->pmu->name);
		ret = -ENOENT;
		goto out_free;
	}
	add_all(aliases, events);
	kernfs_put(events);

	ret = sysfs_merge_group(kobj, &aliases->group);
	if (ret)
		goto out_free;

	pr_info("added %u event names to %s\n", aliases->nr, pmu->pmu->name);
	report_hidden_events(pmu);
	/* Pairs with smp_load_acquire() in n3t_alias_has(). */
	smp_store_release(&pmu->aliases, aliases);
	return 0;

out_free:
	free_aliases(aliases);
	return ret;
}

/* Did this module name an event? The case is ignored. Not while names are being removed. */
bool n3t_alias_has(const struct n3t_pmu *pmu, const char *name)
{
	/* Pairs with smp_store_release() in n3t_alias_add(). */
	const struct n3t_aliases *aliases = smp_load_acquire(&pmu->aliases);
	unsigned int i;

	for (i = 0; aliases && i < aliases->nr; i++)
		if (!strcasecmp(aliases->alias[i].name, name))
			return true;
	return false;
}

/* Adds the missing event names to all PMUs; on error none are left. */
int n3t_alias_init(void)
{
	struct n3t_pmu *pmu;
	int ret;

	n3t_for_each_pmu(pmu) {
		ret = n3t_alias_add(pmu);
		if (ret) {
			n3t_alias_exit();
			return ret;
		}
	}
	return 0;
}

/* Removes the names that were added; waits for readers of the files. */
void n3t_alias_exit(void)
{
	struct n3t_pmu *pmu;

	n3t_for_each_pmu(pmu) {
		if (!pmu->aliases)
			continue;
		sysfs_unmerge_group(&pmu->pmu->dev->kobj, &pmu->aliases->group);
		free_aliases(pmu->aliases);
		pmu->aliases = NULL;
	}
}
