// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of one simulated CPU.
 *
 * As in a real PMU, a counter counts while it is on and the counters of its CPU
 * are enabled. Disabling and enabling applies one timestamp to all counters, so
 * they cover the same time. Callers pass the time.
 */
#include <kunit/visibility.h>
#include <linux/bitmap.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/string.h>

#include "core.h"
#include "events.h"

/*
 * Settings of an offline CPU are changed from another CPU, whose clock may be
 * ahead: no time has passed in that case.
 */
static u64 since_epoch(const struct n3_sim_core *core, u64 now)
{
	return (s64)(now - core->epoch) > 0 ? now - core->epoch : 0;
}

static struct n3_sim_count count_at(const struct n3_sim_core *core, enum n3t_event event, u64 now)
{
	int following = core->run.owners ? n3_sim_following_index(event) : -ENOENT;
	struct n3_sim_count count;

	if (following >= 0) {
		count = n3_sim_run_count(&core->run, following, now);
		count = n3_sim_count_add(core->run.total[following], count);
		return n3_sim_count_add(core->base[event], count);
	}
	if (core->idle)
		return core->base[event];
	if (core->only_cycles && event != N3T_EVENT_CPU_CYCLES)
		return core->base[event];

	count = n3_sim_script_count(&core->script, event, since_epoch(core, now));
	return n3_sim_count_add(core->base[event], count);
}

/**
 * n3_sim_core_init() - initialize a CPU with all counters free
 * @core: the CPU
 * @rates: its initial rates
 * @now: time in ns
 *
 * Context: any, before @core is used elsewhere.
 */
void n3_sim_core_init(struct n3_sim_core *core, const u64 *rates, u64 now)
{
	memset(core, 0, sizeof(*core));
	n3_sim_script_constant(&core->script, rates);
	core->epoch = now;
	core->enabled = true;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_core_init);

/**
 * n3_sim_core_count() - get the number of occurrences of an event on a CPU
 * @core: the CPU
 * @event: the event
 * @now: time in ns, never decreasing for a given @core
 *
 * Context: on the CPU of @core with interrupts off, or while @core is not in use.
 * Return: whole events since n3_sim_core_init(), modulo 2^64.
 */
u64 n3_sim_core_count(const struct n3_sim_core *core, enum n3t_event event, u64 now)
{
	return count_at(core, event, now).whole;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_core_count);

/**
 * n3_sim_core_phase() - get the current phase of a CPU's script
 * @core: the CPU
 * @now: time in ns
 *
 * Context: on the CPU of @core with interrupts off, or while @core is not in use.
 * Return: a phase of the script of @core.
 */
const struct n3_sim_phase *n3_sim_core_phase(const struct n3_sim_core *core, u64 now)
{
	return n3_sim_script_phase(&core->script, since_epoch(core, now));
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_core_phase);

/**
 * n3_sim_core_fold() - restart the script without losing a count
 * @core: the CPU
 * @now: time in ns
 *
 * Must be called before any change to the rates or flags of a CPU.
 *
 * Context: on the CPU of @core with interrupts off, or while @core is not in use.
 */
void n3_sim_core_fold(struct n3_sim_core *core, u64 now)
{
	unsigned int event;

	for (event = 0; event < N3T_NR_EVENTS; event++)
		core->base[event] = count_at(core, event, now);
	core->epoch = now;
	if (!core->run.owners)
		return;
	n3_sim_run_fold(&core->run, now);
	memset(core->run.total, 0, sizeof(core->run.total));
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_core_fold);

/* Whether counters count all events that follow the running cgroup. */
static bool counts_following(const struct n3_sim_core *core)
{
	unsigned int i;
	u32 counted = 0;
	int index;

	if (!core->enabled)
		return false;
	for (i = 0; i < N3_SIM_NR_COUNTERS; i++) {
		index = core->counter[i].on ? n3_sim_following_index(core->counter[i].event) : -1;
		if (index >= 0)
			counted |= BIT(index);
	}
	return counted == BIT(N3_SIM_NR_FOLLOWING) - 1;
}

/* To be called after counters were started or stopped. */
static void counters_changed(struct n3_sim_core *core, u64 now)
{
	if (!core->run.owners)
		return;
	n3_sim_run_fold(&core->run, now);
	core->run.counted = counts_following(core);
}

/**
 * n3_sim_core_follow() - make rates depend on the running cgroup, or on the script
 * @core: the CPU
 * @owners: cgroups with rates; NULL: on the script
 * @truth: sums of each cgroup and of idleness, to be continued
 * @owner: index of the running cgroup
 * @now: time in ns
 *
 * Context: on the CPU of @core with interrupts off, or while @core is not in use.
 */
void n3_sim_core_follow(struct n3_sim_core *core, const struct n3_sim_owners *owners,
			struct n3_sim_truth *truth, unsigned int owner, u64 now)
{
	n3_sim_core_fold(core, now);
	core->run = (struct n3_sim_run){
		.owners = owners,
		.truth = truth,
		.owner = owner,
		.last = owner,
		.since = now,
		.cold_until = now,
	};
	counters_changed(core, now);
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_core_follow);

/**
 * n3_sim_core_freeze() - stop the clock at a context switch
 * @core: the CPU; rates depend on the running cgroup
 * @local_ns: the CPU's local_clock()
 *
 * Context: on the CPU of @core with interrupts off, or while @core is not in use.
 */
void n3_sim_core_freeze(struct n3_sim_core *core, u64 local_ns)
{
	core->frozen_ns = n3_sim_core_clock(core, local_ns);
	n3_sim_run_fold(&core->run, core->frozen_ns);
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_core_freeze);

