/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A simulated Neoverse N3 PMU.
 *
 *   scenarios, rates per event     what happens on a CPU, at what rate
 *          |  rates.c              exact integral over time
 *   C(event, t)                    how often it has happened by the time t
 *          |  core.c               counters that start, stop and hold
 *   counter values
 *          |  pmu.c                a perf PMU
 *   perf events
 *
 * Nothing ticks: a count is worked out when it is read, so an idle CPU sleeps.
 *
 * Locking: a struct n3_sim_core belongs to its CPU. It is written only there,
 * with interrupts off: by the callbacks of the PMU, which perf calls that way,
 * and by settings.c. What that sets (script, rates, flags) is written
 * under n3_sim_settings_lock as well, so either is enough to read it.
 * Counters are not for use from an NMI.
 */
#ifndef _N3_SIM_H
#define _N3_SIM_H

#include <linux/bits.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "n3t.h"

/* The cycle counter; programmable counters are 0 to N3T_MAX_COUNTERS - 1. */
#define N3_SIM_CYCLE_COUNTER	N3T_MAX_COUNTERS
#define N3_SIM_NR_COUNTERS	(N3T_MAX_COUNTERS + 1)

/*
 * perf_event_attr.config of an event that never finds a counter; in the kernel
 * only. All that it does is to make perf place the other events anew.
 */
#define N3_SIM_CONFIG_NOWHERE	BIT_ULL(16)

/* Counts per second. No N3 comes near; 2^64 counts then take 213 days. */
#define N3_SIM_MAX_RATE		1000000000000ULL

#define N3_SIM_MAX_PHASES	16
#define N3_SIM_MAX_PHASE_US	3600000000ULL

/**
 * struct n3_sim_count - a number of counts, with its fraction
 * @whole: whole counts, modulo 2^64
 * @nano: the rest in 1e-9 counts, 0 to 999,999,999
 */
struct n3_sim_count {
	u64 whole;
	u32 nano;
};

/**
 * struct n3_sim_phase - a stretch of time in which no rate changes
 * @rates: counts per second of each event, or NULL: the CPU idles
 * @ns: how long it lasts
 */
struct n3_sim_phase {
	const u64 *rates;
	u64 ns;
};

/**
 * struct n3_sim_script - what a CPU does over time
 * @period_ns: sum of all phases, or 0: the first phase lasts for ever
 * @nr: number of phases
 * @phase: the phases, begun again after the last
 */
struct n3_sim_script {
	u64 period_ns;
	unsigned int nr;
	struct n3_sim_phase phase[N3_SIM_MAX_PHASES];
};

/**
 * struct n3_sim_counter - one counter
 * @value: what it holds, without what was counted since @base was taken
 * @base: the CPU's count of the event when counting began
 * @event: enum n3t_event, or negative: an event that never happens
 * @on: started; it counts while the core's counters are enabled too
 */
struct n3_sim_counter {
	u64 value;
	u64 base;
	int event;
	bool on;
};

/**
 * struct n3_sim_core - a CPU, as far as its PMU can see it
 * @script: what it does
 * @epoch: time in ns at which @script began
 * @base: counts of each event until @epoch
 * @rates: rates given by hand, for a script to point to
 * @idle: nothing happens on this CPU
 * @only_cycles: of all events only CPU_CYCLES is counted
 * @enabled: counters that are on do count
 * @used: counters that perf has given away, one bit each
 * @counter: the programmable counters and the cycle counter
 */
struct n3_sim_core {
	struct n3_sim_script script;
	u64 epoch;
	struct n3_sim_count base[N3T_NR_EVENTS];
	u64 rates[N3T_NR_EVENTS];
	bool idle;
	bool only_cycles;
	/* from here on written by the callbacks of the PMU alone */
	bool enabled;
	DECLARE_BITMAP(used, N3_SIM_NR_COUNTERS);
	struct n3_sim_counter counter[N3_SIM_NR_COUNTERS];
};

/**
 * struct n3_sim_counts - how often everything has happened on a CPU
 * @now_ns: at this time
 * @count: whole counts of each event
 */
struct n3_sim_counts {
	u64 now_ns;
	u64 count[N3T_NR_EVENTS];
};

