// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Lookups in the tables of events, metrics and metric groups. */
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <kunit/visibility.h>

#include "libn3t/spec.h"

/* Tables and paths store metrics and groups in bytes. */
static_assert(N3T_NR_METRICS <= U8_MAX);
static_assert(N3T_NR_GROUPS <= U8_MAX);

/* ABI: see Documentation/ABI/testing/sysfs-kernel-n3_telemetry. */
static const char * const verdict_words[] = {
	[N3T_OFFLINE] = "offline",
	[N3T_DISABLED] = "disabled",
	[N3T_UNPLACED] = "unplaced",
	[N3T_UNSUPPORTED] = "unsupported",
	[N3T_CONTENDED] = "contended",
	[N3T_IDLE] = "idle",
	[N3T_STALE] = "stale",
	[N3T_IMPLAUSIBLE] = "implausible",
	[N3T_INCONSISTENT] = "inconsistent",
	[N3T_UNDEF] = "undef",
};

static_assert(ARRAY_SIZE(verdict_words) == N3T_VALUE);

const struct n3t_event_info n3t_events[N3T_NR_EVENTS] = {
#define N3T_EVENT(mnemonic, number, class, group, counts)		\
	[N3T_EVENT_##mnemonic] = { #mnemonic, number, counts },
#include "libn3t/n3t_events.def.h"
};
EXPORT_SYMBOL_IF_KUNIT(n3t_events);

static const struct {
	enum n3t_event event;
	const char *later;
} renamed[] = {
#define N3T_EVENT_RENAMED(mnemonic, new) { N3T_EVENT_##mnemonic, #new },
#include "libn3t/n3t_events.def.h"
};

enum {
#define N3T_UNIT(name, words, brief, decimals) DECIMALS_##name = decimals,
#include "libn3t/n3t_metrics.def.h"
};

const struct n3t_metric_info n3t_metrics[N3T_NR_METRICS] = {
#define N3T_METRIC(id, brief, unit, text, ...)				\
	[N3T_METRIC_##id] = {						\
		.name = #id,						\
		.formula = text,					\
		.decimals = DECIMALS_##unit,				\
	},
#include "libn3t/n3t_metrics.def.h"
};
EXPORT_SYMBOL_IF_KUNIT(n3t_metrics);

#define FILE_NAME_SIZE	32

static char file_names[N3T_NR_GROUPS][FILE_NAME_SIZE] __ro_after_init;

struct n3t_group_info n3t_groups[N3T_NR_GROUPS] __ro_after_init = {
#define N3T_GROUP(id, title, number, ...)				\
	[N3T_GROUP_##id] = {						\
		.name = #id,						\
		.file = file_names[N3T_GROUP_##id],			\
		.stage = number,					\
	},
#include "libn3t/n3t_groups.def.h"
};
EXPORT_SYMBOL_IF_KUNIT(n3t_groups);

/* Members of all groups in order, and the group of each. */
static const u8 member_metric[] = {
#define N3T_MEMBER(group, metric) N3T_METRIC_##metric,
#include "libn3t/n3t_groups.def.h"
};

static const u8 member_group[] = {
#define N3T_MEMBER(group, metric) N3T_GROUP_##group,
#include "libn3t/n3t_groups.def.h"
};

static int init_file_name(struct n3t_group_info *group, char *file)
{
	size_t i, len = strlen(group->name);

	if (len >= FILE_NAME_SIZE) {
		pr_err("group %s: name too long\n", group->name);
		return -EINVAL;
	}
	for (i = 0; i < len; i++)
		file[i] = tolower(group->name[i]);
	return 0;
}

static int init_members(void)
{
	struct n3t_group_info *group;
	unsigned int i;

	for (i = 0; i < N3T_NR_GROUPS; i++)
		n3t_groups[i].nr_members = 0;
	for (i = 0; i < ARRAY_SIZE(member_metric); i++) {
		group = &n3t_groups[member_group[i]];
		if (!group->nr_members)
			group->members = &member_metric[i];
		if (group->members + group->nr_members != &member_metric[i]) {
			pr_err("group %s: its members are scattered\n", group->name);
			return -EINVAL;
		}
		group->nr_members++;
	}
	return 0;
}

/**
 * n3t_spec_init() - initialize the tables
 *
 * Call once, before any other function of this unit except the lookups of
 * events; further calls have no effect.
 *
 * Return: 0, or -EINVAL if a table is invalid, with the location in the log
 */
int n3t_spec_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < N3T_NR_GROUPS; i++) {
		err = init_file_name(&n3t_groups[i], file_names[i]);
		if (err)
			return err;
	}
	return init_members();
}

/* Mnemonic of an event in later documents, or NULL if it is the same. */
const char *n3t_event_later(enum n3t_event event)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(renamed); i++)
		if (renamed[i].event == event)
			return renamed[i].later;
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_event_later);

/* The event with a mnemonic or later mnemonic, in any case, or -ENOENT. */
int n3t_event_by_name(const char *name)
{
	unsigned int i;

	for (i = 0; i < N3T_NR_EVENTS; i++)
		/* Most names differ in the first two letters. */
		if (!((name[0] ^ n3t_events[i].name[0]) & ~('A' ^ 'a')) &&
		    !((name[1] ^ n3t_events[i].name[1]) & ~('A' ^ 'a')) &&
		    !strcasecmp(name, n3t_events[i].name))
			return i;
	for (i = 0; i < ARRAY_SIZE(renamed); i++)
		if (!strcasecmp(name, renamed[i].later))
			return renamed[i].event;
	return -ENOENT;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_event_by_name);

/* The event with a number, or -ENOENT. */
int n3t_event_by_code(u16 code)
{
	unsigned int i;

	for (i = 0; i < N3T_NR_EVENTS; i++)
		if (n3t_events[i].code == code)
			return i;
	return -ENOENT;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_event_by_code);

/* The group with a name or name of a file, in any case, or -ENOENT. */
int n3t_group_by_name(const char *name)
{
	unsigned int i;

	for (i = 0; i < N3T_NR_GROUPS; i++)
		if (!strcasecmp(name, n3t_groups[i].name))
			return i;
	return -ENOENT;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_group_by_name);

/* The word reported in place of a value, or NULL for N3T_VALUE. */
const char *n3t_verdict_word(enum n3t_verdict verdict)
{
	return verdict < ARRAY_SIZE(verdict_words) ? verdict_words[verdict] : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_verdict_word);
