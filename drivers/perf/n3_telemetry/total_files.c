// SPDX-License-Identifier: GPL-2.0
/*
 * Files in counters/: totals since the module was loaded, which never decrease.
 *
 * A total is the sum over all runs of a CPU that have ended, kept in the CPU, plus the sum over
 * the ring of its current run. Both are read in one seqcount section, so a run that ends
 * meanwhile is counted once. Totals of several CPUs are read one CPU after another and
 * added up in more than 64 bits: the slots of 512 CPUs exceed these within a month.
 *
 * The keys of a withdrawn metric are absent (withdraw.c). Keys that need a distrusted event are
 * absent too, as their totals stand still.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kobject.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/timekeeping.h>

#include "config.h"
#include "cost.h"
#include "cpu.h"
#include "cpus.h"
#include "directory.h"
#include "group_files.h"
#include "libn3t/fixed.h"
#include "libn3t/judge.h"
#include "libn3t/replicates.h"
#include "libn3t/spec.h"
#include "libn3t/text.h"
#include "libn3t/totals.h"
#include "run.h"
#include "total_files.h"
#include "withdraw.h"

/* Numbers of each replicate: totals of Topdown_L1, then its slices. */
#define REPLICATE_SLICES	N3T_NR_SLOTS
#define REPLICATE_NUMBERS	(N3T_NR_SLOTS + 1)

/**
 * struct number - one number of a file
 * @of_cpu: of the CPU that is being read
 * @counted: it has been counted on this CPU
 * @still: it stands still on this CPU while others grow
 * @sum: of all CPUs read
 * @exists: it has been counted on any of them
 * @withheld: its metric is withdrawn on any of them, or needs a distrusted event
 */
struct number {
	u64 of_cpu;
	bool counted;
	bool still;
	struct n3t_wide sum;
	bool exists;
	bool withheld;
};

/**
 * struct numbers - the numbers of a file
 * @group: group of the file, NULL for the file "time"
 * @nr: number of numbers
 * @number: the numbers
 */
struct numbers {
	const struct n3t_group_info *group;
	unsigned int nr;
	struct number number[];
};

/* Takes the numbers of a CPU with its current run, or NULL. */
typedef void (take_fn)(struct numbers *numbers, const struct n3t_cpu *cpu,
		       const struct n3t_run *run);

static void set_number(struct numbers *numbers, unsigned int i, u64 value, bool counted)
{
	numbers->number[i].of_cpu = value;
	numbers->number[i].counted = counted;
	numbers->number[i].still = false;
}

static void take_time(struct numbers *numbers, const struct n3t_cpu *cpu,
		      const struct n3t_run *run)
{
	struct n3t_times times = cpu->times;
	unsigned int i;

	n3t_times_until(&times, run ? run->plan : NULL, run ? &run->ring : NULL, ktime_get_ns());
	for (i = 0; i < N3T_NR_TIMES; i++)
		set_number(numbers, i, times.ns[i], true);
	set_number(numbers, N3T_TIME_CYCLES, times.cycles, times.has_cycles);
	set_number(numbers, N3T_TIME_SAMPLER, n3t_cost_ns(n3t_cpu_cost(cpu)), true);
}

/*
 * A total that @now, the mask of the current run, lacks beside others stands still, while the
 * others grow: it is withheld, also from sums over CPUs.
 */
static void set_slots(struct numbers *numbers, unsigned int at, const u64 *slots,
		      unsigned int before, unsigned int now)
{
	unsigned int i;

	for (i = 0; i < N3T_NR_SLOTS; i++) {
		set_number(numbers, at + i, slots[i], (before | now) & 1u << i);
		numbers->number[at + i].still = now && !(now & 1u << i);
	}
}

static void take_slots(struct numbers *numbers, const struct n3t_cpu *cpu,
		       const struct n3t_run *run)
{
	const struct n3t_totals *totals = &cpu->totals;
	u64 slots[N3T_NR_SLOTS];
	unsigned int has = 0;

	memcpy(slots, totals->slots, sizeof(slots));
	if (run)
		has = n3t_totals_add_slots(slots, run->plan, &run->ring);
	set_slots(numbers, 0, slots, totals->has_slots, has);
}

static void take_replicates(struct numbers *numbers, const struct n3t_cpu *cpu,
			    const struct n3t_run *run)
{
	struct n3t_replicate_totals totals = cpu->replicates;
	unsigned int replicate, at, has = 0;

	if (run)
		has = n3t_replicates_total(&totals, run->replicates);
	for (replicate = 0; replicate < N3T_NR_REPLICATES; replicate++) {
		at = replicate * REPLICATE_NUMBERS;
		set_slots(numbers, at, totals.slots[replicate], totals.has_slots, has);
		set_number(numbers, at + REPLICATE_SLICES, totals.slices[replicate],
			   totals.has_slots);
	}
}

