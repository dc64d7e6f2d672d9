/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: tables, verdicts, the report of a run, and the parts that make and use it. */
#ifndef N3CHECK_SELFTEST_H
#define N3CHECK_SELFTEST_H

#include <stdio.h>

#include "lib/cpu_list.h"
#include "lib/machine.h"
#include "selftest_kernels.h"

/* --- micro-kernels, those that move each event, and identities between events */

struct selftest_kernel_info {
	const char *name;
	enum selftest_need need;
	const char *description;
};

extern const struct selftest_kernel_info selftest_kernels[NR_SELFTEST_KERNELS];
/* Messages where the CPU or the system lacks a need. */
extern const char * const selftest_lacking[NR_SELFTEST_NEEDS];

struct selftest_row {
	const char *event;
	uint64_t kernels;	/* bit mask */
	const char *reason;	/* why 0 is inconclusive, or NULL if it is a verdict */
	enum selftest_need need;	/* if not met, 0 is inconclusive too */
};

/* Slots are those of the core per cycle. The last two are tried with each micro-kernel alone. */
enum selftest_kind {
	SELFTEST_SUM,		/* a is b + c, within 1 % of slots x CPU_CYCLES */
	SELFTEST_SLOTS,		/* a is at most slots x CPU_CYCLES */
	/* a is less than CPU_CYCLES in a loop that fetches without a stall; some cores add them */
	SELFTEST_QUIET,
	SELFTEST_AT_MOST,	/* a is at most b */
	SELFTEST_LOOP,		/* a matches a loop of known length */
	SELFTEST_CLOCK,		/* a matches the cycle counter, across a sleep as well */
	SELFTEST_ISSUED,	/* a is slots x CPU_CYCLES - b, within 1 % of slots x CPU_CYCLES */
	SELFTEST_EQUAL,		/* a is b + c, or b, within 1 % */
};

#define SELFTEST_MAX_TERMS	3

/* Between events of one group. */
struct selftest_identity {
	enum selftest_kind kind;
	const char *text;
	const char *events[SELFTEST_MAX_TERMS];	/* followed by NULL */
};

/* By the number of an event in the catalog. */
const struct selftest_row *selftest_row(int event);
/* Names of a set of micro-kernels; the caller frees them. */
char *selftest_kernel_names(uint64_t kernels);

size_t selftest_nr_identities(void);
const struct selftest_identity *selftest_identity(size_t index);
size_t selftest_nr_terms(const struct selftest_identity *identity);
/* Return: whether each micro-kernel is a trial of its own. */
bool selftest_has_trials(const struct selftest_identity *identity);

/* --- verdicts from counts: pure functions */

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
	uint64_t count;		/* without CPU_CYCLES, for an event that overcounts */
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

/*
 * Return: the count of an event that overcounts without CPU_CYCLES, 0 if it may be of these alone:
 * the counters are not read at the same time.
 */
uint64_t selftest_less_cycles(uint64_t count, uint64_t cycles);

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
	bool overcounts[SELFTEST_MAX_TERMS];	/* CPU_CYCLES, which are to be subtracted */
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
/* Subtracts CPU_CYCLES from the terms that overcount, as the module does. */
void selftest_correct(struct selftest_group *group);
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

/* --- the report of a run */

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
/* Whether a CPU's PMU was n3_sim. */
bool selftest_is_simulated(const struct selftest_report *report);

/* The table. */
void selftest_print(const struct selftest_report *report);
void selftest_print_list(void);
/* The JSON of a report; the caller frees it. */
char *selftest_to_json(const struct selftest_report *report);
/* Exits if the file is not a report. */
void selftest_read(const char *path, struct selftest_report *report);

/*
 * --output: a report replaces an older one atomically. Exits unless the file can be written;
 * changes nothing.
 */
void selftest_check_output(const char *path);
/* Writes the file with mode 0600; exits on failure. */
void selftest_write(const char *path, const char *text);

/* --apply: the setting distrust. Exits unless the setting is writable. */
void selftest_check_setting(const char *root);
/* Writes the setting and reports the change; exits on failure. */
void selftest_apply(const struct selftest_report *report, const char *root, FILE *out);

/* --- the CPUs to test, one per kind, their caches and free memory */

/*
 * CPUs of the list; without a list, one online CPU of each kind (MIDR and PMU) that is neither
 * isolated nor nohz_full and, with root (the directory of n3_telemetry), that it samples. Exits if
 * one is offline or no CPU remains.
 */
void selftest_choose_cpus(struct cpus *cpus, const char *list, const char *root);
/*
 * Return: whether a report covers each kind of CPU that n3_telemetry samples here; true for a
 * directory other than the live module's.
 */
bool selftest_covers(const struct selftest_report *report, const char *root);
/* Return: whether the module with directory root samples a CPU, or would with sampling enabled. */
bool selftest_is_sampled(const char *root, unsigned int cpu);
/* Return: its MIDR_EL1, 0 if unknown. */
uint64_t selftest_midr(unsigned int cpu);
/* By MIDR_EL1, from the module's table of cores: "Neoverse N3 r0p1"; the caller frees it. */
char *selftest_core_name(uint64_t midr);
/* Return: whether an event overcounts by CPU_CYCLES on a core. */
bool selftest_overcounts(uint64_t midr, int event);
/* Return: whether a core has no such event, and the module knows that. */
bool selftest_lacks(uint64_t midr, int event);
/* Return: operations issued per cycle at most, 0 if unknown. */
unsigned int selftest_slots(uint64_t midr);
/* Sizes of the working set on a CPU; limited to a share of the free memory. */
void selftest_choose_sizes(struct selftest_sizes *sizes, unsigned int cpu);
/*
 * Return: free bytes of the machine, or of this process's cgroup or one of its ancestors, whichever
 * is smallest; 0 if unknown. Supports cgroup version 2, which also limits containers.
 */
size_t selftest_free_memory(const struct machine *machine);
/* Binds this process to a CPU. */
void selftest_go_to(unsigned int cpu);

/* --- events of one CPU's PMU, through perf, counted while micro-kernels run */

struct selftest_pmu {
	char name[SELFTEST_NAME];	/* "" if there is none */
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
