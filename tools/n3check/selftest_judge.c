// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: verdicts from counts. Pure functions. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/errors.h"
#include "selftest.h"

const char * const selftest_verdict_words[] = {
	[SELFTEST_COUNTS] = "counts",
	[SELFTEST_DOES_NOT_COUNT] = "does not count",
	[SELFTEST_NOTHING_MOVES] = "nothing here moves it",
	[SELFTEST_NOT_TESTED] = "not tested",
};

const char * const selftest_outcome_words[] = {
	[SELFTEST_HOLDS] = "holds",
	[SELFTEST_FAILS] = "fails",
	[SELFTEST_UNTESTED] = "not tested",
};

const char * const selftest_trial_words[] = {
	[SELFTEST_HOLDS] = "held",
	[SELFTEST_FAILS] = "violated",
	[SELFTEST_UNTESTED] = "undecided",
};

/*
 * A group's counters are read one by one, so they differ by up to some hundred events: less than
 * the tolerance of trials with so many.
 */
#define READ_APART	10000	/* well above that */
#define MIN_CYCLES	1000000
#define MIN_COUNT	20000
#define TOLERANCE	1.0	/* percent */

static struct selftest_judgement __printf(2, 3)
judged(enum selftest_verdict verdict, const char *format, ...)
{
	struct selftest_judgement judgement = { .verdict = verdict };
	va_list args;

	va_start(args, format);
	vsnprintf(judgement.reason, sizeof(judgement.reason), format, args);
	va_end(args);
	return judgement;
}

/* Return: the need of the first micro-kernel that did not run. */
static const char *missing_need(const struct selftest_row *row, uint64_t ran)
{
	for (unsigned int i = 0; i < NR_SELFTEST_KERNELS; i++)
		if ((row->kernels & ~ran) >> i & 1)
			return selftest_lacking[selftest_kernels[i].need];
	return "";
}

/* An event that only some counters support, and none of those was available. */
static struct selftest_judgement without_counter(const struct selftest_reading *reading)
{
	if (reading->time_was_up)
		return judged(SELFTEST_NOT_TESTED, "the time was up");
	if (reading->gave_up)
		return judged(SELFTEST_NOT_TESTED, "not tried: no event before it got a counter");
	if (reading->error == ENOENT || reading->error == EOPNOTSUPP || reading->error == EINVAL)
		return judged(SELFTEST_NOT_TESTED, "perf does not support it: %s",
			      strerror(reading->error));
	if (reading->error)
		return judged(SELFTEST_NOT_TESTED, "%s", strerror(reading->error));
	return judged(SELFTEST_NOT_TESTED, "it got no counter");
}

struct selftest_judgement selftest_judge(const struct selftest_row *row,
					 const struct selftest_reading *reading)
{
	if (reading->is_uncountable && row->reason)
		return judged(SELFTEST_NOTHING_MOVES, "%s", row->reason);
	if (reading->time_was_up || reading->gave_up || reading->error || !reading->running)
		return without_counter(reading);
	if (reading->count)
		return judged(SELFTEST_COUNTS, "%s", "");
	if (reading->running != reading->enabled)
		return judged(SELFTEST_NOT_TESTED,
			      "multiplexed: it had its counter %.0f %% of the time",
			      100.0 * (double)reading->running / (double)reading->enabled);
	if (row->reason)
		return judged(SELFTEST_NOTHING_MOVES, "%s", row->reason);
	if (reading->lacks_need)
		return judged(SELFTEST_NOTHING_MOVES, "%s", selftest_lacking[row->need]);
	if (!(row->kernels & reading->ran))
		return judged(SELFTEST_NOTHING_MOVES, "%s", missing_need(row, reading->ran));
	return judged(SELFTEST_DOES_NOT_COUNT, "0 in %.0f ms of what moves it",
		      (double)reading->running / 1e6);
}

uint64_t selftest_less_cycles(uint64_t count, uint64_t cycles)
{
	return count > cycles + READ_APART ? count - cycles : 0;
}

