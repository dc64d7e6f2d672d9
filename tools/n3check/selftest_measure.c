// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * n3stat selftest: counting while micro-kernels run.
 *
 * n3_telemetry yields counters once it detects contention, so an event first waits for its counter.
 * If the event loses it during the measurement, the measurement is repeated.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "lib/clock.h"
#include "libn3telemetry/catalog.h"
#include "selftest.h"

/* In seconds. */
#define SHORT		0.005	/* enough for most events that move */
#define LONG		0.05	/* required before a 0 is a verdict */
#define WAIT		1.5	/* for a counter: n3_telemetry holds them for 1 s */
#define GIVE_UP		10	/* without a counter for any event */
#define SLEEP_NS	(100 * 1000000ULL)
#define TRIES		8

/* Working set and time of a CPU's test. */
struct budget {
	struct selftest_arena *arena;
	double deadline;
	double waited;		/* seconds, for counters that never came */
	bool had_counter;
};

static bool is_over(const struct budget *budget)
{
	return monotonic_now() >= budget->deadline;
}

/* Counters held by others for this long are not expected to be released. */
static bool is_hopeless(const struct budget *budget)
{
	return !budget->had_counter && budget->waited > GIVE_UP;
}

/* Return: the subset of the micro-kernels that can run here. */
static uint64_t available(const struct budget *budget, uint64_t kernels)
{
	for (unsigned int i = 0; i < NR_SELFTEST_KERNELS; i++)
		if (kernels >> i & 1 && !selftest_has(budget->arena, selftest_kernels[i].need))
			kernels &= ~(UINT64_C(1) << i);
	return kernels;
}

/* One after another, each at least once unless the time is up. */
static void run_kernels(uint64_t kernels, double seconds, const struct budget *budget)
{
	double end = monotonic_now() + seconds;

	do {
		for (unsigned int i = 0; i < NR_SELFTEST_KERNELS; i++)
			if (kernels >> i & 1 && !is_over(budget))
				selftest_run_kernel(budget->arena, i);
		if (!kernels)
			selftest_run_kernel(budget->arena, SELFTEST_KERNEL_integers);
	} while (monotonic_now() < end && !is_over(budget));
}

/* Unreadable counts give a difference of 0. */
static struct selftest_counts difference(const struct selftest_set *set,
					 const struct selftest_counts *before)
{
	struct selftest_counts counts;

	if (!selftest_set_read(set, &counts) || before->failed) {
		counts.failed = true;
		return counts;
	}
	counts.enabled -= before->enabled;
	counts.running -= before->running;
	for (size_t i = 0; i < set->nr; i++)
		counts.counts[i] -= before->counts[i];
	return counts;
}

static bool throughout(const struct selftest_counts *counts)
{
	return !counts->failed && counts->running && counts->running == counts->enabled;
}

/* Waits for the set to get its counters, up to the limit. */
static void wait_for_counters(const struct selftest_set *set, const struct budget *budget)
{
	double end = monotonic_now() + WAIT;
	struct selftest_counts before, counts;

	do {
		selftest_set_read(set, &before);
		selftest_known_loop(100000);
		counts = difference(set, &before);
	} while (!throughout(&counts) && !counts.failed && monotonic_now() < end &&
		 !is_over(budget));
}

static struct selftest_counts count_once(const struct selftest_set *set, uint64_t kernels,
					 double seconds, const struct budget *budget)
{
	struct selftest_counts before;

	wait_for_counters(set, budget);
	selftest_set_read(set, &before);
	run_kernels(kernels, seconds, budget);
	return difference(set, &before);
}

/*
 * Repeats until the set keeps its counters throughout. Return: the try with the most counter time.
 */
static struct selftest_counts count_kernels(const struct selftest_set *set, uint64_t kernels,
					    double seconds, struct budget *budget)
{
	struct selftest_counts best = { 0 };

	for (unsigned int i = 0; i < TRIES; i++) {
		struct selftest_counts counts = count_once(set, kernels, seconds, budget);

		if (!i || counts.running > best.running || throughout(&counts))
			best = counts;
		/* Counters not released in all that time are unlikely to be released later. */
		if (throughout(&best) || !best.running || is_over(budget))
			break;
	}
	return best;
}

/* As count_kernels(), without the CPU_CYCLES that an event has too many: they follow in its set. */
static struct selftest_counts count_corrected(const struct selftest_set *set, uint64_t kernels,
					      double seconds, struct budget *budget)
{
	struct selftest_counts counts = count_kernels(set, kernels, seconds, budget);

	if (set->nr > 1)
		counts.counts[0] = selftest_less_cycles(counts.counts[0], counts.counts[1]);
	return counts;
}

