// SPDX-License-Identifier: GPL-2.0
/* The file custom of a CPU: the events of the user's own set. */
#include <linux/err.h>
#include <linux/kobject.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/time64.h>

#include "access.h"
#include "config.h"
#include "custom.h"
#include "directory.h"
#include "libn3t/fixed.h"
#include "libn3t/formula.h"
#include "libn3t/plan.h"
#include "pmu.h"
#include "libn3t/slices.h"
#include "libn3t/spec.h"
#include "values.h"

#define NAME_SIZE	40	/* the longest mnemonic has 31 characters */
#define DECIMALS	6

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
	n3t_ratio_print(text, size, &value, DECIMALS);
}

/* What is reported instead of a count by another that was not counted. */
static const char *lack_of(u16 code, const struct n3t_plan *plan)
{
	return n3t_verdict_word(n3t_plan_distrusts(plan, code) ? N3T_UNSUPPORTED : N3T_UNPLACED);
}

static int emit_event(char *buf, int at, u16 code, const struct n3t_view *view,
		      const struct n3t_counts *counts, u64 time_ns)
{
	char second[N3T_RATIO_SIZE], instructions[N3T_RATIO_SIZE], cycle[N3T_RATIO_SIZE];
	const char *known = n3t_pmu_event_name(code);
	const struct n3t_plan *plan = view->plan;
	enum n3t_verdict verdict;
	u64 count = 0, retired;
	char name[NAME_SIZE];

	if (known)
		strscpy(name, known, sizeof(name));
	else
		scnprintf(name, sizeof(name), "0x%04x", code);

	verdict = n3t_custom_event_verdict(code, plan, view->window);
	if (verdict != N3T_VALUE)
		return sysfs_emit_at(buf, at, "%s %s\n", name, n3t_verdict_word(verdict));

	n3t_counts_get(counts, code, &count);
	print_per(second, sizeof(second), count, NSEC_PER_SEC, time_ns);
	if (n3t_plan_distrusts(plan, N3T_CODE_CPU_CYCLES))
		strscpy(cycle, lack_of(N3T_CODE_CPU_CYCLES, plan), sizeof(cycle));
	else
		print_per(cycle, sizeof(cycle), count, 1, counts->cycles);
	if (n3t_counts_get(counts, N3T_CODE_INST_RETIRED, &retired))
		strscpy(instructions, lack_of(N3T_CODE_INST_RETIRED, plan), sizeof(instructions));
	else
		print_per(instructions, sizeof(instructions), count, 1000, retired);

	return sysfs_emit_at(buf, at, "%s per_second=%s per_kilo_instruction=%s per_cycle=%s\n",
			     name, second, instructions, cycle);
}

static ssize_t emit_custom(char *buf, const struct n3t_view *view)
{
	const struct n3t_settings *settings = n3t_view_settings(view);
	const struct n3t_plan *plan = view->plan;
	const struct n3t_set_sum *sum;
	enum n3t_verdict verdict;
	struct n3t_counts counts;
	unsigned int i;
	int at = 0;

	verdict = n3t_custom_verdict(view->state, plan, view->window);
	if (verdict != N3T_VALUE)
		return sysfs_emit(buf, "%s\n", n3t_verdict_word(verdict));

	sum = n3t_window_set(view->window, plan->custom_set);
	n3t_set_counts(&plan->set[plan->custom_set], sum, &counts);
	for (i = 0; i < settings->nr_custom; i++)
		at += emit_event(buf, at, settings->custom[i], view, &counts, sum->time_ns);
	return at;
}

static ssize_t custom_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct n3t_views *views = n3t_views_get(N3T_SCOPE_CPU, n3t_directory_of(kobj)->id);
	ssize_t ret;

	if (IS_ERR(views))
		return PTR_ERR(views);

	ret = emit_custom(buf, &views->view[0]);
	n3t_views_put(views);
	return ret;
}

static struct kobj_attribute custom_attribute = __ATTR(custom, 0400, custom_show, NULL);
static struct attribute *custom_attrs[] = {
	&custom_attribute.attr,
	NULL
};

const struct attribute_group n3t_custom_file = {
	.is_visible = n3t_access_mode,
	.attrs = custom_attrs,
};
