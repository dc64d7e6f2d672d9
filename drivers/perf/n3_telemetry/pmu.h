/* SPDX-License-Identifier: GPL-2.0 */
/* Which PMUs count, and on which CPUs. */
#ifndef _N3T_PMU_H
#define _N3T_PMU_H

#include <linux/compiler.h>
#include <linux/types.h>

struct n3t_aliases;
struct n3t_cores;
struct perf_event;
struct pmu;

/* Programmable counters of a CPU until any were found: those of a Neoverse N3. */
#define N3T_PRESUMED_COUNTERS	6

/* One for each MIDR revision or device-tree node of a system is enough. */
#define N3T_MAX_PMUS	8

/**
 * enum n3t_switch - how counter sets are changed, the cheapest first
 * @N3T_SWITCH_UNKNOWN: not tried yet without being disturbed; through perf meanwhile
 * @N3T_SWITCH_AUTO: as a setting: the cheapest that the PMU allows
 * @N3T_SWITCH_DIRECT: by the registers of the counters
 * @N3T_SWITCH_IN_PLACE: by the PMU's driver, which stops and starts each counter
 * @N3T_SWITCH_PERF: through perf, with events of their own for each set
 * @N3T_NR_SWITCHES: how many
 */
enum n3t_switch {
	N3T_SWITCH_UNKNOWN,
	N3T_SWITCH_AUTO = N3T_SWITCH_UNKNOWN,
	N3T_SWITCH_DIRECT,
	N3T_SWITCH_IN_PLACE,
	N3T_SWITCH_PERF,
	N3T_NR_SWITCHES,
};

/**
 * enum n3t_trial - result of the self-test of one way to change counter sets
 * @N3T_TRIAL_NONE: none yet
 * @N3T_TRIAL_PASSED: the PMU allows it
 * @N3T_TRIAL_FAILED: the PMU does not
 */
enum n3t_trial {
	N3T_TRIAL_NONE,
	N3T_TRIAL_PASSED,
	N3T_TRIAL_FAILED,
};

/**
 * struct n3t_registers - where perf's counters are found in registers
 * @first_idx: perf's index of PMEVCNTR0_EL0
 * @nr: number of event counters: PMEVCNTRn_EL0 for n below it
 * @width: mask of what counts in them: the width of the events
 */
struct n3t_registers {
	unsigned int first_idx;
	unsigned int nr;
	u64 width;
};

/**
 * struct n3t_pmu - a PMU that may be used
 * @pmu: perf's own description of it; a reference to its module is held
 * @used: a CPU is counted by it: true at once but for PMUs that the user has named
 * @simulated: a raw event on its CPUs leads to another PMU or to none. Whether the user has
 *	named it is another fact: n3t_pmu_are_named()
 * @long_counters: its counters are 64 bits wide if asked to be
 * @pmceid: the common events that PMCEID says are implemented, as struct n3t_midr
 *	has them; not used if @simulated
 * @nominal: programmable counters of a CPU: what PMCR_EL0.N says at first, 0 if
 *	@simulated; the largest number ever seen while none was reserved
 * @trial: results of the self-test, by enum n3t_switch
 * @registers: locations of the counters, valid once the trial of N3T_SWITCH_DIRECT has passed
 * @aliases: the names of events added to it, or NULL
 * @barred: settings.enables when a task was seen that may read counters from user space,
 *	0 if none was: none of its CPUs is sampled as long as both are the same
 *
 * Written at load and under CPU hotplug; @nominal and @trial change at any time, in
 * one direction only; @registers before @trial says that they are used. @barred is written
 * with the lock of one of its CPUs held.
 */
struct n3t_pmu {
	struct pmu *pmu;
	bool used;
	bool simulated;
	bool long_counters;
	u64 pmceid[2];
	unsigned int nominal;
	enum n3t_trial trial[N3T_NR_SWITCHES];
	struct n3t_registers registers;
	struct n3t_aliases *aliases;
	unsigned int barred;
};

int n3t_pmu_init(const char *names, const char *core);
void n3t_pmu_exit(void);
struct n3t_pmu *n3t_pmu_next(struct n3t_pmu *pmu);
bool n3t_pmu_are_named(void);
const struct n3t_cores *n3t_pmu_cores(void);
bool n3t_pmu_knows(u16 code);
const char *n3t_pmu_event_name(u16 code);
int n3t_pmu_of_cpu(unsigned int cpu, struct n3t_pmu **pmu);
unsigned int n3t_pmu_target(const struct n3t_pmu *pmu, unsigned int reserved);
bool n3t_pmu_saw(struct n3t_pmu *pmu, unsigned int counters);
bool n3t_pmu_lacks(const struct n3t_pmu *pmu, u16 code);
struct perf_event *n3t_pmu_event(const struct n3t_pmu *pmu, unsigned int cpu, u16 code,
				 bool disabled);
bool n3t_pmu_is_locked_down(void);
enum n3t_switch n3t_pmu_switch(const struct n3t_pmu *pmu, enum n3t_switch setting);
bool n3t_pmu_disprove_direct(struct n3t_pmu *pmu);

/* Programmable counters of a CPU, as far as known. */
static inline unsigned int n3t_pmu_nominal(const struct n3t_pmu *pmu)
{
	return READ_ONCE(pmu->nominal) ?: N3T_PRESUMED_COUNTERS;
}

/* Does a CPU hold the same events all the time? Otherwise each set has events of its own. */
static inline bool n3t_switch_keeps_events(enum n3t_switch how)
{
	return how == N3T_SWITCH_DIRECT || how == N3T_SWITCH_IN_PLACE;
}

/* Of those that are used. */
#define n3t_for_each_pmu(pmu) \
	for ((pmu) = n3t_pmu_next(NULL); (pmu); (pmu) = n3t_pmu_next(pmu))

#endif /* _N3T_PMU_H */
