// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * n3stat selftest: counting while micro-kernels run.
 *
 * n3_telemetry gives counters back when it sees that others wait, so an event waits
 * for its counter first; where it loses it meanwhile, it is tried again.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "catalog.h"
#include "common.h"
#include "selftest_measure.h"

#define SHORT_NS	(5 * 1000000ULL)	/* enough for what moves at all, mostly */
#define LONG_NS		(50 * 1000000ULL)	/* before a 0 is one */
#define WAIT_NS		(1500 * 1000000ULL)	/* for a counter: n3_telemetry holds them for 1 s */
#define SLEEP_NS	(100 * 1000000ULL)
#define TRIES		8

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000ULL + (uint64_t)now.tv_nsec;
}

/* Return: those of some micro-kernels that can run here. */
static uint64_t available(uint64_t kernels)
{
	for (unsigned int i = 0; i < NR_SELFTEST_KERNELS; i++)
		if (kernels >> i & 1 && !selftest_has(selftest_kernel_need(i)))
			kernels &= ~(UINT64_C(1) << i);
	return kernels;
}

/* One after another, each at least once. */
static void run_kernels(uint64_t kernels, uint64_t ns)
{
	uint64_t end = now_ns() + ns;

	do {
		for (unsigned int i = 0; i < NR_SELFTEST_KERNELS; i++)
			if (kernels >> i & 1)
				selftest_run_kernel(i);
		if (!kernels)
			selftest_run_kernel(SELFTEST_KERNEL_integers);
	} while (now_ns() < end);
}

static struct selftest_counts difference(const struct selftest_set *set,
					 const struct selftest_counts *before)
{
	struct selftest_counts counts;

	selftest_set_read(set, &counts);
	counts.enabled -= before->enabled;
	counts.running -= before->running;
	for (size_t i = 0; i < set->nr; i++)
		counts.counts[i] -= before->counts[i];
	return counts;
}

static bool throughout(const struct selftest_counts *counts)
{
	return counts->running && counts->running == counts->enabled;
}

/* Until the set has its counters, or for as long as that is waited for. */
static void wait_for_counters(const struct selftest_set *set)
{
	uint64_t end = now_ns() + WAIT_NS;
	struct selftest_counts before, counts;

	do {
		selftest_set_read(set, &before);
		selftest_known_loop(100000);
		counts = difference(set, &before);
	} while (!throughout(&counts) && now_ns() < end);
}

static struct selftest_counts count_once(const struct selftest_set *set, uint64_t kernels,
					 uint64_t ns)
{
	struct selftest_counts before;

	wait_for_counters(set);
	selftest_set_read(set, &before);
	run_kernels(kernels, ns);
	return difference(set, &before);
}

/* Until it had its counters throughout. Return: the try in which it had them longest. */
static struct selftest_counts count_kernels(const struct selftest_set *set, uint64_t kernels,
					    uint64_t ns, uint64_t deadline)
{
	struct selftest_counts best = { 0 };

	for (unsigned int i = 0; i < TRIES; i++) {
		struct selftest_counts counts = count_once(set, kernels, ns);

		if (!i || counts.running > best.running || throughout(&counts))
			best = counts;
		/* Who does not give back a counter in all that time does not do it later. */
		if (throughout(&best) || !best.running || now_ns() > deadline)
			break;
	}
	return best;
}

/* What stays at 0 gets more time, and everything else that there is. */
static void count_event(struct selftest_reading *reading, const struct selftest_row *row,
			const struct selftest_set *set, uint64_t deadline)
{
	uint64_t ran = available(row->kernels);
	struct selftest_counts counts = count_kernels(set, ran, SHORT_NS, deadline);

	if (!counts.counts[0] && counts.running)
		counts = count_kernels(set, ran, LONG_NS, deadline);
	if (!counts.counts[0] && throughout(&counts))
		counts = count_kernels(set, available(~UINT64_C(0)), 0, deadline);
	reading->ran = ran;
	reading->count = counts.counts[0];
	reading->enabled = counts.enabled;
	reading->running = counts.running;
}

static void measure_event(struct selftest_cpu *cpu, const struct selftest_pmu *pmu, int event,
			  uint64_t deadline)
{
	const struct selftest_row *row = selftest_row(event);
	struct selftest_event *result = &cpu->events[event];
	uint64_t config = selftest_config(pmu, event, &result->has_alias);
	struct selftest_reading *reading = &result->reading;
	struct selftest_set set = { .nr = 0 };
	bool no_counter;

	reading->time_was_up = now_ns() > deadline;
	reading->is_uncountable = !catalog_event(event).countable;
	/* Cycles have one of their own. */
	no_counter = !cpu->counters && event != catalog_find_event("CPU_CYCLES");
	if (!*pmu->name)
		reading->error = ENODEV;
	else if (!reading->time_was_up && !reading->is_uncountable && !no_counter)
		reading->error = selftest_set_add(&set, pmu, config, cpu->cpu, false);
	if (set.nr)
		count_event(reading, row, &set, deadline);
	selftest_set_close(&set);
	result->judgement = selftest_judge(row, reading);
}

