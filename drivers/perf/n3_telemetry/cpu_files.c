// SPDX-License-Identifier: GPL-2.0
/* Files status, custom, spe and moments of a CPU; status of nodes, and containers of the system. */
#include <linux/bitmap.h>
#include <linux/build_bug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kobject.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/time64.h>

#include "access.h"
#include "config.h"
#include "containers.h"
#include "cpu.h"
#include "cpu_files.h"
#include "cpus.h"
#include "directory.h"
#include "libn3t/fixed.h"
#include "libn3t/formula.h"
#include "libn3t/judge.h"
#include "libn3t/moments.h"
#include "libn3t/owners.h"
#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/spe.h"
#include "libn3t/spec.h"
#include "midr.h"
#include "pmu.h"
#include "sampler.h"
#include "settings.h"
#include "values.h"
#include "withdraw.h"

#define NAME_SIZE	40	/* the longest mnemonic has 31 characters */
#define DECIMALS	6
#define PER_PERCENT	10000	/* millionths */

static const char * const state_words[] = {
	[N3T_CPU_OFFLINE] = "offline",
	[N3T_CPU_DISABLED] = "disabled",
	[N3T_CPU_UNPLACED] = "unplaced",
	[N3T_CPU_UNSUPPORTED] = "unsupported",
	[N3T_CPU_CONTENDED] = "contended",
	[N3T_CPU_SAMPLING] = "sampling",
};

static_assert(ARRAY_SIZE(state_words) == N3T_NR_CPU_STATES);

static const char * const yield_reasons[] = {
	[N3T_YIELD_NONE] = "none",
	[N3T_YIELD_OTHERS] = "others",
	[N3T_YIELD_POWER] = "power",
	[N3T_YIELD_USER_ACCESS] = "user_access",
};

static_assert(ARRAY_SIZE(yield_reasons) == N3T_NR_YIELD_REASONS);

static const char * const slots_words[] = {
	[N3T_SLOTS_UNDECIDED] = "undecided",
	[N3T_SLOTS_HELD] = "held",
	[N3T_SLOTS_VIOLATED] = "violated",
};

/* Writes why counters are yielded; returns the number of bytes. */
int n3t_status_emit_reason(char *buf, int at, enum n3t_yield_reason reason)
{
	return sysfs_emit_at(buf, at, "reason %s\n", yield_reasons[reason]);
}

static int emit_age(char *buf, int at, const struct n3t_run *run)
{
	struct n3t_slice slice;
	u64 index;

	if (!run || !n3t_ring_newest(&run->ring, &index, &slice))
		return sysfs_emit_at(buf, at, "age_ms none\n");
	return sysfs_emit_at(buf, at, "age_ms %llu\n",
			     n3t_ns_since(slice.end_ns) / NSEC_PER_MSEC);
}

/* Sets that count Topdown_L1: one set, one without STALL_SLOT, several, or none. */
static const char *topdown_word(const struct n3t_run *run)
{
	if (!run)
		return "none";
	if (run->plan->l1_set == N3T_NO_SET)
		return "split";
	return run->plan->derives_stall_slot ? "derived" : "whole";
}

static int emit_guest_counters(char *buf, int at, const struct n3t_cpu *cpu)
{
	int nr = READ_ONCE(cpu->guest_counters);

	/* KVM may have restored MDCR_EL2 before it was read, so 0 means unknown. */
	if (nr <= 0)
		return sysfs_emit_at(buf, at, "guest_counters unknown\n");
	return sysfs_emit_at(buf, at, "guest_counters %d\n", nr);
}