static void take_metric(struct numbers *numbers, unsigned int at, enum n3t_metric metric,
			const struct n3t_totals *totals, const struct n3t_run *run)
{
	u64 parts[N3T_NR_PARTS];
	unsigned int i, has = 0;

	memcpy(parts, totals->part[metric], sizeof(parts));
	if (run)
		has = n3t_totals_add_metric(parts, metric, run->plan, &run->ring);
	for (i = 0; i < N3T_NR_PARTS; i++)
		set_number(numbers, at + i, parts[i], has & 1u << i ||
			   test_bit(metric * N3T_NR_PARTS + i, totals->has_part));
}

static void take_metrics(struct numbers *numbers, const struct n3t_cpu *cpu,
			 const struct n3t_run *run)
{
	const struct n3t_group_info *group = numbers->group;
	unsigned int i;

	for (i = 0; i < group->nr_members; i++)
		take_metric(numbers, i * N3T_NR_PARTS, group->members[i], &cpu->totals, run);
}

/* Whether a number of a group is of one of the metrics; Topdown_L1 is withdrawn as a whole. */
static bool is_of_metrics(const struct numbers *numbers, unsigned int i,
			  const unsigned long *metrics)
{
	const struct n3t_group_info *group = numbers->group;

	if (group != &n3t_groups[N3T_GROUP_Topdown_L1])
		return test_bit(group->members[i / N3T_NR_PARTS], metrics);
	for (i = 0; i < group->nr_members; i++)
		if (test_bit(group->members[i], metrics))
			return true;
	return false;
}

static void withhold_metrics(struct numbers *numbers, const unsigned long *metrics)
{
	unsigned int i;

	for (i = 0; i < numbers->nr; i++)
		numbers->number[i].withheld |= is_of_metrics(numbers, i, metrics);
}

static void withhold_distrusted_slots(struct numbers *numbers, const struct n3t_plan *plan)
{
	unsigned int i, slots;

	for (i = 0; i < numbers->nr; i++) {
		slots = i % REPLICATE_NUMBERS;
		if (slots < N3T_NR_SLOTS)
			numbers->number[i].withheld =
				n3t_plan_distrusts(plan, n3t_slots_info[slots].code);
	}
}

/* Also for CPUs without a run. All plans of a configuration have the same unsupported metrics. */
static void withhold_distrusted(struct numbers *numbers)
{
	struct n3t_config *config = n3t_config_get();
	const struct n3t_plan *plan = n3t_config_plan(config, config->nominal);

	if (numbers->group == &n3t_groups[N3T_GROUP_Topdown_L1])
		withhold_distrusted_slots(numbers, plan);
	else if (numbers->group)
		withhold_metrics(numbers, plan->unsupported);
	else
		numbers->number[N3T_TIME_CYCLES].withheld =
			n3t_plan_distrusts(plan, N3T_CODE_CPU_CYCLES);
	n3t_config_put(config);
}

static void withhold_withdrawn(struct numbers *numbers, struct n3t_cpu *cpu)
{
	struct n3t_marks marks;

	if (!numbers->group)
		return;
	n3t_withdraw_judge(cpu);
	n3t_withdraw_marks(cpu, &marks);
	withhold_metrics(numbers, marks.withdrawn);
}

/* @take may run several times: each call overwrites the numbers of the one before. */
static void read_cpu(struct numbers *numbers, struct n3t_cpu *cpu, take_fn *take)
{
	struct n3t_run *run;
	unsigned int seq;

	do {
		seq = read_seqcount_begin(&cpu->seq);
		run = n3t_run_get(&cpu->run);
		take(numbers, cpu, run);
		n3t_run_put(run);
	} while (read_seqcount_retry(&cpu->seq, seq));
}

static void add_numbers(struct numbers *numbers)
{
	unsigned int i;

	for (i = 0; i < numbers->nr; i++) {
		numbers->number[i].withheld |= numbers->number[i].still;
		if (!numbers->number[i].counted)
			continue;
		n3t_total_add(&numbers->number[i].sum, numbers->number[i].of_cpu);
		numbers->number[i].exists = true;
	}
}

static int read_scope(struct numbers *numbers, const struct n3t_directory *directory,
		      take_fn *take)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		if (!n3t_scope_has(directory->scope, directory->id, cpu))
			continue;
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
		withhold_withdrawn(numbers, n3t_cpus_get(cpu));
		read_cpu(numbers, n3t_cpus_get(cpu), take);
		add_numbers(numbers);
	}
	return 0;
}

/* Reads the CPUs of the directory that contains the file. */
static struct numbers *read_numbers(struct kobject *kobj, const struct n3t_group_info *group,
				    unsigned int nr, take_fn *take)
{
	struct numbers *numbers = kvzalloc(struct_size(numbers, number, nr), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!numbers)
		return ERR_PTR(-ENOMEM);

	numbers->group = group;
	numbers->nr = nr;
	withhold_distrusted(numbers);
	ret = read_scope(numbers, n3t_directory_of(kobj), take);
	if (!ret)
		return numbers;
	kvfree(numbers);
	return ERR_PTR(ret);
}

static bool is_absent(const struct number *number)
{
	return !number->exists || number->withheld;
}

