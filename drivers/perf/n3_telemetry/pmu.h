/* SPDX-License-Identifier: GPL-2.0 */
/* PMUs in use, and the CPUs that they count on. */
#ifndef _N3T_PMU_H
#define _N3T_PMU_H

#include <linux/compiler.h>
#include <linux/types.h>

struct n3t_aliases;
struct n3t_cores;
struct perf_event;
struct pmu;

/* Programmable counters of a CPU until any were found: the number of an N3. */
#define N3T_PRESUMED_COUNTERS	6

/* One for each MIDR revision or device-tree node of a system is enough. */
#define N3T_MAX_PMUS	8

/**
 * enum n3t_switch - methods to switch counter sets, cheapest first
 * @N3T_SWITCH_UNKNOWN: not tried yet without interference; uses perf meanwhile
 * @N3T_SWITCH_AUTO: as a setting: the cheapest that the PMU supports
 * @N3T_SWITCH_DIRECT: through the counter registers; not a setting
 * @N3T_SWITCH_IN_PLACE: through the PMU's driver, which stops and starts counters
 * @N3T_SWITCH_PERF: through perf, with separate events for each set
 * @N3T_NR_SWITCHES: number of methods
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
 * enum n3t_trial - result of the self-test of one method to switch counter sets
 * @N3T_TRIAL_NONE: none yet
 * @N3T_TRIAL_PASSED: the PMU supports it
 * @N3T_TRIAL_FAILED: the PMU does not support it
 */
enum n3t_trial {
	N3T_TRIAL_NONE,
	N3T_TRIAL_PASSED,
	N3T_TRIAL_FAILED,
};

/**
 * struct n3t_registers - locations of perf's counters in registers
 * @first_idx: perf's index of PMEVCNTR0_EL0
 * @nr: number of event counters: PMEVCNTRn_EL0 for n below it
 * @width: mask of the bits that count: the width of the events
 * @candidates: mask of the values that @first_idx can have, during the self-test
 */
struct n3t_registers {
	unsigned int first_idx;
	unsigned int nr;
	u64 width;
	unsigned long candidates;
};

/**
 * struct n3t_pmu - a PMU
 * @pmu: perf's own description of it; a reference to its module is held
 * @used: it counts on at least one CPU; always set unless the user named the PMU
 * @simulated: raw events on its CPUs lead to another PMU or to none; independent of
 *	n3t_pmu_by_name()
 * @long_counters: it supports 64-bit counters
 * @pmceid: implemented common events according to PMCEID, as in struct n3t_midr;
 *	unused if @simulated
 * @nominal: programmable counters of a CPU: initially PMCR_EL0.N, 0 if @simulated;
 *	then the maximum ever found while none were reserved
 * @trial: results of the self-test, by enum n3t_switch
 * @registers: locations of the counters, valid once the trial of N3T_SWITCH_DIRECT
 *	has passed
 * @aliases: event names added to it, or NULL
 * @barred: settings.enables when a task was found that may read counters from user
 *	space, 0 if none was: none of its CPUs is sampled while the two are equal
 *
 * Written at load and under CPU hotplug, with these exceptions: @nominal and
 * @trial change at any time, in one direction only; @registers is written before
 * @trial; @barred is written under the lock of one of its CPUs.
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
bool n3t_pmu_by_name(void);
const struct n3t_cores *n3t_pmu_cores(void);
bool n3t_pmu_names_apply(u16 code);
const char *n3t_pmu_event_name(u16 code);
int n3t_pmu_of_cpu(unsigned int cpu, struct n3t_pmu **pmu);
unsigned int n3t_pmu_target(const struct n3t_pmu *pmu, unsigned int reserved);
bool n3t_pmu_update_nominal(struct n3t_pmu *pmu, unsigned int counters);
bool n3t_pmu_hides_event(const struct n3t_pmu *pmu, u16 code);
struct perf_event *n3t_pmu_event(const struct n3t_pmu *pmu, unsigned int cpu, u16 code,
				 bool disabled);
bool n3t_pmu_is_locked_down(void);
enum n3t_switch n3t_pmu_switch(const struct n3t_pmu *pmu, enum n3t_switch setting);
bool n3t_pmu_disprove_direct(struct n3t_pmu *pmu);

/* Known number of programmable counters of a CPU. */
static inline unsigned int n3t_pmu_nominal(const struct n3t_pmu *pmu)
{
	return READ_ONCE(pmu->nominal) ?: N3T_PRESUMED_COUNTERS;
}

/* True if a CPU keeps the same events; otherwise each set has its own events. */
static inline bool n3t_switch_keeps_events(enum n3t_switch how)
{
	return how == N3T_SWITCH_DIRECT || how == N3T_SWITCH_IN_PLACE;
}

/* Iterates over the PMUs in use. */
#define n3t_for_each_pmu(pmu) \
	for ((pmu) = n3t_pmu_next(NULL); (pmu); (pmu) = n3t_pmu_next(pmu))

#endif /* _N3T_PMU_H */