static struct selftest_finding __printf(2, 3)
found(enum selftest_outcome outcome, const char *format, ...)
{
	struct selftest_finding finding = { .outcome = outcome };
	va_list args;

	va_start(args, format);
	vsnprintf(finding.text, sizeof(finding.text), format, args);
	va_end(args);
	return finding;
}

void selftest_correct(struct selftest_group *group)
{
	for (size_t i = 0; i < SELFTEST_MAX_TERMS; i++)
		if (group->overcounts[i])
			group->terms[i] -= group->terms[i] < group->cycles ? group->terms[i] :
									     group->cycles;
}

static struct selftest_finding judge_sum(const struct selftest_group *group)
{
	double off = (double)group->terms[0] - (double)group->terms[1] - (double)group->terms[2];
	double share = off / (group->slots * (double)group->cycles);

	return found(share <= 0.01 && share >= -0.01 ? SELFTEST_HOLDS : SELFTEST_FAILS,
		     "%+.3f %% of the slots, %+.3f of the cycles", 100 * share,
		     group->slots * share);
}

static struct selftest_finding judge_slots(const struct selftest_group *group)
{
	double share = (double)group->terms[0] / (group->slots * (double)group->cycles);

	return found(share <= 1.001 ? SELFTEST_HOLDS : SELFTEST_FAILS,
		     "%.1f %% of the slots, %u in a cycle", 100 * share, group->slots);
}

static struct selftest_finding judge_quiet(const struct selftest_group *group)
{
	double share = (double)group->terms[0] / (double)group->cycles;

	return found(share < 0.9 ? SELFTEST_HOLDS : SELFTEST_FAILS, "%.3f of the cycles", share);
}

/* A group's counters are read one by one: allow a difference of a thousandth. */
static struct selftest_finding judge_at_most(const struct selftest_group *group)
{
	double a = (double)group->terms[0], b = (double)group->terms[1];

	return found(a <= b * 1.001 + 100 ? SELFTEST_HOLDS : SELFTEST_FAILS,
		     "%" PRIu64 " and %" PRIu64, group->terms[0], group->terms[1]);
}

static struct selftest_finding judge_loop(const struct selftest_group *group)
{
	double expected = 2.0 * SELFTEST_LOOP_ROUNDS;
	double off = (double)group->terms[0] / expected - 1;

	return found(off <= 0.01 && off >= -0.01 ? SELFTEST_HOLDS : SELFTEST_FAILS,
		     "%" PRIu64 ", %+.3f %%", group->terms[0], 100 * off);
}

static bool are_near(double a, double b)
{
	double off = a > b ? a - b : b - a;

	return off <= 0.01 * (a > b ? a : b) + 10000;
}

/* Also checks the frequency while busy: an implausible one means that both counters are wrong. */
static struct selftest_finding judge_clock(const struct selftest_group *group)
{
	double mhz = 1e3 * (double)group->cycles / (double)group->running;
	bool near = are_near((double)group->cycles, (double)group->terms[0]) &&
		    are_near((double)group->slept_cycles, (double)group->slept_term);

	return found(near && mhz >= 10 && mhz <= 10000 ? SELFTEST_HOLDS : SELFTEST_FAILS,
		     "%.0f MHz when busy; asleep %" PRIu64 " and %" PRIu64, mhz,
		     group->slept_cycles, group->slept_term);
}

static bool needs_slots(const struct selftest_identity *identity)
{
	return identity->kind == SELFTEST_SUM || identity->kind == SELFTEST_SLOTS ||
	       identity->kind == SELFTEST_ISSUED;
}

/* Return: a finding with the reason if the counts cannot decide. */
static struct selftest_finding check_group(const struct selftest_identity *identity,
					   const struct selftest_group *group)
{
	if (group->dead)
		return found(SELFTEST_UNTESTED, "%s is not seen to count", group->dead);
	if (group->time_was_up)
		return found(SELFTEST_UNTESTED, "the time was up");
	if (group->error)
		return found(SELFTEST_UNTESTED, "perf: %s", strerror(group->error));
	if (!group->running || group->running != group->enabled || !group->cycles)
		return found(SELFTEST_UNTESTED, "not all had counters throughout");
	if (!group->slots && needs_slots(identity))
		return found(SELFTEST_UNTESTED, "the slots of this core are not known");
	return found(SELFTEST_HOLDS, "%s", "");
}

