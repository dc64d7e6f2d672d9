/* SPDX-License-Identifier: GPL-2.0 */
/* Built-in workloads with a known rate of every event. */
#ifndef _N3_SIM_SCENARIOS_H
#define _N3_SIM_SCENARIOS_H

#include <linux/types.h>

#include "libn3t/n3t.h"

#define N3_SIM_NR_SCENARIOS	4

/**
 * struct n3_sim_scenario - a workload
 * @name: as written to and read from debugfs
 * @rates: counts per second of each event
 */
struct n3_sim_scenario {
	const char *name;
	u64 rates[N3T_NR_EVENTS];
};

extern const struct n3_sim_scenario n3_sim_scenarios[N3_SIM_NR_SCENARIOS];

const struct n3_sim_scenario *n3_sim_scenario_by_name(const char *name);
const struct n3_sim_scenario *n3_sim_scenario_by_rates(const u64 *rates);

#endif /* _N3_SIM_SCENARIOS_H */
