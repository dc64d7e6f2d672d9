/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: events of one CPU's PMU, through perf, counted while micro-kernels run. */
#ifndef N3CHECK_SELFTEST_PERF_H
#define N3CHECK_SELFTEST_PERF_H

#include "selftest_report.h"
#include "selftest_table.h"

struct selftest_pmu {
	char name[64];		/* "" if there is none */
	unsigned int type;
	unsigned int shift;	/* position of the event number in config */
};

/* Events counted together, for one CPU or for this process there. */
struct selftest_set {
	int fds[SELFTEST_MAX_TERMS + 1];
	size_t nr;
};

/* Counts of a set. */
struct selftest_counts {
	bool failed;		/* unreadable: all are 0 */
	uint64_t enabled;	/* ns */
	uint64_t running;	/* ns */
	uint64_t counts[SELFTEST_MAX_TERMS + 1];
};

/* PMU of a CPU: the one used by n3_telemetry, if loaded. */
void selftest_find_pmu(struct selftest_pmu *pmu, unsigned int cpu);
/* Return: the event's number by its name in sysfs; *has_alias: whether it has one. */
uint64_t selftest_config(const struct selftest_pmu *pmu, int event, bool *has_alias);
/* Return: maximum number of events counted at once, excluding cycles. */
unsigned int selftest_nr_counters(const struct selftest_pmu *pmu, unsigned int cpu);

/* Return: 0 or an errno. Exits if counting is not permitted. */
int selftest_set_add(struct selftest_set *set, const struct selftest_pmu *pmu, uint64_t config,
		     unsigned int cpu, bool own_user_code);
/* Return: false if the set is unreadable; sets counts->failed too. */
bool selftest_set_read(const struct selftest_set *set, struct selftest_counts *counts);
void selftest_set_close(struct selftest_set *set);

#define SELFTEST_SECONDS	60	/* limit for each CPU */

/* Counts all events and identities on the CPU that this process is bound to. */
void selftest_measure(struct selftest_cpu *cpu, const struct selftest_pmu *pmu,
		      struct selftest_arena *arena);

#endif
