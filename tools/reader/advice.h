/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Advice on the end of a path through the decision tree, and on findings. */
#ifndef READER_ADVICE_H
#define READER_ADVICE_H

#include <stdbool.h>
#include <stddef.h>

/* perf's usual name for the PMU of the CPUs. */
#define USUAL_PMU	"armv8_pmuv3_0"

/* Facts about the measured machine that advice depends on. */
struct advice_facts {
	bool spe;		/* usable */
	bool simulated;
	bool one_node;		/* known to have one NUMA node */
	const char *where;	/* processes, as in "-p 12"; NULL: CPUs */
};

enum advice_kind {
	ADVICE_MEANS,
	ADVICE_LOOK,
	ADVICE_FIND,		/* a command */
	ADVICE_NOTE,		/* on the command */
	ADVICE_FIX,		/* of a finding */
};

enum advice_condition {
	ADVICE_ALWAYS,
	ADVICE_SPE,
	ADVICE_NO_SPE,
	ADVICE_SEVERAL_NODES,	/* or an unknown number */
	ADVICE_PERF,		/* the command is one of perf */
	ADVICE_SIMULATED,
};

/* Return: whether the metric has advice. */
bool advice_exists(const char *metric);

/* All texts of a kind, in one line. Return: NULL if there is none; the caller frees it. */
char *advice_text(const char *metric, enum advice_kind kind, const struct advice_facts *facts);

/*
 * Command that finds the code, for a PMU and CPUs, NULL for all. With simulated counts the PMU is
 * that of a real machine. The caller frees it.
 */
char *advice_command(const char *metric, const struct advice_facts *facts, const char *pmu,
		     const char *cpus);

/* Return: the id of the metric's nth advice, notes included, NULL after the last one. */
const char *advice_id(const char *metric, const struct advice_facts *facts, size_t n);

/* Return: the fix of a finding or, for "word_idle", of a word; NULL if there is none. */
const char *advice_fix(const char *id);

#endif