struct selftest_finding selftest_judge_identity(const struct selftest_identity *identity,
						const struct selftest_group *group)
{
	struct selftest_finding finding = check_group(identity, group);

	if (finding.outcome == SELFTEST_UNTESTED)
		return finding;
	switch (identity->kind) {
	case SELFTEST_SUM:
		return judge_sum(group);
	case SELFTEST_SLOTS:
		return judge_slots(group);
	case SELFTEST_QUIET:
		return judge_quiet(group);
	case SELFTEST_AT_MOST:
		return judge_at_most(group);
	case SELFTEST_LOOP:
		return judge_loop(group);
	default:
		return judge_clock(group);
	}
}

struct selftest_trial selftest_untested(const char *reason)
{
	struct selftest_trial trial = { .outcome = SELFTEST_UNTESTED };

	snprintf(trial.reason, sizeof(trial.reason), "%s", reason);
	return trial;
}

static struct selftest_trial judge_deviation(double off, double whole)
{
	double percent = 100 * off / whole;

	return (struct selftest_trial) {
		.outcome = percent <= TOLERANCE && percent >= -TOLERANCE ? SELFTEST_HOLDS :
									   SELFTEST_FAILS,
		.percent = percent,
	};
}

static struct selftest_trial judge_issued(const struct selftest_group *group)
{
	double slots = group->slots * (double)group->cycles;

	if (group->cycles < MIN_CYCLES)
		return selftest_untested("too few cycles");
	return judge_deviation((double)group->terms[0] + (double)group->terms[1] - slots, slots);
}

static struct selftest_trial judge_equal(const struct selftest_group *group)
{
	double a = (double)group->terms[0];
	double b = (double)group->terms[1] + (double)group->terms[2];
	double larger = a > b ? a : b;

	if (larger < MIN_COUNT)
		return selftest_untested("too few events");
	return judge_deviation(a - b, larger);
}

struct selftest_trial selftest_judge_trial(const struct selftest_identity *identity,
					   const struct selftest_group *group)
{
	struct selftest_finding finding = check_group(identity, group);

	if (finding.outcome == SELFTEST_UNTESTED)
		return selftest_untested(finding.text);
	return identity->kind == SELFTEST_ISSUED ? judge_issued(group) : judge_equal(group);
}

struct selftest_trial selftest_judge_again(const struct selftest_trial *first,
					   const struct selftest_trial *second)
{
	if (second->outcome == SELFTEST_HOLDS || first->percent * second->percent < 0)
		return selftest_untested("it differs when repeated");
	return *second;
}

unsigned int selftest_nr_trials(const struct selftest_finding *finding,
				enum selftest_outcome outcome)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < NR_SELFTEST_KERNELS; i++)
		nr += finding->trials[i].outcome == outcome;
	return nr;
}

/* Return: the largest deviation. */
static double worst_of(const struct selftest_finding *finding)
{
	double worst = 0;

	for (unsigned int i = 0; i < NR_SELFTEST_KERNELS; i++) {
		double percent = finding->trials[i].percent;

		if (percent * percent > worst * worst)
			worst = percent;
	}
	return worst;
}

void selftest_add_up(struct selftest_finding *finding)
{
	unsigned int nr_held = selftest_nr_trials(finding, SELFTEST_HOLDS);
	unsigned int nr_violated = selftest_nr_trials(finding, SELFTEST_FAILS);

	finding->outcome = nr_violated ? SELFTEST_FAILS :
			   nr_held ? SELFTEST_HOLDS : SELFTEST_UNTESTED;
	if (finding->outcome == SELFTEST_UNTESTED)
		snprintf(finding->text, sizeof(finding->text), "%s", finding->trials[0].reason);
	else
		snprintf(finding->text, sizeof(finding->text),
			 "%u held, %u violated, %u undecided: %+.3f %% at most", nr_held,
			 nr_violated, selftest_nr_trials(finding, SELFTEST_UNTESTED),
			 worst_of(finding));
}