/**
 * n3_sim_core_switch() - switch to another task and let the clock continue
 * @core: the CPU, frozen
 * @owner: index of the task's cgroup, or N3_SIM_IDLE
 * @local_ns: the CPU's local_clock()
 *
 * The time without a clock is run time of the task.
 *
 * Context: on the CPU of @core with interrupts off, or while @core is not in use.
 */
void n3_sim_core_switch(struct n3_sim_core *core, unsigned int owner, u64 local_ns)
{
	u64 lost_ns = local_ns - core->lost_ns - core->frozen_ns;

	n3_sim_run_switch(&core->run, owner, core->frozen_ns, lost_ns);
	core->lost_ns += lost_ns;
	core->frozen_ns = 0;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_core_switch);

static u64 counter_source(const struct n3_sim_core *core, const struct n3_sim_counter *counter,
			  u64 now)
{
	if (counter->event < 0)
		return 0;
	return n3_sim_core_count(core, counter->event, now);
}

static void counter_resume(struct n3_sim_core *core, struct n3_sim_counter *counter, u64 now)
{
	counter->base = counter_source(core, counter, now);
}

static void counter_pause(struct n3_sim_core *core, struct n3_sim_counter *counter, u64 now)
{
	counter->value += counter_source(core, counter, now) - counter->base;
}

/**
 * n3_sim_core_disable() - stop all counters of a CPU at one instant
 * @core: the CPU
 * @now: time in ns
 *
 * Context: on the CPU of @core with interrupts off, or while @core is not in use.
 */
void n3_sim_core_disable(struct n3_sim_core *core, u64 now)
{
	unsigned int i;

	if (!core->enabled)
		return;

	for (i = 0; i < N3_SIM_NR_COUNTERS; i++)
		if (core->counter[i].on)
			counter_pause(core, &core->counter[i], now);
	core->enabled = false;
	counters_changed(core, now);
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_core_disable);

/**
 * n3_sim_core_enable() - resume the started counters of a CPU at one instant
 * @core: the CPU
 * @now: time in ns
 *
 * Context: on the CPU of @core with interrupts off, or while @core is not in use.
 */
void n3_sim_core_enable(struct n3_sim_core *core, u64 now)
{
	unsigned int i;

	if (core->enabled)
		return;

	for (i = 0; i < N3_SIM_NR_COUNTERS; i++)
		if (core->counter[i].on)
			counter_resume(core, &core->counter[i], now);
	core->enabled = true;
	counters_changed(core, now);
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_core_enable);

/**
 * n3_sim_counter_find() - find a free counter for an event
 * @used: allocated counters, N3_SIM_NR_COUNTERS bits
 * @code: event number
 * @limit: number of programmable counters
 *
 * CPU_CYCLES gets the cycle counter if that is free, as with armv8_pmuv3.
 *
 * Context: any.
 * Return: a free counter, or -EAGAIN.
 */
int n3_sim_counter_find(const unsigned long *used, u16 code, unsigned int limit)
{
	unsigned int idx;

	if (code == N3T_CODE_CPU_CYCLES && !test_bit(N3_SIM_CYCLE_COUNTER, used))
		return N3_SIM_CYCLE_COUNTER;

	idx = find_first_zero_bit(used, limit);
	return idx < limit ? idx : -EAGAIN;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_counter_find);

/**
 * n3_sim_counter_program() - set the event of a counter
 * @core: the CPU
 * @idx: the counter, not started
 * @code: event number; ignored by the cycle counter
 *
 * Context: on the CPU of @core with interrupts off, or while @core is not in use.
 */
void n3_sim_counter_program(struct n3_sim_core *core, int idx, u16 code)
{
	if (idx == N3_SIM_CYCLE_COUNTER)
		code = N3T_CODE_CPU_CYCLES;
	core->counter[idx].event = n3_sim_event_by_code(code);
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_counter_program);

/**
 * n3_sim_counter_start() - start a counter from 0
 * @core: the CPU
 * @idx: the counter, not started
 * @now: time in ns
 *
 * Context: on the CPU of @core with interrupts off, or while @core is not in use.
 */
void n3_sim_counter_start(struct n3_sim_core *core, int idx, u64 now)
{
	struct n3_sim_counter *counter = &core->counter[idx];

	counter->value = 0;
	counter->on = true;
	if (core->enabled)
		counter_resume(core, counter, now);
	counters_changed(core, now);
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_counter_start);

/**
 * n3_sim_counter_stop() - stop a counter, which keeps its value
 * @core: the CPU
 * @idx: the counter, started
 * @now: time in ns
 *
 * Context: on the CPU of @core with interrupts off, or while @core is not in use.
 */
void n3_sim_counter_stop(struct n3_sim_core *core, int idx, u64 now)
{
	struct n3_sim_counter *counter = &core->counter[idx];

	if (core->enabled)
		counter_pause(core, counter, now);
	counter->on = false;
	counters_changed(core, now);
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_counter_stop);

/**
 * n3_sim_counter_read() - read the value of a counter
 * @core: the CPU
 * @idx: the counter
 * @now: time in ns
 *
 * Context: on the CPU of @core with interrupts off, or while @core is not in use.
 * Return: events counted since n3_sim_counter_start().
 */
u64 n3_sim_counter_read(const struct n3_sim_core *core, int idx, u64 now)
{
	const struct n3_sim_counter *counter = &core->counter[idx];

	if (!core->enabled || !counter->on)
		return counter->value;
	return counter->value + counter_source(core, counter, now) - counter->base;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_counter_read);
