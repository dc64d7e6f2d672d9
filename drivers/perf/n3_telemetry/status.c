// SPDX-License-Identifier: GPL-2.0
/* The files status of CPUs, nodes and the system. */
#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kobject.h>
#include <linux/sysfs.h>
#include <linux/time64.h>

#include "access.h"
#include "config.h"
#include "cpu.h"
#include "cpus.h"
#include "directory.h"
#include "midr.h"
#include "pmu.h"
#include "sampler.h"
#include "settings.h"
#include "libn3t/spec.h"
#include "status.h"
#include "values.h"

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

/**
 * n3t_status_emit_reason() - write why counters are yielded
 * @buf: a page
 * @at: where to
 * @reason: why
 *
 * Return: how many characters.
 */
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

/* How Topdown_L1 is counted: in one set, in one without STALL_SLOT, in several, not now. */
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

	/* KVM may have put MDCR_EL2 back before it was looked at: none seen says nothing. */
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
		seq = read_seqcount_begin(&cpu->yields_seq);
		now_ns = ktime_get_mono_fast_ns();
		since_ns = cpu->contention.yielded_since_ns;
		total_ns = n3t_contention_yielded_ns(&cpu->contention, now_ns);
		yields = cpu->contention.yields;
		reason = READ_ONCE(cpu->contention.reason);
	} while (read_seqcount_retry(&cpu->yields_seq, seq));

	at += sysfs_emit_at(buf, at, "yielded_ms %llu\n",
			    since_ns ? n3t_ns_since(since_ns) / NSEC_PER_MSEC : 0);
	at += sysfs_emit_at(buf, at, "yielded_total_ms %llu\n", total_ns / NSEC_PER_MSEC);
	at += sysfs_emit_at(buf, at, "yields %llu\n", yields);
	return at + n3t_status_emit_reason(buf, at, reason);
}

/* What makes slices as long as they are. */
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
	/* Nanoseconds by milliseconds are millionths. */
	if (READ_ONCE(sampler->pace.slice_ns) >
	    (u64)n3t_sampler_max_cost(cpu, settings) * N3T_SLICE_MS_MAX)
		return "longest";
	return "max_cost";
}

static ssize_t emit_cpu_status(char *buf, struct n3t_cpu *cpu)
{
	enum n3t_cpu_state state;
	struct n3t_run *run = n3t_cpu_run(cpu, &state);
	const struct n3t_pmu *pmu = READ_ONCE(cpu->pmu);
	u64 dropped = n3t_cpus_dropped(cpu);
	int at = 0;

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
	at += emit_guest_counters(buf, at, cpu);

	n3t_run_put(run);
	return at;
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

static struct kobj_attribute status_attribute = __ATTR(status, 0400, status_show, NULL);
static struct attribute *status_attrs[] = {
	&status_attribute.attr,
	NULL
};

const struct attribute_group n3t_status_file = {
	.is_visible = n3t_access_mode,
	.attrs = status_attrs,
};
