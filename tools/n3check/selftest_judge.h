/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: verdicts from counts. Pure functions. */
#ifndef N3CHECK_SELFTEST_JUDGE_H
#define N3CHECK_SELFTEST_JUDGE_H

#include "selftest_table.h"

enum selftest_verdict {
	SELFTEST_COUNTS,
	SELFTEST_DOES_NOT_COUNT,	/* 0 while a kernel that moves it ran */
	SELFTEST_NOTHING_MOVES,		/* 0, inconclusive */
	SELFTEST_NOT_TESTED,
	NR_SELFTEST_VERDICTS,
};

/* Count of one event, with its enabled and running times. */
struct selftest_reading {
	int error;		/* errno of opening it, or 0 */
	uint64_t count;
	uint64_t enabled;	/* ns */
	uint64_t running;	/* ns */
	bool lacks_need;	/* the row's need is not met */
	uint64_t ran;		/* micro-kernels that ran meanwhile */
	bool time_was_up;	/* not tried, or for too short a time */
	bool gave_up;		/* not tried: earlier events got no counter */
	bool is_uncountable;	/* not supported by any counter */
};

struct selftest_judgement {
	enum selftest_verdict verdict;
	char reason[128];	/* "" if it counts */
};

/*
 * Any count proves that the event counts. A 0 is a verdict only if the event had its counter
 * throughout, and a micro-kernel that moves it ran.
 */
struct selftest_judgement selftest_judge(const struct selftest_row *row,
					 const struct selftest_reading *reading);

enum selftest_outcome {
	SELFTEST_HOLDS,
	SELFTEST_FAILS,
	SELFTEST_UNTESTED,
	NR_SELFTEST_OUTCOMES,
};

/* Counts of one group: cycles, then the terms in order. */
struct selftest_group {
	int error;
	uint64_t enabled;	/* ns */
	uint64_t running;	/* ns */
	unsigned int slots;	/* of the core per cycle, 0 if unknown */
	uint64_t cycles;
	uint64_t terms[SELFTEST_MAX_TERMS];
	uint64_t slept_cycles;	/* CLOCK: the same across a sleep */
	uint64_t slept_term;
	bool time_was_up;
	const char *dead;	/* first term that does not count, or NULL */
};

/* An identity while one micro-kernel ran. */
struct selftest_trial {
	enum selftest_outcome outcome;
	double percent;		/* deviation; 0 if not tested */
	char reason[160];	/* why it is not tested, "" if it is */
};

struct selftest_finding {
	enum selftest_outcome outcome;
	char text[160];		/* the counts, or why there are none */
	struct selftest_trial trials[NR_SELFTEST_KERNELS];	/* see selftest_has_trials() */
};

struct selftest_finding selftest_judge_identity(const struct selftest_identity *identity,
						const struct selftest_group *group);
/* The same for an identity with trials. */
struct selftest_trial selftest_judge_trial(const struct selftest_identity *identity,
					   const struct selftest_group *group);
/* A violation that does not recur is noise: not tested. */
struct selftest_trial selftest_judge_again(const struct selftest_trial *first,
					   const struct selftest_trial *second);
struct selftest_trial selftest_untested(const char *reason);
/* Sets the outcome and the text from the trials. */
void selftest_add_up(struct selftest_finding *finding);
unsigned int selftest_nr_trials(const struct selftest_finding *finding,
				enum selftest_outcome outcome);

/* "counts", "does not count", "nothing here moves it", "not tested" */
extern const char * const selftest_verdict_words[NR_SELFTEST_VERDICTS];
/* "holds", "fails", "not tested" */
extern const char * const selftest_outcome_words[NR_SELFTEST_OUTCOMES];
/* "held", "violated", "undecided" */
extern const char * const selftest_trial_words[NR_SELFTEST_OUTCOMES];

#endif