static int emit_yields(char *buf, int at, struct n3t_cpu *cpu)
{
	u64 now_ns, since_ns, total_ns, yields;
	enum n3t_yield_reason reason;
	unsigned int seq;

	do {
		seq = read_seqcount_begin(&cpu->seq);
		now_ns = ktime_get_mono_fast_ns();
		since_ns = cpu->contention.yielded_since_ns;
		total_ns = n3t_contention_yielded_ns(&cpu->contention, now_ns);
		yields = cpu->contention.yields;
		reason = READ_ONCE(cpu->contention.reason);
	} while (read_seqcount_retry(&cpu->seq, seq));

	at += sysfs_emit_at(buf, at, "yielded_ms %llu\n",
			    since_ns ? n3t_ns_since(since_ns) / NSEC_PER_MSEC : 0);
	at += sysfs_emit_at(buf, at, "yielded_total_ms %llu\n", total_ns / NSEC_PER_MSEC);
	at += sysfs_emit_at(buf, at, "yields %llu\n", yields);
	return at + n3t_status_emit_reason(buf, at, reason);
}

static u64 yield_due_ms(const struct n3t_cpu *cpu)
{
	u64 since_ns = READ_ONCE(cpu->yield_due_ns);

	return since_ns ? n3t_ns_since(since_ns) / NSEC_PER_MSEC : 0;
}

/* The setting or limit that determines the length of slices. */
static const char *slice_reason(const struct n3t_cpu *cpu, const struct n3t_run *run)
{
	const struct n3t_sampler *sampler = &cpu->sampler;
	unsigned int slice_ms = READ_ONCE(sampler->slice_ms);
	const struct n3t_settings *settings;

	if (!run)
		return "none";
	settings = &run->config->settings;
	if (slice_ms <= n3t_sampler_slice_ms(sampler, run->fallback, settings->slice_ms))
		return "slice_ms";
	/* Nanoseconds per millisecond are millionths. */
	if (READ_ONCE(sampler->pace.slice_ns) >
	    (u64)n3t_sampler_max_cost(cpu, settings) * N3T_SLICE_MS_MAX)
		return "longest";
	return "max_cost";
}

/* The first of the metrics stands for them; the files in counters/ show which they are. */
static int emit_withdrawn(char *buf, int at, const struct n3t_marks *marks)
{
	unsigned int first = find_first_bit(marks->withdrawn, N3T_NR_METRICS);
	const int start = at;

	at += sysfs_emit_at(buf, at, "withdrawals %llu\n", marks->withdrawals);
	at += sysfs_emit_at(buf, at, "withdrawn %d\n",
			    bitmap_weight(marks->withdrawn, N3T_NR_METRICS));
	if (first == N3T_NR_METRICS)
		return at - start;
	at += sysfs_emit_at(buf, at, "withdrawn_metric %s\n", n3t_metrics[first].name);
	at += sysfs_emit_at(buf, at, "withdrawn_ns %llu\n", marks->last_ns);
	return at - start;
}

static int emit_error(char *buf, int at, const char *key, bool known, u32 error)
{
	if (!known)
		return sysfs_emit_at(buf, at, "%s none\n", key);
	return sysfs_emit_at(buf, at, "%s %u.%04u\n", key, error / PER_PERCENT,
			     error % PER_PERCENT);
}

static int emit_slots(char *buf, int at, const struct n3t_slots_check *slots, bool corrected)
{
	const int start = at;

	at += sysfs_emit_at(buf, at, "corrected %s%s\n",
			    corrected ? "STALL_SLOT STALL_SLOT_FRONTEND" : "none",
			    n3t_slots_other_fits(slots) ? " other_fits" : "");
	at += sysfs_emit_at(buf, at, "slots_identity %s\n",
			    slots_words[n3t_slots_identity(slots)]);
	at += emit_error(buf, at, "slots_error", slots->windows, slots->largest);
	at += emit_error(buf, at, "slots_other", slots->windows, slots->other);
	return at - start;
}

