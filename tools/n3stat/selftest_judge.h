/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: from what was counted to a verdict, and nothing else. */
#ifndef N3STAT_SELFTEST_JUDGE_H
#define N3STAT_SELFTEST_JUDGE_H

#include "selftest_table.h"

enum selftest_verdict {
	SELFTEST_COUNTS,
	SELFTEST_DOES_NOT_COUNT,	/* 0 while what moves it ran */
	SELFTEST_NOTHING_MOVES,		/* 0, which says nothing */
	SELFTEST_NOT_TESTED,
	NR_SELFTEST_VERDICTS,
};

/* What one event counted, and for how long of the time it had a counter. */
struct selftest_reading {
	int error;		/* of opening it, 0 or positive */
	uint64_t count;
	uint64_t enabled;	/* ns */
	uint64_t running;	/* ns */
	bool lacks_need;	/* what the row names */
	uint64_t ran;		/* the micro-kernels that ran meanwhile */
	bool time_was_up;	/* it was not tried, or not for long enough */
	bool gave_up;		/* it was not tried, as no other got a counter */
	bool is_uncountable;	/* no counter can count it */
};

struct selftest_judgement {
	enum selftest_verdict verdict;
	char reason[128];	/* "" if it counts */
};

/*
 * A count is one whatever else there is. A 0 is a verdict only if the event had its
 * counter throughout, and some micro-kernel that moves it ran.
 */
struct selftest_judgement selftest_judge(const struct selftest_row *row,
					 const struct selftest_reading *reading);

enum selftest_outcome {
	SELFTEST_HOLDS,
	SELFTEST_FAILS,
	SELFTEST_UNTESTED,
	NR_SELFTEST_OUTCOMES,
};

/* What one group counted: cycles, then the terms in their order. */
struct selftest_group {
	int error;
	uint64_t enabled;	/* ns */
	uint64_t running;	/* ns */
	unsigned int slots;	/* of the core in a cycle, 0 if unknown */
	uint64_t cycles;
	uint64_t terms[SELFTEST_MAX_TERMS];
	uint64_t slept_cycles;	/* CLOCK: the same across a sleep */
	uint64_t slept_term;
	bool time_was_up;
	const char *dead;	/* the name of a term that does not count, or NULL */
};

struct selftest_finding {
	enum selftest_outcome outcome;
	char text[160];		/* what was counted, or why nothing was */
};

struct selftest_finding selftest_judge_identity(const struct selftest_identity *identity,
						const struct selftest_group *group);

/* "counts", "does not count", "nothing here moves it", "not tested" */
extern const char * const selftest_verdict_words[NR_SELFTEST_VERDICTS];
/* "holds", "fails", "not tested" */
extern const char * const selftest_outcome_words[NR_SELFTEST_OUTCOMES];

#endif
