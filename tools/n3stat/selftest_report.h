/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: what one run found, and the file that keeps it. */
#ifndef N3STAT_SELFTEST_REPORT_H
#define N3STAT_SELFTEST_REPORT_H

#include "selftest_judge.h"

#define SELFTEST_NAME	64

struct selftest_event {
	struct selftest_reading reading;
	struct selftest_judgement judgement;
	bool has_alias;
};

/* One CPU, which stands for its kind. */
struct selftest_cpu {
	unsigned int cpu;
	uint64_t midr;			/* 0: unknown */
	char pmu[SELFTEST_NAME];	/* "" without one */
	unsigned int counters;		/* programmable */
	struct selftest_event *events;	/* catalog_nr_events() */
	struct selftest_finding *identities;	/* selftest_nr_identities() */
};

/* No names, addresses or serial numbers of the machine are in it. */
struct selftest_report {
	char version[SELFTEST_NAME];	/* of n3stat */
	char kernel[SELFTEST_NAME];
	char guest[SELFTEST_NAME];	/* of what, "" if it does not look like one */
	size_t page;			/* bytes */
	struct selftest_cpu *cpus;
	size_t nr_cpus;
};

struct selftest_cpu *selftest_report_add(struct selftest_report *report, unsigned int cpu);
void selftest_report_free(struct selftest_report *report);

unsigned int selftest_nr_with(const struct selftest_cpu *cpu, enum selftest_verdict verdict);
unsigned int selftest_nr_failing(const struct selftest_cpu *cpu);
/*
 * Return: of how many events a CPU shows whether they count, beside CPU_CYCLES: it has a
 * counter of its own, so that it counts where nothing else can.
 */
unsigned int selftest_nr_tested(const struct selftest_cpu *cpu);
/* Return: whether all count that can, and all holds that was tested. */
bool selftest_is_well(const struct selftest_report *report);

/* The table. */
void selftest_print(const struct selftest_report *report);
/* The JSON of a report; to be freed. */
/* Whether a CPU's PMU was n3_sim. */
bool selftest_is_simulated(const struct selftest_report *report);
char *selftest_to_json(const struct selftest_report *report);
/* Ends the program if the file is no report. */
void selftest_read(const char *path, struct selftest_report *report);

#endif