static ssize_t emit_cpu_status(char *buf, struct n3t_cpu *cpu)
{
	enum n3t_cpu_state state;
	struct n3t_run *run = n3t_cpu_run(cpu, &state);
	const struct n3t_pmu *pmu = READ_ONCE(cpu->pmu);
	u64 dropped = n3t_cpus_dropped(cpu);
	struct n3t_marks marks;
	int at = 0;

	/* The module's own work, which is deferrable, may be late. */
	n3t_cpus_check_starved(cpu);
	n3t_withdraw_marks(cpu, &marks);
	at += sysfs_emit_at(buf, at, "state %s\n", state_words[state]);
	at += sysfs_emit_at(buf, at, "budget %u\n", READ_ONCE(cpu->budget));
	at += sysfs_emit_at(buf, at, "counters %u\n",
			    pmu ? READ_ONCE(pmu->nominal) : 0);
	at += sysfs_emit_at(buf, at, "sets %u\n", run ? run->plan->nr_sets : 0);
	at += sysfs_emit_at(buf, at, "anchors ");
	at += n3t_emit_events(buf, at, run ? run->plan->anchor : NULL,
			      run ? run->plan->nr_anchors : 0);
	at += sysfs_emit_at(buf, at, "topdown_l1 %s\n", topdown_word(run));
	at += sysfs_emit_at(buf, at, "slice_ms %u\n",
			    run ? READ_ONCE(cpu->sampler.slice_ms) : 0);
	at += sysfs_emit_at(buf, at, "slice_reason %s\n", slice_reason(cpu, run));
	at += sysfs_emit_at(buf, at, "slice_cost_ns %llu\n",
			    READ_ONCE(cpu->sampler.pace.slice_ns));
	at += sysfs_emit_at(buf, at, "power_cost %llu\n",
			    run ? READ_ONCE(cpu->contention.power_ppm) : 0);
	at += sysfs_emit_at(buf, at, "power_cost_ns %llu\n", n3t_power_cost_ns(&cpu->power));
	at += sysfs_emit_at(buf, at, "power_downs %llu\n", READ_ONCE(cpu->power.downs));
	at += sysfs_emit_at(buf, at, "slices %llu\n",
			    READ_ONCE(cpu->slices[N3T_SLICE_KEPT]) + dropped);
	at += sysfs_emit_at(buf, at, "dropped %llu\n", dropped);
	at += emit_age(buf, at, run);
	at = emit_yields(buf, at, cpu);
	at += sysfs_emit_at(buf, at, "yield_due_ms %llu\n", yield_due_ms(cpu));
	at += sysfs_emit_at(buf, at, "irqs_off_max_ns %llu\n",
			    n3t_counters_longest_ns(cpu->cpu));
	at += emit_guest_counters(buf, at, cpu);
	at += emit_slots(buf, at, &marks.slots, READ_ONCE(cpu->overcounts));
	at += sysfs_emit_at(buf, at, "containers %s\n", n3t_containers_word(cpu));
	at += emit_withdrawn(buf, at, &marks);

	n3t_run_put(run);
	return at;
}

/* Keys that spare readers the status of each CPU. */
static int emit_summary(char *buf, int at, const struct n3t_directory *directory)
{
	DECLARE_BITMAP(withdrawn, N3T_NR_METRICS) = {};
	unsigned int i, budget = UINT_MAX;
	struct n3t_marks marks;
	u64 withdrawals = 0;

	for_each_possible_cpu(i) {
		struct n3t_cpu *cpu = n3t_cpus_get(i);

		if (!n3t_scope_has(directory->scope, directory->id, i))
			continue;
		if (rcu_access_pointer(cpu->run))
			budget = min(budget, READ_ONCE(cpu->budget));
		n3t_withdraw_marks(cpu, &marks);
		bitmap_or(withdrawn, withdrawn, marks.withdrawn, N3T_NR_METRICS);
		withdrawals += marks.withdrawals;
	}
	at += sysfs_emit_at(buf, at, "budget %u\n", budget == UINT_MAX ? 0 : budget);
	at += sysfs_emit_at(buf, at, "withdrawals %llu\n", withdrawals);
	return at + sysfs_emit_at(buf, at, "withdrawn %d\n",
				  bitmap_weight(withdrawn, N3T_NR_METRICS));
}

