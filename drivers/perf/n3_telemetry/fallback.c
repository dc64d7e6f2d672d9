// SPDX-License-Identifier: GPL-2.0
/*
 * Switching counter sets through perf, where it cannot be done in place.
 *
 * Each set of the plan has its own perf events; only those of the current set
 * are enabled. One event for cycles serves all sets. perf enables and disables
 * events one after another, so the counters of a slice do not start and end at
 * the same instant: they are apart by the time that perf needs per event, a few
 * thousand instructions.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/perf_event.h>
#include <linux/timekeeping.h>

#include "fallback.h"
#include "libn3t/n3t.h"
#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "pmu.h"

/* Result of perf_event_read_value() for an event at the start of its slice. */
struct reading {
	u64 count;
	u64 enabled;
	u64 running;
};

/**
 * struct n3t_fallback - perf events of all sets of one CPU
 * @plan: the plan
 * @set: the current set
 * @start_ns: start of the slice
 * @cycles: CPU_CYCLES, enabled with the first set
 * @cycles_start: reading of @cycles at the start
 * @start: readings of the events of the set
 * @event: the events, @plan->budget for each set
 *
 * Owned by the sampler's work item, or by the code that stopped it.
 */
struct n3t_fallback {
	const struct n3t_plan *plan;
	unsigned int set;
	u64 start_ns;
	struct perf_event *cycles;
	struct reading cycles_start;
	struct reading start[N3T_MAX_COUNTERS];
	struct perf_event *event[];
};

static struct perf_event **event_of(struct n3t_fallback *fallback, unsigned int set, unsigned int i)
{
	return &fallback->event[set * fallback->plan->budget + i];
}

static struct reading read_event(struct perf_event *event)
{
	struct reading now;

	now.count = perf_event_read_value(event, &now.enabled, &now.running);
	return now;
}

static bool count_since(struct perf_event *event, const struct reading *start, u64 *count)
{
	struct reading now = read_event(event);

	*count = now.count - start->count;
	return now.enabled - start->enabled == now.running - start->running;
}

static int open_event(struct perf_event **slot, const struct n3t_pmu *pmu, unsigned int cpu,
		      u16 code)
{
	struct perf_event *event = n3t_pmu_event(pmu, cpu, code, true);

	if (IS_ERR(event))
		return PTR_ERR(event);

	*slot = event;
	return 0;
}

static int open_sets(struct n3t_fallback *fallback, const struct n3t_pmu *pmu, unsigned int cpu)
{
	const struct n3t_plan *plan = fallback->plan;
	unsigned int set, i;
	int ret = 0;

	for (set = 0; set < plan->nr_sets; set++)
		for (i = 0; !ret && i < plan->set[set].nr; i++)
			ret = open_event(event_of(fallback, set, i), pmu, cpu,
					 plan->set[set].code[i]);
	return ret;
}

/* Opens the perf events of a plan, which must outlive them. */
struct n3t_fallback *n3t_fallback_open(const struct n3t_pmu *pmu, unsigned int cpu,
				       const struct n3t_plan *plan)
{
	struct n3t_fallback *fallback;
	int ret;

	fallback = kvzalloc(struct_size(fallback, event, plan->nr_sets * plan->budget),
			    GFP_KERNEL);
	if (!fallback)
		return ERR_PTR(-ENOMEM);

	fallback->plan = plan;
	ret = open_event(&fallback->cycles, pmu, cpu, N3T_CODE_CPU_CYCLES);
	if (!ret)
		ret = open_sets(fallback, pmu, cpu);
	if (ret) {
		n3t_fallback_close(fallback);
		return ERR_PTR(ret);
	}
	return fallback;
}

/* Releases the events, or NULL; no slice is being ended or started. */
void n3t_fallback_close(struct n3t_fallback *fallback)
{
	unsigned int i;

	if (!fallback)
		return;

	for (i = 0; i < fallback->plan->nr_sets * fallback->plan->budget; i++)
		if (fallback->event[i])
			perf_event_release_kernel(fallback->event[i]);
	if (fallback->cycles)
		perf_event_release_kernel(fallback->cycles);
	kvfree(fallback);
}

/* Ends the slice that n3t_fallback_start() started; on the CPU of the events. */
void n3t_fallback_end(struct n3t_fallback *fallback, struct n3t_slice *slice)
{
	const struct n3t_set *set = &fallback->plan->set[fallback->set];
	bool whole = count_since(fallback->cycles, &fallback->cycles_start, &slice->cycles);
	unsigned int i;

	slice->end_ns = ktime_get_mono_fast_ns();
	slice->time_ns = slice->end_ns - fallback->start_ns;
	for (i = 0; i < set->nr; i++) {
		struct perf_event *event = *event_of(fallback, fallback->set, i);

		whole &= count_since(event, &fallback->start[i], &slice->count[i]);
		perf_event_disable(event);
	}
	slice->state = whole ? N3T_SLICE_KEPT : N3T_SLICE_CUT;
}

/* Stops counting until n3t_fallback_start(); no slice is being ended or started. */
void n3t_fallback_stop(struct n3t_fallback *fallback)
{
	unsigned int i;

	for (i = 0; i < fallback->plan->set[fallback->set].nr; i++)
		perf_event_disable(*event_of(fallback, fallback->set, i));
	perf_event_disable(fallback->cycles);
}

/* Starts a slice, the events of all sets disabled; on the CPU of the events. */
void n3t_fallback_start(struct n3t_fallback *fallback, unsigned int set)
{
	unsigned int i;

	fallback->set = set;
	perf_event_enable(fallback->cycles);
	for (i = 0; i < fallback->plan->set[set].nr; i++)
		perf_event_enable(*event_of(fallback, set, i));
	for (i = 0; i < fallback->plan->set[set].nr; i++)
		fallback->start[i] = read_event(*event_of(fallback, set, i));
	fallback->start_ns = ktime_get_mono_fast_ns();
	fallback->cycles_start = read_event(fallback->cycles);
}