/* An event that stays at 0 gets more time and all other micro-kernels. */
static void count_event(struct selftest_reading *reading, const struct selftest_row *row,
			const struct selftest_set *set, struct budget *budget)
{
	uint64_t ran = available(budget, row->kernels);
	double start = monotonic_now();
	struct selftest_counts counts = count_corrected(set, ran, SHORT, budget);

	if (!counts.counts[0] && counts.running)
		counts = count_corrected(set, ran, LONG, budget);
	if (!counts.counts[0] && throughout(&counts))
		counts = count_corrected(set, available(budget, ~UINT64_C(0)), 0, budget);
	/* A 0 in less than the full time is inconclusive. */
	reading->time_was_up = !counts.counts[0] && is_over(budget);
	reading->error = counts.failed ? EIO : 0;
	/* Code may be gone meanwhile. */
	reading->ran = available(budget, ran);
	reading->lacks_need = !selftest_has(budget->arena, row->need);
	reading->count = counts.counts[0];
	reading->enabled = counts.enabled;
	reading->running = counts.running;
	budget->had_counter |= counts.running;
	if (!counts.running)
		budget->waited += monotonic_now() - start;
}

static int open_event(struct selftest_set *set, const struct selftest_cpu *cpu,
		      const struct selftest_pmu *pmu, int event, uint64_t config)
{
	int error = selftest_set_add(set, pmu, config, cpu->cpu, false);
	bool has_alias;

	if (error || !selftest_overcounts(cpu->midr, event))
		return error;
	config = selftest_config(pmu, catalog_find_event("CPU_CYCLES"), &has_alias);
	return selftest_set_add(set, pmu, config, cpu->cpu, false);
}

static void measure_event(struct selftest_cpu *cpu, const struct selftest_pmu *pmu, int event,
			  struct budget *budget)
{
	const struct selftest_row *row = selftest_row(event);
	struct selftest_event *result = &cpu->events[event];
	uint64_t config = selftest_config(pmu, event, &result->has_alias);
	struct selftest_reading *reading = &result->reading;
	struct selftest_set set = { .nr = 0 };
	bool is_cycles = event == catalog_find_event("CPU_CYCLES");
	struct budget of_cycles = *budget;	/* their counter is a separate one */

	reading->time_was_up = is_over(budget);
	reading->is_uncountable = !catalog_event(event).countable;
	reading->gave_up = !is_cycles && is_hopeless(budget);
	if (!*pmu->name)
		reading->error = ENODEV;
	else if (!reading->time_was_up && !reading->is_uncountable && !reading->gave_up &&
		 (cpu->counters || is_cycles))
		reading->error = open_event(&set, cpu, pmu, event, config);
	if (set.nr && !reading->error)
		count_event(reading, row, &set, is_cycles ? &of_cycles : budget);
	selftest_set_close(&set);
	result->judgement = selftest_judge(row, reading);
}

static void take_group(struct selftest_group *group, const struct selftest_counts *counts)
{
	group->error = counts->failed ? EIO : 0;
	group->enabled = counts->enabled;
	group->running = counts->running;
	group->cycles = counts->counts[0];
	memcpy(group->terms, counts->counts + 1, sizeof(group->terms));
	selftest_correct(group);
}

static void measure_loop(struct selftest_group *group, const struct selftest_set *set,
			 const struct budget *budget)
{
	struct selftest_counts before, counts = { 0 };

	for (unsigned int i = 0; i < TRIES && !throughout(&counts) && !is_over(budget); i++) {
		wait_for_counters(set, budget);
		selftest_set_read(set, &before);
		selftest_known_loop(SELFTEST_LOOP_ROUNDS);
		counts = difference(set, &before);
	}
	take_group(group, &counts);
	group->cycles = 1;
	group->terms[0] = counts.counts[0];
}

static void measure_clock(struct selftest_group *group, const struct selftest_set *set,
			  struct budget *budget)
{
	static const struct timespec sleep = { .tv_nsec = SLEEP_NS };
	struct selftest_counts before, counts;

	counts = count_kernels(set, UINT64_C(1) << SELFTEST_KERNEL_integers, LONG, budget);
	take_group(group, &counts);
	if (is_over(budget))
		return;
	selftest_set_read(set, &before);
	nanosleep(&sleep, NULL);
	counts = difference(set, &before);
	group->slept_cycles = counts.counts[0];
	group->slept_term = counts.counts[1];
	if (counts.failed)
		group->error = EIO;
	if (!throughout(&counts))
		group->running = 0;
}

