/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: results of one run, their file, and the setting made from them. */
#ifndef N3CHECK_SELFTEST_REPORT_H
#define N3CHECK_SELFTEST_REPORT_H

#include <stdio.h>

#include "selftest_judge.h"

#define SELFTEST_NAME	64

struct selftest_event {
	struct selftest_reading reading;
	struct selftest_judgement judgement;
	bool has_alias;
};

/* One CPU, representative of its kind. */
struct selftest_cpu {
	unsigned int cpu;
	uint64_t midr;			/* 0 if unknown */
	char pmu[SELFTEST_NAME];	/* "" if there is none */
	unsigned int counters;		/* programmable */
	struct selftest_event *events;	/* catalog_nr_events() */
	struct selftest_finding *identities;	/* selftest_nr_identities() */
};

/* Holds no names, addresses or serial numbers of the machine. */
struct selftest_report {
	char version[SELFTEST_NAME];	/* of n3stat */
	char kernel[SELFTEST_NAME];
	char guest[SELFTEST_NAME];	/* hypervisor, "" if none was detected */
	size_t page;			/* bytes */
	struct selftest_cpu *cpus;
	size_t nr_cpus;
};

struct selftest_cpu *selftest_report_add(struct selftest_report *report, unsigned int cpu);
void selftest_report_free(struct selftest_report *report);

unsigned int selftest_nr_with(const struct selftest_cpu *cpu, enum selftest_verdict verdict);
unsigned int selftest_nr_failing(const struct selftest_cpu *cpu);
/*
 * Return: number of events that show whether a CPU counts. Excludes CPU_CYCLES, which has its own
 * counter and counts even if no other event does.
 */
unsigned int selftest_nr_tested(const struct selftest_cpu *cpu);
/* Return: whether all events that can count do, and all tested identities hold. */
bool selftest_is_well(const struct selftest_report *report);

/* The table. */
void selftest_print(const struct selftest_report *report);
/* Whether a CPU's PMU was n3_sim. */
bool selftest_is_simulated(const struct selftest_report *report);
/* The JSON of a report; the caller frees it. */
char *selftest_to_json(const struct selftest_report *report);
/* Exits if the file is not a report. */
void selftest_read(const char *path, struct selftest_report *report);

/* --apply: the setting distrust. Exits unless the setting is writable. */
void selftest_check_setting(const char *root);
/* Writes the setting and reports the change; exits on failure. */
void selftest_apply(const struct selftest_report *report, const char *root, FILE *out);

/*
 * --output: a report replaces an older one atomically. Exits unless the file can be written;
 * changes nothing.
 */
void selftest_check_output(const char *path);
/* Writes the file with mode 0600; exits on failure. */
void selftest_write(const char *path, const char *text);

#endif