static void add_keyed(struct n3t_text *text, const char *key, const struct number *number)
{
	char total[N3T_RATIO_SIZE];

	if (is_absent(number))
		return;
	n3t_total_print(total, sizeof(total), &number->sum);
	n3t_text_add(text, key);
	n3t_text_add(text, " ");
	n3t_text_add(text, total);
	n3t_text_add(text, "\n");
}

static void add_metric(struct n3t_text *text, enum n3t_metric metric, const struct number *parts)
{
	unsigned int i;

	for (i = 0; i < N3T_NR_PARTS; i++) {
		if (is_absent(&parts[i]))
			continue;
		n3t_text_add(text, n3t_metrics[metric].name);
		add_keyed(text, n3t_part_suffixes[i], &parts[i]);
	}
}

/* The same for all CPUs. */
static void set_constant(struct number *number, u64 value)
{
	n3t_total_add(&number->sum, value);
	number->exists = true;
}

static ssize_t time_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct numbers *numbers = read_numbers(kobj, NULL, N3T_NR_TIME_KEYS, take_time);
	struct n3t_text text = { .buf = buf, .size = PAGE_SIZE };
	unsigned int i;

	if (IS_ERR(numbers))
		return PTR_ERR(numbers);

	set_constant(&numbers->number[N3T_TIME_START], n3t_cpus_start_ns());
	set_constant(&numbers->number[N3T_TIME_START_UNIX], n3t_cpus_start_unix_ns());
	for (i = 0; i < N3T_NR_TIME_KEYS; i++)
		add_keyed(&text, n3t_time_keys[i], &numbers->number[i]);
	kvfree(numbers);
	return text.len;
}

static ssize_t slots_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct numbers *numbers = read_numbers(kobj, n3t_group_of(attr), N3T_NR_SLOTS,
					       take_slots);
	struct n3t_text text = { .buf = buf, .size = PAGE_SIZE };
	unsigned int i;

	if (IS_ERR(numbers))
		return PTR_ERR(numbers);

	for (i = 0; i < N3T_NR_SLOTS; i++)
		add_keyed(&text, n3t_slots_info[i].key, &numbers->number[i]);
	kvfree(numbers);
	return text.len;
}

static void add_replicate(struct n3t_text *text, unsigned int replicate,
			  const struct number *numbers)
{
	const char prefix[] = { 'r', '0' + replicate, '_', '\0' };
	unsigned int i;

	for (i = 0; i < REPLICATE_NUMBERS; i++) {
		if (is_absent(&numbers[i]))
			continue;
		n3t_text_add(text, prefix);
		add_keyed(text, i == REPLICATE_SLICES ? "slices_total" : n3t_slots_info[i].key,
			  &numbers[i]);
	}
}

static bool has_replicates(void)
{
	struct n3t_config *config = n3t_config_get();
	bool has = config->settings.replicates;

	n3t_config_put(config);
	return has;
}

/* Empty while the setting is off: a reader would take totals that stand still for idle CPUs. */
static ssize_t replicates_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct n3t_text text = { .buf = buf, .size = PAGE_SIZE };
	struct numbers *numbers;
	unsigned int i;

	if (!has_replicates())
		return 0;
	numbers = read_numbers(kobj, &n3t_groups[N3T_GROUP_Topdown_L1],
			       N3T_NR_REPLICATES * REPLICATE_NUMBERS, take_replicates);
	if (IS_ERR(numbers))
		return PTR_ERR(numbers);

	for (i = 0; i < N3T_NR_REPLICATES; i++)
		add_replicate(&text, i, &numbers->number[i * REPLICATE_NUMBERS]);
	kvfree(numbers);
	return text.len;
}

static ssize_t metrics_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct n3t_group_info *group = n3t_group_of(attr);
	unsigned int nr = group->nr_members * N3T_NR_PARTS, i;
	struct numbers *numbers = read_numbers(kobj, group, nr, take_metrics);
	struct n3t_text text = { .buf = buf, .size = PAGE_SIZE };

	if (IS_ERR(numbers))
		return PTR_ERR(numbers);

	for (i = 0; i < group->nr_members; i++)
		add_metric(&text, group->members[i], &numbers->number[i * N3T_NR_PARTS]);
	kvfree(numbers);
	return text.len;
}

static struct kobj_attribute time_attribute = __ATTR_RO(time);
static struct kobj_attribute replicates_attribute =
	__ATTR(topdown_l1.replicates, 0444, replicates_show, NULL);
static struct n3t_group_attribute total_attributes[N3T_NR_GROUPS];
static struct attribute *total_attrs[N3T_NR_GROUPS + 3];

const struct attribute_group n3t_total_files = {
	.name = "counters",
	.attrs = total_attrs,
};

/* Builds the list of files from the tables; once, before the first directory. */
void n3t_total_files_init(void)
{
	n3t_group_attributes_init(total_attributes, total_attrs, metrics_show);
	total_attributes[N3T_GROUP_Topdown_L1].attr.show = slots_show;
	total_attrs[N3T_NR_GROUPS] = &time_attribute.attr;
	total_attrs[N3T_NR_GROUPS + 1] = &replicates_attribute.attr;
}