static ssize_t emit_coverage(char *buf, const struct n3t_directory *directory)
{
	struct n3t_views *views = n3t_views_get(directory->scope, directory->id);
	struct n3t_coverage coverage;
	enum n3t_verdict verdict;
	int at = 0;

	if (IS_ERR(views))
		return PTR_ERR(views);
	n3t_views_coverage(views, &coverage);
	n3t_views_put(views);

	at += sysfs_emit_at(buf, at, "cpus %u\n", coverage.cpus);
	at += sysfs_emit_at(buf, at, "included %u\n", coverage.included);
	at += sysfs_emit_at(buf, at, "excluded %u\n", coverage.cpus - coverage.included);
	at = emit_summary(buf, at, directory);
	for (verdict = 0; verdict < N3T_VALUE; verdict++)
		if (coverage.by_verdict[verdict])
			at += sysfs_emit_at(buf, at, "%s %u\n", n3t_verdict_word(verdict),
					    coverage.by_verdict[verdict]);
	return at;
}

static ssize_t status_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct n3t_directory *directory = n3t_directory_of(kobj);

	if (directory->scope == N3T_SCOPE_CPU)
		return emit_cpu_status(buf, n3t_cpus_get(directory->id));
	return emit_coverage(buf, directory);
}

static struct kobj_attribute status_attribute = __ATTR_RO(status);
static struct attribute *status_attrs[] = {
	&status_attribute.attr,
	NULL
};

const struct attribute_group n3t_status_file = {
	.attrs = status_attrs,
};

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

/* Word for a ratio whose denominator was not counted. */
static const char *missing_word(u16 code, const struct n3t_plan *plan)
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
		strscpy(cycle, missing_word(N3T_CODE_CPU_CYCLES, plan), sizeof(cycle));
	else
		print_per(cycle, sizeof(cycle), count, 1, counts->cycles);
	if (n3t_counts_get(counts, N3T_CODE_INST_RETIRED, &retired))
		strscpy(instructions, missing_word(N3T_CODE_INST_RETIRED, plan),
			sizeof(instructions));
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

static struct kobj_attribute custom_attribute = __ATTR_RO(custom);

static int emit_number(char *buf, int at, const char *key, bool was_read, unsigned int number)
{
	if (!was_read)
		return sysfs_emit_at(buf, at, "%s none\n", key);
	if (!number)
		return sysfs_emit_at(buf, at, "%s reserved\n", key);
	return sysfs_emit_at(buf, at, "%s %u\n", key, number);
}

static int emit_word(char *buf, int at, const char *key, bool was_read, const char *word)
{
	return sysfs_emit_at(buf, at, "%s %s\n", key, was_read ? word : "none");
}

static int emit_register(char *buf, int at, const char *key, bool was_read, u64 value)
{
	if (!was_read)
		return sysfs_emit_at(buf, at, "%s none\n", key);
	return sysfs_emit_at(buf, at, "%s 0x%llx\n", key, value);
}

static int emit_pmsidr(char *buf, int at, const struct n3t_spe_regs *regs,
		       const struct n3t_spe *spe)
{
	const int start = at;
	bool known = regs->has_pmsidr;
	char words[N3T_SPE_WORDS_SIZE];

	at += emit_number(buf, at, "min_interval", known, spe->min_interval);
	at += emit_number(buf, at, "max_record", known, spe->max_record);
	at += emit_word(buf, at, "records", known, spe->fixed_records ? "fixed" : "variable");
	at += emit_number(buf, at, "counter_bits", known, spe->counter_bits);
	at += sysfs_emit_at(buf, at, known ? "format %u\n" : "format none\n", spe->format);
	at += sysfs_emit_at(buf, at, known && spe->alternate_clock ? "alternate_clock %u\n" :
			    "alternate_clock none\n", spe->alternate_clock);
	n3t_spe_filters(regs->pmsidr, words);
	at += emit_word(buf, at, "filters", known, words);
	n3t_spe_features(regs->pmsidr, words);
	at += emit_word(buf, at, "features", known, words);
	return at - start;
}

static int emit_pmbidr(char *buf, int at, const struct n3t_spe_regs *regs,
		       const struct n3t_spe *spe)
{
	const int start = at;
	bool known = regs->has_pmbidr;

	at += emit_number(buf, at, "align", known, spe->align);
	at += emit_word(buf, at, "buffer_flags", known, spe->buffer_flags ? "updated" : "ignored");
	at += emit_word(buf, at, "external_abort", known, spe->external_abort);
	return at - start;
}

