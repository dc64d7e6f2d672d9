/* SPDX-License-Identifier: GPL-2.0 */
/* Counts as exact integrals of rates, and scripts of rates that change over time. */
#ifndef _N3_SIM_RATES_H
#define _N3_SIM_RATES_H

#include <linux/types.h>

#include "libn3t/n3t.h"

/* Counts per second. Far above any N3; 2^64 counts take 213 days at this rate. */
#define N3_SIM_MAX_RATE		1000000000000ULL

#define N3_SIM_MAX_PHASES	16
#define N3_SIM_MAX_PHASE_US	3600000000ULL

/**
 * struct n3_sim_count - a count with its fraction
 * @whole: whole counts, modulo 2^64
 * @nano: the fraction in 1e-9 counts, 0 to 999,999,999
 */
struct n3_sim_count {
	u64 whole;
	u32 nano;
};

/**
 * struct n3_sim_phase - a period of constant rates
 * @rates: counts per second of each event, or NULL if the CPU idles
 * @ns: its length
 */
struct n3_sim_phase {
	const u64 *rates;
	u64 ns;
};

/**
 * struct n3_sim_script - workload of a CPU over time
 * @period_ns: sum of all phases, or 0 if the first phase never ends
 * @nr: number of phases
 * @phase: the phases, repeated after the last
 */
struct n3_sim_script {
	u64 period_ns;
	unsigned int nr;
	struct n3_sim_phase phase[N3_SIM_MAX_PHASES];
};

struct n3_sim_count n3_sim_integral(u64 rate, u64 ns);
struct n3_sim_count n3_sim_count_add(struct n3_sim_count a, struct n3_sim_count b);
void n3_sim_script_constant(struct n3_sim_script *script, const u64 *rates);
struct n3_sim_count n3_sim_script_count(const struct n3_sim_script *script, enum n3t_event event,
					u64 ns);
const struct n3_sim_phase *n3_sim_script_phase(const struct n3_sim_script *script, u64 ns);

#endif /* _N3_SIM_RATES_H */