static void measure_loop(struct selftest_group *group, const struct selftest_set *set)
{
	struct selftest_counts before, counts = { 0 };

	for (unsigned int i = 0; i < TRIES && !throughout(&counts); i++) {
		wait_for_counters(set);
		selftest_set_read(set, &before);
		selftest_known_loop(SELFTEST_LOOP_ROUNDS);
		counts = difference(set, &before);
	}
	group->enabled = counts.enabled;
	group->running = counts.running;
	group->cycles = 1;
	group->terms[0] = counts.counts[0];
}

static void take_group(struct selftest_group *group, const struct selftest_counts *counts)
{
	group->enabled = counts->enabled;
	group->running = counts->running;
	group->cycles = counts->counts[0];
	memcpy(group->terms, counts->counts + 1, sizeof(group->terms));
}

static void measure_clock(struct selftest_group *group, const struct selftest_set *set,
			  uint64_t deadline)
{
	static const struct timespec sleep = { .tv_nsec = SLEEP_NS };
	struct selftest_counts before, counts;

	counts = count_kernels(set, UINT64_C(1) << SELFTEST_KERNEL_integers, LONG_NS, deadline);
	take_group(group, &counts);
	selftest_set_read(set, &before);
	nanosleep(&sleep, NULL);
	counts = difference(set, &before);
	group->slept_cycles = counts.counts[0];
	group->slept_term = counts.counts[1];
	if (!throughout(&counts))
		group->running = 0;
}

/* All kinds of stalls for what is of slots, else what moves each of the terms. */
static uint64_t kernels_of(const struct selftest_identity *identity)
{
	uint64_t kernels = 0;

	if (identity->kind == SELFTEST_QUIET)
		return UINT64_C(1) << SELFTEST_KERNEL_integers;
	for (size_t i = 0; i < selftest_nr_terms(identity); i++)
		kernels |= selftest_row(catalog_find_event(identity->events[i]))->kernels;
	if (identity->kind == SELFTEST_SUM || identity->kind == SELFTEST_SLOTS)
		kernels |= selftest_row(catalog_find_event("STALL"))->kernels |
			   UINT64_C(1) << SELFTEST_KERNEL_integers;
	return available(kernels);
}

/* The cycles first: in the cycle counter, if nobody else has it. */
static int open_group(struct selftest_set *set, const struct selftest_cpu *cpu,
		      const struct selftest_pmu *pmu, const struct selftest_identity *identity)
{
	bool loop = identity->kind == SELFTEST_LOOP, has_alias;
	uint64_t cycles = selftest_config(pmu, catalog_find_event("CPU_CYCLES"), &has_alias);
	int error = 0;

	if (!loop)
		error = selftest_set_add(set, pmu, cycles, cpu->cpu, loop);
	for (size_t i = 0; i < selftest_nr_terms(identity) && !error; i++) {
		int event = catalog_find_event(identity->events[i]);

		error = selftest_set_add(set, pmu, selftest_config(pmu, event, &has_alias),
					 cpu->cpu, loop);
	}
	return error;
}

/* Return: the first of its terms that was not seen to count, or NULL. */
static const char *dead_term(const struct selftest_cpu *cpu,
			     const struct selftest_identity *identity)
{
	for (size_t i = 0; i < selftest_nr_terms(identity); i++) {
		int event = catalog_find_event(identity->events[i]);

		if (cpu->events[event].judgement.verdict != SELFTEST_COUNTS)
			return identity->events[i];
	}
	return NULL;
}

static void measure_identity(struct selftest_cpu *cpu, const struct selftest_pmu *pmu, size_t index,
			     uint64_t deadline)
{
	const struct selftest_identity *identity = selftest_identity(index);
	struct selftest_group group = { .dead = dead_term(cpu, identity) };
	struct selftest_set set = { .nr = 0 };

	if (!group.dead)
		group.error = open_group(&set, cpu, pmu, identity);
	if (!group.dead && !group.error && identity->kind == SELFTEST_LOOP) {
		measure_loop(&group, &set);
	} else if (!group.dead && !group.error && identity->kind == SELFTEST_CLOCK) {
		measure_clock(&group, &set, deadline);
	} else if (!group.dead && !group.error) {
		struct selftest_counts counts = count_kernels(&set, kernels_of(identity), LONG_NS,
							      deadline);

		take_group(&group, &counts);
	}
	selftest_set_close(&set);
	cpu->identities[index] = selftest_judge_identity(identity, &group);
}

void selftest_measure(struct selftest_cpu *cpu, const struct selftest_pmu *pmu)
{
	uint64_t deadline = now_ns() + SELFTEST_SECONDS * 1000000000ULL;

	for (int i = 0; i < catalog_nr_events(); i++)
		measure_event(cpu, pmu, i, deadline);
	for (size_t i = 0; i < selftest_nr_identities(); i++)
		measure_identity(cpu, pmu, i, deadline);
}