/* An offline CPU has no registers that were read. */
static const struct n3t_spe_regs *regs_of(const struct n3t_cpu *cpu)
{
	static const struct n3t_spe_regs not_read;

	/* Pairs with smp_store_release() in come_online(). */
	return smp_load_acquire(&cpu->state) == N3T_CPU_OFFLINE ? &not_read : &cpu->spe;
}

static ssize_t spe_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct n3t_spe_regs *regs = regs_of(n3t_cpus_get(n3t_directory_of(kobj)->id));
	struct n3t_spe spe;
	int at = 0;

	n3t_spe_decode(regs, &spe);
	at += sysfs_emit_at(buf, at, "usable %s\n", spe.reason == N3T_SPE_USABLE ? "yes" : "no");
	at += sysfs_emit_at(buf, at, "reason %s\n", n3t_spe_reason_word(spe.reason));
	at += sysfs_emit_at(buf, at, "version %s\n", spe.version);
	at += emit_pmsidr(buf, at, regs, &spe);
	at += emit_pmbidr(buf, at, regs, &spe);
	at += sysfs_emit_at(buf, at, regs->were_read ? "pmsver %u\n" : "pmsver none\n",
			    regs->pmsver);
	at += emit_register(buf, at, "pmsidr", regs->has_pmsidr, regs->pmsidr);
	at += emit_register(buf, at, "pmbidr", regs->has_pmbidr, regs->pmbidr);
	return at;
}

static struct kobj_attribute spe_attribute = __ATTR_RO(spe);

/*
 * kernfs calls this on each read, with at most a page, so each read gets one record, which is
 * consistent. A binary file has no open(): the opener is checked here, like the reader.
 */
static ssize_t moments_read(struct file *file, struct kobject *kobj, n3t_bin_attribute *attr,
			    char *buf, loff_t at, size_t size)
{
	unsigned int cpu = n3t_directory_of(kobj)->id;
	u64 record;
	u32 rest;
	int ret;

	if (!n3t_may_read(file))
		return -EPERM;
	record = div_u64_rem(at, N3T_MOMENTS_RECORD, &rest);
	if (rest || size < N3T_MOMENTS_RECORD)
		return -EINVAL;
	if (record > N3T_MAX_SETS)
		return 0;

	ret = n3t_moments_read(cpu, record, buf);
	return ret > 0 ? N3T_MOMENTS_RECORD : ret;
}

static n3t_bin_attribute moments_attribute = {
	.attr = { .name = "moments", .mode = 0444 },
	.read = moments_read,
};

/* As many whole records as fit; each is consistent. */
static ssize_t containers_read(struct file *file, struct kobject *kobj, n3t_bin_attribute *attr,
			       char *buf, loff_t at, size_t size)
{
	u64 record, first, nr = n3t_containers_records();
	u32 rest;

	if (!n3t_may_read(file))
		return -EPERM;
	first = div_u64_rem(at, N3T_OWNERS_RECORD, &rest);
	if (rest || size < N3T_OWNERS_RECORD)
		return -EINVAL;
	nr = min(nr, first + size / N3T_OWNERS_RECORD);
	for (record = first; record < nr; record++, buf += N3T_OWNERS_RECORD)
		n3t_containers_record(record, buf);
	return (record - first) * N3T_OWNERS_RECORD;
}

static n3t_bin_attribute containers_attribute = {
	.attr = { .name = "containers", .mode = 0444 },
	.read = containers_read,
};

static n3t_bin_attribute *system_bin_attrs[] = {
	&containers_attribute,
	NULL
};

const struct attribute_group n3t_system_files = {
	.bin_attrs = system_bin_attrs,
};

static n3t_bin_attribute *cpu_bin_attrs[] = {
	&moments_attribute,
	NULL
};

static struct attribute *cpu_attrs[] = {
	&custom_attribute.attr,
	&spe_attribute.attr,
	NULL
};

const struct attribute_group n3t_cpu_files = {
	.attrs = cpu_attrs,
	.bin_attrs = cpu_bin_attrs,
};
