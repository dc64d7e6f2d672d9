// SPDX-License-Identifier: GPL-2.0
/* Workloads with a known rate of every event. */
#include <kunit/visibility.h>
#include <linux/string.h>

#include "scenarios.h"

/* Clock of a simulated core; rates in the table are per million cycles. */
#define CYCLES_PER_SECOND	3000000000ULL
#define RATE(per_million)	((per_million) * (CYCLES_PER_SECOND / 1000000))

/* Each column of the table makes one scenario. */
const struct n3_sim_scenario n3_sim_scenarios[N3_SIM_NR_SCENARIOS] = {
	{
		.name = "backend_memory_bound",
		.rates = {
#define N3_SIM_RATE(event, backend, frontend, speculation, retiring) \
	[N3T_EVENT_##event] = RATE(backend),
#include "n3_sim_scenarios.def.h"
		},
	}, {
		.name = "frontend_bound",
		.rates = {
#define N3_SIM_RATE(event, backend, frontend, speculation, retiring) \
	[N3T_EVENT_##event] = RATE(frontend),
#include "n3_sim_scenarios.def.h"
		},
	}, {
		.name = "bad_speculation",
		.rates = {
#define N3_SIM_RATE(event, backend, frontend, speculation, retiring) \
	[N3T_EVENT_##event] = RATE(speculation),
#include "n3_sim_scenarios.def.h"
		},
	}, {
		.name = "retiring",
		.rates = {
#define N3_SIM_RATE(event, backend, frontend, speculation, retiring) \
	[N3T_EVENT_##event] = RATE(retiring),
#include "n3_sim_scenarios.def.h"
		},
	},
};
EXPORT_SYMBOL_IF_KUNIT(n3_sim_scenarios);

/**
 * n3_sim_scenario_by_name() - look up a scenario
 * @name: its name
 *
 * Context: any.
 * Return: the scenario, or NULL.
 */
const struct n3_sim_scenario *n3_sim_scenario_by_name(const char *name)
{
	unsigned int i;

	for (i = 0; i < N3_SIM_NR_SCENARIOS; i++)
		if (!strcmp(name, n3_sim_scenarios[i].name))
			return &n3_sim_scenarios[i];
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_scenario_by_name);

/**
 * n3_sim_scenario_by_rates() - find the scenario of a phase
 * @rates: the rates of the phase
 *
 * Context: any.
 * Return: the scenario, or NULL for custom rates.
 */
const struct n3_sim_scenario *n3_sim_scenario_by_rates(const u64 *rates)
{
	unsigned int i;

	for (i = 0; i < N3_SIM_NR_SCENARIOS; i++)
		if (rates == n3_sim_scenarios[i].rates)
			return &n3_sim_scenarios[i];
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_scenario_by_rates);