/* All kinds of stalls for identities of slots, else the kernels that move each term. */
static uint64_t kernels_of(const struct budget *budget,
			   const struct selftest_identity *identity)
{
	uint64_t kernels = 0;

	if (identity->kind == SELFTEST_QUIET)
		return UINT64_C(1) << SELFTEST_KERNEL_integers;
	for (size_t i = 0; i < selftest_nr_terms(identity); i++)
		kernels |= selftest_row(catalog_find_event(identity->events[i]))->kernels;
	if (identity->kind == SELFTEST_SUM || identity->kind == SELFTEST_SLOTS)
		kernels |= selftest_row(catalog_find_event("STALL"))->kernels |
			   UINT64_C(1) << SELFTEST_KERNEL_integers;
	return available(budget, kernels);
}

/* Cycles first: they get the cycle counter, if it is free. */
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

/* Return: the first term that was not seen to count, or NULL. */
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

static void measure_group(struct selftest_group *group, const struct selftest_identity *identity,
			  const struct selftest_set *set, struct budget *budget)
{
	struct selftest_counts counts;

	switch (identity->kind) {
	case SELFTEST_LOOP:
		measure_loop(group, set, budget);
		break;
	case SELFTEST_CLOCK:
		measure_clock(group, set, budget);
		break;
	default:
		counts = count_kernels(set, kernels_of(budget, identity), LONG, budget);
		take_group(group, &counts);
	}
}

static struct selftest_finding measure_at_once(struct selftest_group *group,
					       const struct selftest_identity *identity,
					       const struct selftest_set *set,
					       struct budget *budget)
{
	if (!group->dead && !group->time_was_up && !group->error)
		measure_group(group, identity, set, budget);
	/* An incomplete measurement does not count. */
	group->time_was_up |= is_over(budget);
	return selftest_judge_identity(identity, group);
}

static struct selftest_trial try_once(struct selftest_group *group,
				      const struct selftest_identity *identity,
				      const struct selftest_set *set, enum selftest_kernel kernel,
				      struct budget *budget)
{
	struct selftest_counts counts;

	if (!group->dead && !group->error && !is_over(budget)) {
		counts = count_kernels(set, UINT64_C(1) << kernel, SHORT, budget);
		take_group(group, &counts);
	}
	group->time_was_up = is_over(budget);
	return selftest_judge_trial(identity, group);
}

static struct selftest_trial try_kernel(const struct selftest_group *group,
					const struct selftest_identity *identity,
					const struct selftest_set *set, enum selftest_kernel kernel,
					struct budget *budget)
{
	struct selftest_group counts = *group;
	struct selftest_trial first, second;

	if (!selftest_has(budget->arena, selftest_kernels[kernel].need))
		return selftest_untested(selftest_lacking[selftest_kernels[kernel].need]);
	first = try_once(&counts, identity, set, kernel, budget);
	if (first.outcome != SELFTEST_FAILS)
		return first;
	second = try_once(&counts, identity, set, kernel, budget);
	return selftest_judge_again(&first, &second);
}

static struct selftest_finding measure_trials(const struct selftest_group *group,
					      const struct selftest_identity *identity,
					      const struct selftest_set *set, struct budget *budget)
{
	struct selftest_finding finding = { 0 };

	for (unsigned int i = 0; i < NR_SELFTEST_KERNELS; i++)
		finding.trials[i] = try_kernel(group, identity, set, i, budget);
	selftest_add_up(&finding);
	return finding;
}

static void measure_identity(struct selftest_cpu *cpu, const struct selftest_pmu *pmu, size_t index,
			     struct budget *budget)
{
	const struct selftest_identity *identity = selftest_identity(index);
	struct selftest_group group = {
		.dead = dead_term(cpu, identity), .slots = selftest_slots(cpu->midr),
	};
	struct selftest_set set = { .nr = 0 };

	for (size_t i = 0; i < selftest_nr_terms(identity); i++)
		group.overcounts[i] = selftest_overcounts(cpu->midr,
							  catalog_find_event(identity->events[i]));
	group.time_was_up = is_over(budget);
	if (!group.dead && !group.time_was_up)
		group.error = open_group(&set, cpu, pmu, identity);
	if (selftest_has_trials(identity))
		cpu->identities[index] = measure_trials(&group, identity, &set, budget);
	else
		cpu->identities[index] = measure_at_once(&group, identity, &set, budget);
	selftest_set_close(&set);
}

void selftest_measure(struct selftest_cpu *cpu, const struct selftest_pmu *pmu,
		      struct selftest_arena *arena)
{
	struct budget budget = {
		.arena = arena, .deadline = monotonic_now() + SELFTEST_SECONDS,
	};

	for (int i = 0; i < catalog_nr_events(); i++)
		measure_event(cpu, pmu, i, &budget);
	for (size_t i = 0; i < selftest_nr_identities(); i++)
		measure_identity(cpu, pmu, i, &budget);
}