/**
 * struct n3_sim_event - an event of the table
 * @name: mnemonic, upper case
 * @code: event number
 * @countable: a counter can count it (not CHAIN, not what only trace can use)
 */
struct n3_sim_event {
	const char *name;
	u16 code;
	bool countable;
};

/**
 * struct n3_sim_scenario - a workload that is known through and through
 * @name: as written to and read from debugfs
 * @rates: counts per second of each event
 */
struct n3_sim_scenario {
	const char *name;
	u64 rates[N3T_NR_EVENTS];
};

/* rates.c */
struct n3_sim_count n3_sim_integral(u64 rate, u64 ns);
struct n3_sim_count n3_sim_count_add(struct n3_sim_count a,
				     struct n3_sim_count b);
struct n3_sim_count n3_sim_script_count(const struct n3_sim_script *script,
					enum n3t_event event, u64 ns);
const struct n3_sim_phase *
n3_sim_script_phase(const struct n3_sim_script *script, u64 ns);

/* scenarios.c */
#define N3_SIM_NR_SCENARIOS	4

extern const struct n3_sim_event n3_sim_events[N3T_NR_EVENTS];
extern const struct n3_sim_scenario n3_sim_scenarios[N3_SIM_NR_SCENARIOS];

int n3_sim_event_by_code(u16 code);
int n3_sim_event_by_name(const char *name);
const struct n3_sim_scenario *n3_sim_scenario_by_name(const char *name);
const struct n3_sim_scenario *n3_sim_scenario_by_rates(const u64 *rates);
void n3_sim_script_constant(struct n3_sim_script *script, const u64 *rates);

/* parse.c */
int n3_sim_parse_rates(char *text, u64 *rates);
int n3_sim_parse_program(char *text, struct n3_sim_script *script);

/* core.c */
void n3_sim_core_init(struct n3_sim_core *core, const u64 *rates, u64 now);
u64 n3_sim_core_count(const struct n3_sim_core *core, enum n3t_event event,
		      u64 now);
const struct n3_sim_phase *n3_sim_core_phase(const struct n3_sim_core *core,
					     u64 now);
void n3_sim_core_fold(struct n3_sim_core *core, u64 now);
void n3_sim_core_disable(struct n3_sim_core *core, u64 now);
void n3_sim_core_enable(struct n3_sim_core *core, u64 now);
int n3_sim_counter_find(const unsigned long *used, u16 code,
			unsigned int limit);
void n3_sim_counter_program(struct n3_sim_core *core, int idx, u16 code);
void n3_sim_counter_start(struct n3_sim_core *core, int idx, u64 now);
void n3_sim_counter_stop(struct n3_sim_core *core, int idx, u64 now);
u64 n3_sim_counter_read(const struct n3_sim_core *core, int idx, u64 now);

/* pmu.c */
extern struct n3_sim_core __percpu *n3_sim_cores;

int n3_sim_pmu_init(const u64 *rates, bool at_start);
void n3_sim_pmu_exit(void);
u32 n3_sim_pmu_type(void);
unsigned int n3_sim_counters(void);
void n3_sim_set_counters(unsigned int counters);

/* settings.c */
extern struct mutex n3_sim_settings_lock;

int n3_sim_set_script(unsigned int cpu, const struct n3_sim_script *script);
int n3_sim_set_rates(unsigned int cpu, const u64 *rates);
int n3_sim_set_idle(unsigned int cpu, bool idle);
int n3_sim_set_only_cycles(unsigned int cpu, bool only_cycles);
int n3_sim_get_counts(unsigned int cpu, struct n3_sim_counts *counts);
int n3_sim_get_phase(unsigned int cpu, const struct n3_sim_phase **phase);

/* taken.c */
int n3_sim_taken_init(void);
void n3_sim_taken_exit(void);
int n3_sim_take(unsigned int cpu, unsigned int nr, unsigned int ms);
unsigned int n3_sim_taken(unsigned int cpu);
unsigned int n3_sim_taken_ms(unsigned int cpu);
void n3_sim_reschedule(void);

/* debugfs.c */
int n3_sim_debugfs_init(void);
void n3_sim_debugfs_exit(void);

#endif /* _N3_SIM_H */
